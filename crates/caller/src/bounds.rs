//! The limits of a request.

use std::time::Duration;

use agon_config::Settings;
use serde::{Deserialize, Serialize};

/// The limits of a run; unset ones come from the configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bounds {
    /// The maximum seconds of one turn.
    pub timeout: Option<u64>,
    /// The maximum number of calls.
    pub max_calls: Option<u32>,
    /// The maximum number of tokens, in and out.
    pub max_tokens: Option<u64>,
    /// The maximum running time, in seconds.
    pub max_time: Option<u64>,
    /// The maximum cost in US dollars, as far as the tools report it.
    pub max_cost: Option<f64>,
}

impl Bounds {
    /// Returns the time limit of one turn, if set.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }

    /// Returns the settings with these limits.
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
