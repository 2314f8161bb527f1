//! Prepares a stopped debate to continue: resumes it, or extends it by further rounds or exchanges.

use std::collections::BTreeMap;

use agon_prompt::differing_part_kinds;
use agon_record::event::Event;
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

/// Prepares a stopped debate to continue, and returns the asks whose stored replies were discarded.
///
/// A halted debate is resumed with `caps`. A reply that was stored but not yet
/// acted on is used only if the same would be asked now, be it in other words; `ask_again`
/// discards one that is not.
///
/// # Errors
///
/// If such a reply stands in the way, or the record cannot be kept.
pub fn resume_debate<H: Host>(
    host: &mut H,
    caps: Caps,
    ask_again: bool,
) -> Result<Vec<AskKey>, RunError<H::Error>> {
    resume_debate_with_seats(host, Vec::new(), caps, BTreeMap::new(), ask_again)
}

/// As [`resume_debate`], once substitutes have taken the seats of `replaced`, and with another
/// transport for the tools of `seats` from here on.
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
    let mut events = replaced;
    let changed = state.halted.is_some() || state.caps != caps || !seats.is_empty();
    if state.closed.is_none() && changed {
        events.push(Event::Resumed { caps, seats });
    }
    let discarded = discard_stale_replies(host.state(), ask_again, &mut events)?;
    if !events.is_empty() {
        host.record(&events).map_err(RunError::Host)?;
    }
    Ok(discarded)
}

/// How a debate that rests goes on: a formal one, or a duel that was closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Extension {
    /// The last exchange to judge, or the last round.
    pub through: u16,
    /// Who sits where.
    pub seats: BTreeMap<Seat, Seating>,
    /// The bounds; they count what was spent before.
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

/// Records that a formal debate or a closed duel continues, once substitutes have taken the seats of
/// `replaced`, and returns the asks whose stored replies were discarded.
///
/// A reply that was stored but not yet acted on is used only if the same would
/// be asked of the same tool now; `ask_again` discards one that is not.
///
/// # Errors
///
/// If such a reply stands in the way, or the record cannot be kept; nothing is
/// recorded then.
pub fn extend_debate<H: Host>(
    host: &mut H,
    replaced: Vec<Event>,
    extension: Extension,
    ask_again: bool,
) -> Result<Vec<AskKey>, RunError<H::Error>> {
    record_extension(host, replaced, extension, &[], ask_again)
}

/// As [`extend_debate`], with requests of the user recorded too; all of it is recorded, or nothing.
///
/// # Errors
///
/// As [`extend_debate`]; also if something is said that cannot be.
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
    let mut events = replaced;
    events.push(Event::from(extension));
    let mut state = host.state().clone();
    for event in &events {
        // Only an opening can be refused.
        state.apply(event).unwrap_or_default();
    }
    for item in said {
        if let Some(event) = accept_request(&state, item.id, &item.wish)? {
            state.apply(&event).unwrap_or_default();
            events.push(event);
        }
    }
    let discarded = discard_stale_replies(&state, ask_again, &mut events)?;
    host.record(&events).map_err(RunError::Host)?;
    Ok(discarded)
}

/// Adds to `events` what discards the stored replies that are no longer an
/// answer; without `ask_again` the first of them is an error.
fn discard_stale_replies<E: std::error::Error + 'static>(
    state: &State,
    ask_again: bool,
    events: &mut Vec<Event>,
) -> Result<Vec<AskKey>, RunError<E>> {
    let mut discarded = Vec::new();
    for (key, what) in stale_replies(state) {
        if !ask_again {
            return Err(RunError::Stale { key, what });
        }
        discarded.push(key);
        events.push(Event::Discarded { key });
    }
    Ok(discarded)
}

/// Stored replies that no decision was made about, and that answer something
/// else than would be asked now. That the prompts have another version does not count: the reply is
/// paid for.
fn stale_replies(state: &State) -> Vec<(AskKey, &'static str)> {
    let mut found = Vec::new();
    for turn in state.turns.values().filter(|turn| turn.end.is_none()) {
        for ask in turn
            .asks
            .iter()
            .filter(|ask| ask.given.is_some() && ask.sent_back.is_none())
        {
            let Some(asked) = &ask.asked else { continue };
            let effect = Effect {
                key: asked.key,
                after_ms: 0,
                reserve: asked.reserved,
            };
            // What the user put in since is for later prompts, and voids no answer.
            let Some((now, _)) = asked_now(state, &effect, None, asked.heard) else {
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
    }
    found
}
