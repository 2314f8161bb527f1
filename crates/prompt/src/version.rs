//! The version of the prompts, and in which parts a recorded prompt differs from the one told now.

use std::collections::BTreeMap;

use agon_record::event::{Asked, PartRef};
use agon_record::id::Stage;
use agon_record::spec::Seating;
use agon_record::state::State;

/// The version of the prompts: raised whenever the text of one changes.
///
/// A record says of each call which version it was asked with. An answer stays one when the
/// version rises: what it cost is paid, and it says what it said.
pub const PROMPT_VERSION: u32 = 5;

/// Kinds of parts of which there is one for each thing that a seat was told of: how many there are
/// follows from the record, whatever the words around them.
const OF_THE_RECORD: [&str; 6] = ["turn", "thesis", "context", "run", "note", "precedents"];

/// The kinds of the parts in which a prompt that was recorded differs from the one that would be
/// told now, in their order.
///
/// The text of a prompt of another version is not compared, only what it was made from: how many
/// turns, notes and the like it told of.
pub fn differing_part_kinds(state: &State, then: &Asked, now: &Asked) -> Vec<String> {
    if then.prompt_version == now.prompt_version {
        return diff_same_version_parts(&then.parts, &now.parts);
    }
    let seating = state.seats.get(&now.key.turn.seat);
    // With the sides swapped a judge hears all of it.
    if now.key.turn.stage != Stage::Swap && seating.is_some_and(has_token_budget) {
        return Vec::new();
    }
    let count = |parts: &[PartRef], kind: &str| parts.iter().filter(|it| it.kind == kind).count();
    let kinds = OF_THE_RECORD.into_iter();
    // Some of the turns are told together, in brief, where another version told each.
    let brief = count(&then.parts, "summary") != count(&now.parts, "summary");
    kinds
        .filter(|kind| !(brief && *kind == "turn"))
        .filter(|kind| count(&then.parts, kind) != count(&now.parts, kind))
        .map(str::to_owned)
        .collect()
}

/// Whether the seat has a token budget; its compact prompts leave out what does not fit, which the
/// words around it decide.
fn has_token_budget(seating: &Seating) -> bool {
    seating.budget.is_some()
}

/// The kinds of parts that only one of the two prompts has; `order` when they differ only in order.
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
