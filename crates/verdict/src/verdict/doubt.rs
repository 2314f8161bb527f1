//! Short remarks on what makes a verdict less certain.
//!
//! They are part of the headline, so that every screen and document shows them. [`super::cautions`]
//! has the details.

use std::collections::BTreeSet;

use agon_record::id::Seat;
use agon_record::state::State;

use super::rigor;
use super::vendor::describe_shared_vendor;

/// Returns remarks on the debaters, the judges and their contexts that make the verdict less
/// certain.
pub(super) fn short_doubts(state: &State) -> Vec<String> {
    let mut doubts = Vec::new();
    doubts.extend(same_tool_doubt(state));
    doubts.extend(judges(state).filter_map(|seat| describe_shared_vendor(state, seat)));
    if state.stop_on_agreement() == Some(false) {
        doubts.push("the challenger argued as devil's advocate".to_owned());
    }
    if rigor::has_challenger_without_objections(state) {
        doubts.push("the challenger objected to nothing".to_owned());
    }
    let asks = || state.turns.values().flat_map(|turn| &turn.asks);
    let mut asked = asks().filter_map(|ask| ask.asked.as_ref());
    if asked.any(|asked| asked.past_onset.is_some()) {
        doubts.push("a prompt was longer than its model reads reliably".to_owned());
    }
    match rigor::counted_seat_findings(state).len() {
        0 => {}
        1 => doubts.push("1 problem in a seat's context".to_owned()),
        several => doubts.push(format!("{several} problems in the seats' contexts")),
    }
    doubts
}

/// Returns the judges whose rulings or scores count.
fn judges(state: &State) -> impl Iterator<Item = Seat> {
    let ruled: BTreeSet<Seat> = state.rulings().map(|(seat, _)| seat).collect();
    let seats = state.seats.keys().copied();
    seats.filter(move |seat| match ruled.is_empty() {
        true => seat.is_judge(),
        false => ruled.contains(seat),
    })
}

/// Returns a remark if both sides are the same tool, or people, who cannot be distinguished.
fn same_tool_doubt(state: &State) -> Option<String> {
    let [one, other] = state
        .spec
        .format()
        .sides()
        .map(|seat| state.seats.get(&seat));
    let (one, other) = (one?, other?);
    (one.tool == other.tool).then(|| match one.is_human() {
        true => "people argued both sides".to_owned(),
        false => format!("both sides are {}", one.tool),
    })
}
