//! Reads the usage of an answer from an agent's reports.

use agon_record::event::Usage;
use serde_json::Value;

use crate::dialect::{dollars_to_micros, model_with_most_output};

/// The usage of a conversation so far.
#[derive(Debug, Default)]
pub(super) struct Meter {
    tokens: Usage,
    dollars: f64,
    /// The total cost of the conversation, if reported during the current answer.
    cost: Option<f64>,
}

impl Meter {
    /// Prepares for the next answer.
    pub(super) fn begin_answer(&mut self) {
        self.cost = None;
    }

    /// Records the total cost of the conversation, in dollars.
    pub(super) fn set_total_cost(&mut self, dollars: f64) {
        self.cost = Some(dollars);
    }

    /// Returns the usage of this answer, if the agent reports it.
    pub(super) fn finish_answer(&mut self, result: &Value, cumulative: bool) -> Option<Usage> {
        let spent = self.cost.and_then(|now| {
            let spent = (now - self.dollars).max(0.0);
            self.dollars = now;
            dollars_to_micros(spent)
        });
        let said = parse_tokens(result)?;
        let usage = if cumulative {
            let before = std::mem::replace(&mut self.tokens, said);
            usage_difference(before, said)
        } else {
            said
        };
        Some(Usage {
            cost_micros: spent,
            ..usage
        })
    }
}

/// Returns the difference of two totals; the whole new total if the agent has restarted counting.
fn usage_difference(before: Usage, now: Usage) -> Usage {
    let less = |now: u64, before: u64| now.checked_sub(before);
    match (
        less(now.input, before.input),
        less(now.output, before.output),
    ) {
        (Some(input), Some(output)) => Usage {
            input,
            output,
            cached: now.cached.saturating_sub(before.cached),
            ..Usage::default()
        },
        _ => now,
    }
}

/// Reads a number that has one of two names.
fn read_count(tokens: &Value, names: [&str; 2]) -> u64 {
    let number = names.iter().find_map(|name| tokens.get(*name)?.as_u64());
    number.unwrap_or_default()
}

/// Reads the tokens in a response, from `usage` or `_meta.quota`.
fn parse_tokens(result: &Value) -> Option<Usage> {
    let usage = result
        .get("usage")
        .filter(|usage| usage.is_object())
        .or_else(|| result.get("_meta")?.get("quota")?.get("token_count"))?;
    let output = read_count(usage, ["outputTokens", "output_tokens"]);
    let fresh = read_count(usage, ["inputTokens", "input_tokens"]);
    let cached = read_count(usage, ["cachedReadTokens", "cached_input_tokens"]);
    let total = read_count(usage, ["totalTokens", "total_tokens"]);
    // Some agents include cached tokens in the input count and others do not. The total shows
    // which, so derive the input from it.
    let input = total
        .checked_sub(output)
        .filter(|input| *input >= fresh)
        .unwrap_or(fresh)
        .max(cached);
    (input > 0 || output > 0).then(|| Usage {
        input,
        cached,
        output,
        ..Usage::default()
    })
}

/// Returns the model that wrote most of an answer, as reported in `_meta.quota`.
pub(super) fn answering_model(result: &Value) -> Option<String> {
    let models = result.get("_meta")?.get("quota")?.get("model_usage")?;
    let written = |entry: &Value| {
        let name = entry.get("model")?.as_str()?.to_owned();
        let tokens = entry.get("token_count");
        let output = tokens.map(|tokens| read_count(tokens, ["outputTokens", "output_tokens"]));
        Some((name, output.unwrap_or_default()))
    };
    model_with_most_output(models.as_array()?.iter().filter_map(written))
}
