//! What is known of a tool's models.

use serde::Deserialize;

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
