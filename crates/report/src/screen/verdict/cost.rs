//! The cost of a debate: calls, tokens, money and time.

use std::collections::BTreeSet;

use agon_record::state::State;
use agon_verdict::verdict::Verdict;

use crate::screen::rows::Row;
use crate::text::{abbreviate_count, count_with_noun, format_dollars, format_duration};

/// Returns the row with calls, tokens, money and time.
pub(in crate::screen) fn cost_row(state: &State, verdict: &Verdict) -> Row {
    let usage = &verdict.usage;
    let about = if usage.tokens.estimated { "about " } else { "" };
    let redone = match state.sent_back {
        0 => String::new(),
        1 => " (1 reply redone)".to_owned(),
        replies => format!(" ({replies} replies redone)"),
    };
    let mut parts = vec![
        count_with_noun(usage.calls, "call") + &redone,
        format!("{about}{} tokens", abbreviate_count(usage.tokens.total())),
    ];
    parts.extend(describe_price(verdict));
    parts.push(format_duration(usage.wall_ms));
    Row::new("Cost", vec![parts.join(" · ")])
}

/// Returns the known price and the tools whose price is unknown.
fn describe_price(verdict: &Verdict) -> Option<String> {
    let usage = &verdict.usage;
    let unknown: Vec<_> = usage
        .cost_unknown_for
        .iter()
        .map(|tool| tool.as_str())
        .collect();
    match (usage.cost.map(format_dollars), unknown.as_slice()) {
        (None, []) => None,
        (None, _) => Some("price unknown".to_owned()),
        (Some(known), []) => Some(known),
        (Some(known), _) => Some(format!(
            "{known} without {}, whose price is unknown",
            unknown.join(" and ")
        )),
    }
}

/// Returns the cost with the tokens by tool, and the tools with a transport other than `cli`.
pub(super) fn cost_summary(verdict: &Verdict) -> String {
    let usage = &verdict.usage;
    let tokens = &usage.tokens;
    let about = if tokens.estimated { "about " } else { "" };
    let tools = tokens.by_tool.iter();
    let tools: Vec<_> = tools
        .map(|(tool, count)| format!("{tool} {}", abbreviate_count(*count)))
        .collect();
    // Empty if only people took part.
    let by_tool = match tools.is_empty() {
        true => String::new(),
        false => format!(" ({})", tools.join(", ")),
    };
    let mut parts = vec![
        count_with_noun(usage.calls, "call"),
        format_duration(usage.wall_ms),
        format!(
            "{about}{} tokens{by_tool}",
            abbreviate_count(tokens.total())
        ),
    ];
    parts.extend(usage.cost.map(format_dollars));
    let unknown: Vec<_> = usage
        .cost_unknown_for
        .iter()
        .map(|tool| tool.as_str())
        .collect();
    if !unknown.is_empty() {
        parts.push(format!("price unknown: {}", unknown.join(", ")));
    }
    let over = verdict
        .seats
        .values()
        .filter(|seat| seat.transport == "acp");
    let over: BTreeSet<_> = over.map(|seat| seat.tool.as_str()).collect();
    if !over.is_empty() {
        let over: Vec<_> = over.into_iter().collect();
        parts.push(format!("via acp: {}", over.join(", ")));
    }
    parts.join(" · ")
}
