//! Which places are to be looked up before a reply is weighed.

use agon_record::ground::grounds;
use agon_record::id::AskKey;
use agon_record::moves::Moves;
use agon_record::state::State;

use crate::format;
use crate::parse::parse;

/// The moves of a stored reply whose places nobody has looked up yet; none when there is nothing
/// to look up.
pub fn cited(state: &State, key: AskKey) -> Option<Moves> {
    if state.spec.source.is_none() && state.runs().next().is_none() {
        return None;
    }
    let ask = state.ask(key)?;
    if ask.stamps.is_some() {
        return None;
    }
    let kind = format::of(state.spec.format()).moves_kind(key.turn);
    let moves = parse(ask.text()?, kind, key.turn).ok()?.moves;
    (!grounds(&moves).is_empty()).then_some(moves)
}
