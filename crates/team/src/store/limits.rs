//! The limits of a team.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ladder::LadderLimits;
use crate::mail::MailLimits;

/// The limits of a team; all of them are settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TeamLimits {
    /// How long a lease lasts by default, in milliseconds.
    pub lease_ms: u64,
    /// The longest lease, in milliseconds.
    pub max_lease_ms: u64,
    /// The default number of attempts at a task.
    pub max_attempts: u32,
    /// Maximum size of a title, in bytes, a note or a reason.
    pub max_line_bytes: usize,
    /// Maximum size of a task's description, in bytes.
    pub max_spec_bytes: usize,
    /// Maximum number of locks of one task.
    pub max_locks: usize,
    /// How often the watch checks the sessions, in milliseconds.
    pub watch_ms: u64,
    /// How long one session may take, in milliseconds.
    pub turn_ms: u64,
    /// The time limit for git on all files of a work tree, such as a checkout, in milliseconds.
    pub checkout_ms: u64,
    /// The limits of mail.
    pub mail: MailLimits,
    /// The limits of supervision.
    pub ladder: LadderLimits,
}

impl Default for TeamLimits {
    // Chosen, not measured: longer than a model thinks between two calls, and short enough that a
    // dead member does not block the others for an afternoon.
    fn default() -> Self {
        Self {
            lease_ms: 15 * 60_000,
            max_lease_ms: 4 * 60 * 60_000,
            max_attempts: 3,
            max_line_bytes: 500,
            max_spec_bytes: 32 * 1024,
            max_locks: 32,
            watch_ms: 5_000,
            turn_ms: 60 * 60_000,
            // A checkout can take this long if a filter such as Git LFS downloads large files.
            checkout_ms: 30 * 60_000,
            mail: MailLimits::default(),
            ladder: LadderLimits::default(),
        }
    }
}

impl TeamLimits {
    /// Returns the duration of a lease that a member requests.
    pub(super) fn lease(&self, asked_ms: Option<u64>) -> Duration {
        Duration::from_millis(asked_ms.unwrap_or(self.lease_ms).min(self.max_lease_ms))
    }
}
