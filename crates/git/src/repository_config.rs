//! The configuration of a repository, read as text: no include is followed, nothing is started.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice as _;
use gix::config::File;
use gix::config::file::Metadata;
use gix::config::file::init::Options;

/// Bytes of the largest configuration that is read.
const MAX_CONFIG_BYTES: u64 = 4 << 20;

/// Settings of a repository that git gets: how its files are stored. None names a program or a path.
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
    /// Each key in lower case but for its middle part, with its value, in the order of the files.
    entries: Vec<(String, String)>,
}

/// The configuration of a repository cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {cause}", path.display())]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub cause: String,
}

impl RepositoryConfig {
    /// Reads what all work trees share, in `common_dir`, and what one has of its own, in `git_dir`.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, does not parse, or is larger than 4 MiB.
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
                // A key without a value says yes.
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

    /// The last value of a key, which is in lower case but for its middle part.
    pub fn value(&self, key: &str) -> Option<&str> {
        let mut found = self.entries.iter().rev();
        found
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// Whether a key says yes.
    pub fn is_on(&self, key: &str) -> bool {
        let value = self.value(key).map(str::to_lowercase);
        matches!(value.as_deref(), Some("true" | "yes" | "on" | "1"))
    }

    /// Whether the repository says that it has no work tree.
    pub(crate) fn is_bare(&self) -> bool {
        self.is_on("core.bare")
    }

    /// The folder that the repository says its files are in.
    pub(crate) fn work_tree(&self) -> Option<&str> {
        self.value("core.worktree")
    }

    /// The settings that git gets, each with its value.
    pub(crate) fn safe_settings(&self) -> impl Iterator<Item = (&str, &str)> {
        KEPT.iter().filter_map(|key| Some((*key, self.value(key)?)))
    }

    /// The filters that the repository defines: those with a program.
    pub(crate) fn filters(&self) -> BTreeSet<&str> {
        let programs = [".clean", ".smudge", ".process"];
        let names = self.entries.iter().filter_map(|(key, value)| {
            let rest = key.strip_prefix("filter.")?;
            let name = programs.iter().find_map(|it| rest.strip_suffix(it))?;
            (!value.is_empty()).then_some(name)
        });
        names.collect()
    }

    /// Whether other files are said to belong to it, which are not read.
    pub(crate) fn has_includes(&self) -> bool {
        let is_include = |key: &str| key.starts_with("include.") || key.starts_with("includeif.");
        self.entries.iter().any(|(key, _)| is_include(key))
    }

    /// The remote that a partial clone gets missing objects from.
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
