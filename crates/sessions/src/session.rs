//! The description of a session, apart from its entries.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::SessionHost;

/// A session, as its record describes it.
///
/// A session has one file or one database row. A sub-agent with its own file or row is a session
/// with [`Origin::SubAgent`]. The entries of other sub-agents have
/// [`Entry::agent`](crate::Entry::agent).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedSession {
    /// Its host.
    pub host: SessionHost,
    /// The host's id.
    pub id: String,
    /// Its file, or the database that contains it.
    pub file: PathBuf,
    /// The working folder, if recorded.
    pub project: Option<PathBuf>,
    /// The host's title.
    pub title: Option<String>,
    /// The host's version at the last entry.
    pub version: Option<String>,
    /// Models that answered, in order of first use.
    pub models: Vec<String>,
    /// Tokens of the context window, if recorded.
    pub window: Option<u64>,
    /// Its origin.
    pub origin: Origin,
    /// Its start time.
    pub started: Option<Timestamp>,
}

/// The origin of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A person or a program started it.
    #[default]
    New,
    /// It is a fork. Entries of its parent have [`Entry::copied`](crate::Entry::copied).
    Fork {
        /// The parent session, if recorded.
        parent: Option<String>,
    },
    /// An agent of another session started it.
    SubAgent {
        /// That session.
        parent: String,
    },
}

impl RecordedSession {
    /// Creates a session of which only the place is known.
    pub fn new(host: SessionHost, id: impl Into<String>, file: impl Into<PathBuf>) -> Self {
        Self {
            host,
            id: id.into(),
            file: file.into(),
            project: None,
            title: None,
            version: None,
            models: Vec::new(),
            window: None,
            origin: Origin::New,
            started: None,
        }
    }

    /// Adds a model that answered.
    pub fn add_model(&mut self, model: &str) {
        if !model.is_empty() && self.models.iter().all(|it| it != model) {
            self.models.push(model.to_owned());
        }
    }
}

/// A session on disk, as described by its path and first lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRef {
    /// Its host.
    pub host: SessionHost,
    /// The host's id.
    pub id: String,
    /// The file, or the database.
    pub file: PathBuf,
    /// The folder it was started in, if known.
    pub project: Option<PathBuf>,
    /// The current folder, if the session was resumed in another one.
    pub moved_to: Option<PathBuf>,
    /// Its origin, as far as known without reading the whole record.
    pub origin: Origin,
    /// The time of the last write.
    pub modified: SystemTime,
    /// Size of its file in bytes; `None` for a database row.
    pub bytes: Option<u64>,
}

/// Returns whether a folder is `project` or inside it, after resolving links.
pub(crate) fn is_below(folder: &Path, project: &Path) -> bool {
    let real = || std::fs::canonicalize(folder);
    folder.starts_with(project) || real().is_ok_and(|it| it.starts_with(project))
}

impl SessionRef {
    /// Returns whether it was started or continues in `project` or a folder inside it.
    pub fn is_within(&self, project: &Path) -> bool {
        let folders = [&self.project, &self.moved_to];
        folders
            .into_iter()
            .flatten()
            .any(|it| is_below(it, project))
    }

    /// Returns the session whose sub-agent it is.
    pub fn parent(&self) -> Option<&str> {
        match &self.origin {
            Origin::SubAgent { parent } => Some(parent),
            Origin::New | Origin::Fork { .. } => None,
        }
    }
}
