//! Prepares a stopped debate to continue: resumes it, or extends it by further rounds or exchanges.

use std::collections::BTreeMap;

use agon_prompt::differing_part_kinds;
use agon_record::event::{Asked, Event};
use agon_record::id::{AskKey, Seat};
use agon_record::spec::Standby;
use agon_record::spec::{Caps, Seating};
use agon_record::state::State;
use agon_record::user::Item;
use agon_rules::plan::Effect;
use agon_rules::steer::accept_request;

use crate::call::prepare_ask as asked_now;
use crate::host::Host;
use crate::outcome::RunError;

/// Prepares a stopped debate to continue, and returns the turns whose stored replies were
/// discarded.
///
/// A halted debate is resumed with `caps`. A stored reply without a decision is used only if the
/// same prompt, apart from its wording, would be sent now; `ask_again` discards other replies.
///
/// # Errors
///
/// If such a reply would have to be discarded, or the record cannot be written.
pub fn resume_debate<H: Host>(
    host: &mut H,
    caps: Caps,
    ask_again: bool,
) -> Result<Vec<AskKey>, RunError<H::Error>> {
    resume_debate_with_seats(host, Vec::new(), caps, BTreeMap::new(), ask_again)
}

/// As [`resume_debate`], after substitutes have taken the seats of `replaced`, and with another
/// transport for the tools of `seats`.
///
/// # Errors
///
/// As [`resume_debate`].
pub fn resume_debate_with_seats<H: Host>(
    host: &mut H,
    replaced: Vec<Event>,
    caps: Caps,
    seats: BTreeMap<Seat, Seating>,
    ask_again: bool,
) -> Result<Vec<AskKey>, RunError<H::Error>> {
    let state = host.state();
    let mut events = Vec::new();
    let mut discarded = discard_replies_of_replaced(state, &replaced, ask_again, &mut events)?;
    let after = state.clone().with_events(&replaced);
    events.extend(replaced);
    let changed = state.halted.is_some() || state.caps != caps || !seats.is_empty();
    if state.closed.is_none() && changed {
        events.push(Event::Resumed { caps, seats });
    }
    discarded.extend(discard_stale_replies(&after, ask_again, &mut events)?);
    if !events.is_empty() {
        host.record(&events).map_err(RunError::Host)?;
    }
    Ok(discarded)
}

/// The extension of a formal debate, or of a closed duel.
#[derive(Clone, Debug, PartialEq)]
pub struct Extension {
    /// The last exchange to judge, or the last round.
    pub through: u16,
    /// The seats.
    pub seats: BTreeMap<Seat, Seating>,
    /// The limits, including what was already spent.
    pub caps: Caps,
    /// The substitutes of the debaters.
    pub standby: Standby,
}

impl From<Extension> for Event {
    fn from(extension: Extension) -> Self {
        Self::Continued {
            through: extension.through,
            seats: extension.seats,
            caps: extension.caps,
            standby: extension.standby,
        }
    }
}

/// Records that a formal debate or a closed duel continues, after substitutes have taken the seats
/// of `replaced`. Returns the turns whose stored replies were discarded.
///
/// A stored reply without a decision is used only if the same tool would get the same prompt now;
/// `ask_again` discards other replies.
///
/// # Errors
///
/// If such a reply would have to be discarded, or the record cannot be written; nothing is recorded
/// then.
pub fn extend_debate<H: Host>(
    host: &mut H,
    replaced: Vec<Event>,
    extension: Extension,
    ask_again: bool,
) -> Result<Vec<AskKey>, RunError<H::Error>> {
    record_extension(host, replaced, extension, &[], ask_again)
}

/// As [`extend_debate`], also recording requests of the user; records everything or nothing.
///
/// # Errors
///
/// As [`extend_debate`]; also if a request is not allowed.
pub fn extend_debate_with_requests<H: Host>(
    host: &mut H,
    extension: Extension,
    said: &[Item],
    ask_again: bool,
) -> Result<Vec<AskKey>, RunError<H::Error>> {
    record_extension(host, Vec::new(), extension, said, ask_again)
}

fn record_extension<H: Host>(
    host: &mut H,
    replaced: Vec<Event>,
    extension: Extension,
    said: &[Item],
    ask_again: bool,
) -> Result<Vec<AskKey>, RunError<H::Error>> {
    let mut events = Vec::new();
    let before = host.state();
    let mut discarded = discard_replies_of_replaced(before, &replaced, ask_again, &mut events)?;
    events.extend(replaced);
    events.push(Event::from(extension));
    let mut state = before.clone().with_events(&events);
    for item in said {
        if let Some(event) = accept_request(&state, item.id, &item.wish)? {
            state = state.with_events([&event]);
            events.push(event);
        }
    }
    discarded.extend(discard_stale_replies(&state, ask_again, &mut events)?);
    host.record(&events).map_err(RunError::Host)?;
    Ok(discarded)
}

/// Adds events to `events` that discard the stored replies of tools about to lose their seats.
/// Without `ask_again`, the first of them is an error.
fn discard_replies_of_replaced<E: std::error::Error + 'static>(
    state: &State,
    replaced: &[Event],
    ask_again: bool,
    events: &mut Vec<Event>,
) -> Result<Vec<AskKey>, RunError<E>> {
    let is_replaced = |key: &AskKey| {
        let mut seats = replaced.iter();
        seats.any(|event| matches!(event, Event::Reseated { seat, .. } if *seat == key.turn.seat))
    };
    let undecided = undecided_asks(state).map(|asked| asked.key);
    let found = undecided.filter(is_replaced).map(|key| (key, "tool"));
    discard_replies(found.collect(), ask_again, events)
}

/// Adds events to `events` that discard stored replies to outdated prompts. Without `ask_again`,
/// the first of them is an error.
fn discard_stale_replies<E: std::error::Error + 'static>(
    state: &State,
    ask_again: bool,
    events: &mut Vec<Event>,
) -> Result<Vec<AskKey>, RunError<E>> {
    discard_replies(stale_replies(state), ask_again, events)
}

fn discard_replies<E: std::error::Error + 'static>(
    found: Vec<(AskKey, &'static str)>,
    ask_again: bool,
    events: &mut Vec<Event>,
) -> Result<Vec<AskKey>, RunError<E>> {
    let mut discarded = Vec::new();
    for (key, what) in found {
        if !ask_again {
            return Err(RunError::Stale { key, what });
        }
        discarded.push(key);
        events.push(Event::Discarded { key });
    }
    Ok(discarded)
}

/// Returns the turns with a stored reply that has no decision yet.
fn undecided_asks(state: &State) -> impl Iterator<Item = &Asked> {
    let turns = state.turns.values().filter(|turn| turn.end.is_none());
    let asks = turns.flat_map(|turn| &turn.asks);
    let undecided = asks.filter(|ask| ask.given.is_some() && ask.sent_back.is_none());
    undecided.filter_map(|ask| ask.asked.as_ref())
}

/// Returns stored replies without a decision whose prompt would differ now. Another version of the
/// prompts does not count, since the reply is already paid for.
fn stale_replies(state: &State) -> Vec<(AskKey, &'static str)> {
    let mut found = Vec::new();
    for asked in undecided_asks(state) {
        let effect = Effect {
            key: asked.key,
            after_ms: 0,
            reserve: asked.reserved,
        };
        // Rebuild the prompt with the user's inputs of that time, because later ones do not make a
        // reply outdated.
        let Some((now, _)) = asked_now(state, &effect, None, asked.user_inputs) else {
            continue;
        };
        let differs = [
            ("tool", now.tool != asked.tool),
            ("model", now.model != asked.model),
            ("effort", now.effort != asked.effort),
            (
                "prompt",
                !differing_part_kinds(state, asked, &now).is_empty(),
            ),
        ];
        if let Some((what, _)) = differs.into_iter().find(|(_, differs)| *differs) {
            found.push((asked.key, what));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use agon_record::id::TurnId;
    use agon_samples::duel;

    use super::*;
    use crate::host::MemoryHost;

    #[test]
    fn a_stored_reply_of_a_tool_that_loses_its_seat_is_discarded_only_on_request() {
        let turn = TurnId::round(0, Seat::Challenger);
        let first = duel::key(turn, 0);
        let mut host = MemoryHost::open(duel::spec(2));
        let mut state = host.state().clone();
        duel::ask(&mut state, first, "a reply");
        let ask = state.ask(first).unwrap();
        let asked = ask.asked.clone().map(Event::Asked);
        let given = ask.given.clone().map(Event::Given);
        host.record(&[asked.unwrap(), given.unwrap()]).unwrap();
        let seating = Seating {
            tool: "kiro".parse().unwrap(),
            ..state.seats[&Seat::Challenger].clone()
        };
        let replaced = vec![Event::Reseated {
            seat: Seat::Challenger,
            seating,
            cause: None,
        }];
        let before = host.events().len();
        let mut resume = |ask_again| {
            let caps = host.state().caps;
            let seats = BTreeMap::new();
            let done =
                resume_debate_with_seats(&mut host, replaced.clone(), caps, seats, ask_again);
            (done, host.events()[before..].to_vec())
        };
        let (refused, recorded) = resume(false);
        assert!(matches!(refused, Err(RunError::Stale { key, .. }) if key == first));
        assert_eq!(recorded, []);
        let (discarded, recorded) = resume(true);
        assert_eq!(discarded.unwrap(), [first]);
        assert_eq!(recorded[0], Event::Discarded { key: first });
        assert_eq!(recorded[1..], replaced);
        assert_eq!(host.state().ask(first), None);
    }
}
