//! Errors of a model download, with hints for the user.

use std::io;
use std::path::PathBuf;

use crate::cache::{Cache, CacheError};
use crate::manifest::Model;

/// The error kinds that mean there is not enough space for a file.
const FULL: [io::ErrorKind; 3] = [
    io::ErrorKind::StorageFull,
    io::ErrorKind::QuotaExceeded,
    io::ErrorKind::FileTooLarge,
];

/// The reason why a model could not be downloaded.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// No source delivered the model.
    #[error("cannot download {} (sha256 {}): {}", model.file, model.sha256, why.join("; "))]
    Unreachable {
        /// The model.
        model: Box<Model>,
        /// The reason for each source.
        why: Vec<String>,
    },
    /// The disk has not enough space for the model.
    #[error("not enough space for {file} in {}: {need} bytes needed, {free} free", folder.display())]
    Full {
        /// The file.
        file: String,
        /// The folder.
        folder: PathBuf,
        /// The number of bytes needed.
        need: u64,
        /// The number of free bytes.
        free: u64,
    },
    /// The user's own file does not exist.
    #[error("there is no file {}", path.display())]
    NoFile {
        /// The expected path.
        path: PathBuf,
    },
    /// The existing file has the wrong contents.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A file cannot be read or written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file that could not be written.
        path: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
}

impl PullError {
    /// Returns what the user can do about the error; `cache` is the destination.
    pub fn hint(&self, cache: &Cache) -> String {
        match self {
            Self::Unreachable { .. } => format!(
                "put the file into {} yourself, or try again with a network connection; the package \
                 index is the one configured for pip (PIP_INDEX_URL)",
                cache.folder().display()
            ),
            Self::Full { .. } => {
                "free some space, then pull again to continue the download".to_owned()
            }
            Self::Write { .. } => format!(
                "make the folder writable, or set {} to another folder; then pull again to continue the \
                 download",
                crate::cache::VARIABLE
            ),
            Self::NoFile { .. } => {
                "put the file there, or change `path` in your configuration".to_owned()
            }
            Self::Cache(error) => error.hint(),
        }
    }

    /// Returns whether there was not enough space.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::Full { .. } => true,
            Self::Write { cause, .. } => FULL.contains(&cause.kind()),
            Self::Unreachable { .. } | Self::NoFile { .. } | Self::Cache(_) => false,
        }
    }
}
