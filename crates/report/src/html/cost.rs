//! The cost section: calls, tokens, time and known prices.

use std::collections::BTreeMap;

use agon_record::id::Seat;
use agon_verdict::verdict::usage_totals;
use maud::{Markup, html};

use super::page::Page;
use crate::text::{abbreviate_count, capitalize, count_with_noun, format_duration};

#[derive(Default)]
struct Spending {
    calls: u64,
    input: u64,
    output: u64,
    took_ms: u64,
}

/// Returns the cost section; `None` without calls, as in a debate imported from another tool.
pub(super) fn section(page: &Page<'_>) -> Option<Markup> {
    let usage = usage_totals(page.state);
    if usage.calls == 0 {
        return None;
    }
    let seats = spending_by_seat(page);
    let unknown: Vec<_> = usage
        .cost_unknown_for
        .iter()
        .map(ToString::to_string)
        .collect();
    let about = if usage.tokens.estimated { "about " } else { "" };
    Some(html! {
        p {
            (count_with_noun(usage.calls, "call")) ", " (format_duration(usage.wall_ms)) " elapsed, "
            (about) (abbreviate_count(usage.tokens.total())) " tokens"
            @if let Some(cost) = usage.cost { ", $" (format!("{cost:.2}")) }
            "."
            @if !unknown.is_empty() { " The price is unknown for " (unknown.join(", ")) "." }
        }
        div.scroller tabindex="0" {
            table.cost {
                thead {
                    tr { th scope="col" { "Seat" } th scope="col" { "Tool" } th scope="col" { "Calls" } th scope="col" { "Tokens in" } th scope="col" { "Tokens out" } th scope="col" { "Time" } }
                }
                tbody {
                    @for (seat, spent) in &seats {
                        tr {
                            th scope="row" { span.side.(page.side_class(*seat)) { (capitalize(&seat.to_string())) } }
                            td { @if let Some(seating) = page.state.seats.get(seat) { (seating.tool) } }
                            td.number { (spent.calls) }
                            td.number { (abbreviate_count(spent.input)) }
                            td.number { (abbreviate_count(spent.output)) }
                            td.number { (format_duration(spent.took_ms)) }
                        }
                    }
                }
            }
        }
    })
}

/// Returns the cost of each seat's replies; a call without a reply counts as a call.
fn spending_by_seat(page: &Page<'_>) -> BTreeMap<Seat, Spending> {
    let mut seats: BTreeMap<Seat, Spending> = BTreeMap::new();
    for (id, turn) in &page.state.turns {
        for ask in &turn.asks {
            let spent = seats.entry(id.seat).or_default();
            spent.calls += ask.losses.len() as u64;
            if let Some(given) = &ask.given {
                spent.calls += 1;
                spent.input = spent.input.saturating_add(given.usage.input);
                spent.output = spent.output.saturating_add(given.usage.output);
                spent.took_ms = spent.took_ms.saturating_add(given.took_ms);
            }
        }
    }
    seats
}
