//! Token counts, normalized across hosts.

use serde::{Deserialize, Serialize};

/// Tokens of model calls. Input includes cached tokens, and output includes reasoning, whatever the
/// host's own fields include.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tokens {
    /// Input, cached or not.
    pub input: u64,
    /// Input read from the provider's cache.
    pub cached: u64,
    /// Input written to the provider's cache.
    pub cache_written: u64,
    /// Output, including reasoning.
    pub output: u64,
    /// Reasoning tokens; 0 if the host does not say.
    pub reasoning: u64,
}

impl Tokens {
    /// Returns the sum of input and output tokens.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Returns the sum of the two counts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            cache_written: self.cache_written.saturating_add(other.cache_written),
            output: self.output.saturating_add(other.output),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }

    /// Returns the difference of the two counts, at least 0.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_sub(other.input),
            cached: self.cached.saturating_sub(other.cached),
            cache_written: self.cache_written.saturating_sub(other.cache_written),
            output: self.output.saturating_sub(other.output),
            reasoning: self.reasoning.saturating_sub(other.reasoning),
        }
    }
}

/// The token counts of one model call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallUsage {
    /// The call's id. A reader passes on each call once, or again with `replaces` if the host
    /// corrected it.
    pub key: String,
    /// The model that answered.
    pub model: Option<String>,
    /// Its tokens.
    pub tokens: Tokens,
    /// Tokens in the context after the answer.
    pub fill: u64,
    /// Its purpose.
    pub purpose: Purpose,
    /// Earlier counts of this key, which these replace.
    pub replaces: Option<Tokens>,
}

impl CallUsage {
    /// Creates a call for the work itself, whose tokens are the new fill of the context.
    pub(crate) fn new(key: String, model: Option<String>, tokens: Tokens) -> Self {
        Self {
            key,
            model,
            tokens,
            fill: tokens.total(),
            purpose: Purpose::Work,
            replaces: None,
        }
    }
}

/// The purpose of a model call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The work itself.
    Work,
    /// The summary of a compaction.
    Compaction,
}
