//! Where a host's files are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What of the surroundings decides where a host's files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostEnv {
    /// The user's home.
    pub home: PathBuf,
    /// The environment.
    pub vars: BTreeMap<String, String>,
}

impl HostEnv {
    /// The folder that the variable `name` names, else `default` below the home.
    pub(super) fn dir(&self, name: &str, default: &str) -> PathBuf {
        self.named_dir(name)
            .unwrap_or_else(|| self.home.join(default))
    }

    /// The folder that the variable `name` names.
    pub(super) fn named_dir(&self, name: &str) -> Option<PathBuf> {
        let dir = self.vars.get(name).filter(|dir| !dir.is_empty())?;
        Some(PathBuf::from(dir)).filter(|dir| dir.is_absolute())
    }
}

/// For whom something is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For all projects of the user.
    User,
    /// For one project, in its folder.
    Project(PathBuf),
}

/// Where a host's files are, for one scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPaths {
    /// The folder of skills: each is a folder there.
    pub skills: PathBuf,
    /// The folder of commands, where there are any.
    pub commands: Option<PathBuf>,
    /// The folder of agents.
    pub agents: PathBuf,
    /// The files in which the host looks for servers: the first that exists is written, else the
    /// first is created.
    pub servers: Vec<PathBuf>,
    /// The file of hooks.
    pub hooks: PathBuf,
    /// The file of permissions, where it has one for this scope.
    pub permissions: Option<PathBuf>,
}

impl HostPaths {
    /// Those below `folder`.
    pub(super) fn below(folder: &Path, has_commands: bool, servers: Vec<PathBuf>) -> Self {
        Self {
            skills: folder.join("skills"),
            commands: has_commands.then(|| folder.join("commands")),
            agents: folder.join("agents"),
            servers,
            hooks: folder.join("hooks.json"),
            permissions: None,
        }
    }

    /// The same, with permissions in the file at `path`.
    pub(super) fn with_permissions(self, path: Option<PathBuf>) -> Self {
        Self {
            permissions: path,
            ..self
        }
    }

    /// The same, with hooks in the file at `path`.
    pub(super) fn with_hooks(self, path: PathBuf) -> Self {
        Self {
            hooks: path,
            ..self
        }
    }

    /// The file that has or gets the server.
    pub fn server_file(&self) -> Option<&Path> {
        let exists = |path: &&PathBuf| path.symlink_metadata().is_ok();
        let found = self.servers.iter().find(exists);
        found.or(self.servers.first()).map(PathBuf::as_path)
    }
}
