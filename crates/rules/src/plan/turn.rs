//! Plans one turn: ask, parse the reply, send it back once, admit it or lose it.

use agon_record::event::{Cap, Cause, CauseCode, Class, Event, Halt};
use agon_record::finding::{Finding, Severity};
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::Moves;
use agon_record::point;
use agon_record::state::{Ask, State, TurnEnd};

use crate::format;
use crate::plan::evidence::moves_awaiting_lookup;
use crate::plan::people::is_answered_by_person;
use crate::plan::quoted::is_quoted_from_others;
use crate::plan::refused::{model_refused_event, was_asked_for_refused_model};
use crate::plan::replies::{ParseResult, ParsedReplies, parse_seat_reply};
use crate::plan::{Attempt, Budget, Effect};
use crate::rule;

// Two default timeouts take 8 of the default 30 minutes; a third would leave the judge too little.
/// Maximum number of attempts at a call that times out.
const TIMED_OUT_TRIES: usize = 2;
// By now the user waits only for the judge, and a substitute answers sooner than a retry.
/// Maximum number of such attempts for a judge while a substitute can still rule.
const TIMED_OUT_JUDGE_TRIES: usize = 1;
// Chosen, not measured: one more than after a timeout, since a failed call costs little time. Each
// counts towards the call limit.
/// Maximum number of attempts at a call that fails in other ways.
const TRIES: usize = 3;
// Once, since the second reply is admitted with its remaining faults. Tested by
// `an_error_that_a_second_reply_does_not_mend_is_admitted_with_its_finding`.
/// How often a reply to one turn is sent back.
const REASKS: u8 = 1;
// Nothing failed, so no pause is needed.
/// A further call without a pause.
const AT_ONCE: Attempt = Attempt::Further { after_ms: 0 };

/// The next step of one turn.
#[derive(Debug)]
pub(crate) enum TurnStep<'a> {
    /// The turn is part of the debate.
    Done,
    /// The turn is lost.
    Lost(&'a Cause),
    /// A call.
    Ask(Effect),
    /// The citations of a stored reply must be checked.
    Resolve(AskKey),
    /// A decision.
    Decide(Event),
    /// No further call is allowed.
    Capped(Cap),
}

/// Returns the next step of `turn`.
pub(crate) fn next_turn_step<'a>(
    state: &'a State,
    turn: TurnId,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    let known = state.turns.get(&turn);
    match known.and_then(|known| known.end.as_ref()) {
        Some(TurnEnd::Admitted(_)) => return TurnStep::Done,
        Some(TurnEnd::Lost { cause, .. }) => return TurnStep::Lost(cause),
        None => {}
    }
    let asks = known.map_or(&[][..], |known| &known.asks);
    let Some((last, ask)) = asks.iter().enumerate().next_back() else {
        return call_step(state, AskKey { turn, again: 0 }, Attempt::First, budget);
    };
    let again = u8::try_from(last).unwrap_or(u8::MAX);
    let key = AskKey { turn, again };
    if ask.sent_back.is_some() {
        let again = again.saturating_add(1);
        return call_after_send_back(state, AskKey { turn, again }, budget, replies);
    }
    if ask.given.is_some() {
        if moves_awaiting_lookup(state, key, replies).is_some() {
            return TurnStep::Resolve(key);
        }
        return TurnStep::Decide(decide_on_reply(state, key, budget, replies));
    }
    if ask.in_flight {
        let reserve = ask.asked.as_ref().map_or(0, |asked| asked.reserved);
        let after_ms = retry_delay_ms(ask);
        return TurnStep::Ask(Effect {
            key,
            after_ms,
            reserve,
        });
    }
    step_after_loss(state, key, budget, replies)
}

fn call_step<'a>(
    state: &State,
    key: AskKey,
    attempt: Attempt,
    budget: &mut Budget,
) -> TurnStep<'a> {
    let allowed = match is_answered_by_person(state, key) {
        true => budget.allow_person(key),
        false => budget.reserve_call(key, attempt),
    };
    let after_ms = match attempt {
        Attempt::First => 0,
        Attempt::Further { after_ms } => after_ms,
    };
    match allowed {
        Ok(reserve) => TurnStep::Ask(Effect {
            key,
            after_ms,
            reserve,
        }),
        Err(cap) => TurnStep::Capped(cap),
    }
}

/// Returns the call after a reply was sent back; if none is allowed, the turn is decided now.
fn call_after_send_back<'a>(
    state: &State,
    key: AskKey,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    match call_step(state, key, AT_ONCE, budget) {
        TurnStep::Capped(_) => TurnStep::Decide(fall_back_or_lose_turn(
            state,
            key.turn,
            limit_reached_cause(),
            replies,
        )),
        step => step,
    }
}

/// Repeats a call that was stopped before it returned anything; it does not count as an attempt.
fn repeat_untried_call<'a>(
    state: &State,
    key: AskKey,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    match key.again {
        0 => call_step(state, key, Attempt::First, budget),
        _ => call_after_send_back(state, key, budget, replies),
    }
}

fn retry_delay_ms(ask: &Ask) -> u64 {
    match ask.losses.last() {
        Some((Class::Retry { after_ms }, _)) => *after_ms,
        Some(_) | None => 0,
    }
}

fn step_after_loss<'a>(
    state: &State,
    key: AskKey,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    let losses = state.ask(key).map_or(&[][..], |ask| &ask.losses);
    let Some((class, cause)) = losses.last() else {
        return repeat_untried_call(state, key, budget, replies);
    };
    match class {
        Class::Retry { after_ms } => {
            let tries = match cause.code {
                CauseCode::Timeout
                    if key.turn.seat.is_judge()
                        && state.judge_substitutes().len() > state.lost_judges().len() =>
                {
                    TIMED_OUT_JUDGE_TRIES
                }
                CauseCode::Timeout => TIMED_OUT_TRIES,
                _ => TRIES,
            };
            let after_ms = *after_ms;
            let more = Attempt::Further { after_ms };
            if losses.len() < tries
                && let step @ TurnStep::Ask(_) = call_step(state, key, more, budget)
            {
                return step;
            }
            TurnStep::Decide(fall_back_or_lose_turn(
                state,
                key.turn,
                cause.clone(),
                replies,
            ))
        }
        Class::Cancelled => repeat_untried_call(state, key, budget, replies),
        Class::User if was_asked_for_refused_model(state, key) => {
            call_step(state, key, AT_ONCE, budget)
        }
        Class::User => {
            let refused = model_refused_event(state, key, cause);
            TurnStep::Decide(refused.unwrap_or_else(|| Event::Halted {
                reason: Halt::User {
                    turn: key.turn,
                    cause: cause.clone(),
                },
            }))
        }
        Class::Tool if can_ask_again(state, key, budget) => TurnStep::Decide(Event::SentBack {
            key,
            findings: vec![unusable_reply_finding(key.turn, cause)],
        }),
        Class::Tool | Class::Bug => TurnStep::Decide(fall_back_or_lose_turn(
            state,
            key.turn,
            cause.clone(),
            replies,
        )),
    }
}

/// Parses the reply to `key` and decides whether to admit it, send it back or lose the turn.
fn decide_on_reply(
    state: &State,
    key: AskKey,
    budget: &Budget,
    replies: &mut ParsedReplies,
) -> Event {
    let reading = assess_parsed_reply(state, key, &replies.parse_stored_reply(state, key));
    let worst = reading
        .findings()
        .iter()
        .map(|finding| finding.severity)
        .max();
    if worst >= Some(Severity::Error) && can_ask_again(state, key, budget) {
        return Event::SentBack {
            key,
            findings: reading.findings().to_vec(),
        };
    }
    match reading {
        Reading::Usable { moves, findings } => admitted_event(key, moves, findings),
        Reading::Unusable { cause, .. } => fall_back_or_lose_turn(state, key.turn, cause, replies),
    }
}

enum Reading {
    Usable {
        moves: Moves,
        findings: Vec<Finding>,
    },
    Unusable {
        cause: Cause,
        findings: Vec<Finding>,
    },
}

impl Reading {
    fn findings(&self) -> &[Finding] {
        match self {
            Self::Usable { findings, .. } | Self::Unusable { findings, .. } => findings,
        }
    }
}

/// Returns the findings on `text` as a reply to `key`, before its citations are checked.
///
/// The recorded reply gets the same findings.
pub fn check_reply(state: &State, key: AskKey, text: &str) -> Vec<Finding> {
    let kind = format::requested_moves_kind(state, key.turn);
    match assess_parsed_reply(state, key, &parse_seat_reply(state, text, kind, key.turn)) {
        Reading::Usable { findings, .. } | Reading::Unusable { findings, .. } => findings,
    }
}

fn assess_parsed_reply(state: &State, key: AskKey, parsed: &ParseResult) -> Reading {
    match parsed {
        Err(error) => Reading::Unusable {
            cause: Cause {
                code: CauseCode::NoMoves,
                detail: error.to_string(),
            },
            findings: error.findings.clone(),
        },
        Ok(parsed) if is_quoted_from_others(state, key.turn, &parsed.moves) => Reading::Unusable {
            cause: Cause {
                code: CauseCode::NoMoves,
                detail: "PARSE_ERROR:json:quoted".to_owned(),
            },
            findings: vec![quotation_finding(key.turn)],
        },
        Ok(parsed) => {
            let mut findings = parsed.findings.clone();
            rule::apply_severities(state, &mut findings);
            findings.extend(rule::check_reply_moves(state, key, &parsed.moves));
            let fatal = findings
                .iter()
                .find(|finding| finding.severity == Severity::Fatal);
            match fatal {
                Some(fatal) => Reading::Unusable {
                    cause: Cause {
                        code: CauseCode::RuleBroken,
                        detail: fatal.code.clone(),
                    },
                    findings,
                },
                None => Reading::Usable {
                    moves: parsed.moves.clone(),
                    findings,
                },
            }
        }
    }
}

fn admitted_event(key: AskKey, moves: Moves, findings: Vec<Finding>) -> Event {
    let ids = point::point_ids(key.turn, &moves);
    Event::Admitted {
        key,
        moves: Box::new(moves),
        ids,
        findings,
    }
}

/// Admits an earlier usable reply, or loses the turn.
///
/// A reply that was sent back for an error is better than none.
fn fall_back_or_lose_turn(
    state: &State,
    turn: TurnId,
    cause: Cause,
    replies: &mut ParsedReplies,
) -> Event {
    let asks = state.turns.get(&turn).map_or(&[][..], |turn| &turn.asks);
    let mut last = Vec::new();
    for again in (0..asks.len()).rev().filter_map(|at| u8::try_from(at).ok()) {
        let key = AskKey { turn, again };
        if asks[usize::from(again)].given.is_none() {
            continue;
        }
        match assess_parsed_reply(state, key, &replies.parse_stored_reply(state, key)) {
            Reading::Usable { moves, findings } => return admitted_event(key, moves, findings),
            Reading::Unusable { findings, .. } if last.is_empty() => last = findings,
            Reading::Unusable { .. } => {}
        }
    }
    Event::TurnLost {
        turn,
        cause,
        findings: last,
    }
}

/// Admits a usable stored reply of a turn that is not asked for again; `None` if it has none.
pub(crate) fn settle_cut_short_turn<'a>(
    state: &State,
    turn: TurnId,
    replies: &mut ParsedReplies,
) -> Option<TurnStep<'a>> {
    let asks = state.turns.get(&turn)?.asks.iter().enumerate();
    let (last, _) = asks.rev().find(|(_, ask)| ask.given.is_some())?;
    let again = u8::try_from(last).unwrap_or(u8::MAX);
    let key = AskKey { turn, again };
    if moves_awaiting_lookup(state, key, replies).is_some() {
        return Some(TurnStep::Resolve(key));
    }
    let event = fall_back_or_lose_turn(state, turn, limit_reached_cause(), replies);
    matches!(event, Event::Admitted { .. }).then_some(TurnStep::Decide(event))
}

fn can_ask_again(state: &State, key: AskKey, budget: &Budget) -> bool {
    let again = key.again.saturating_add(1);
    let left = budget.reasks_turn_must_leave(key.turn);
    let bears = || Budget::reserve_call(&mut { *budget }, AskKey { again, ..key }, AT_ONCE).is_ok();
    key.again < REASKS
        && state.sent_back.saturating_add(left) < state.caps.reasks
        && (is_answered_by_person(state, key) || bears())
}

fn limit_reached_cause() -> Cause {
    Cause {
        code: CauseCode::NoMoves,
        detail: "a limit was reached before the reply could be sent back".to_owned(),
    }
}

/// Returns the finding on a reply whose only moves are a quotation.
fn quotation_finding(turn: TurnId) -> Finding {
    Finding {
        code: "reply-parse".to_owned(),
        severity: Severity::Fatal,
        turn,
        at: String::new(),
        path: None,
        span: None,
        message: "the JSON object of this reply was copied from another seat's text".to_owned(),
        hint: "end with one fenced JSON block of your own moves, after anything you quote"
            .to_owned(),
    }
}

fn unusable_reply_finding(turn: TurnId, cause: &Cause) -> Finding {
    Finding {
        code: "reply-unusable".to_owned(),
        severity: Severity::Fatal,
        turn,
        at: String::new(),
        path: None,
        span: None,
        message: format!("the call returned no usable reply ({})", cause.code.name()),
        hint: "reply with prose and end with one fenced JSON block of moves".to_owned(),
    }
}
