//! How many tokens of a day may be used while no person watches.
//!
//! A model can start one debate after another, each within its own bounds. What is started without
//! a person is therefore counted by day, in a file of the user's state folder that every process
//! shares. A start reserves all that it may use; what it did not use is given back when it ends. A
//! process that was killed gives nothing back: its reservation lasts until the day is over, or until
//! its debate goes on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use agon_record::state::State;
use agon_report::text::abbreviate_count;
use agon_store::{Disk, LockError, LockGuard, RealDisk, create_dirs_synced, write_file_atomically};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::caller::Caller;
use crate::failure::{Failure, FailureKind, error_chain};
use crate::notes::Notes;
use crate::{settings, system};

/// The name and version of a day's file.
const SCHEMA: &str = "agon.day/1";
// Held for a few milliseconds at a time; sixty starts at once waited less than a second.
/// How long the file is waited for.
const LOCK_TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(2);
// Chosen, not measured: some 100,000 entries.
/// Bytes of the largest file that is read.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Milliseconds of a day.
const DAY_MS: u64 = 86_400_000;

/// What was started on one day (UTC) while no person watched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Day {
    schema: String,
    starts: BTreeMap<Ulid, StartTokens>,
}

/// One debate or question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct StartTokens {
    /// Tokens that it may still use.
    reserved: u64,
    /// Tokens that it used on this day.
    used: u64,
    /// Tokens that its record had when it was counted last.
    counted: u64,
}

impl StartTokens {
    /// Counts what was used until now, of all `spent`, and ends the reservation.
    fn settle(&mut self, spent: u64) {
        self.used = self.used.saturating_add(spent.saturating_sub(self.counted));
        self.counted = spent;
        self.reserved = 0;
    }
}

impl Day {
    fn used(&self) -> u64 {
        let starts = self.starts.values();
        starts.fold(0, |sum, start| sum.saturating_add(start.used))
    }

    fn reserved(&self) -> u64 {
        let starts = self.starts.values();
        starts.fold(0, |sum, start| sum.saturating_add(start.reserved))
    }

    /// Reserves `tokens` for the start `id`, of which `spent` were used before.
    ///
    /// # Errors
    ///
    /// If fewer are left of `limit`: how many.
    fn reserve(&mut self, id: Ulid, spent: u64, tokens: u64, limit: u64) -> Result<(), u64> {
        let mut start = self.starts.get(&id).copied().unwrap_or(StartTokens {
            counted: spent,
            ..StartTokens::default()
        });
        start.settle(spent);
        self.starts.insert(id, start);
        let left = limit.saturating_sub(self.used().saturating_add(self.reserved()));
        if tokens > left {
            return Err(left);
        }
        start.reserved = tokens;
        self.starts.insert(id, start);
        Ok(())
    }
}

/// What was used today (UTC) while no person watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnattendedDoc {
    /// Tokens that were used.
    pub used: u64,
    /// Tokens that what runs now may still use.
    pub reserved: u64,
    /// The most of both together: `daily_tokens` of the user's own configuration.
    pub limit: u64,
}

/// What was used today while no person watched.
///
/// # Errors
///
/// If the user's configuration is not valid.
pub(crate) fn today(caller: &Caller) -> Result<UnattendedDoc, Failure> {
    let limit = settings::read_user_settings(caller)?.daily_tokens;
    let day = ledger_dir(caller).and_then(|dir| read(&file_of_day(&dir, system::now_ms())).ok());
    let day = day.unwrap_or_default();
    Ok(UnattendedDoc {
        used: day.used(),
        reserved: day.reserved(),
        limit,
    })
}

// Chosen, not measured: an answer of 2,000 tokens, and what a tool thinks and adds of its own.
/// Tokens that are reserved for one answer besides its question.
const ANSWER_TOKENS: u64 = 20_000;

/// Tokens that are reserved for one answer to a question of so many.
pub(crate) fn tokens_of_answer(question: u64) -> u64 {
    question.saturating_add(ANSWER_TOKENS)
}

/// Reserves the tokens that the debate `state` may use from here on, unless a person watches.
///
/// # Errors
///
/// If fewer are left today.
pub(crate) fn reserve_for_debate(
    caller: &Caller,
    state: &State,
    notes: &mut dyn Notes,
) -> Result<(), Failure> {
    let spent = state.spent.total_tokens();
    let tokens = state.caps.tokens.saturating_sub(spent);
    reserve(caller, state.spec.ulid, spent, tokens, notes)
}

/// Counts what the debate `state` has used, and gives back what it had reserved.
pub(crate) fn settle_debate(caller: &Caller, state: &State) {
    settle(caller, state.spec.ulid, state.spent.total_tokens());
}

/// Reserves `tokens` for the start `id`, of which `spent` were used before, unless a person watches.
///
/// Where the file cannot be used, nothing is counted, and that is noted.
///
/// # Errors
///
/// If fewer are left today.
pub(crate) fn reserve(
    caller: &Caller,
    id: Ulid,
    spent: u64,
    tokens: u64,
    notes: &mut dyn Notes,
) -> Result<(), Failure> {
    if caller.is_watched {
        return Ok(());
    }
    let limit = settings::read_user_settings(caller)?.daily_tokens;
    let reserved = change_day(caller, 0, |day| day.reserve(id, spent, tokens, limit));
    match reserved {
        Ok(Ok(())) => Ok(()),
        Ok(Err(left)) => Err(refusal(tokens, left, limit)),
        Err(why) => {
            notes.note(&format!("note: the tokens of today are not counted: {why}"));
            Ok(())
        }
    }
}

/// Counts that the start `id` has used `spent` tokens in all, and gives back what it had reserved.
/// Does nothing for one that reserved nothing.
pub(crate) fn settle(caller: &Caller, id: Ulid, spent: u64) {
    // It may have begun before midnight.
    for days_ago in [0, 1] {
        let settled = change_day(caller, days_ago, |day| {
            let start = day.starts.get_mut(&id);
            start.map(|start| start.settle(spent)).ok_or(())
        });
        if matches!(settled, Ok(Ok(()))) {
            return;
        }
    }
}

fn refusal(tokens: u64, left: u64, limit: u64) -> Failure {
    let [tokens, left, limit] = [tokens, left, limit].map(abbreviate_count);
    let message = format!(
        "this may use {tokens} tokens, and {left} of {limit} are left today (UTC) for what runs \
         while nobody watches"
    );
    Failure::new(FailureKind::Usage, "daily_tokens", message).hint(
        "`agon usage` shows what was used; --max-tokens N asks for less; the user can start it from \
         a terminal, or raise daily_tokens in their own configuration: `agon config edit`",
    )
}

fn ledger_dir(caller: &Caller) -> Option<PathBuf> {
    caller.state_dir().map(|dir| dir.join("unattended"))
}

fn file_of_day(dir: &Path, at_ms: u64) -> PathBuf {
    let day: String = system::format_time(at_ms).chars().take(10).collect();
    dir.join(format!("{day}.json"))
}

/// Changes the file of the day that was so many days ago, which no other process does meanwhile; it
/// stays as it is where `change` gives an error.
fn change_day<T, E>(
    caller: &Caller,
    days_ago: u64,
    change: impl FnOnce(&mut Day) -> Result<T, E>,
) -> Result<Result<T, E>, String> {
    let dir = ledger_dir(caller).ok_or("there is no folder for the user's state")?;
    let _held = lock(&dir)?;
    let at = system::now_ms().saturating_sub(days_ago.saturating_mul(DAY_MS));
    let file = file_of_day(&dir, at);
    let mut day = read(&file)?;
    let changed = change(&mut day);
    if changed.is_ok() {
        day.schema = SCHEMA.to_owned();
        let bytes = serde_json::to_vec(&day).map_err(|error| error.to_string())?;
        write_file_atomically(&RealDisk, &file, &bytes).map_err(|error| error_chain(&error))?;
        remove_older(&dir, &file_of_day(&dir, at.saturating_sub(2 * DAY_MS)));
    }
    Ok(changed)
}

/// The file of a day; an empty one where it is not there.
fn read(file: &Path) -> Result<Day, String> {
    let bytes = match agon_files::read(file, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Day::default()),
        Err(error) => return Err(format!("{}: {error}", file.display())),
    };
    serde_json::from_slice(&bytes).map_err(|_| format!("{} is damaged", file.display()))
}

/// Removes the files of days before that of `last`: names of days sort by time.
fn remove_older(dir: &Path, last: &Path) {
    let Ok(names) = std::fs::read_dir(dir) else {
        return;
    };
    let paths = names.filter_map(|entry| Some(entry.ok()?.path()));
    let is_day = |path: &PathBuf| path.extension().is_some_and(|end| end == "json");
    for old in paths.filter(is_day).filter(|path| path.as_path() < last) {
        std::fs::remove_file(old).unwrap_or_default();
    }
}

fn lock(dir: &Path) -> Result<Box<dyn LockGuard>, String> {
    create_dirs_synced(&RealDisk, dir).map_err(|error| error_chain(&error))?;
    let until = Instant::now() + LOCK_TIMEOUT;
    loop {
        match RealDisk.lock(&dir.join("lock"), b"") {
            Ok(held) => return Ok(held),
            Err(LockError::Taken(_)) if Instant::now() < until => thread::sleep(POLL_INTERVAL),
            Err(error) => return Err(error_chain(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_start_does_not_use_is_given_back_and_what_it_used_is_not() {
        let mut day = Day::default();
        let [one, other] = [Ulid::from(1_u128), Ulid::from(2_u128)];
        assert_eq!(day.reserve(one, 0, 600, 1_000), Ok(()));
        assert_eq!(day.reserve(other, 0, 600, 1_000), Err(400));
        day.starts.get_mut(&one).unwrap().settle(250);
        assert_eq!((day.used(), day.reserved()), (250, 0));
        assert_eq!(day.reserve(other, 0, 600, 1_000), Ok(()));
        assert_eq!(day.reserve(one, 250, 151, 1_000), Err(150));
        assert_eq!(day.reserve(one, 250, 150, 1_000), Ok(()));
    }

    #[test]
    fn one_that_was_killed_is_counted_when_it_goes_on() {
        let mut day = Day::default();
        let id = Ulid::from(1_u128);
        assert_eq!(day.reserve(id, 0, 1_000, 1_000), Ok(()));
        // It had used 300 when it was killed, and gave nothing back.
        assert_eq!(day.reserve(id, 300, 700, 1_000), Ok(()));
        assert_eq!((day.used(), day.reserved()), (300, 700));
        day.starts.get_mut(&id).unwrap().settle(500);
        day.starts.get_mut(&id).unwrap().settle(500);
        assert_eq!((day.used(), day.reserved()), (500, 0));
    }

    #[test]
    fn tokens_of_a_record_that_were_used_before_are_not_counted_today() {
        let mut day = Day::default();
        let id = Ulid::from(1_u128);
        assert_eq!(day.reserve(id, 90_000, 1_000, 1_000), Ok(()));
        day.starts.get_mut(&id).unwrap().settle(90_400);
        assert_eq!((day.used(), day.reserved()), (400, 0));
        assert_eq!(day.reserve(id, u64::MAX, u64::MAX, 1_000), Err(0));
    }
}
