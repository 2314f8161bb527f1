//! Receipts: records of what Agon wrote into a host, for updates and uninstalls.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::content::ContentSet;
use crate::disk::{self, DiskError};
use crate::edit::Splice;
use crate::edit::hooks::PutHook;

/// Record of what Agon wrote into a host for one scope: `agon.installed/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    schema: String,
    /// The host.
    pub host: String,
    /// The project's folder, if the installation is for one project.
    pub project: Option<PathBuf>,
    /// The version of Agon that wrote it.
    pub version: String,
    /// The installed part of the content.
    pub what: ContentSet,
    /// Whether the hook at the end of plan mode is installed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plan_review: bool,
    /// Whether the hook at prompts is installed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suggest: bool,
    /// Waived limits, as `AGENT.FIELD`.
    #[serde(default)]
    pub waived: Vec<String>,
    /// The files, each with the hashes of what Agon wrote; two while a file is being replaced.
    #[serde(default)]
    pub files: BTreeMap<PathBuf, Vec<String>>,
    /// Agon's server.
    #[serde(default)]
    pub server: Option<ServerReceipt>,
    /// The hooks, if they are entries in a file with other settings.
    #[serde(default)]
    pub hooks: Option<HooksReceipt>,
    /// The permission rules, if they are list entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<HooksReceipt>,
    /// The permissions, if each has its own key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub permission_keys: BTreeMap<String, ServerReceipt>,
    /// The other servers, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<String, ServerReceipt>,
    /// The folders that Agon created, outermost first.
    #[serde(default)]
    pub folders: Vec<PathBuf>,
}

/// Record of a map entry that Agon wrote into a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerReceipt {
    /// The configuration.
    pub path: PathBuf,
    /// Written versions of the entry, latest first.
    pub entries: Vec<Value>,
    /// The change of each edit, latest first.
    pub splices: Vec<Splice>,
    /// Whether Agon created the file.
    pub is_file_ours: bool,
    /// Whether Agon created the map of servers.
    pub is_map_ours: bool,
}

/// Record of list entries that Agon wrote into a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HooksReceipt {
    /// The configuration.
    pub path: PathBuf,
    /// The inserted entries.
    pub entries: Vec<PutHook>,
    /// The change of each edit.
    pub splices: Vec<Splice>,
    /// Whether Agon created the file.
    pub is_file_ours: bool,
    /// Whether Agon created the map of hooks.
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
    /// A link leads a file of a project outside the project.
    #[error("{} leads to {}, which is outside the project", .path.display(), .target.display())]
    Outside {
        /// The file of the project.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// It is not a receipt, or is from a later version.
    #[error("{} is not an installation record that this version can read", .0.display())]
    Unreadable(PathBuf),
}

impl Receipt {
    /// Returns every file that Agon wrote to.
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

    /// Returns an empty receipt for a host.
    pub(crate) fn new(host: &str, project: Option<PathBuf>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            host: host.to_owned(),
            project,
            version: String::new(),
            what: ContentSet::default(),
            plan_review: false,
            suggest: false,
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

    /// Reads the receipt at `path`, if it exists.
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

    /// Writes the receipt to `path`.
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
        // Readable only for the user, because it contains paths and parts of private
        // configurations.
        disk::replace(path, before.as_deref(), text.as_bytes(), 0o600).map_err(failed)
    }
}

/// Returns the hash of `bytes`.
pub(crate) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
