//! Paths of a host's files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Environment that determines the paths of a host's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostEnv {
    /// The user's home.
    pub home: PathBuf,
    /// The environment variables.
    pub vars: BTreeMap<String, String>,
}

impl HostEnv {
    /// Returns the folder in the variable `name`, else `default` below the home.
    pub(super) fn dir(&self, name: &str, default: &str) -> PathBuf {
        self.folder_from_variable(name)
            .unwrap_or_else(|| self.home.join(default))
    }

    /// Returns the folder in the variable `name`, if it is an absolute path.
    pub(super) fn folder_from_variable(&self, name: &str) -> Option<PathBuf> {
        let dir = self.vars.get(name).filter(|dir| !dir.is_empty())?;
        Some(PathBuf::from(dir)).filter(|dir| dir.is_absolute())
    }
}

/// Scope of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All projects of the user.
    User,
    /// One project, in its folder.
    Project(PathBuf),
}

/// Paths of a host's files for one scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPaths {
    /// The folder of skills, with one folder for each.
    pub skills: PathBuf,
    /// The folder of commands, if the host has any.
    pub commands: Option<PathBuf>,
    /// The folder of agents.
    pub agents: PathBuf,
    /// Files in which the host looks for servers. Agon writes the first that exists, else creates the
    /// first.
    pub servers: Vec<PathBuf>,
    /// The file of hooks.
    pub hooks: PathBuf,
    /// The file of permissions, if there is one for this scope.
    pub permissions: Option<PathBuf>,
    /// All files whose permissions the host merges, if there are several.
    pub merged_permissions: Vec<PathBuf>,
}

impl HostPaths {
    /// Returns the usual paths below `folder`.
    pub(super) fn below(folder: &Path, has_commands: bool, servers: Vec<PathBuf>) -> Self {
        Self {
            skills: folder.join("skills"),
            commands: has_commands.then(|| folder.join("commands")),
            agents: folder.join("agents"),
            servers,
            hooks: folder.join("hooks.json"),
            permissions: None,
            merged_permissions: Vec::new(),
        }
    }

    /// Returns the paths with permissions in the file at `path`.
    pub(super) fn with_permissions(self, path: Option<PathBuf>) -> Self {
        Self {
            permissions: path,
            ..self
        }
    }

    /// Returns the paths with hooks in the file at `path`.
    pub(super) fn with_hooks(self, path: PathBuf) -> Self {
        Self {
            hooks: path,
            ..self
        }
    }

    /// Returns the file that has or gets the server.
    pub fn server_file(&self) -> Option<&Path> {
        let exists = |path: &&PathBuf| path.symlink_metadata().is_ok();
        let found = self.servers.iter().find(exists);
        found.or(self.servers.first()).map(PathBuf::as_path)
    }
}
