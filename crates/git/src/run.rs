//! Runs the installed git, and reports how it ended.

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

/// The installed git, with a caller's environment variables.
#[derive(Clone, Debug)]
pub struct Git {
    pub(crate) program: PathBuf,
    pub(crate) vars: BTreeMap<OsString, OsString>,
}

/// The limits of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GitLimits {
    /// The time limit.
    pub time: Duration,
    /// Maximum size of output, in bytes.
    pub output: usize,
}

impl GitLimits {
    // A tree of 50,000 files took five seconds on a busy machine, and a slow disk may take thirty
    // times as long. Two million paths take 256 MiB.
    /// The limits for one step over the files of a work tree.
    pub const STEP: Self = Self {
        time: Duration::from_secs(180),
        output: 256 << 20,
    };

    /// Returns the limits for writing all files of a work tree within this time.
    pub const fn checkout(time: Duration) -> Self {
        Self {
            time,
            output: 1 << 20,
        }
    }
}

/// Why a git command failed.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git is not installed.
    #[error("git is not installed")]
    Missing,
    /// Git cannot be started.
    #[error("cannot run git: {0}")]
    Start(String),
    /// Git exited with an error.
    #[error("git {command} failed: {reason}")]
    Failed {
        /// The git command.
        command: String,
        /// The exit code; `None` if a signal ended it.
        code: Option<i32>,
        /// The last line of its error output.
        reason: String,
    },
    /// Git exceeded its time limit.
    #[error("git {command} timed out after {} s", after.as_secs_f32())]
    TimedOut {
        /// The git command.
        command: String,
        /// The time limit.
        after: Duration,
    },
    /// Git printed too much.
    #[error("git {command} printed more than {most} bytes")]
    Flooded {
        /// The git command.
        command: String,
        /// The limit in bytes.
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
    /// A partial clone lacks objects that cannot be fetched.
    #[error("cannot fetch the missing objects from `{remote}`: {reason}")]
    Fetch {
        /// The remote.
        remote: String,
        /// The reason.
        reason: String,
    },
    /// The repository cannot be found.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The repository's configuration cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is no place for git's private folder.
    #[error("cannot find a place for a private folder: {0}")]
    Place(#[from] NoPlace),
    /// The private folder cannot be created.
    #[error("cannot create {}: {cause}", path.display())]
    Folder {
        /// The path.
        path: PathBuf,
        /// The reason.
        cause: io::Error,
    },
}

impl GitError {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Missing => "install git".to_owned(),
            Self::Filter { filter, .. } => format!(
                "Agon does not run programs that a repository names; if you trust this filter, define \
                 it yourself with `git config --global filter.{filter}.clean COMMAND`, and `smudge` likewise"
            ),
            Self::Fetch { .. } => {
                "fetch them yourself with `git archive COMMIT > /dev/null`, then try again"
                    .to_owned()
            }
            Self::Discover(error) => error.hint().to_owned(),
            Self::TimedOut { .. } => "try again when the disk is less busy".to_owned(),
            Self::Config(_) => "find the error with `git config --list`".to_owned(),
            Self::Start(_)
            | Self::Failed { .. }
            | Self::Flooded { .. }
            | Self::Place(_)
            | Self::Folder { .. } => {
                "run `git status` in the work tree to see the problem".to_owned()
            }
        }
    }
}

impl Git {
    /// Finds the installed git in the `PATH` of these variables.
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

    /// Returns the places for temporary private folders.
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
    /// Runs git and returns its output.
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
        let command = git_command_name(self.args).to_owned();
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
                let reason = last_message(&said).unwrap_or_else(|| "it gave no reason".to_owned());
                Err(GitError::Failed {
                    command,
                    code,
                    reason,
                })
            }
        }
    }
}

/// Returns the last non-empty line, together with the indented lines below it.
fn last_message(said: &str) -> Option<String> {
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

/// Returns the git command among the arguments, skipping settings.
fn git_command_name<'a>(args: &[&'a str]) -> &'a str {
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
            assert_eq!(last_message(said).as_deref(), Some(reason));
        }
        assert_eq!(last_message("\n \n"), None);
    }
}
