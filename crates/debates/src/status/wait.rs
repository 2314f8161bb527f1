//! Waits until a debate is no longer running.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_caller::{Code, Failure};
use agon_folder::{Writer, current_writer, journal_len};
use agon_store::RealDisk;
use agon_verdict::status::RunState;

use crate::status::{DebateSight, inspect_debate};

// Chosen, not measured: cheap enough seven times a second, since a check reads a file length and a
// lock. People do not notice the delay.
/// The time between two checks of the folder.
const POLL_INTERVAL: Duration = Duration::from_millis(150);

/// Blocks until the debate in `path` is not running, it waits for a person, or `until` has passed.
/// Returns the debate in its state at that moment.
///
/// Passes each new state to `watch`. Reads the record only when it has grown.
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
        match seen.run_state {
            RunState::Running => asked = 0,
            // Look again once, because a program in a person's seat answers at once.
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

/// Waits for a change in the folder, at most a second. Returns false at `until`.
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
