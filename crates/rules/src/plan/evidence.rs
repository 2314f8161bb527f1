//! Finds the replies whose citations must be checked before the rules are.

use agon_record::ground::grounds_of_moves;
use agon_record::id::AskKey;
use agon_record::moves::Moves;
use agon_record::state::State;

use super::ParsedReplies;

/// Returns the moves of a stored reply whose citations are not checked yet; `None` if there is
/// nothing to check.
pub fn moves_awaiting_lookup(
    state: &State,
    key: AskKey,
    replies: &mut ParsedReplies,
) -> Option<Moves> {
    if state.spec.source.is_none() && state.command_runs().next().is_none() {
        return None;
    }
    let ask = state.ask(key)?;
    if ask.stamps.is_some() || ask.reply_text().is_none() {
        return None;
    }
    let parsed = replies.parse_stored_reply(state, key);
    let moves = &parsed.as_ref().as_ref().ok()?.moves;
    (!grounds_of_moves(moves).is_empty()).then(|| moves.clone())
}
