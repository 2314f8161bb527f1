//! The bounds of a request.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The bounds of a run; what is not set is left to the configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bounds {
    /// Seconds for one turn.
    pub timeout: Option<u64>,
    /// The most calls.
    pub max_calls: Option<u32>,
    /// The most tokens, in and out.
    pub max_tokens: Option<u64>,
    /// The most seconds of running time.
    pub max_time: Option<u64>,
    /// The most US dollars, counted where a tool reports them.
    pub max_cost: Option<f64>,
}

impl Bounds {
    /// The time for one ask, where it is set.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }
}
