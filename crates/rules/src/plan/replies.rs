//! A cache of parsed replies.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_record::id::{AskKey, TurnId};
use agon_record::moves::MovesKind;
use agon_record::state::{Ask, State};

use crate::format;
use crate::parse::{ParseError, Parsed, parse, parse_from_person, parse_interview};

/// The result of parsing a reply.
pub(super) type ParseResult = Result<Parsed, ParseError>;

/// Parses a reply as appropriate for the holder of the turn's seat.
pub(super) fn parse_seat_reply(
    state: &State,
    text: &str,
    kind: MovesKind,
    turn: TurnId,
) -> ParseResult {
    match state.seats.get(&turn.seat) {
        Some(seating) if seating.is_interviewed() => parse_interview(text, kind, turn),
        Some(seating) if seating.is_human() => parse_from_person(text, kind, turn),
        _ => parse(text, kind, turn),
    }
}

/// Parsed replies, so that repeated planning parses each only once.
///
/// The cache never changes a plan. Replies of ended turns are dropped.
#[derive(Debug, Default)]
pub struct ParsedReplies {
    known: BTreeMap<AskKey, ParsedReply>,
}

#[derive(Debug)]
struct ParsedReply {
    text: String,
    result: Arc<ParseResult>,
}

impl ParsedReplies {
    /// Parses the stored reply to `key`; a missing one counts as empty.
    pub(super) fn parse_stored_reply(&mut self, state: &State, key: AskKey) -> Arc<ParseResult> {
        let text = state.ask(key).and_then(Ask::reply_text).unwrap_or_default();
        // Compare the text, since a discarded reply is replaced by a new one under the same key.
        if let Some(known) = self.known.get(&key).filter(|known| known.text == text) {
            return Arc::clone(&known.result);
        }
        let kind = format::requested_moves_kind(state, key.turn);
        let result = Arc::new(parse_seat_reply(state, text, kind, key.turn));
        let reply = ParsedReply {
            text: text.to_owned(),
            result: Arc::clone(&result),
        };
        self.known.insert(key, reply);
        result
    }

    /// Drops the replies of ended turns.
    pub(super) fn drop_ended(&mut self, state: &State) {
        let open = |key: &AskKey| {
            let turn = state.turns.get(&key.turn);
            turn.is_some_and(|turn| turn.end.is_none())
        };
        self.known.retain(|key, _| open(key));
    }
}

#[cfg(test)]
mod tests {
    use agon_record::event::Event;
    use agon_record::id::{Seat, TurnId};
    use agon_record::state::State;
    use agon_samples::duel::{ask, job_store, key, replies};

    use super::*;
    use crate::plan::{Plan, plan, plan_with_replies};

    const TURN: TurnId = TurnId::round(1, Seat::Proposer);

    /// A duel with a reply to its first turn that waits for a decision.
    fn answered(reply: &str) -> State {
        let mut state = job_store(2, TURN);
        ask(&mut state, key(TURN, 0), reply);
        state
    }

    #[test]
    fn a_stored_reply_is_parsed_once() {
        let state = answered(&replies(2)[&TURN]);
        let mut parsed = ParsedReplies::default();
        let first = parsed.parse_stored_reply(&state, key(TURN, 0));
        assert_eq!(plan_with_replies(&state, &mut parsed), plan(&state));
        assert!(Arc::ptr_eq(
            &first,
            &parsed.parse_stored_reply(&state, key(TURN, 0))
        ));
    }

    #[test]
    fn another_reply_under_the_same_key_is_parsed() {
        let mut parsed = ParsedReplies::default();
        let reply = &replies(2)[&TURN];
        assert!(
            parsed
                .parse_stored_reply(&answered("no moves"), key(TURN, 0))
                .is_err()
        );
        assert!(
            parsed
                .parse_stored_reply(&answered(reply), key(TURN, 0))
                .is_ok()
        );
        let state = answered(reply);
        assert_eq!(plan_with_replies(&state, &mut parsed), plan(&state));
    }

    #[test]
    fn the_replies_of_ended_turns_are_dropped() {
        let mut state = answered(&replies(2)[&TURN]);
        let mut parsed = ParsedReplies::default();
        let Plan::Decide(events) = plan_with_replies(&state, &mut parsed) else {
            panic!("nothing is decided")
        };
        assert!(matches!(events[..], [Event::Admitted { .. }]));
        assert_eq!(parsed.known.len(), 1);
        for event in &events {
            state.apply(event).unwrap();
        }
        plan_with_replies(&state, &mut parsed);
        assert_eq!(parsed.known.len(), 0);
    }
}
