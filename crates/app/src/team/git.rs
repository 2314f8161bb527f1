//! The installed git, started so that no program that a repository names is started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_proc::{Ending, Limits, Program, Unwatched, find_program};
use tokio_util::sync::CancellationToken;

use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

// A tree of 100,000 files took some seconds here; a slow disk may take thirty times as long.
/// How long git may take over one step.
const GIT_TIMEOUT: Duration = Duration::from_secs(180);
/// The most that a list of files has; two million of them.
const MAX_LIST_BYTES: usize = 256 << 20;
/// For every call: what would start a program, write to the repository, or print advice.
const SAFE: [&str; 11] = [
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.safecrlf=false",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "diff.ignoreSubmodules=all",
    "-c",
    "advice.addEmbeddedRepo=false",
];

/// The installed git, in one folder.
pub(super) struct Git {
    path: PathBuf,
    cwd: PathBuf,
    /// Further words before the command.
    pub(super) settings: Vec<OsString>,
    /// All of its environment.
    pub(super) env: BTreeMap<OsString, OsString>,
    /// Whether it knows where hooks are; it runs none in what it is asked for then.
    pub(super) keeps_hooks: bool,
}

impl Git {
    /// Git in the folder `cwd`, with an environment that points it to no other.
    pub(super) fn new(caller: &Caller, cwd: &Path) -> Result<Self, Failure> {
        let path_var = caller.vars_os.get(&OsString::from("PATH")).cloned();
        let path = find_program("git", &path_var.unwrap_or_default())
            .ok_or_else(|| refusal("git is not installed").hint("install git"))?;
        Ok(Self {
            path,
            cwd: cwd.to_owned(),
            settings: Vec::new(),
            env: crate::context::git_env(caller),
            keeps_hooks: false,
        })
    }

    /// What git printed, started so that no program that a repository names is started.
    ///
    /// # Errors
    ///
    /// If it fails, with the last line that it said.
    pub(super) async fn run(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, Failure> {
        let no_hooks = ["-c", "core.hooksPath=/dev/null"];
        let no_hooks = no_hooks.iter().filter(|_| !self.keeps_hooks);
        let safe = SAFE.iter().chain(no_hooks).map(OsString::from);
        let program = Program {
            path: self.path.clone(),
            args: safe
                .chain(self.settings.iter().cloned())
                .chain(args.iter().map(OsString::from))
                .collect(),
            env: self.env.clone(),
            cwd: self.cwd.clone(),
        };
        let mut limits = Limits::probe();
        limits.deadline = GIT_TIMEOUT;
        limits.output = MAX_LIST_BYTES;
        let cancel = CancellationToken::new();
        let done = agon_proc::run_program(&program, input, &limits, &Unwatched, &cancel)
            .await
            .map_err(|error| refusal(&format!("cannot run git: {error}")))?;
        if matches!(done.ending, Ending::Exited { code: Some(0), .. }) {
            return Ok(done.stdout);
        }
        let said = super::text::clean(&String::from_utf8_lossy(&done.stderr_tail));
        let reason = said.lines().rev().find(|line| !line.trim().is_empty());
        let reason = reason.unwrap_or("it ended without a word");
        let message = format!("git {} failed here: {reason}", args[0]);
        Err(refusal(&message).hint("see what `git status` says of the work tree"))
    }
}

pub(super) fn refusal(message: &str) -> Failure {
    Failure::new(FailureKind::Usage, "tree", message)
}
