//! Why a source cannot be pinned.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use agon_hint::Hint;

/// The reason why a source cannot be pinned.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    /// A file or folder cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
    /// The path is not a folder.
    #[error("{} is not a folder", path.display())]
    NoFolder {
        /// The path.
        path: PathBuf,
    },
    /// A named file does not exist.
    #[error("no such file: {path:?}")]
    NoFile {
        /// The path as it was given.
        path: String,
    },
    /// A named file is not a readable text.
    #[error("cannot use {path:?}: {why}")]
    NoText {
        /// The path as it was given.
        path: String,
        /// The reason why the file cannot be used.
        why: &'static str,
    },
    /// A named file is outside the folder.
    #[error("{path:?} is outside the project")]
    Outside {
        /// The path as it was given.
        path: String,
    },
    /// The repository cannot be read.
    #[error("cannot {doing}: {cause}")]
    Git {
        /// What Agon tried to do, after "cannot".
        doing: &'static str,
        /// The reason for the failure.
        cause: String,
    },
    /// The repository has no files checked out.
    #[error("the repository is bare: it has no files checked out")]
    Bare,
    /// The folder is not in a repository with a commit.
    #[error("there is no commit to compare the files with")]
    NoCommit,
    /// The repository's configuration puts its files in another folder.
    #[error("the repository's files are in {}", work_tree.display())]
    WorkTreeElsewhere {
        /// The folder.
        work_tree: PathBuf,
    },
    /// There are more files than the limit.
    #[error("the project has more than {limit} files")]
    TooManyFiles {
        /// The limit.
        limit: usize,
    },
    /// The files have more bytes than the limit.
    #[error("the project has more than {limit} bytes")]
    TooManyBytes {
        /// The limit.
        limit: u64,
    },
    /// Pinning took longer than the limit.
    #[error("reading the project took longer than {} s", limit.as_secs())]
    TooSlow {
        /// The limit.
        limit: Duration,
    },
}

impl PinError {
    /// Returns what the user can do about it, if anything.
    pub fn hint(&self) -> Option<Hint> {
        let use_context = |value: &str| Hint::new("use ").flag_with("context", value);
        Some(match self {
            Self::TooManyFiles { .. } | Self::TooManyBytes { .. } | Self::TooSlow { .. } => {
                Hint::new("let the debate read fewer files with ")
                    .flag_with("context", "diff")
                    .text(" or ")
                    .flag_with("context", "file=PATH")
                    .or("list large folders in .gitignore")
            }
            Self::Bare => {
                Hint::new("run it in a clone with checked-out files").or(use_context("none"))
            }
            Self::NoCommit => use_context("repo").or("create a first commit"),
            Self::WorkTreeElsewhere { .. } => "run the command in that folder".into(),
            Self::Git { .. } => {
                Hint::new("check that `git status` works there").or(use_context("none"))
            }
            Self::Outside { .. } => "name a file of the project".into(),
            _ => return None,
        })
    }
}
