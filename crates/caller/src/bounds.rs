//! The bounds of a request.

use std::time::Duration;

use agon_config::Settings;
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

    /// The settings with these bounds in place of their own.
    pub fn apply_to(&self, settings: Settings) -> Settings {
        Settings {
            timeout: self.timeout.unwrap_or(settings.timeout),
            max_calls: self.max_calls.or(settings.max_calls),
            max_tokens: self.max_tokens.unwrap_or(settings.max_tokens),
            max_time: self.max_time.unwrap_or(settings.max_time),
            max_cost: self.max_cost.or(settings.max_cost),
            ..settings
        }
    }
}
