//! A debate that goes on by itself: handed to a process that outlives the one that was called.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_engine::host::{FolderHost, Host};
use agon_proc::{Group, Program, detach, end_survivor, leave_terminal};
use agon_record::state::State;
use agon_report::screen::header;
use agon_store::{RealDisk, RunEntry, Writer, writer};
use agon_verdict::status::{Standing, started};

use crate::edge;
use crate::error::{Exit, Failure};
use crate::output::{Out, ansi};
use crate::past;
use crate::running::{Place, shown, store_failure};
use crate::standing::{alive, look};

/// How long the caller waits for the process to begin: then it is told of the debate all the same.
const BEGINS_WITHIN: Duration = Duration::from_millis(700);
/// How long the caller's process looks for tools. The one that runs the debate looks again, and
/// takes the time it needs.
pub(crate) const PROBED_WITHIN: Duration = Duration::from_millis(500);
/// How long that process waits for its caller to let go of the debate.
const LET_GO_WITHIN: Duration = Duration::from_secs(20);
const STEP: Duration = Duration::from_millis(2);

/// Hands the debate that `host` keeps to a process of its own, and says so.
///
/// From the first line of its record on, somebody holds the debate or is noted to be about to.
///
/// # Errors
///
/// If no process can be started, or it ended before it could begin.
pub(crate) fn hand_over(
    place: Place<'_>,
    host: FolderHost,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = place.edge.cwd.join(host.folder().path());
    let log = host.folder().new_log();
    let log = log.map_err(|error| store_failure(&error))?;
    let group = detach(&program(place, &path)?, &log)
        .map_err(|error| Failure::from_error(Exit::Bug, "not_started", &error))?;
    let process = entry(&group);
    if let Err(error) = host.folder().hand_to(&process) {
        // Nobody could tell later that it is there.
        end_survivor(&group);
        return Err(store_failure(&error));
    }
    let state = host.state().clone();
    let folder = shown(place.edge, host.folder().path());
    drop(host);
    begun(&path, &process)?;
    told(place, &state, (&folder, false), out)
}

/// Says that the debate in `folder` runs, or that it was `reused`.
///
/// # Errors
///
/// If stdout cannot take it.
pub(crate) fn told(
    place: Place<'_>,
    state: &State,
    (folder, reused): (&str, bool),
    out: &mut Out,
) -> Result<Exit, Failure> {
    let live = !reused || look(&place.edge.cwd.join(folder))?.standing.is_live();
    let slug = &state.spec.slug;
    let expected = past::expected(&place.edge.cwd.join(place.debates_dir), state);
    if place.global.json {
        let mut document = started(state, folder, (live, reused));
        if let (true, Some(expected)) = (live, &expected) {
            document.eta_s = expected.eta_s();
        }
        out.json(&document)?;
        return Ok(Exit::Done);
    }
    if !reused {
        let expected = expected.as_ref().map(agon_report::screen::expected);
        for line in header(state, folder, expected.as_deref(), place.edge.width) {
            out.note(&ansi(&line));
        }
    }
    out.line(folder)?;
    out.note(&if live {
        format!("it runs by itself: agon wait {slug} · agon show {slug}")
    } else {
        format!("it is over: agon show {slug}; --again starts another")
    });
    Ok(Exit::Done)
}

/// Begins in the process that a debate was handed to: leaves the terminal of the caller, and
/// waits until that lets go of the debate in `path`.
pub(crate) fn begin(path: &Path) {
    // Without a session of its own it ends with the caller's, and can be resumed.
    leave_terminal().unwrap_or_default();
    let until = Instant::now() + LET_GO_WITHIN;
    let held = || matches!(writer(&RealDisk, path), Ok(Writer::Process(_)));
    while held() && Instant::now() < until {
        thread::sleep(STEP);
    }
}

fn program(place: Place<'_>, path: &Path) -> Result<Program, Failure> {
    let mut args = vec![
        "resume".into(),
        path.into(),
        "--json".into(),
        "--handed".into(),
    ];
    if let Some(within) = place.within {
        args.extend(["--timeout".into(), within.as_secs().to_string().into()]);
    }
    Ok(Program {
        path: edge::this_program()?,
        args,
        env: place.edge.vars_os.clone(),
        cwd: place.edge.cwd.clone(),
    })
}

fn entry(group: &Group) -> RunEntry {
    let Group {
        pgid,
        leader_start,
        boot,
        mark,
    } = group.clone();
    RunEntry {
        pgid,
        leader_start,
        boot,
        mark,
    }
}

/// Waits until `process` has the debate in `path`.
fn begun(path: &Path, process: &RunEntry) -> Result<(), Failure> {
    let until = Instant::now() + BEGINS_WITHIN;
    while Instant::now() < until {
        let held = writer(&RealDisk, path).map_err(|error| store_failure(&error))?;
        if held != Writer::Nobody {
            return Ok(());
        }
        if !alive(process) {
            break;
        }
        thread::sleep(STEP);
    }
    let seen = look(path)?;
    match (seen.standing, seen.reason) {
        (Standing::Failed, Some(reason)) => {
            let slug = &seen.glance.state.spec.slug;
            let message = format!(
                "the debate is open, but nobody is at it: {}",
                reason.message
            );
            Err(Failure::new(Exit::NoVerdict, "not_started", message)
                .hint(format!("agon resume {slug} goes on with it")))
        }
        _ => Ok(()),
    }
}
