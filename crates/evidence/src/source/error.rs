//! Why a source cannot be pinned.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use agon_hint::Hint;

/// Why a source cannot be pinned.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    /// Something cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// What.
        path: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
    /// The path names no folder.
    #[error("{} is no folder", path.display())]
    NoFolder {
        /// The path.
        path: PathBuf,
    },
    /// A named file is not there.
    #[error("there is no file {path:?}")]
    NoFile {
        /// The path as it was given.
        path: String,
    },
    /// A named file is not text that can be looked into.
    #[error("{path:?} cannot be looked into: {why}")]
    NoText {
        /// The path as it was given.
        path: String,
        /// What it is.
        why: &'static str,
    },
    /// A named file is outside the folder.
    #[error("{path:?} lies outside the project")]
    Outside {
        /// The path as it was given.
        path: String,
    },
    /// The repository cannot be read.
    #[error("cannot {doing}: {cause}")]
    Git {
        /// What was being done.
        doing: &'static str,
        /// Why it failed.
        cause: String,
    },
    /// The repository has no files checked out.
    #[error("the repository is bare")]
    Bare,
    /// The folder is in no repository with a commit.
    #[error("there is no commit that changes could be told from")]
    NoCommit,
    /// The repository says that its files lie elsewhere.
    #[error("the repository's files lie in {}", work_tree.display())]
    WorkTreeElsewhere {
        /// Where.
        work_tree: PathBuf,
    },
    /// There are more files than the limit.
    #[error("the source has more than {limit} files")]
    TooManyFiles {
        /// The limit.
        limit: usize,
    },
    /// The files have more bytes than the limit.
    #[error("the source has more than {limit} bytes")]
    TooManyBytes {
        /// The limit.
        limit: u64,
    },
    /// Pinning takes longer than the limit.
    #[error("the source could not be read within {} s", limit.as_secs())]
    TooSlow {
        /// The limit.
        limit: Duration,
    },
}

impl PinError {
    /// What the user can do about it, if there is something.
    pub fn hint(&self) -> Option<Hint> {
        let use_context = |value: &str| Hint::new("use ").flag_with("context", value);
        Some(match self {
            Self::TooManyFiles { .. } | Self::TooManyBytes { .. } | Self::TooSlow { .. } => {
                Hint::new("pin less with ")
                    .flag_with("context", "diff")
                    .text(" or ")
                    .flag_with("context", "file=PATH")
                    .or("list large folders in .gitignore")
            }
            Self::Bare => Hint::new("run it in a clone with files").or(use_context("none")),
            Self::NoCommit => use_context("repo").or("commit once"),
            Self::WorkTreeElsewhere { .. } => "run it in that folder".into(),
            Self::Git { .. } => {
                Hint::new("see whether `git status` works there").or(use_context("none"))
            }
            Self::Outside { .. } => "name a file of the project".into(),
            _ => return None,
        })
    }
}
