//! The installed git.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use agon_proc::{Ending, Limits, Program, Unwatched, find_program};
use tokio_util::sync::CancellationToken;

use super::{MAX_BYTES, refusal};
use crate::caller::Caller;
use crate::failure::Failure;

/// Runs git so that no program the repository names is started; what it printed.
///
/// # Errors
///
/// If it is not installed, fails, or prints more than can be given.
pub(crate) async fn run_git(
    caller: &Caller,
    project: &Path,
    args: &[&str],
) -> Result<String, Failure> {
    let path_var = caller
        .vars_os
        .get(&OsString::from("PATH"))
        .cloned()
        .unwrap_or_default();
    let path = find_program("git", &path_var).ok_or_else(|| {
        refusal("git is not installed".to_owned()).hint("use --context file=PATH")
    })?;
    let safe = [
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "--no-pager",
    ];
    let program = Program {
        path,
        args: safe.iter().chain(args).map(OsString::from).collect(),
        env: git_env(caller),
        cwd: project.to_owned(),
    };
    let mut limits = Limits::probe();
    limits.deadline = std::time::Duration::from_secs(30);
    limits.output = MAX_BYTES * 4;
    let cancel = CancellationToken::new();
    let done = agon_proc::run_program(&program, b"", &limits, &Unwatched, &cancel)
        .await
        .map_err(|error| refusal(format!("cannot run git: {error}")))?;
    match done.ending {
        Ending::Exited { code: Some(0), .. } => String::from_utf8(done.stdout)
            .map_err(|_| refusal("the changes are not text".to_owned())),
        Ending::Flooded => Err(refusal(format!(
            "the diff is larger than {MAX_BYTES} bytes"
        ))),
        Ending::Exited { .. } | Ending::TimedOut | Ending::Cancelled | Ending::Complete => {
            Err(refusal(format!("git {} failed here", args[0]))
                .hint("--context diff and commit=A..B need a git repository with a commit"))
        }
    }
}

/// The variables that git is given: none that points it to another repository.
pub(crate) fn git_env(caller: &Caller) -> BTreeMap<OsString, OsString> {
    let pass = ["PATH", "HOME", "LANG", "XDG_CONFIG_HOME"];
    let mut env: BTreeMap<_, _> = pass
        .iter()
        .filter_map(|name| {
            let name = OsString::from(name);
            Some((name.clone(), caller.vars_os.get(&name)?.clone()))
        })
        .collect();
    env.insert("GIT_OPTIONAL_LOCKS".into(), "0".into());
    env.insert("GIT_TERMINAL_PROMPT".into(), "0".into());
    env
}
