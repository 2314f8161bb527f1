//! The installed git, and how a call of it ends.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_proc::{Ending, Limits, NoPlace, PrivatePlaces, Program, Unwatched, find_program};
use tokio_util::sync::CancellationToken;

use crate::discover::DiscoverError;
use crate::environment::FIXED_ARGS;
use crate::repository_config::ConfigError;

/// The installed git, for a caller with these variables.
#[derive(Clone, Debug)]
pub struct Git {
    pub(crate) program: PathBuf,
    pub(crate) vars: BTreeMap<OsString, OsString>,
}

/// Bounds of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GitLimits {
    /// How long it may take.
    pub time: Duration,
    /// Bytes that it may print.
    pub output: usize,
}

impl GitLimits {
    // A tree of 50,000 files took five seconds on a busy machine; a slow disk may take thirty times as
    // long. Two million paths are 256 MiB.
    /// For one step over the files of a work tree.
    pub const STEP: Self = Self {
        time: Duration::from_secs(180),
        output: 256 << 20,
    };

    /// For making all files of a work tree in this time.
    pub const fn checkout(time: Duration) -> Self {
        Self {
            time,
            output: 1 << 20,
        }
    }
}

/// Why git did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git.
    #[error("git is not installed")]
    Missing,
    /// It cannot be started.
    #[error("cannot run git: {0}")]
    Start(String),
    /// It ended with an error.
    #[error("git {command} failed here: {reason}")]
    Failed {
        /// Its command.
        command: String,
        /// How it ended; none if a signal ended it.
        code: Option<i32>,
        /// The last line that it said.
        reason: String,
    },
    /// It took too long.
    #[error("time was up: git {command} was stopped after {} s", after.as_secs_f32())]
    TimedOut {
        /// Its command.
        command: String,
        /// How long it had.
        after: Duration,
    },
    /// It printed too much.
    #[error("git {command} printed more than {most} bytes")]
    Flooded {
        /// Its command.
        command: String,
        /// How many it may.
        most: usize,
    },
    /// A file needs a filter that only the repository defines.
    #[error(
        "{path} needs the filter `{filter}`, which only this repository's own configuration defines"
    )]
    Filter {
        /// The file.
        path: String,
        /// The filter.
        filter: String,
    },
    /// Objects of a partial clone are missing, and cannot be fetched.
    #[error("cannot fetch the missing objects from `{remote}`: {reason}")]
    Fetch {
        /// The remote.
        remote: String,
        /// Why not.
        reason: String,
    },
    /// The repository cannot be found.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// Its configuration cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is no place for the folder that git works with.
    #[error("there is no place for a private folder: {0}")]
    Place(#[from] NoPlace),
    /// That folder cannot be made.
    #[error("cannot make {}: {cause}", path.display())]
    Folder {
        /// Where.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
}

impl GitError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Missing => "install git".to_owned(),
            Self::Filter { filter, .. } => format!(
                "Agon starts no program that a repository names; if you trust it, define it for yourself: \
                 `git config --global filter.{filter}.clean COMMAND`, and `smudge` likewise"
            ),
            Self::Fetch { .. } => {
                "fetch them yourself, then try again: `git archive COMMIT > /dev/null`".to_owned()
            }
            Self::Discover(error) => error.hint().to_owned(),
            Self::TimedOut { .. } => "try again when the disk is less busy".to_owned(),
            Self::Config(_) => "see what `git config --list` says".to_owned(),
            Self::Start(_)
            | Self::Failed { .. }
            | Self::Flooded { .. }
            | Self::Place(_)
            | Self::Folder { .. } => "see what `git status` says of the work tree".to_owned(),
        }
    }
}

impl Git {
    /// Finds the installed git by the `PATH` among these variables.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn find(vars: &BTreeMap<OsString, OsString>) -> Result<Self, GitError> {
        let path = vars.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        let program = find_program("git", &path).ok_or(GitError::Missing)?;
        Ok(Self {
            program,
            vars: vars.clone(),
        })
    }

    /// Where folders for one use are.
    pub(crate) fn places(&self) -> PrivatePlaces {
        let var = |name: &str| self.vars.get(OsStr::new(name)).map(PathBuf::from);
        let cache = var("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
        let cache = cache.or_else(|| Some(var("HOME")?.join(".cache")));
        let temp = var("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp"));
        PrivatePlaces::new(cache.as_deref(), &temp)
    }
}

/// One call of git.
pub(crate) struct Call<'a> {
    pub(crate) git: &'a Git,
    pub(crate) env: BTreeMap<OsString, OsString>,
    pub(crate) cwd: &'a Path,
    pub(crate) settings: &'a [&'a str],
    pub(crate) args: &'a [&'a str],
    pub(crate) input: &'a [u8],
    pub(crate) limits: GitLimits,
}

impl Call<'_> {
    /// What git printed.
    pub(crate) async fn run(self) -> Result<Vec<u8>, GitError> {
        let words = FIXED_ARGS.iter().chain(self.settings).chain(self.args);
        let program = Program {
            path: self.git.program.clone(),
            args: words.map(OsString::from).collect(),
            env: self.env,
            cwd: self.cwd.to_owned(),
        };
        let mut limits = Limits::probe();
        limits.deadline = self.limits.time;
        limits.output = self.limits.output;
        let cancel = CancellationToken::new();
        let done = agon_proc::run_program(&program, self.input, &limits, &Unwatched, &cancel)
            .await
            .map_err(|error| GitError::Start(error.to_string()))?;
        let command = command_of(self.args).to_owned();
        match done.ending {
            Ending::Exited { code: Some(0), .. } => Ok(done.stdout),
            Ending::TimedOut => Err(GitError::TimedOut {
                command,
                after: self.limits.time,
            }),
            Ending::Flooded => Err(GitError::Flooded {
                command,
                most: self.limits.output,
            }),
            ending @ (Ending::Exited { .. } | Ending::Cancelled | Ending::Complete) => {
                let code = match ending {
                    Ending::Exited { code, .. } => code,
                    _ => None,
                };
                let said = String::from_utf8_lossy(&done.stderr_tail).into_owned();
                let reason = last_sentence(&said).unwrap_or_else(|| "it gave no reason".to_owned());
                Err(GitError::Failed {
                    command,
                    code,
                    reason,
                })
            }
        }
    }
}

/// The last line that says something, with what it lists in the lines below it.
fn last_sentence(said: &str) -> Option<String> {
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let is_listed = |line: &&&str| line.starts_with(['\t', ' ']);
    let listed = lines.iter().rev().take_while(is_listed).count();
    let first = lines.len().saturating_sub(listed + 1);
    let words: Vec<&str> = lines[first..].iter().map(|line| line.trim()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The command among the words for git, past the settings before it.
fn command_of<'a>(args: &[&'a str]) -> &'a str {
    let mut words = args.iter();
    loop {
        match words.next() {
            Some(&"-c") => drop(words.next()),
            found => return found.copied().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_last_line_with_what_is_listed_below_it() {
        for (said, reason) in [
            (
                "hint: x\nfatal: no such branch\n\n",
                "fatal: no such branch",
            ),
            (
                "warning: y\nfatal: unknown repository extension found:\n\n\trefstorage\n",
                "fatal: unknown repository extension found: refstorage",
            ),
            ("\tlisted alone\n", "listed alone"),
        ] {
            assert_eq!(last_sentence(said).as_deref(), Some(reason));
        }
        assert_eq!(last_sentence("\n \n"), None);
    }
}
