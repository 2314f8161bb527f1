//! Which places are to be looked up before a reply is weighed.

use agon_record::ground::grounds;
use agon_record::id::AskKey;
use agon_record::moves::Moves;
use agon_record::state::State;

use super::ParsedReplies;

/// The moves of a stored reply whose places are still to be looked up; none when there is nothing
/// to look up.
pub fn unresolved_moves(state: &State, key: AskKey, replies: &mut ParsedReplies) -> Option<Moves> {
    if state.spec.source.is_none() && state.runs().next().is_none() {
        return None;
    }
    let ask = state.ask(key)?;
    if ask.stamps.is_some() || ask.text().is_none() {
        return None;
    }
    let parsed = replies.parse(state, key);
    let moves = &parsed.as_ref().as_ref().ok()?.moves;
    (!grounds(moves).is_empty()).then(|| moves.clone())
}
