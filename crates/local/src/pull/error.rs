//! Why a model is not here, and what to do about it.

use std::io;
use std::path::PathBuf;

use crate::cache::{Cache, CacheError};
use crate::manifest::Model;

/// How the system says that there is no room for more of a file.
const FULL: [io::ErrorKind; 3] = [
    io::ErrorKind::StorageFull,
    io::ErrorKind::QuotaExceeded,
    io::ErrorKind::FileTooLarge,
];

/// Why a model is not here.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// It can be had from nowhere.
    #[error("cannot fetch {} (sha256 {}): {}", model.file, model.sha256, why.join("; "))]
    Unreachable {
        /// The model.
        model: Box<Model>,
        /// Why not, for each source.
        why: Vec<String>,
    },
    /// There is no room for it.
    #[error("no room for {file} in {}: {need} bytes are needed and {free} are free", folder.display())]
    Full {
        /// The file.
        file: String,
        /// The folder.
        folder: PathBuf,
        /// Bytes that are needed.
        need: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A file of the user's own is not there.
    #[error("there is no file {}", path.display())]
    NoFile {
        /// Where it should be.
        path: PathBuf,
    },
    /// The file that is there is not the model's.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A file cannot be read or written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file that could not be written.
        path: PathBuf,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
}

impl PullError {
    /// What to do about it, where it goes to this folder.
    pub fn hint(&self, cache: &Cache) -> String {
        match self {
            Self::Unreachable { .. } => format!(
                "put it into {} yourself, or try again where there is a network; a package index is \
                 the one pip is set to (PIP_INDEX_URL)",
                cache.folder().display()
            ),
            Self::Full { .. } => {
                "make room, then pull again: what has come is kept and goes on".to_owned()
            }
            Self::Write { .. } => format!(
                "see that it can be written, or name another folder in {}; then pull again: what has \
                 come is kept",
                crate::cache::VARIABLE
            ),
            Self::NoFile { .. } => {
                "put it there, or change `path` in your configuration".to_owned()
            }
            Self::Cache(error) => error.hint(),
        }
    }

    /// Whether there was no room for it.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::Full { .. } => true,
            Self::Write { cause, .. } => FULL.contains(&cause.kind()),
            Self::Unreachable { .. } | Self::NoFile { .. } | Self::Cache(_) => false,
        }
    }
}
