//! Reads the configuration layers and merges them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agon_record::text::sanitise_line;
use toml::Table;

use crate::costly;
use crate::default::{MAX_DUEL_ROUNDS, MAX_PLAN_REVIEW_TIME_S};
use crate::env;
use crate::layer::Layer;
use crate::project;
use crate::settings::Settings;

/// The files to read; a missing file counts as empty.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The user's file.
    pub user: Option<PathBuf>,
    /// The project's file.
    pub project: Option<PathBuf>,
}

/// The configuration, with the source of every value.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The values.
    pub settings: Settings,
    /// All values that are set, by key.
    pub sources: Vec<Sourced>,
}

/// A value and the layer it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced {
    /// The key, such as `rules.reply-words`.
    pub key: String,
    /// The value, as TOML.
    pub value: String,
    /// The layer: `default`, a file's path, a profile, `environment: AGON_NAME` or `flag`.
    pub source: String,
}

/// Why the configuration cannot be resolved.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
    /// A layer has an unknown key or a wrong value.
    #[error("{from}: {what}")]
    Invalid {
        /// The layer.
        from: String,
        /// What is wrong, and where.
        what: String,
    },
    /// The named profile is in no file.
    #[error("unknown profile `{name}`")]
    UnknownProfile {
        /// Its name.
        name: String,
        /// The existing profiles.
        known: Vec<String>,
    },
    /// A project's file sets a key that needs the user's trust.
    #[error("{} sets `{key}`, which needs your trust", path.display())]
    Untrusted {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
    /// A project's file sets a key that only the user's own file may set, even in a trusted folder.
    #[error("{} sets `{key}`, which only your own configuration may set", path.display())]
    OfUser {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
    /// A project's file is a link to a file outside its folder.
    #[error("{} is a link to a file outside its folder", path.display())]
    LeadsOut {
        /// The file.
        path: PathBuf,
    },
}

impl ConfigError {
    /// Returns how to fix it.
    pub fn hint(&self) -> String {
        match self {
            Self::Read { .. } => "check that the file can be read".to_owned(),
            Self::Invalid { .. } => "fix it there, then run `agon config check`".to_owned(),
            Self::UnknownProfile { known, .. } if known.is_empty() => {
                "add it as profiles.NAME with `agon config edit`".to_owned()
            }
            Self::UnknownProfile { known, .. } => format!("use one of {}", known.join(", ")),
            Self::OfUser { .. } => {
                "move it to your own configuration with `agon config edit`".to_owned()
            }
            Self::LeadsOut { .. } => "replace the link with a file, or remove it".to_owned(),
            Self::Untrusted { path, .. } => format!(
                "an untrusted project may set only {}; to trust this one, read the file, then add its \
                 folder to your own configuration: trust = [\"{}\"]",
                project::ALLOWED.join(", "),
                path.parent().unwrap_or(Path::new(".")).display(),
            ),
        }
    }
}

/// Resolves the layers; `vars` is the environment, `flags` the command line.
///
/// # Errors
///
/// If a file cannot be read, a layer is not valid, the project's file sets a key that it may not
/// set, or the named profile is in no file.
pub fn resolve(
    files: &Files,
    vars: &BTreeMap<String, String>,
    flags: &Layer,
) -> Result<Resolved, ConfigError> {
    let mut layers = vec![("default".to_owned(), Layer::defaults())];
    let mut trust = Vec::new();
    let (mut plan_review, mut costly, mut costly_of_project) = (None, None, Vec::new());
    if let Some((path, text)) = read_optional_file(files.user.as_deref())? {
        let settings = parse_layer(&path.display().to_string(), &text)?;
        trust.clone_from(&settings.trust);
        plan_review = settings.plan_review;
        costly.clone_from(&settings.costly);
        layers.push((path.display().to_string(), settings));
    }
    refuse_link_outside_folder(files.project.as_deref())?;
    if let Some((path, text)) = read_optional_file(files.project.as_deref())? {
        let (mut settings, table) = parse_project_layer(&path, &text)?;
        let keys: Vec<_> = table.keys().cloned().collect();
        if !is_in_trusted_folder(&path, &trust)
            && let Some(key) = project::first_untrusted_setting(&keys, &settings)
        {
            let key = sanitise_line(&key, MAX_KEY_CHARS);
            return Err(ConfigError::Untrusted { path, key });
        }
        if let Some(key) = project::first_user_only_table_key(&table) {
            let key = sanitise_line(&key, MAX_KEY_CHARS);
            return Err(ConfigError::OfUser { path, key });
        }
        // A project can only lower it, because the user pays.
        let allowed = plan_review.unwrap_or_default();
        settings.plan_review = settings.plan_review.map(|mode| mode.min(allowed));
        if let Some(own) = settings.costly.take() {
            let items = costly::with_items_of_project(costly, own);
            settings.costly = Some(items.all);
            costly_of_project = items.names_of_project;
        }
        let raised = project::first_raised_review(&settings, allowed);
        if let Some(key) = raised.or_else(|| project::first_replaced_topics(&settings)) {
            let key = sanitise_line(&key, MAX_KEY_CHARS);
            return Err(ConfigError::OfUser { path, key });
        }
        layers.push((path.display().to_string(), settings));
    }
    let from_env = layer_from_table("environment", env::table_from_vars(vars))?;
    let named = [&flags.profile, &from_env.profile].into_iter().flatten();
    let files_name = layers
        .iter()
        .rev()
        .find_map(|(_, layer)| layer.profile.as_ref());
    let wanted = named.chain(files_name).next().cloned();
    if let Some(name) = wanted {
        let profile = profile_layer(&layers, &name)?;
        layers.push(profile);
    }
    layers.push(("environment".to_owned(), from_env));
    layers.push(("flag".to_owned(), flags.clone()));
    let mut resolved = merge_layers(layers)?;
    resolved.settings.costly_of_project = costly_of_project;
    Ok(resolved)
}

/// Resolves only the valid layers, for commands that must work even with an invalid file.
///
/// # Errors
///
/// If the flags themselves are not valid.
pub fn resolve_sound_layers(
    files: &Files,
    vars: &BTreeMap<String, String>,
    flags: &Layer,
) -> Result<Resolved, ConfigError> {
    let whole = match resolve(files, vars, flags) {
        Ok(resolved) => return Ok(resolved),
        Err(error) => error,
    };
    let (user, project) = (files.user.clone(), files.project.clone());
    let fewer = [(user, None), (None, project), (None, None)];
    let fewer = fewer.map(|(user, project)| Files { user, project });
    let none = BTreeMap::new();
    for vars in [vars, &none] {
        for files in &fewer {
            if let Ok(resolved) = resolve(files, vars, flags) {
                return Ok(resolved);
            }
        }
    }
    Err(whole)
}

/// Checks the file at `path` alone; returns `None` if it does not exist.
///
/// # Errors
///
/// If it cannot be read, or has an unknown key or a wrong value.
pub fn check_file(path: &Path) -> Result<Option<()>, ConfigError> {
    let is_of_project = path.file_name().is_some_and(|name| name == PROJECT_FILE);
    refuse_link_outside_folder(is_of_project.then_some(path))?;
    let Some((path, text)) = read_optional_file(Some(path))? else {
        return Ok(None);
    };
    let from = path.display().to_string();
    let layer = match is_of_project {
        true => parse_project_layer(&path, &text)?.0,
        false => parse_layer(&from, &text)?,
    };
    for name in layer.profiles.keys() {
        profile_layer(&[(from.clone(), layer.clone())], name)?;
    }
    Ok(Some(()))
}

/// Returns the profile `name` from the last layer that has it.
fn profile_layer(layers: &[(String, Layer)], name: &str) -> Result<(String, Layer), ConfigError> {
    let has_it = |(from, layer): &(String, Layer)| {
        let table = layer.profiles.get(name)?;
        Some((format!("profile {name} in {from}"), table.clone()))
    };
    let (from, table) = layers.iter().rev().find_map(has_it).ok_or_else(|| {
        let known = layers.iter().flat_map(|(_, layer)| layer.profiles.keys());
        ConfigError::UnknownProfile {
            name: name.to_owned(),
            known: known.cloned().collect(),
        }
    })?;
    if let Some(key) = ["profile", "profiles", "trust"]
        .iter()
        .find(|key| table.contains_key(**key))
    {
        let what = format!("a profile cannot set `{key}`");
        return Err(ConfigError::Invalid { from, what });
    }
    let layer = layer_from_table(&from, table)?;
    Ok((from, layer))
}

/// Maximum size of a configuration file.
const MAX_BYTES: u64 = 1 << 20;

fn read_optional_file(path: Option<&Path>) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let Some(path) = path else { return Ok(None) };
    match agon_files::read_to_string(path, MAX_BYTES) {
        Ok(text) => Ok(Some((path.to_owned(), text))),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(ConfigError::Read {
            path: path.to_owned(),
            cause,
        }),
    }
}

/// Fails unless a project's file, which need not exist, may fill seats.
///
/// # Errors
///
/// If the user's file does not trust its folder or is not valid.
pub fn require_trust(project_file: &Path, user_file: Option<&Path>) -> Result<(), ConfigError> {
    match is_trusted(project_file, user_file)? {
        true => Ok(()),
        false => Err(ConfigError::Untrusted {
            path: project_file.to_owned(),
            key: "proposer".to_owned(),
        }),
    }
}

/// Returns whether the user's file trusts the folder of a project's file, which need not exist.
///
/// # Errors
///
/// If the user's file is not valid.
pub fn is_trusted(project_file: &Path, user_file: Option<&Path>) -> Result<bool, ConfigError> {
    let user = read_optional_file(user_file)?;
    let user = user.map(|(path, text)| parse_layer(&path.display().to_string(), &text));
    let trust = user.transpose()?.map(|layer| layer.trust);
    Ok(is_in_trusted_folder(
        project_file,
        &trust.unwrap_or_default(),
    ))
}

/// Returns whether the folder of a project's file is trusted. Trust does not extend to subfolders.
fn is_in_trusted_folder(project_file: &Path, trust: &[PathBuf]) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let folder = project_file.parent().and_then(real);
    folder.is_some_and(|folder| trust.iter().any(|t| real(t).as_ref() == Some(&folder)))
}

/// The name of a project's file.
const PROJECT_FILE: &str = "agon.toml";

/// Fails if a project's file is a link to a file outside its folder, because error messages could
/// show words of that file.
fn refuse_link_outside_folder(project_file: Option<&Path>) -> Result<(), ConfigError> {
    let Some(path) = project_file else {
        return Ok(());
    };
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    let real = |path: &Path| fs::canonicalize(path).ok();
    let folder = path.parent().and_then(real);
    // Checks only links to existing files: a dangling link counts as a missing file, and the
    // reader refuses everything that is not a regular file.
    let is_outside = |target: PathBuf| {
        target.is_file() && folder.is_none_or(|folder| !target.starts_with(folder))
    };
    match is_link && real(path).is_some_and(is_outside) {
        true => Err(ConfigError::LeadsOut {
            path: path.to_owned(),
        }),
        false => Ok(()),
    }
}

// Chosen, not measured: longer than any real key, so only invented keys are cut.
/// Maximum characters of a project's key in a message.
const MAX_KEY_CHARS: usize = 80;
/// Maximum characters of an error in a project's file.
const MAX_ERROR_CHARS: usize = 400;

/// Parses a project's file to a layer and a table. Errors name the line but never show it, because
/// they also go to AI tools.
fn parse_project_layer(path: &Path, text: &str) -> Result<(Layer, Table), ConfigError> {
    let from = path.display().to_string();
    let invalid = |error: &toml::de::Error| {
        let line = error.span().map(|span| {
            let before = text.get(..span.start).unwrap_or_default();
            before.matches('\n').count() + 1
        });
        let place = line.map_or_else(String::new, |line| format!("line {line}: "));
        let message = sanitise_line(error.message(), MAX_ERROR_CHARS);
        ConfigError::Invalid {
            from: from.clone(),
            what: format!("{place}{message}"),
        }
    };
    let table: Table = text.parse().map_err(|error| invalid(&error))?;
    let layer: Layer = toml::from_str(text).map_err(|error| invalid(&error))?;
    refuse_impossible_limit(&from, &layer, text)?;
    Ok((layer, table))
}

fn parse_layer(from: &str, text: &str) -> Result<Layer, ConfigError> {
    let layer: Layer = toml::from_str(text).map_err(|error| invalid_layer(from, &error))?;
    refuse_impossible_limit(from, &layer, text)?;
    Ok(layer)
}

fn layer_from_table(from: &str, table: Table) -> Result<Layer, ConfigError> {
    let layer: Layer = table
        .try_into()
        .map_err(|error| invalid_layer(from, &error))?;
    refuse_impossible_limit(from, &layer, "")?;
    Ok(layer)
}

/// Fails if no debate is possible with these limits; `text` is the file, if the layer is one.
fn refuse_impossible_limit(from: &str, layer: &Layer, text: &str) -> Result<(), ConfigError> {
    let Some((key, what)) = first_impossible_limit(layer) else {
        return Ok(());
    };
    let sets = |line: &str| {
        let rest = line.trim_start().strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let place = match text.lines().position(sets) {
        Some(at) => format!("line {}: ", at + 1),
        None => String::new(),
    };
    Err(ConfigError::Invalid {
        from: from.to_owned(),
        what: format!("{place}{what}"),
    })
}

/// Returns the first key of `layer` that makes debates impossible, and the error.
fn first_impossible_limit(layer: &Layer) -> Option<(&'static str, String)> {
    let in_range = |rounds: &u16| (1..=MAX_DUEL_ROUNDS).contains(rounds);
    if layer.rounds.is_some_and(|rounds| !in_range(&rounds)) {
        let what = format!("`rounds`: a duel has 1 to {MAX_DUEL_ROUNDS} rounds");
        return Some(("rounds", what));
    }
    if layer
        .plan_review_time
        .is_some_and(|time| time > MAX_PLAN_REVIEW_TIME_S)
    {
        let minutes = MAX_PLAN_REVIEW_TIME_S / 60;
        let what = format!("`plan_review_time`: must be at most {minutes}m");
        return Some(("plan_review_time", what));
    }
    if let Some(what) = layer.costly.as_deref().and_then(costly::first_error) {
        return Some(("costly", format!("`costly`: {what}")));
    }
    let is_nothing = |cost: f64| !cost.is_finite() || cost <= 0.0;
    let zero = [
        ("timeout", layer.timeout == Some(0)),
        ("max_calls", layer.max_calls == Some(0)),
        ("max_tokens", layer.max_tokens == Some(0)),
        ("max_time", layer.max_time == Some(0)),
        ("batch_calls", layer.batch_calls == Some(0)),
        ("plan_review_time", layer.plan_review_time == Some(0)),
        ("max_cost", layer.max_cost.is_some_and(is_nothing)),
    ];
    let (key, _) = zero.into_iter().find(|(_, is_zero)| *is_zero)?;
    let what = format!("`{key}`: must be greater than 0");
    Some((key, what))
}

fn invalid_layer(from: &str, error: &toml::de::Error) -> ConfigError {
    ConfigError::Invalid {
        from: from.to_owned(),
        what: error.to_string().trim_end().to_owned(),
    }
}

fn merge_layers(layers: Vec<(String, Layer)>) -> Result<Resolved, ConfigError> {
    let mut merged = Table::new();
    let mut named = BTreeMap::new();
    for (name, layer) in layers {
        let table = Table::try_from(layer).map_err(|error| ConfigError::Invalid {
            from: name.clone(),
            what: error.to_string(),
        })?;
        for (key, value) in flatten_table(&table) {
            let source = match name == "environment" {
                true => format!("environment: AGON_{}", key.to_uppercase()),
                false => name.clone(),
            };
            named.insert(key, (value, source));
        }
        merge_table(&mut merged, table);
    }
    let settings: Layer = merged
        .try_into()
        .map_err(|error| invalid_layer("configuration", &error))?;
    let sources = named
        .into_iter()
        .map(|(key, (value, source))| Sourced { key, value, source })
        .collect();
    let settings = Settings::from(settings);
    Ok(Resolved { settings, sources })
}

/// Merges `over` into `under`: tables are merged, other values are replaced.
fn merge_table(under: &mut Table, over: Table) {
    for (key, value) in over {
        let toml::Value::Table(over) = value else {
            under.insert(key, value);
            continue;
        };
        match under.entry(key).or_insert(Table::new().into()) {
            toml::Value::Table(under) => merge_table(under, over),
            other => *other = over.into(),
        }
    }
}

/// Returns every value in `table` with its dotted key.
fn flatten_table(table: &Table) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &toml::Value)> = table.iter().map(|(k, v)| (k.clone(), v)).collect();
    while let Some((key, value)) = open.pop() {
        match value {
            toml::Value::Table(inner) => {
                open.extend(
                    inner
                        .iter()
                        .map(|(name, value)| (format!("{key}.{name}"), value)),
                );
            }
            value => found.push((key, value.to_string())),
        }
    }
    found
}
