//! Runs a debate in the background, in a process that outlives its caller.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_caller::environments::{background_program, background_variables};
use agon_caller::{Caller, Code, Failure, FailureKind, find};
use agon_engine::host::{FolderHost, Host};
use agon_folder::{Writer, current_writer};
use agon_proc::{Program, end_survivor, leave_terminal};
use agon_record::state::State;
use agon_store::{RealDisk, RunEntry};
use agon_verdict::status::RunState;

use crate::failure::store_failure;
use crate::limits::expectation::Expectation;
use crate::request::options::RunOptions;
use crate::status::outcome::{Outcome, Started};
use crate::status::{inspect_debate, is_alive};

/// How long the caller waits for the process to begin before it reports the debate anyway.
const BEGIN_TIMEOUT: Duration = Duration::from_millis(700);
/// How long the caller's process looks for tools. The background process looks again without this
/// limit.
pub(crate) const PROBE_TIMEOUT: Duration = Duration::from_millis(500);
// A single debate began after 0.23 s; sixty at once on two cores took 11 s.
/// How long the background process waits for its caller to release the debate.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(20);
// A fifth of the ten milliseconds in which a process starts, and later a quarter of what was waited:
// with 2 ms throughout, sixty starts at once locked files 70,000 times, which slowed all of them.
/// The times between two checks of the debate's lock.
const POLL_INTERVALS: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(50)];

/// Hands the debate of `host` to a background process.
///
/// From the first line of its record on, a process holds the debate or is recorded as about to.
///
/// # Errors
///
/// If no process can be started, or it ended before it began.
pub(crate) fn detach(
    caller: &Caller,
    options: &RunOptions,
    host: FolderHost,
) -> Result<Outcome, Failure> {
    let path = caller.cwd.join(host.folder().path());
    let log = host.folder().create_detached_log();
    let log = log.map_err(|error| store_failure(&error))?;
    let group = agon_proc::spawn_detached(&resume_command(caller, options, &path)?, &log)
        .map_err(|error| Failure::from_error(Code::NotStarted, &error))?;
    let process = host.record_detached_process(&group).map_err(|error| {
        // End the process: without its entry, no program can find it later.
        end_survivor(&group);
        store_failure(&error)
    })?;
    let state = host.state().clone();
    let folder = caller.display_path(host.folder().path());
    drop(host);
    wait_until_begun(caller, &path, &process)?;
    outcome_of_started_debate(caller, options, state, folder, false)
}

/// Returns the outcome of a debate that was just started, or found.
///
/// # Errors
///
/// If nothing of it can be read.
pub(crate) fn outcome_of_started_debate(
    caller: &Caller,
    options: &RunOptions,
    state: State,
    folder: String,
    is_reused: bool,
) -> Result<Outcome, Failure> {
    let is_live = !is_reused
        || inspect_debate(&caller.cwd.join(&folder))?
            .run_state
            .is_live();
    let expected = Expectation::estimate(&caller.cwd.join(&options.debates_dir), &state);
    Ok(Outcome::Started(Box::new(Started {
        state,
        folder,
        is_live,
        is_reused,
        expected,
    })))
}

/// Begins a background process: leaves the caller's terminal, then waits (at most
/// `RELEASE_TIMEOUT`) until the caller has released the lock of the debate in `path`.
pub(crate) fn leave_terminal_and_await_lock(path: &Path) {
    // Ignore a failure: the process then ends with the caller's session, and the debate can be
    // resumed.
    leave_terminal().unwrap_or_default();
    let since = Instant::now();
    let is_locked = || matches!(current_writer(&RealDisk, path), Ok(Writer::Process(_)));
    while is_locked() && since.elapsed() < RELEASE_TIMEOUT {
        pause_before_next_check(since);
    }
}

/// Sleeps for a part of the time since the waiting began.
fn pause_before_next_check(since: Instant) {
    let [least, most] = POLL_INTERVALS;
    thread::sleep((since.elapsed() / 4).clamp(least, most));
}

/// Returns whether the debate in `path` was handed to this process: its caller, who checked limits
/// and tools, recorded this process.
pub(crate) fn is_handed_to_this_process(path: &Path) -> bool {
    let seen = inspect_debate(path).ok();
    let entry = seen.and_then(|seen| seen.glance.handed_to);
    entry.is_some_and(|entry| {
        u32::try_from(entry.pgid) == Ok(std::process::id()) && is_alive(&entry)
    })
}

fn resume_command(caller: &Caller, options: &RunOptions, path: &Path) -> Result<Program, Failure> {
    let mut args = vec![
        "resume".into(),
        path.into(),
        "--json".into(),
        "--handed".into(),
    ];
    if let Some(timeout) = options.timeout {
        args.extend(["--timeout".into(), timeout.as_secs().to_string().into()]);
    }
    Ok(Program {
        path: background_program(caller)?.to_owned(),
        args,
        env: environment_without_bounds(caller),
        cwd: caller.cwd.clone(),
    })
}

/// Returns the caller's environment without limits. They were checked and recorded, and the
/// unattended process would reject them.
fn environment_without_bounds(caller: &Caller) -> BTreeMap<OsString, OsString> {
    let mut env = background_variables(caller);
    env.retain(|name, _| {
        let name = name.to_str();
        !name.is_some_and(|name| name.starts_with("AGON_MAX_"))
    });
    env
}

/// Waits (at most `BEGIN_TIMEOUT`) until `process` has locked the debate in `path` or has ended.
fn wait_until_begun(caller: &Caller, path: &Path, process: &RunEntry) -> Result<(), Failure> {
    let since = Instant::now();
    while since.elapsed() < BEGIN_TIMEOUT {
        let writer = current_writer(&RealDisk, path).map_err(|error| store_failure(&error))?;
        if writer != Writer::Nobody {
            return Ok(());
        }
        if !is_alive(process) {
            break;
        }
        pause_before_next_check(since);
    }
    let seen = inspect_debate(path)?;
    match (seen.run_state, seen.reason) {
        (RunState::Failed, Some(reason)) => {
            let name = find::typeable_debate_name(caller, path);
            let message = format!(
                "the debate was created, but its background process failed to start: {}",
                reason.message
            );
            Err(Failure::new(Code::NotStarted, message)
                .kind(FailureKind::NoVerdict)
                .hint(format!("run `agon resume {name}` to continue it")))
        }
        _ => Ok(()),
    }
}
