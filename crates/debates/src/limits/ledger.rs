//! Daily and monthly token counts, in files of the user's state folder that all processes share.
//!
//! A start reserves all tokens that it may use and releases the unused ones when it ends. A killed
//! process releases nothing: its reservation lasts until the day or month is over, or its debate is
//! resumed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_caller::{Caller, error_chain, system};
use agon_store::{LockGuard, RealDisk, create_dirs_synced, wait_for_lock, write_file_atomically};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

// The lock is held for a few milliseconds: sixty starts at once waited less than a second.
/// How long to wait for the lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(20);
// Chosen, not measured: room for about 100,000 entries.
/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Milliseconds per day.
const DAY_MS: u64 = 86_400_000;

/// The period that one file covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Period {
    /// A UTC day; counts what was started unattended.
    Day,
    /// A UTC month; counts everything.
    Month,
}

impl Period {
    /// Returns the schema id of its file.
    fn schema(self) -> &'static str {
        match self {
            Self::Day => "agon.day/1",
            Self::Month => "agon.month/1",
        }
    }

    fn dir(self, caller: &Caller) -> Option<PathBuf> {
        let name = match self {
            Self::Day => "unattended",
            Self::Month => "monthly",
        };
        caller.state_dir().map(|dir| dir.join(name))
    }

    /// Returns the file of the period that contains `at_ms`. The names sort by time.
    fn file(self, dir: &Path, at_ms: u64) -> PathBuf {
        let chars = match self {
            Self::Day => "2026-11-27".len(),
            Self::Month => "2026-11".len(),
        };
        let name: String = system::format_time(at_ms).chars().take(chars).collect();
        dir.join(format!("{name}.json"))
    }

    /// Returns a moment in the period before the period of `at_ms`.
    fn before(self, at_ms: u64) -> u64 {
        let days = match self {
            Self::Day => 1,
            // Go back to the last day of the previous month.
            Self::Month => {
                let time = system::format_time(at_ms);
                let day = time.get(8..10).and_then(|day| day.parse().ok());
                day.unwrap_or(1)
            }
        };
        at_ms.saturating_sub(days * DAY_MS)
    }
}

/// The token counts of the starts in one period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PeriodTally {
    schema: String,
    starts: BTreeMap<Ulid, StartTokens>,
}

/// The tokens of one debate or question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct StartTokens {
    /// Tokens that are still reserved.
    reserved: u64,
    /// Tokens that were used in this period.
    used: u64,
    /// Tokens that its record contained at the last count.
    counted: u64,
}

impl StartTokens {
    /// Adds what was used since the last count, given `spent` in all, and ends the reservation.
    fn settle(&mut self, spent: u64) {
        self.used = self.used.saturating_add(spent.saturating_sub(self.counted));
        self.counted = spent;
        self.reserved = 0;
    }
}

impl PeriodTally {
    /// Returns the tokens that were used.
    pub(crate) fn used(&self) -> u64 {
        let starts = self.starts.values();
        starts.fold(0, |sum, start| sum.saturating_add(start.used))
    }

    /// Returns the tokens reserved by running starts.
    pub(crate) fn reserved(&self) -> u64 {
        let starts = self.starts.values();
        starts.fold(0, |sum, start| sum.saturating_add(start.reserved))
    }

    /// Reserves `tokens` for the start `id`, which had used `spent` before.
    ///
    /// # Errors
    ///
    /// The number of tokens left, if that is too few within `limit`.
    pub(crate) fn reserve(
        &mut self,
        id: Ulid,
        spent: u64,
        tokens: u64,
        limit: u64,
    ) -> Result<(), u64> {
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

    /// Counts that the start `id` used `spent` tokens in all, and ends its reservation. Returns
    /// whether it had one.
    fn settle(&mut self, id: Ulid, spent: u64) -> bool {
        let start = self.starts.get_mut(&id);
        start.map(|start| start.settle(spent)).is_some()
    }
}

/// Returns the tally of the current period.
pub(crate) fn now(caller: &Caller, period: Period) -> PeriodTally {
    let dir = period.dir(caller);
    let tally = dir.and_then(|dir| read(&period.file(&dir, system::now_ms())).ok());
    tally.unwrap_or_default()
}

/// Reserves `tokens` for the start `id`, which had used `spent` before.
///
/// # Errors
///
/// Outer: why the file cannot be used. Inner: the number of tokens left, if that is too few within
/// `limit`.
pub(crate) fn reserve(
    caller: &Caller,
    period: Period,
    id: Ulid,
    (spent, tokens, limit): (u64, u64, u64),
) -> Result<Result<(), u64>, String> {
    change(caller, period, system::now_ms(), |tally| {
        tally.reserve(id, spent, tokens, limit)
    })
}

/// Counts that the start `id` used `spent` tokens in all, and releases its reservation. Does
/// nothing without a reservation.
pub(crate) fn settle(caller: &Caller, period: Period, id: Ulid, spent: u64) {
    let now = system::now_ms();
    // Also look in the previous period, because the start may have been before midnight.
    for at in [now, period.before(now)] {
        let is_there = period
            .dir(caller)
            .is_some_and(|dir| period.file(&dir, at).is_file());
        let settled = is_there.then(|| {
            change(caller, period, at, |tally| {
                tally.settle(id, spent).then_some(()).ok_or(())
            })
        });
        if matches!(settled, Some(Ok(Ok(())))) {
            return;
        }
    }
}

/// Changes the file of the period that contains `at`, under a lock. Leaves it unchanged if `change`
/// fails.
fn change<T, E>(
    caller: &Caller,
    period: Period,
    at: u64,
    change: impl FnOnce(&mut PeriodTally) -> Result<T, E>,
) -> Result<Result<T, E>, String> {
    let dir = period
        .dir(caller)
        .ok_or("there is no state folder for this user")?;
    let _held = lock(&dir)?;
    let file = period.file(&dir, at);
    let mut tally = read(&file)?;
    let changed = change(&mut tally);
    if changed.is_ok() {
        period.schema().clone_into(&mut tally.schema);
        let bytes = serde_json::to_vec(&tally).map_err(|error| error.to_string())?;
        write_file_atomically(&RealDisk, &file, &bytes).map_err(|error| error_chain(&error))?;
        let kept = period.before(period.before(at));
        remove_older(&dir, &period.file(&dir, kept));
    }
    Ok(changed)
}

/// Reads the tally in a file; empty if there is no file.
fn read(file: &Path) -> Result<PeriodTally, String> {
    let bytes = match agon_files::read(file, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(PeriodTally::default());
        }
        Err(error) => return Err(format!("{}: {error}", file.display())),
    };
    serde_json::from_slice(&bytes).map_err(|_| format!("{} is corrupted", file.display()))
}

/// Removes the files of periods before the period of `last`.
fn remove_older(dir: &Path, last: &Path) {
    let Ok(names) = std::fs::read_dir(dir) else {
        return;
    };
    let paths = names.filter_map(|entry| Some(entry.ok()?.path()));
    let is_tally = |path: &PathBuf| path.extension().is_some_and(|end| end == "json");
    for old in paths.filter(is_tally).filter(|path| path.as_path() < last) {
        std::fs::remove_file(old).unwrap_or_default();
    }
}

fn lock(dir: &Path) -> Result<Box<dyn LockGuard>, String> {
    create_dirs_synced(&RealDisk, dir).map_err(|error| error_chain(&error))?;
    let locked = wait_for_lock(&dir.join("lock"), LOCK_TIMEOUT, || ());
    locked
        .map_err(|error| error_chain(&error))?
        .ok_or_else(|| "another process holds the lock".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_start_does_not_use_is_given_back_and_what_it_used_is_not() {
        let mut tally = PeriodTally::default();
        let [one, other] = [Ulid::from(1_u128), Ulid::from(2_u128)];
        assert_eq!(tally.reserve(one, 0, 600, 1_000), Ok(()));
        assert_eq!(tally.reserve(other, 0, 600, 1_000), Err(400));
        tally.starts.get_mut(&one).unwrap().settle(250);
        assert_eq!((tally.used(), tally.reserved()), (250, 0));
        assert_eq!(tally.reserve(other, 0, 600, 1_000), Ok(()));
        assert_eq!(tally.reserve(one, 250, 151, 1_000), Err(150));
        assert_eq!(tally.reserve(one, 250, 150, 1_000), Ok(()));
    }

    #[test]
    fn one_that_was_killed_is_counted_when_it_goes_on() {
        let mut tally = PeriodTally::default();
        let id = Ulid::from(1_u128);
        assert_eq!(tally.reserve(id, 0, 1_000, 1_000), Ok(()));
        // It had used 300 when it was killed, and released nothing.
        assert_eq!(tally.reserve(id, 300, 700, 1_000), Ok(()));
        assert_eq!((tally.used(), tally.reserved()), (300, 700));
        tally.starts.get_mut(&id).unwrap().settle(500);
        tally.starts.get_mut(&id).unwrap().settle(500);
        assert_eq!((tally.used(), tally.reserved()), (500, 0));
    }

    #[test]
    fn tokens_of_a_record_that_were_used_before_are_not_counted_today() {
        let mut tally = PeriodTally::default();
        let id = Ulid::from(1_u128);
        assert_eq!(tally.reserve(id, 90_000, 1_000, 1_000), Ok(()));
        tally.starts.get_mut(&id).unwrap().settle(90_400);
        assert_eq!((tally.used(), tally.reserved()), (400, 0));
        assert_eq!(tally.reserve(id, u64::MAX, u64::MAX, 1_000), Err(0));
    }

    #[test]
    fn a_period_is_a_day_or_a_month_and_the_one_before_is_known() {
        let dir = Path::new("/state");
        // 2028-03-01T00:00:10Z, the day after a leap day.
        let at = 1_835_481_610_000;
        let names = |period: Period, at| {
            let name = period.file(dir, at);
            name.file_name().unwrap().to_str().unwrap().to_owned()
        };
        for (period, now, before) in [
            (Period::Day, "2028-03-01.json", "2028-02-29.json"),
            (Period::Month, "2028-03.json", "2028-02.json"),
        ] {
            let earlier = period.before(at);
            assert_eq!([names(period, at), names(period, earlier)], [now, before]);
        }
        let january = at - 50 * DAY_MS;
        let december = Period::Month.before(january);
        assert_eq!(names(Period::Month, december), "2027-12.json");
    }
}
