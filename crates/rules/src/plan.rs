//! Plans what happens next, as a pure function of the state.

use agon_record::event::{Cap, Event};
use agon_record::format::Judging;
use agon_record::id::AskKey;
use agon_record::state::State;

mod budget;
mod duel;
mod evidence;
mod formal_plan;
mod people;
mod quoted;
mod refused;
mod replies;
mod substitute;
mod turn;

pub(crate) use budget::{Attempt, Budget};
pub use budget::{debater_deadline_ms, judge_timeout_ms};
pub use evidence::moves_awaiting_lookup;
pub use people::{asks_awaiting_only_person, asks_awaiting_person, is_answered_by_person};
pub use replies::ParsedReplies;
pub(crate) use substitute::{next_side_step, take_replacement};
pub use turn::check_reply;
pub(crate) use turn::{TurnStep, next_turn_step, settle_cut_short_turn};

/// The next step of a debate.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Calls that should be running, including calls that already run.
    Perform(Vec<Effect>),
    /// Stored replies whose citations must be checked and recorded; then plan again.
    Resolve(Vec<AskKey>),
    /// Decisions to record; then plan again.
    Decide(Vec<Event>),
    /// A person must answer.
    Wait(PersonQuestion),
    /// There is nothing to do: the debate is closed, or halted until the user resumes it.
    Close,
}

/// A call to make, with a stable key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The key of the call.
    pub key: AskKey,
    /// The delay before the call, in milliseconds.
    pub after_ms: u64,
    /// The tokens to reserve for it.
    pub reserve: u64,
}

/// A question for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonQuestion {
    /// Both first answers agree: should the debate stop here?
    StopOnAgreement {
        /// The answer.
        answer: String,
    },
}

/// Returns what happens next in the debate.
///
/// The same state always gives the same plan. Every plan brings the debate closer to
/// [`Plan::Close`]: retries and replies sent back are limited.
pub fn plan(state: &State) -> Plan {
    plan_with_replies(state, &mut ParsedReplies::default())
}

/// Like [`plan`], but takes parsed replies from `replies`.
pub fn plan_with_replies(state: &State, replies: &mut ParsedReplies) -> Plan {
    replies.drop_ended(state);
    if state.closed.is_some() || state.halted.is_some() {
        return Plan::Close;
    }
    match state.format_rules().judging {
        Judging::AtTheEnd => duel::plan(state, replies),
        Judging::EachRound => formal_plan::plan(state, replies),
    }
}

/// Returns the decision that a limit was reached.
pub(crate) fn limit_reached_plan(cap: Cap) -> Plan {
    Plan::Decide(vec![Event::Capped { cap }])
}
