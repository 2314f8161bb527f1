//! Reads a repository's configuration as text, without following includes or starting anything.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice as _;
use gix::config::File;
use gix::config::file::Metadata;
use gix::config::file::init::Options;

/// Maximum size of a configuration file, in bytes.
const MAX_CONFIG_BYTES: u64 = 4 << 20;

/// The settings of a repository that git gets: how its files are stored. None names a program or a
/// path.
const KEPT: [&str; 17] = [
    "core.repositoryformatversion",
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.protecthfs",
    "core.protectntfs",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.symlinks",
    "extensions.objectformat",
    "extensions.refstorage",
    "extensions.relativeworktrees",
    "index.sparse",
    "user.email",
    "user.name",
];

/// The configuration of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositoryConfig {
    /// The settings in file order. Keys are in lower case except their middle part.
    entries: Vec<(String, String)>,
}

/// The repository's configuration cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {cause}", path.display())]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub cause: String,
}

impl RepositoryConfig {
    /// Reads the configuration shared by all work trees, in `common_dir`, and the configuration of
    /// one work tree, in `git_dir`.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, does not parse, or is larger than 4 MiB.
    pub(crate) fn read(common_dir: &Path, git_dir: &Path) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        config.add(&common_dir.join("config"))?;
        if config.is_on("extensions.worktreeconfig") {
            config.add(&git_dir.join("config.worktree"))?;
        }
        Ok(config)
    }

    fn add(&mut self, path: &Path) -> Result<(), ConfigError> {
        let failed = |cause: String| ConfigError {
            path: path.to_owned(),
            cause,
        };
        let bytes = match agon_files::read(path, MAX_CONFIG_BYTES) {
            Ok(bytes) => bytes,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(cause) => return Err(failed(cause.to_string())),
        };
        let parsed = File::from_bytes_no_includes(&bytes, Metadata::api(), Options::default());
        let parsed = parsed.map_err(|cause| failed(cause.to_string()))?;
        for section in parsed.sections() {
            let header = section.header();
            let name = header.name().to_str_lossy().to_lowercase();
            let middle = header.subsection_name();
            let middle = middle.map(|middle| middle.to_str_lossy().into_owned());
            let mut seen = BTreeSet::new();
            for key in section.value_names() {
                let key = key.to_lowercase();
                if !seen.insert(key.clone()) {
                    continue;
                }
                let whole = match &middle {
                    Some(middle) => format!("{name}.{middle}.{key}"),
                    None => format!("{name}.{key}"),
                };
                let mut values = section.values(&key);
                // A key without a value means true.
                if values.is_empty() {
                    values.push("true".into());
                }
                let values = values.iter().map(|it| it.to_str_lossy().into_owned());
                self.entries
                    .extend(values.map(|value| (whole.clone(), value)));
            }
        }
        Ok(())
    }

    /// Returns the last value of a key, which must be in lower case except its middle part.
    pub fn value(&self, key: &str) -> Option<&str> {
        let mut found = self.entries.iter().rev();
        found
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// Returns whether a key is set to true.
    pub fn is_on(&self, key: &str) -> bool {
        let value = self.value(key).map(str::to_lowercase);
        matches!(value.as_deref(), Some("true" | "yes" | "on" | "1"))
    }

    /// Returns whether the configuration says that there is no work tree.
    pub(crate) fn is_bare(&self) -> bool {
        self.is_on("core.bare")
    }

    /// Returns the folder in which the repository keeps its files, according to its configuration.
    pub(crate) fn work_tree(&self) -> Option<&str> {
        self.value("core.worktree")
    }

    /// Returns the settings that git gets, with their values.
    pub(crate) fn safe_settings(&self) -> impl Iterator<Item = (&str, &str)> {
        KEPT.iter().filter_map(|key| Some((*key, self.value(key)?)))
    }

    /// Returns the names of the filters that the repository defines with a program.
    pub(crate) fn filters(&self) -> BTreeSet<&str> {
        let programs = [".clean", ".smudge", ".process"];
        let names = self.entries.iter().filter_map(|(key, value)| {
            let rest = key.strip_prefix("filter.")?;
            let name = programs.iter().find_map(|it| rest.strip_suffix(it))?;
            (!value.is_empty()).then_some(name)
        });
        names.collect()
    }

    /// Returns whether the configuration includes other files, which are not read.
    pub(crate) fn has_includes(&self) -> bool {
        let is_include = |key: &str| key.starts_with("include.") || key.starts_with("includeif.");
        self.entries.iter().any(|(key, _)| is_include(key))
    }

    /// Returns the remote that a partial clone fetches missing objects from.
    pub(crate) fn promisor(&self) -> Option<&str> {
        let named = self.value("extensions.partialclone");
        named.filter(|name| !name.is_empty()).or_else(|| {
            let mut remotes = self
                .entries
                .iter()
                .filter_map(|(key, _)| key.strip_prefix("remote.")?.strip_suffix(".promisor"));
            remotes.find(|name| self.is_on(&format!("remote.{name}.promisor")))
        })
    }
}
