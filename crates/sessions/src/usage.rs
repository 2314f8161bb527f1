//! Tokens, counted the same for every host.

use serde::{Deserialize, Serialize};

/// Tokens of model calls: what was sent includes what the provider had cached, and what came back
/// includes reasoning, whatever the host's own fields include.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tokens {
    /// Sent, cached or not.
    pub input: u64,
    /// Of it read from the provider's cache.
    pub cached: u64,
    /// Of it written to the provider's cache.
    pub cache_written: u64,
    /// Came back, reasoning included.
    pub output: u64,
    /// Of it reasoning; 0 where the host does not say.
    pub reasoning: u64,
}

impl Tokens {
    /// Sent and came back.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Both together.
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

    /// This one without `other`.
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

/// One model call, as the host counts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallUsage {
    /// The call's id: a reader gives each once, or again with `replaces` when the host corrected it.
    pub key: String,
    /// The model that answered.
    pub model: Option<String>,
    /// What it took.
    pub tokens: Tokens,
    /// Tokens in the context once the call was answered.
    pub fill: u64,
    /// What the call was for.
    pub purpose: Purpose,
    /// What was counted for this key before and no longer holds.
    pub replaces: Option<Tokens>,
}

impl CallUsage {
    /// A call for the work itself, after which the context holds these tokens.
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

/// What a model call was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The work itself.
    Work,
    /// The summary of a compaction.
    Compaction,
}
