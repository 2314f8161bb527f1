//! Known facts about a tool's models.

use serde::Deserialize;

use super::{Profile, explicit_model};

/// What is known about the models whose names contain a text.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFacts {
    /// The text in the model's name.
    pub matches: String,
    /// The context size in tokens above which answers get worse.
    pub onset_tokens: Option<u64>,
    /// The context size in tokens above which they get much worse.
    pub severe_tokens: Option<u64>,
    /// The price of these models.
    pub price: Option<Price>,
}

/// The price of a million tokens, in US dollars.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// US dollars per million input tokens.
    pub input: f64,
    /// US dollars per million output tokens.
    pub output: f64,
    /// The date on which the price was looked up, such as `2026-11-21`.
    pub as_of: String,
}

/// The context sizes above which a model's answers get worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextDegradation {
    /// Tokens above which answers get worse.
    pub onset: u64,
    /// Tokens above which answers get much worse.
    pub severe: u64,
}

impl Default for ContextDegradation {
    /// Returns the context sizes assumed for an unknown model.
    fn default() -> Self {
        Self {
            onset: 64_000,
            severe: 120_000,
        }
    }
}

impl Profile {
    /// Returns the context sizes above which a model's answers get worse. If the tool chooses the
    /// model, these are the lowest ones of its known models.
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
