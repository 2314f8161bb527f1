//! Proposer against challenger, for one to five rounds, then a verdict.

mod judging;

use crate::format::Format;
use crate::plan::{Budget, Phase, Plan, Step, Wanted, capped, cut_short, step};
use agon_record::answer::same_answer;
use agon_record::event::{Cause, CauseCode, Event, Halt, Outcome};
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::{FormatName, Seating};
use agon_record::state::State;

/// The duel.
///
/// Unless it is quick, both sides answer first, unseen by each other. Then the
/// challenger answers the proposer, round by round, and a judge rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Duel;

const SIDES: [Seat; 2] = [Seat::Proposer, Seat::Challenger];

impl Format for Duel {
    fn name(&self) -> FormatName {
        FormatName::Duel
    }

    fn about(&self) -> &'static str {
        "proposer against challenger for one to five rounds, then a verdict"
    }

    fn plan(&self, state: &State) -> Plan {
        let mut budget = Budget::of(state);
        let plan = if state.is_sent_to_judge() {
            under_way(state)
        } else if state.capped.is_none() {
            blind(state, &mut budget).or_else(|| rounds(state, &mut budget))
        } else {
            None
        };
        if let Some(plan) = plan {
            return plan;
        }
        closing(state, &mut budget)
    }

    fn phase(&self, state: &State) -> Phase {
        let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|t| t.end.is_none());
        if state.capped.is_some() || state.is_sent_to_judge() {
            return Phase::AwaitingVerdict;
        }
        if state.spec.blind && blind_turns().iter().any(open) {
            return Phase::AwaitingBlind;
        }
        for turn in turns(state) {
            match (open(&turn), turn.seat) {
                (true, Seat::Proposer) => return Phase::AwaitingProposer,
                (true, _) => return Phase::AwaitingChallenger,
                (false, _) if state.admitted(turn).is_none() => return Phase::AwaitingVerdict,
                (false, _) => {}
            }
        }
        Phase::AwaitingVerdict
    }

    /// A ruling is heard by nobody: each judge rules alone.
    fn hears(&self, turn: TurnId, earlier: TurnId) -> bool {
        earlier < turn && matches!(earlier.stage, Stage::Round(_))
    }

    fn moves_kind(&self, turn: TurnId) -> MovesKind {
        match (turn.stage, turn.seat) {
            (Stage::Theses | Stage::Verdict | Stage::Swap, _) | (_, Seat::Judge(_)) => {
                MovesKind::Verdict
            }
            (Stage::Round(0), _) => MovesKind::Blind,
            (Stage::Round(1), Seat::Challenger | Seat::Opposition) => MovesKind::Challenge,
            (Stage::Round(1), _) => MovesKind::Opening,
            (Stage::Round(_), Seat::Challenger | Seat::Opposition) => MovesKind::FollowUp,
            (Stage::Round(_), _) => MovesKind::Defense,
        }
    }
}

/// The calls that a duel makes from here on, without re-asks or retries; a person's turn is none.
pub fn duel_calls_to_come(state: &State) -> u32 {
    let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|turn| turn.end.is_none());
    let blind = blind_turns().into_iter().filter(|_| state.spec.blind);
    let judges = state.seats.keys().filter(|seat| seat.judges());
    let judges = judges.map(|&seat| TurnId::verdict(seat));
    let swap = state.swaps().then_some(TurnId::SWAP);
    let called = |turn: &TurnId| !state.seats.get(&turn.seat).is_some_and(Seating::is_human);
    let all = blind.chain(turns(state)).chain(judges).chain(swap);
    u32::try_from(all.filter(called).filter(open).count()).unwrap_or(u32::MAX)
}

fn blind_turns() -> [TurnId; 2] {
    SIDES.map(|seat| TurnId::round(0, seat))
}

/// The turns of the rounds, in the order in which they are spoken.
fn turns(state: &State) -> impl Iterator<Item = TurnId> {
    (1..=state.rounds()).flat_map(|round| SIDES.map(|seat| TurnId::round(round, seat)))
}

/// What the blind round needs; none when it is over.
fn blind(state: &State, budget: &mut Budget) -> Option<Plan> {
    if !state.spec.blind {
        return None;
    }
    let steps = blind_turns().map(|turn| step(state, turn, budget));
    let mut asks = Vec::new();
    let mut decisions = Vec::new();
    let mut over = None;
    for step in steps {
        match step {
            Step::Ask(effect) => asks.push(effect),
            Step::Resolve(key) => return Some(Plan::Resolve(vec![key])),
            Step::Decide(event) => decisions.push(event),
            Step::Capped(cap) => over = Some(cap),
            Step::Done | Step::Lost(_) => {}
        }
    }
    if !decisions.is_empty() {
        return Some(Plan::Decide(decisions));
    }
    if !asks.is_empty() {
        return Some(Plan::Perform(asks));
    }
    if let Some(cap) = over {
        return Some(capped(cap));
    }
    agreement(state)
}

/// What the blind answers ask for when they agree.
fn agreement(state: &State) -> Option<Plan> {
    let answer = agreed_answer(state)?;
    match state.agreement {
        None if state.spec.ask_on_agreement => Some(Plan::Wait(Wanted::StopOnAgreement {
            answer: answer.to_owned(),
        })),
        None => Some(Plan::Decide(vec![Event::Agreement { stop: false }])),
        Some(true) => Some(closed(Outcome::Agreed)),
        Some(false) => None,
    }
}

/// The answer that both sides gave blind.
fn agreed_answer(state: &State) -> Option<&str> {
    let [ours, theirs] = SIDES.map(|seat| Some(state.blind(seat)?.answer.as_str()));
    ours.filter(|ours| theirs.is_some_and(|theirs| same_answer(ours, theirs)))
}

/// What the rounds need; none when it is the judge's turn.
fn rounds(state: &State, budget: &mut Budget) -> Option<Plan> {
    for turn in turns(state) {
        match step(state, turn, budget) {
            Step::Done => {}
            Step::Ask(effect) => return Some(Plan::Perform(vec![effect])),
            Step::Resolve(key) => return Some(Plan::Resolve(vec![key])),
            Step::Decide(event) => return Some(Plan::Decide(vec![event])),
            Step::Capped(cap) => return Some(capped(cap)),
            Step::Lost(cause) if turn == TurnId::round(1, Seat::Proposer) => {
                return Some(halted(proposer_lost(state, cause)));
            }
            Step::Lost(_) => return None,
        }
    }
    None
}

/// What is left to do with the turn that the user's order to judge cut short: a usable reply
/// that it has already is heard; none once the judge was asked.
fn under_way(state: &State) -> Option<Plan> {
    if state.capped.is_some() || state.is_at_judge() {
        return None;
    }
    let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|t| t.end.is_none());
    let turn = turns(state).find(open)?;
    match cut_short(state, turn)? {
        Step::Resolve(key) => Some(Plan::Resolve(vec![key])),
        Step::Decide(event) => Some(Plan::Decide(vec![event])),
        Step::Done | Step::Lost(_) | Step::Ask(_) | Step::Capped(_) => None,
    }
}

/// What the end needs: a verdict, or the word that there can be none.
fn closing(state: &State, budget: &mut Budget) -> Plan {
    if state.admitted(TurnId::round(1, Seat::Proposer)).is_none() {
        return halted(match state.capped {
            Some(cap) => Halt::Capped { cap },
            None => Halt::NoTurns,
        });
    }
    if state.admitted(TurnId::round(1, Seat::Challenger)).is_none() {
        return closed(Outcome::Uncontested);
    }
    judging::plan(state, budget)
}

/// The proposer's first turn is lost; when nobody spoke at all, says so.
fn proposer_lost(state: &State, cause: &Cause) -> Halt {
    let lost: Vec<_> = state.lost_turns().collect();
    let silent = state.spoken().next().is_none() && lost.len() > SIDES.len();
    if silent
        && lost
            .iter()
            .all(|(_, cause)| cause.code == CauseCode::Timeout)
    {
        Halt::AllTimedOut
    } else if silent {
        Halt::NoTurns
    } else {
        Halt::ProposerLost {
            cause: cause.clone(),
        }
    }
}

fn closed(outcome: Outcome) -> Plan {
    Plan::Decide(vec![Event::Closed { outcome }])
}

fn halted(reason: Halt) -> Plan {
    Plan::Decide(vec![Event::Halted { reason }])
}
