//! The layers, and what they add up to.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use figment::providers::Serialized;
use figment::{Figment, Profile};
use toml::Table;

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
    /// The layer: `default`, a file's path, `environment` or `flag`.
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
    /// A project's file sets what needs the user's trust.
    #[error("{} sets `{key}`, which needs your trust", path.display())]
    Untrusted {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
}

impl ConfigError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Read { .. } => "check that the file can be read".to_owned(),
            Self::Invalid { .. } => "see `agon config show` for the known keys".to_owned(),
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
/// If a file cannot be read, a layer is not valid, or the project's file sets
/// what it may not.
pub fn resolve(
    files: &Files,
    vars: &BTreeMap<String, String>,
    flags: &Layer,
) -> Result<Resolved, ConfigError> {
    let mut layers = vec![("default".to_owned(), Layer::defaults())];
    let mut trust = Vec::new();
    if let Some((path, text)) = read_optional_file(files.user.as_deref())? {
        let (settings, _) = parse_layer(&path.display().to_string(), &text)?;
        trust.clone_from(&settings.trust);
        layers.push((path.display().to_string(), settings));
    }
    if let Some((path, text)) = read_optional_file(files.project.as_deref())? {
        let (settings, keys) = parse_layer(&path.display().to_string(), &text)?;
        if !is_in_trusted_folder(&path, &trust)
            && let Some(key) = project::first_untrusted_setting(&keys, &settings)
        {
            return Err(ConfigError::Untrusted { path, key });
        }
        layers.push((path.display().to_string(), settings));
    }
    let from_env = env::table_from_vars(vars);
    layers.push((
        "environment".to_owned(),
        layer_from_table("environment", from_env)?,
    ));
    layers.push(("flag".to_owned(), flags.clone()));
    merge_layers(layers)
}

fn read_optional_file(path: Option<&Path>) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let Some(path) = path else { return Ok(None) };
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some((path.to_owned(), text))),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(ConfigError::Read {
            path: path.to_owned(),
            cause,
        }),
    }
}

/// Whether the folder of a project's file is one that is trusted: that folder itself, none below it.
fn is_in_trusted_folder(project_file: &Path, trust: &[PathBuf]) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let folder = project_file.parent().and_then(real);
    folder.is_some_and(|folder| trust.iter().any(|t| real(t).as_ref() == Some(&folder)))
}

fn parse_layer(from: &str, text: &str) -> Result<(Layer, Vec<String>), ConfigError> {
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| invalid_layer(from, &error))?;
    let keys = table.keys().cloned().collect();
    Ok((layer_from_table(from, table)?, keys))
}

fn layer_from_table(from: &str, table: Table) -> Result<Layer, ConfigError> {
    table
        .try_into()
        .map_err(|error| invalid_layer(from, &error))
}

fn invalid_layer(from: &str, error: &toml::de::Error) -> ConfigError {
    ConfigError::Invalid {
        from: from.to_owned(),
        what: error.to_string().trim_end().to_owned(),
    }
}

fn merge_layers(layers: Vec<(String, Layer)>) -> Result<Resolved, ConfigError> {
    let mut figment = Figment::new();
    let mut named = BTreeMap::new();
    for (name, layer) in layers {
        for (key, value) in flatten_layer(&layer).map_err(|what| ConfigError::Invalid {
            from: name.clone(),
            what,
        })? {
            named.insert(key, (value, name.clone()));
        }
        figment = figment.merge(Serialized::from(layer, Profile::Default));
    }
    let settings: Layer = figment.extract().map_err(|error| ConfigError::Invalid {
        from: "configuration".to_owned(),
        what: error.to_string(),
    })?;
    let sources = named
        .into_iter()
        .map(|(key, (value, source))| Sourced { key, value, source })
        .collect();
    let settings = Settings::from(settings);
    Ok(Resolved { settings, sources })
}

/// Every value that `layer` sets, with its dotted key.
fn flatten_layer(layer: &Layer) -> Result<Vec<(String, String)>, String> {
    let table = Table::try_from(layer).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    let mut open: Vec<(String, toml::Value)> = table.into_iter().collect();
    while let Some((key, value)) = open.pop() {
        match value {
            toml::Value::Table(inner) => {
                open.extend(
                    inner
                        .into_iter()
                        .map(|(name, value)| (format!("{key}.{name}"), value)),
                );
            }
            value => found.push((key, value.to_string())),
        }
    }
    Ok(found)
}
