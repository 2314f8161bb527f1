//! What a record of a session is, beside its entries.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::SessionHost;

/// A session as its record describes it.
///
/// One session has one file, or one row of a database. A sub-agent that has a file or a row of
/// its own is a session whose [`Origin`] is [`Origin::SubAgent`]; one that is recorded in its
/// parent's file is told apart by [`Entry::agent`](crate::Entry::agent).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedSession {
    /// Whose record it is.
    pub host: SessionHost,
    /// The host's id of it.
    pub id: String,
    /// The file, or the database in which it is.
    pub file: PathBuf,
    /// The folder it was held in, where the record says so.
    pub project: Option<PathBuf>,
    /// What the host calls it.
    pub title: Option<String>,
    /// The version of the host that wrote the last entry.
    pub version: Option<String>,
    /// Models that answered, in the order in which they first did.
    pub models: Vec<String>,
    /// Tokens of the context window, where the record says so.
    pub window: Option<u64>,
    /// Where it came from.
    pub origin: Origin,
    /// When it began.
    pub started: Option<Timestamp>,
}

/// Where a session came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A person or a program began it.
    #[default]
    New,
    /// It began as a copy of another; entries of the copy have [`Entry::copied`](crate::Entry::copied).
    Fork {
        /// The session it was copied from, where the record says so.
        parent: Option<String>,
    },
    /// An agent of another session began it.
    SubAgent {
        /// That session.
        parent: String,
    },
}

impl RecordedSession {
    /// A session of which only the place is known as yet.
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

    /// Notes that `model` answered.
    pub fn add_model(&mut self, model: &str) {
        if !model.is_empty() && self.models.iter().all(|it| it != model) {
            self.models.push(model.to_owned());
        }
    }
}

/// A session that is there, as far as its place and its first lines say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRef {
    /// Whose record it is.
    pub host: SessionHost,
    /// The host's id of it.
    pub id: String,
    /// The file, or the database.
    pub file: PathBuf,
    /// The folder it was begun in, where that is known.
    pub project: Option<PathBuf>,
    /// The folder it is held in by now, where that is another: a tool goes on in the old record when
    /// a session is resumed elsewhere.
    pub moved_to: Option<PathBuf>,
    /// Where it came from, where that is known without reading it.
    pub origin: Origin,
    /// When it was last written.
    pub modified: SystemTime,
    /// Bytes of its file; none for a row of a database.
    pub bytes: Option<u64>,
}

/// Whether a folder that a record names is `project` or below it; it may lead there by a link.
pub(crate) fn is_below(folder: &Path, project: &Path) -> bool {
    let real = || std::fs::canonicalize(folder);
    folder.starts_with(project) || real().is_ok_and(|it| it.starts_with(project))
}

impl SessionRef {
    /// Whether it was begun or is held in `project` or below it.
    pub fn is_within(&self, project: &Path) -> bool {
        let folders = [&self.project, &self.moved_to];
        folders
            .into_iter()
            .flatten()
            .any(|it| is_below(it, project))
    }

    /// The session whose sub-agent it is.
    pub fn parent(&self) -> Option<&str> {
        match &self.origin {
            Origin::SubAgent { parent } => Some(parent),
            Origin::New | Origin::Fork { .. } => None,
        }
    }
}
