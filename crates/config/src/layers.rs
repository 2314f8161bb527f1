//! The layers, and what they add up to.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agon_record::text::sanitise_line;
use toml::Table;

use crate::default::MAX_DUEL_ROUNDS;
use crate::env;
use crate::layer::Layer;
use crate::project;
use crate::settings::Settings;

/// Which files are read; one that is not there counts as empty.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The user's.
    pub user: Option<PathBuf>,
    /// The project's.
    pub project: Option<PathBuf>,
}

/// The configuration, with the source of every value.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The values.
    pub settings: Settings,
    /// Every value that is set, by its key.
    pub sources: Vec<Sourced>,
}

/// One value and the layer it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced {
    /// The key, such as `rules.reply-words`.
    pub key: String,
    /// The value, as TOML.
    pub value: String,
    /// The layer: `default`, a file's path, a profile, `environment: AGON_NAME` or `flag`.
    pub source: String,
}

/// Why there is no configuration.
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
        /// What is wrong, where.
        what: String,
    },
    /// The profile that is named is in no file.
    #[error("there is no profile `{name}`")]
    UnknownProfile {
        /// Its name.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// A project's file sets what needs the user's trust.
    #[error("{} sets `{key}`, which needs your trust", path.display())]
    Untrusted {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
    /// A project's file sets what only the user's own file may, however far the folder is trusted.
    #[error("{} sets `{key}`, which only your own configuration may", path.display())]
    OfUser {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
    /// A project's file is a link that leads out of its folder.
    #[error("{} is a link that leads out of its folder", path.display())]
    LeadsOut {
        /// The file.
        path: PathBuf,
    },
}

impl ConfigError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Read { .. } => "check that the file can be read".to_owned(),
            Self::Invalid { .. } => {
                "mend it there; `agon config check` then reads every file again".to_owned()
            }
            Self::UnknownProfile { known, .. } if known.is_empty() => {
                "no file has one; write it as profiles.NAME: `agon config edit`".to_owned()
            }
            Self::UnknownProfile { known, .. } => format!("there is {}", known.join(", ")),
            Self::OfUser { .. } => {
                "move it into your own configuration: `agon config edit` opens that file".to_owned()
            }
            Self::LeadsOut { .. } => "put a file of its own there, or remove the link".to_owned(),
            Self::Untrusted { path, .. } => format!(
                "a project may set {}; to allow everything here, read the file, then add its \
                 folder to your own configuration: trust = [\"{}\"]",
                project::ALLOWED.join(", "),
                path.parent().unwrap_or(Path::new(".")).display(),
            ),
        }
    }
}

/// Resolves the layers; `vars` is the environment, `flags` what the command line says.
///
/// # Errors
///
/// If a file cannot be read, a layer is not valid, the project's file sets what it may not, or the
/// profile that is named is in no file.
pub fn resolve(
    files: &Files,
    vars: &BTreeMap<String, String>,
    flags: &Layer,
) -> Result<Resolved, ConfigError> {
    let mut layers = vec![("default".to_owned(), Layer::defaults())];
    let mut trust = Vec::new();
    if let Some((path, text)) = read_optional_file(files.user.as_deref())? {
        let settings = parse_layer(&path.display().to_string(), &text)?;
        trust.clone_from(&settings.trust);
        layers.push((path.display().to_string(), settings));
    }
    refuse_link_out(files.project.as_deref())?;
    if let Some((path, text)) = read_optional_file(files.project.as_deref())? {
        let (settings, table) = parse_project_layer(&path, &text)?;
        let keys: Vec<_> = table.keys().cloned().collect();
        if !is_in_trusted_folder(&path, &trust)
            && let Some(key) = project::first_untrusted_setting(&keys, &settings)
        {
            let key = sanitise_line(&key, MAX_KEY_CHARS);
            return Err(ConfigError::Untrusted { path, key });
        }
        if let Some(key) = project::first_setting_of_user(&table) {
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
    merge_layers(layers)
}

/// Resolves the layers that are sound, for what must work without the others.
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

/// What is wrong with the file at `path` by itself; `None` where it is not there.
///
/// # Errors
///
/// If it cannot be read, or has an unknown key or a wrong value.
pub fn check_file(path: &Path) -> Result<Option<()>, ConfigError> {
    let is_of_project = path.file_name().is_some_and(|name| name == PROJECT_FILE);
    refuse_link_out(is_of_project.then_some(path))?;
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

/// The profile `name` of the last of `layers` that has one of that name.
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

/// The most bytes of a configuration file that are read.
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

/// Refuses a project's file, there or not yet, that may not name who sits where.
///
/// # Errors
///
/// If its folder is none of those that the user's file trusts, or that file is not valid.
pub fn require_trust(project_file: &Path, user_file: Option<&Path>) -> Result<(), ConfigError> {
    match is_trusted(project_file, user_file)? {
        true => Ok(()),
        false => Err(ConfigError::Untrusted {
            path: project_file.to_owned(),
            key: "proposer".to_owned(),
        }),
    }
}

/// Whether the user's file trusts the folder of a project's file, there or not yet.
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

/// Whether the folder of a project's file is one that is trusted: that folder itself, none below it.
fn is_in_trusted_folder(project_file: &Path, trust: &[PathBuf]) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let folder = project_file.parent().and_then(real);
    folder.is_some_and(|folder| trust.iter().any(|t| real(t).as_ref() == Some(&folder)))
}

/// The name of a project's file.
const PROJECT_FILE: &str = "agon.toml";

/// Refuses a project's file that is a link to one outside its folder: what is wrong with that file
/// would be reported with words of it.
fn refuse_link_out(project_file: Option<&Path>) -> Result<(), ConfigError> {
    let Some(path) = project_file else {
        return Ok(());
    };
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    let real = |path: &Path| fs::canonicalize(path).ok();
    let folder = path.parent().and_then(real);
    // A link to nothing counts as a file that is not there.
    // What is not a file is refused when it is read.
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

// Chosen, not measured: longer than any key there is.
/// Characters of a key of a project's file that a message shows.
const MAX_KEY_CHARS: usize = 80;
/// Characters of what is wrong with a project's file.
const MAX_ERROR_CHARS: usize = 400;

/// The layer of a project's file, and its table. A message says where the file is wrong and shows
/// none of its lines: it goes to AI tools too.
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
    refuse_impossible_bound(&from, &layer, text)?;
    Ok((layer, table))
}

fn parse_layer(from: &str, text: &str) -> Result<Layer, ConfigError> {
    let layer: Layer = toml::from_str(text).map_err(|error| invalid_layer(from, &error))?;
    refuse_impossible_bound(from, &layer, text)?;
    Ok(layer)
}

fn layer_from_table(from: &str, table: Table) -> Result<Layer, ConfigError> {
    let layer: Layer = table
        .try_into()
        .map_err(|error| invalid_layer(from, &error))?;
    refuse_impossible_bound(from, &layer, "")?;
    Ok(layer)
}

/// Refuses what no debate can be held with; `text` is the file, where the layer is one.
fn refuse_impossible_bound(from: &str, layer: &Layer, text: &str) -> Result<(), ConfigError> {
    let Some((key, what)) = first_impossible_bound(layer) else {
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

/// The key of `layer` with which no debate can be held, and what is wrong with it.
fn first_impossible_bound(layer: &Layer) -> Option<(&'static str, String)> {
    let in_range = |rounds: &u16| (1..=MAX_DUEL_ROUNDS).contains(rounds);
    if layer.rounds.is_some_and(|rounds| !in_range(&rounds)) {
        let what = format!("`rounds`: a duel has 1 to {MAX_DUEL_ROUNDS} rounds");
        return Some(("rounds", what));
    }
    let is_nothing = |cost: f64| !cost.is_finite() || cost <= 0.0;
    let zero = [
        ("timeout", layer.timeout == Some(0)),
        ("max_calls", layer.max_calls == Some(0)),
        ("max_tokens", layer.max_tokens == Some(0)),
        ("max_time", layer.max_time == Some(0)),
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

/// Puts the values of `over` into `under`: tables are joined, all else is replaced.
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

/// Every value in `table`, with its dotted key.
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
