//! Time and random numbers from the system.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use ulid::Ulid;

use crate::{Code, Failure};

/// Returns the milliseconds since 1970, UTC.
pub fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns 128 cryptographically random bits.
///
/// # Errors
///
/// Returns an error if the system has no entropy.
pub fn new_bits() -> Result<u128, Failure> {
    let mut bytes = [0; 16];
    fill_random(&mut bytes)?;
    Ok(u128::from_le_bytes(bytes))
}

/// Returns a new unique id.
pub fn new_ulid() -> Ulid {
    Ulid::generate()
}

/// Returns 64 cryptographically random hexadecimal digits.
///
/// # Errors
///
/// Returns an error if the system has no entropy.
pub fn new_salt() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    fill_random(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn fill_random(bytes: &mut [u8]) -> Result<(), Failure> {
    getrandom::fill(bytes)
        .map_err(|error| Failure::new(Code::Entropy, format!("no entropy: {error}")))
}

/// Formats milliseconds since 1970 as a sortable timestamp; empty if out of range.
pub fn format_time(at_ms: u64) -> String {
    let at = i64::try_from(at_ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok());
    at.map(|at| format!("{at:.0}")).unwrap_or_default()
}

// Chosen, not measured: after a month, a date is more useful than a number of days.
/// The age in days from which a date is shown.
const DAYS_AS_AGE: u64 = 30;

/// Formats the age of the moment `at_ms`, such as `3 h ago`, or its date if it is long ago.
pub fn describe_age(at_ms: u64, now_ms: u64) -> String {
    let minutes = now_ms.saturating_sub(at_ms) / 60_000;
    match (minutes, minutes / 60, minutes / 60 / 24) {
        (0, ..) => "just now".to_owned(),
        (minutes, 0, _) => format!("{minutes} min ago"),
        (_, hours, 0) => format!("{hours} h ago"),
        (_, _, days) if days < DAYS_AS_AGE => format!("{days} d ago"),
        _ => format_time(at_ms).chars().take(10).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_the_largest_unit_that_fits() {
        let now = 1_795_000_000_000;
        let ages = [0, 59, 60, 3_599, 3_600, 86_399, 86_400, 30 * 86_400]
            .map(|seconds| describe_age(now - seconds * 1_000, now));
        assert_eq!(
            ages,
            [
                "just now",
                "just now",
                "1 min ago",
                "59 min ago",
                "1 h ago",
                "23 h ago",
                "1 d ago",
                "2026-10-19",
            ]
        );
    }
}
