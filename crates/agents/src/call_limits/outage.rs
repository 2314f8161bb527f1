//! A time in which a provider answers no call. Pure: knows no clock.

use std::time::Duration;

// One failed call between answers is common and not worth a pause of the whole account.
/// The calls that must fail without an answer in between before they count as an outage.
const FAILURES_OF_OUTAGE: u32 = 2;
/// The first pause in an outage; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause in an outage.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// A time in which the provider answers no call. It says nothing about how many calls the provider
/// takes at once, so the window keeps its size. Until an answer arrives, one call at a time tries.
#[derive(Debug, Default)]
pub(super) struct Outage {
    /// The calls that failed since the last answer.
    failures: u32,
    /// The pauses since then.
    pauses: u32,
}

impl Outage {
    /// Returns whether calls fail now.
    pub(super) fn is_on(&self) -> bool {
        self.failures >= FAILURES_OF_OUTAGE
    }

    /// Records a failed call. Returns the pause before the next one, if there is an outage.
    pub(super) fn on_failure(&mut self, is_paused: bool) -> Option<Duration> {
        self.failures = self.failures.saturating_add(1);
        // Calls that began before the pause may fail during it.
        if !self.is_on() || is_paused {
            return None;
        }
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(self.pauses));
        self.pauses = self.pauses.saturating_add(1);
        Some(pause.min(MAX_PAUSE))
    }
}
