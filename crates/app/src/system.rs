//! What the system gives: the time, and numbers that cannot be guessed.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use ulid::Ulid;

use crate::failure::{Failure, FailureKind};

/// Milliseconds since 1970, UTC.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// 128 random bits that cannot be guessed.
///
/// # Errors
///
/// If the system has no entropy.
pub(crate) fn new_bits() -> Result<u128, Failure> {
    let mut bytes = [0; 16];
    fill_random(&mut bytes)?;
    Ok(u128::from_le_bytes(bytes))
}

/// A new unique name.
pub(crate) fn new_ulid() -> Ulid {
    Ulid::generate()
}

/// 64 random hexadecimal digits that cannot be guessed.
///
/// # Errors
///
/// If the system has no entropy.
pub(crate) fn new_salt() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    fill_random(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn fill_random(bytes: &mut [u8]) -> Result<(), Failure> {
    getrandom::fill(bytes)
        .map_err(|error| Failure::new(FailureKind::Bug, "entropy", format!("no entropy: {error}")))
}

/// A moment in milliseconds since 1970, in words that sort; empty for one out of range.
pub(crate) fn format_time(at_ms: u64) -> String {
    let at = i64::try_from(at_ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok());
    at.map(|at| format!("{at:.0}")).unwrap_or_default()
}
