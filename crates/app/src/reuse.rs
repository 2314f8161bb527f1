//! A start that was made before: the same debate is not paid for twice.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use agon_folder::glances_written_since;
use agon_record::spec::Spec;
use agon_store::{LockError, LockGuard, RealDisk, lock_debate_starts};
use agon_verdict::status::{RunState, is_same_start};

use crate::caller::Caller;
use crate::failure::{Failure, FailureKind, store_failure};
use crate::notes::Notes;
use crate::options::RunOptions;
use crate::outcome::{Ended, Outcome};
use crate::standing::{DebateSight, inspect_debate};
use crate::system::describe_age;
use crate::wait::wait_until_idle;
use crate::{detach, ending, find, system};

// Chosen, not measured: a program that lost the answer asks again within minutes; a start on the
// next day wants a new debate. `--again` overrules it. Calling programs are promised an hour.
/// How long a second start of a debate is given the first one.
const REUSED_FOR_MS: u64 = 3_600_000;
/// How long another start is waited for: it looks, and makes a folder.
const START_TIMEOUT: Duration = Duration::from_secs(20);
// A start alone took 0.23 s on two cores: what is lost between two looks does not show.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
// The default bound on time is half an hour, and a person may take days. As long as the folders of
// another machine are left alone (`proc/src/owner.rs`).
/// Longer than a debate may run.
const MAX_WAIT: Duration = Duration::from_secs(7 * 86_400);

/// A debate that was started before, and runs or has its answer.
#[derive(Clone, Debug)]
pub(crate) struct EarlierDebate {
    path: PathBuf,
    seen: DebateSight,
    /// Minutes since it was opened.
    pub minutes: u64,
}

impl EarlierDebate {
    /// Its name.
    pub(crate) fn slug(&self) -> &str {
        &self.seen.glance.state.spec.slug
    }
}

/// Lets one start at a time look for an earlier one and open its debate.
///
/// # Errors
///
/// If the folder of debates cannot be written, or another start does not come to its end.
pub(crate) fn wait_for_start_lock(debates: &Path) -> Result<Box<dyn LockGuard>, Failure> {
    let until = Instant::now() + START_TIMEOUT;
    loop {
        match lock_debate_starts(&RealDisk, debates) {
            Ok(held) => return Ok(held),
            Err(LockError::Taken(_)) if Instant::now() < until => thread::sleep(POLL_INTERVAL),
            Err(LockError::Taken(_)) => {
                let message = "another debate is being started here and does not come to its end";
                return Err(Failure::new(FailureKind::Store, "locked", message)
                    .retry_after(5)
                    .hint("try again; `agon list` shows what was started"));
            }
            Err(LockError::Disk(error)) => return Err(store_failure(&error)),
        }
    }
}

/// The last debate in `debates` that starts as `spec` does, was opened within an hour, and runs
/// or has its answer.
///
/// # Errors
///
/// If the folder of debates cannot be read.
pub(crate) fn earlier(debates: &Path, spec: &Spec) -> Result<Option<EarlierDebate>, Failure> {
    let now = system::now_ms();
    let since = now.saturating_sub(REUSED_FOR_MS);
    let recent =
        glances_written_since(&RealDisk, debates, since).map_err(|error| store_failure(&error))?;
    let mut found: Option<EarlierDebate> = None;
    for (path, glance) in recent {
        let newer = found
            .as_ref()
            .is_none_or(|found| found.seen.glance.at_first <= glance.at_first);
        if glance.at_first < since || !newer || !is_same_start(&glance.state.spec, spec) {
            continue;
        }
        let seen = inspect_debate(&path)?;
        if seen.standing.is_live() || seen.standing == RunState::Done {
            let minutes = now.saturating_sub(glance.at_first) / 60_000;
            found = Some(EarlierDebate {
                path,
                seen,
                minutes,
            });
        }
    }
    Ok(found)
}

/// Names the last debate in `debates` on the question of `spec`, if there is one.
///
/// # Errors
///
/// If the folder of debates cannot be read.
pub(crate) fn note_same_question(
    caller: &Caller,
    debates: &Path,
    spec: &Spec,
    notes: &mut dyn Notes,
) -> Result<(), Failure> {
    let plain = |topic: &str| {
        topic
            .trim()
            .trim_end_matches(['?', '.', '!'])
            .to_lowercase()
    };
    let asked = plain(&spec.topic);
    let listed = find::listing(debates)?.debates;
    let same = listed.iter().filter(|debate| plain(&debate.topic) == asked);
    let Some(last) = same.max_by_key(|debate| debate.at_first) else {
        return Ok(());
    };
    let age = describe_age(last.at_first, system::now_ms());
    let name = find::name_to_type(caller, &last.path, &last.slug);
    notes.note(&format!(
        "note: {} was debated {age}: agon show {name}, agon continue {name}",
        if last.topic.trim() == spec.topic.trim() {
            "this"
        } else {
            "the same"
        },
    ));
    Ok(())
}

/// The outcome of an earlier start of the same debate: at once where the caller asks to detach,
/// else when it has ended.
///
/// # Errors
///
/// If it ends without a verdict.
pub(crate) fn earlier_outcome(
    caller: &Caller,
    options: &RunOptions,
    earlier: EarlierDebate,
    notes: &mut dyn Notes,
) -> Result<Outcome, Failure> {
    let folder = caller.display_path(&earlier.path);
    if options.detach {
        let state = earlier.seen.glance.state;
        return detach::started_outcome(caller, options, state, folder, true);
    }
    notes.note(&format!(
        "note: this is {}, started {} min ago; --again starts another",
        earlier.slug(),
        earlier.minutes
    ));
    let seen = wait_until_idle(&earlier.path, Instant::now() + MAX_WAIT, |_| {})?;
    let ended = ending::ended_with_verdict(seen.glance.state, folder)?;
    Ok(Outcome::ended(Ended {
        is_reused: true,
        ..ended
    }))
}
