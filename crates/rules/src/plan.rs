//! What happens next: a pure function of the state.

use agon_record::event::{Cap, Event};
use agon_record::format::Judging;
use agon_record::id::AskKey;
use agon_record::state::State;

mod budget;
mod duel;
mod evidence;
mod formal;
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

/// What happens next.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Calls that should be under way; those already are stay in the list.
    Perform(Vec<Effect>),
    /// Stored replies whose places are to be looked up and recorded; then plan again.
    Resolve(Vec<AskKey>),
    /// Decisions to record; then plan again.
    Decide(Vec<Event>),
    /// A person must answer first.
    Wait(PersonQuestion),
    /// Nothing: the debate is closed, or halted until it is resumed.
    Close,
}

/// Something to do outside the domain, with a key that stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The ask to make.
    pub key: AskKey,
    /// How long to wait before, in milliseconds.
    pub after_ms: u64,
    /// Tokens to set aside for it.
    pub reserve: u64,
}

/// What a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonQuestion {
    /// Both first answers come to this one: stop here?
    StopOnAgreement {
        /// The answer.
        answer: String,
    },
}

/// What happens next in the debate.
///
/// The same state always gives the same plan. Every plan brings the debate
/// nearer to [`Plan::Close`]: a call is retried, and a reply sent back, only a
/// bounded number of times.
pub fn plan(state: &State) -> Plan {
    plan_with_replies(state, &mut ParsedReplies::default())
}

/// The same plan, which parses no reply that is among `replies`.
pub fn plan_with_replies(state: &State, replies: &mut ParsedReplies) -> Plan {
    replies.drop_ended(state);
    if state.closed.is_some() || state.halted.is_some() {
        return Plan::Close;
    }
    match state.format_rules().judging {
        Judging::AtTheEnd => duel::plan(state, replies),
        Judging::EachRound => formal::plan(state, replies),
    }
}

/// The decision that a bound was reached.
pub(crate) fn capped_plan(cap: Cap) -> Plan {
    Plan::Decide(vec![Event::Capped { cap }])
}
