//! Parses `claude -p --output-format json`: one object, whose `subtype` is "success" even for
//! errors.

use std::collections::BTreeMap;

use agon_record::event::{CauseCode, Class, Usage};
use serde::Deserialize;

use super::{
    Dialect, DialectError, RawOutput, Reply, documents, dollars_to_micros, model_with_most_output,
    read_plain_text,
};

/// The result object that Claude Code prints.
#[derive(Debug)]
pub(super) struct Claude;

#[derive(Deserialize)]
#[serde(untagged)]
enum ClaudeEntries {
    One(ClaudeEntry),
    List(Vec<ClaudeEntry>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ClaudeEntry {
    Result(ClaudeOutcome),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct ClaudeOutcome {
    is_error: bool,
    #[serde(default)]
    subtype: String,
    api_error_status: Option<u16>,
    result: Option<String>,
    stop_reason: Option<String>,
    session_id: Option<String>,
    total_cost_usd: Option<f64>,
    usage: Option<ClaudeTokens>,
    #[serde(default, rename = "modelUsage")]
    models: BTreeMap<String, ClaudeModel>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct ClaudeModel {
    output_tokens: u64,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct ClaudeTokens {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    output_tokens: u64,
}

impl Dialect for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError> {
        let Some(outcome) = parse_outcome(output.stdout) else {
            return read_plain_text(output);
        };
        let usage = usage(&outcome);
        let text = outcome.result.unwrap_or_default();
        if outcome.is_error || output.code != Some(0) {
            let error = match outcome.subtype.as_str() {
                "error_max_turns" => DialectError::new(
                    CauseCode::Failed,
                    Class::Tool,
                    "it reached its turn limit without an answer",
                ),
                _ => DialectError::from_message(outcome.api_error_status, &text),
            };
            return Err(error.with_usage(usage));
        }
        if text.trim().is_empty() {
            return Err(DialectError::empty_reply().with_usage(usage));
        }
        let models = outcome.models.into_iter();
        let models = models.map(|(name, model)| (name, model.output_tokens));
        Ok(Reply {
            text,
            usage,
            stop_reason: outcome.stop_reason,
            session_id: outcome.session_id,
            model: model_with_most_output(models),
        })
    }

    fn is_complete(&self, stdout: &[u8]) -> bool {
        parse_outcome(stdout).is_some()
    }
}

/// Returns the last result: a single object, or an entry of a list (if the user's settings have
/// `verbose`).
fn parse_outcome(stdout: &[u8]) -> Option<ClaudeOutcome> {
    let entries = documents::parse_documents::<ClaudeEntries>(stdout);
    let entries = entries.into_iter().flat_map(|entries| match entries {
        ClaudeEntries::One(entry) => vec![entry],
        ClaudeEntries::List(list) => list,
    });
    entries.rev().find_map(|entry| match entry {
        ClaudeEntry::Result(outcome) => Some(outcome),
        ClaudeEntry::Other => None,
    })
}

fn usage(outcome: &ClaudeOutcome) -> Option<Usage> {
    let tokens = outcome.usage.as_ref()?;
    let input = tokens
        .input_tokens
        .saturating_add(tokens.cache_creation_input_tokens)
        .saturating_add(tokens.cache_read_input_tokens);
    (input > 0 || tokens.output_tokens > 0).then(|| Usage {
        input,
        cached: tokens.cache_read_input_tokens,
        output: tokens.output_tokens,
        cost_micros: outcome.total_cost_usd.and_then(dollars_to_micros),
        estimated: false,
    })
}
