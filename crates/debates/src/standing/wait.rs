//! Waits until no process is at a debate any more.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_caller::{Code, Failure};
use agon_folder::{Writer, current_writer, journal_len};
use agon_store::RealDisk;
use agon_verdict::status::RunState;

use crate::standing::{DebateSight, inspect_debate};

// Chosen, not measured: a look at the length of a file and at a lock, seven times a second; an end
// is known before a person notices the delay.
/// From one look at the folder to the next.
const POLL_INTERVAL: Duration = Duration::from_millis(150);

/// Blocks until no process runs the debate in `path`, it waits for a person, or the moment `until`
/// has come; returns the debate as it is then.
///
/// What is new is shown to `watch`. The record is read when it has grown, and not otherwise.
///
/// # Errors
///
/// If nothing of it can be read.
pub fn wait_until_idle(
    path: &Path,
    until: Instant,
    mut watch: impl FnMut(&DebateSight),
) -> Result<DebateSight, Failure> {
    let mut seen = inspect_debate(path)?;
    let mut asked = 0;
    loop {
        watch(&seen);
        match seen.standing {
            RunState::Running => asked = 0,
            // A program answers for itself at once.
            RunState::WaitingForPerson if asked == 0 => asked = 1,
            RunState::WaitingForPerson | RunState::Stopped | RunState::Done | RunState::Failed => {
                return Ok(seen);
            }
        }
        if !wait_for_change(path, until)? {
            return Ok(seen);
        }
        seen = inspect_debate(path)?;
    }
}

/// Waits until the folder shows something new, or a second went by; false at `until`.
pub(crate) fn wait_for_change(path: &Path, until: Instant) -> Result<bool, Failure> {
    let mark = || -> Result<(u64, Writer), Failure> {
        let failed = |error| Failure::from_error(Code::Store, &error);
        let bytes = journal_len(&RealDisk, path).map_err(failed)?;
        Ok((bytes, current_writer(&RealDisk, path).map_err(failed)?))
    };
    let before = mark()?;
    let look_again = Instant::now() + Duration::from_secs(1);
    loop {
        let now = Instant::now();
        if now >= until {
            return Ok(false);
        }
        if now >= look_again || mark()? != before {
            return Ok(true);
        }
        thread::sleep(POLL_INTERVAL.min(until - now));
    }
}
