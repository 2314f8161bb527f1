//! What is known of a tool's models.

use serde::Deserialize;

use super::{Profile, explicit_model};

/// What is known of the models whose names contain a text.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFacts {
    /// The text.
    pub matches: String,
    /// Tokens of context from which answers get worse.
    pub onset_tokens: Option<u64>,
    /// Tokens of context from which they get much worse.
    pub severe_tokens: Option<u64>,
    /// What it costs.
    pub price: Option<Price>,
}

/// What a million tokens cost, in US dollars.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// The day it was looked up, such as `2026-11-21`.
    pub as_of: String,
}

/// From how much context on a model's answers get worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextDegradation {
    /// Tokens from which they get worse.
    pub onset: u64,
    /// Tokens from which they get much worse.
    pub severe: u64,
}

impl Default for ContextDegradation {
    /// What is taken of a model that nothing is known of.
    fn default() -> Self {
        Self {
            onset: 64_000,
            severe: 120_000,
        }
    }
}

impl Profile {
    /// From how much context on the answers of a model get worse; where the tool chooses the
    /// model, of the one of its known models that bears the least.
    pub fn context_degradation(&self, model: Option<&str>) -> ContextDegradation {
        let unknown = ContextDegradation::default();
        let read = |facts: &ModelFacts| ContextDegradation {
            onset: facts.onset_tokens.unwrap_or(unknown.onset),
            severe: facts.severe_tokens.unwrap_or(unknown.severe),
        };
        match explicit_model(model) {
            Some(name) => self.model(name).map_or(unknown, read),
            None => {
                let known = self.models.iter().map(read);
                known.min_by_key(|known| known.severe).unwrap_or(unknown)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::profile::Profiles;

    #[test]
    fn a_model_that_nobody_named_bears_as_much_as_the_least_of_them() {
        let profiles = Profiles::builtin().unwrap();
        let of = |tool: &str, model: Option<&str>| {
            let named = profiles
                .iter()
                .find(|profile| profile.name.as_str() == tool);
            named.unwrap().context_degradation(model).severe
        };
        assert_eq!(of("claude", Some("claude-opus-4-5")), 180_000);
        assert_eq!(of("claude", None), 150_000);
        assert_eq!(of("claude", Some("auto")), 150_000);
        assert_eq!(of("claude", Some("somebody-elses")), 120_000);
        assert_eq!(of("copilot", None), 120_000);
    }
}
