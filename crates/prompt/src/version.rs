//! The version of the prompts, and the comparison of a recorded prompt with a current one.

use std::collections::BTreeMap;

use agon_record::event::{Asked, PartRef};
use agon_record::id::Stage;
use agon_record::spec::Seating;
use agon_record::state::State;

/// The version of the prompts, raised whenever a text changes.
///
/// A record has the version of each call's prompt. A stored answer stays valid after the version
/// rises, since it is paid for and its content does not change.
pub const PROMPT_VERSION: u32 = 7;

/// Kinds of parts whose number follows from the record, whatever their text.
const OF_THE_RECORD: [&str; 6] = ["turn", "thesis", "context", "run", "note", "precedents"];

/// Returns the kinds of parts in which a recorded prompt differs from the current one, in order.
///
/// For a different version the texts are not compared, only the numbers of turns, notes and similar
/// parts.
pub fn differing_part_kinds(state: &State, then: &Asked, now: &Asked) -> Vec<String> {
    if then.prompt_version == now.prompt_version {
        return diff_same_version_parts(&then.parts, &now.parts);
    }
    let seating = state.seats.get(&now.key.turn.seat);
    // Compact prompts cannot be compared. With the sides swapped, no prompt is compact.
    if now.key.turn.stage != Stage::Swap && seating.is_some_and(has_token_budget) {
        return Vec::new();
    }
    let count = |parts: &[PartRef], kind: &str| parts.iter().filter(|it| it.kind == kind).count();
    let kinds = OF_THE_RECORD.into_iter();
    // If only one version summarizes turns, the numbers of turns differ and are not compared.
    let brief = count(&then.parts, "summary") != count(&now.parts, "summary");
    kinds
        .filter(|kind| !(brief && *kind == "turn"))
        .filter(|kind| count(&then.parts, kind) != count(&now.parts, kind))
        .map(str::to_owned)
        .collect()
}

/// Returns whether the seat has a token budget. What its compact prompts leave out depends on the
/// length of the texts.
fn has_token_budget(seating: &Seating) -> bool {
    seating.budget.is_some()
}

/// Returns the kinds of parts that only one of the prompts has, or `order` if only the order
/// differs.
fn diff_same_version_parts(then: &[PartRef], now: &[PartRef]) -> Vec<String> {
    let mut counts: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for part in then {
        *counts.entry((&part.kind, &part.hash)).or_default() += 1;
    }
    for part in now {
        *counts.entry((&part.kind, &part.hash)).or_default() -= 1;
    }
    let mut kinds: Vec<String> = Vec::new();
    for part in then.iter().chain(now) {
        let same = counts.get(&(&part.kind, &part.hash)) == Some(&0);
        if !same && !kinds.contains(&part.kind) {
            kinds.push(part.kind.clone());
        }
    }
    if kinds.is_empty() && then != now {
        kinds.push("order".to_owned());
    }
    kinds
}

#[cfg(test)]
mod tests;
