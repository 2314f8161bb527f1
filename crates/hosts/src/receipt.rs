//! What Agon wrote into a host, kept so that it can be known again and taken back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::content::ContentSet;
use crate::disk::{self, DiskError};
use crate::edit::Splice;
use crate::edit::hooks::PutHook;

/// What Agon wrote into a host for one scope: `agon.installed/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    schema: String,
    /// The host.
    pub host: String,
    /// The folder of the project, where it is for one alone.
    pub project: Option<PathBuf>,
    /// The version of Agon that wrote it.
    pub version: String,
    /// What was chosen of the content.
    pub what: ContentSet,
    /// What was waived, as `AGENT.FIELD`.
    #[serde(default)]
    pub waived: Vec<String>,
    /// The files, each with the hashes of what Agon wrote there: two while it is being replaced.
    #[serde(default)]
    pub files: BTreeMap<PathBuf, Vec<String>>,
    /// The server.
    #[serde(default)]
    pub server: Option<ServerReceipt>,
    /// The hooks, where they are entries of a file with other settings.
    #[serde(default)]
    pub hooks: Option<HooksReceipt>,
    /// The rules of permissions, where they are entries of lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<HooksReceipt>,
    /// The permissions, where each has a key of its own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub permission_keys: BTreeMap<String, ServerReceipt>,
    /// The other servers, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<String, ServerReceipt>,
    /// The folders that were made for it, the outermost first.
    #[serde(default)]
    pub folders: Vec<PathBuf>,
}

/// What Agon wrote into a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerReceipt {
    /// The configuration.
    pub path: PathBuf,
    /// What the server was written as, the latest first.
    pub entries: Vec<Value>,
    /// What each edit changed, the latest first.
    pub splices: Vec<Splice>,
    /// Whether the file was made for it.
    pub is_file_ours: bool,
    /// Whether the map of servers was made for it.
    pub is_map_ours: bool,
}

/// The entries of lists that Agon wrote into a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HooksReceipt {
    /// The configuration.
    pub path: PathBuf,
    /// What was put in.
    pub entries: Vec<PutHook>,
    /// What the edit changed.
    pub splices: Vec<Splice>,
    /// Whether the file was made for it.
    pub is_file_ours: bool,
    /// Whether the map of hooks was made for it.
    pub is_map_ours: bool,
}

const SCHEMA: &str = "agon.installed/1";

/// Why a receipt cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    /// It cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Disk {
        /// Its path.
        path: PathBuf,
        /// Why not.
        error: DiskError,
    },
    /// A file of a project leads out of it through a link.
    #[error("{} leads to {}, which is outside of the project", .path.display(), .target.display())]
    Outside {
        /// The file of the project.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// It is not one, or of a later version.
    #[error("{} is no record of an installation that this version reads", .0.display())]
    Unreadable(PathBuf),
}

impl Receipt {
    /// Every file that Agon wrote to.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let servers = self.server.iter().chain(self.others.values());
        let servers = servers.chain(self.permission_keys.values());
        let hooks = self.hooks.iter().chain(&self.permissions);
        let hooks = hooks.map(|hooks| &hooks.path);
        self.files
            .keys()
            .chain(servers.map(|server| &server.path))
            .chain(hooks)
    }

    /// One for a host in which nothing is yet.
    pub(crate) fn new(host: &str, project: Option<PathBuf>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            host: host.to_owned(),
            project,
            version: String::new(),
            what: ContentSet::default(),
            waived: Vec::new(),
            files: BTreeMap::new(),
            server: None,
            hooks: None,
            permissions: None,
            permission_keys: BTreeMap::new(),
            others: BTreeMap::new(),
            folders: Vec::new(),
        }
    }

    /// The one at `path`, if there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<Option<Self>, ReceiptError> {
        let failed = |error| ReceiptError::Disk {
            path: path.to_owned(),
            error,
        };
        let Some(bytes) = disk::read(path).map_err(failed)? else {
            return Ok(None);
        };
        match serde_json::from_slice::<Self>(&bytes) {
            Ok(receipt) if receipt.schema == SCHEMA => Ok(Some(receipt)),
            Ok(_) | Err(_) => Err(ReceiptError::Unreadable(path.to_owned())),
        }
    }

    /// Writes it to `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<(), ReceiptError> {
        let failed = |error| ReceiptError::Disk {
            path: path.to_owned(),
            error,
        };
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        disk::create_folders(path).map_err(failed)?;
        let before = disk::read(path).map_err(failed)?;
        // It holds paths of the user's, and pieces of configurations.
        disk::replace(path, before.as_deref(), text.as_bytes(), 0o600).map_err(failed)
    }
}

/// What `bytes` are known by.
pub(crate) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
