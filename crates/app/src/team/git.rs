//! The installed git, started so that no program that a repository names is started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_proc::{Ending, Limits, Program, Unwatched, find_program};
use agon_team::store::TeamLocation;
use tokio_util::sync::CancellationToken;

use super::door::failure;
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

// A tree of 50,000 files took five seconds on a busy machine; a slow disk may take thirty times as long.
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
        let message = format!("git {} failed here: {reason}", command_of(args));
        Err(refusal(&message).hint("see what `git status` says of the work tree"))
    }
}

/// What git prints in a work tree of the caller's repository.
///
/// # Errors
///
/// If git fails, or the work tree is led to another git folder: a member could have written one that
/// names programs.
pub(super) async fn run_git(
    caller: &Caller,
    tree: &Path,
    args: &[&str],
) -> Result<String, Failure> {
    location_of(caller, tree)?;
    let printed = Git::new(caller, tree)?.run(args, b"").await?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

/// The location of a work tree of the caller's repository.
///
/// # Errors
///
/// If its git folder is not one of the repository: a member could have led it elsewhere.
pub(super) fn location_of(caller: &Caller, tree: &Path) -> Result<TeamLocation, Failure> {
    let own = TeamLocation::find(&caller.cwd).map_err(failure)?.common_dir;
    let is_own = |found: &TeamLocation| {
        let is_known = found.git_dir == own || found.git_dir.starts_with(own.join("worktrees"));
        found.common_dir == own && is_known
    };
    let found = TeamLocation::find(tree).ok().filter(is_own);
    found.ok_or_else(|| {
        let tree = caller.display_path(tree);
        refusal(&format!("{tree} is no work tree of this repository"))
            .hint("its file `.git` was changed: see what is in it, and remove the work tree")
    })
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

pub(super) fn refusal(message: &str) -> Failure {
    Failure::new(FailureKind::Usage, "tree", message)
}
