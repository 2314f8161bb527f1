//! One turn: ask, read the reply, send it back once, admit it or give it up.

use agon_record::event::{Cap, Cause, CauseCode, Class, Event, Halt};
use agon_record::finding::{Finding, Severity};
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::Moves;
use agon_record::point;
use agon_record::state::{Ask, State, TurnEnd};

use crate::format;
use crate::parse::parse;
use crate::plan::evidence::unresolved_moves;
use crate::plan::people::sits;
use crate::plan::quoted::quoted;
use crate::plan::replies::{ParseResult, ParsedReplies};
use crate::plan::{Attempt, Budget, Effect};
use crate::rule;

// Two default timeouts are 8 of the default 30 minutes; a third would leave the judge little.
/// Attempts at one ask whose calls run out of time.
const TIMED_OUT_TRIES: usize = 2;
// Chosen, not measured: one more than after a timeout, since a refused call costs little time. Each
// counts against the bound on calls.
/// Attempts at one ask whose calls fail otherwise.
const TRIES: usize = 3;
// The second reply is admitted with what is still wrong. Held by
// `an_error_that_a_second_reply_does_not_mend_is_admitted_with_its_finding`.
/// How often the content of one turn is asked for again.
const REASKS: u8 = 1;
// Nothing failed, so there is nothing to wait for.
/// One more call, without a pause.
const AT_ONCE: Attempt = Attempt::Further { after_ms: 0 };

/// What one turn needs next.
#[derive(Debug)]
pub(crate) enum TurnStep<'a> {
    /// It is part of the debate.
    Done,
    /// The seat did not speak.
    Lost(&'a Cause),
    /// A call.
    Ask(Effect),
    /// The places that a stored reply cites, to be looked up.
    Resolve(AskKey),
    /// A decision.
    Decide(Event),
    /// No call is allowed any more.
    Capped(Cap),
}

/// What `turn` needs next.
pub(crate) fn step<'a>(
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
        return call(state, AskKey { turn, again: 0 }, Attempt::First, budget);
    };
    let again = u8::try_from(last).unwrap_or(u8::MAX);
    let key = AskKey { turn, again };
    if ask.sent_back.is_some() {
        let again = again.saturating_add(1);
        return call_again(state, AskKey { turn, again }, budget, replies);
    }
    if ask.given.is_some() {
        if unresolved_moves(state, key, replies).is_some() {
            return TurnStep::Resolve(key);
        }
        return TurnStep::Decide(read(state, key, budget, replies));
    }
    if ask.in_flight {
        let reserve = ask.asked.as_ref().map_or(0, |asked| asked.reserved);
        let after_ms = delay(ask);
        return TurnStep::Ask(Effect {
            key,
            after_ms,
            reserve,
        });
    }
    after_loss(state, key, budget, replies)
}

fn call<'a>(state: &State, key: AskKey, attempt: Attempt, budget: &mut Budget) -> TurnStep<'a> {
    let allowed = match sits(state, key) {
        true => budget.hear(key),
        false => budget.take(key, attempt),
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

/// The call for a reply that was sent back; where none is allowed, it is not waited for.
fn call_again<'a>(
    state: &State,
    key: AskKey,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    match call(state, key, AT_ONCE, budget) {
        TurnStep::Capped(_) => TurnStep::Decide(give_up(state, key.turn, bound_reached(), replies)),
        step => step,
    }
}

/// The call that was stopped before anything came of it, once more: it counts as not tried.
fn call_untried<'a>(
    state: &State,
    key: AskKey,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    match key.again {
        0 => call(state, key, Attempt::First, budget),
        _ => call_again(state, key, budget, replies),
    }
}

fn delay(ask: &Ask) -> u64 {
    match ask.losses.last() {
        Some((Class::Retry { after_ms }, _)) => *after_ms,
        Some(_) | None => 0,
    }
}

fn after_loss<'a>(
    state: &State,
    key: AskKey,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    let losses = state.ask(key).map_or(&[][..], |ask| &ask.losses);
    let Some((class, cause)) = losses.last() else {
        return call_untried(state, key, budget, replies);
    };
    match class {
        Class::Retry { after_ms } => {
            let tries = if cause.code == CauseCode::Timeout {
                TIMED_OUT_TRIES
            } else {
                TRIES
            };
            let after_ms = *after_ms;
            let more = Attempt::Further { after_ms };
            if losses.len() < tries
                && let step @ TurnStep::Ask(_) = call(state, key, more, budget)
            {
                return step;
            }
            TurnStep::Decide(give_up(state, key.turn, cause.clone(), replies))
        }
        Class::Cancelled => call_untried(state, key, budget, replies),
        Class::User => TurnStep::Decide(Event::Halted {
            reason: Halt::User {
                turn: key.turn,
                cause: cause.clone(),
            },
        }),
        Class::Tool if may_ask_again(state, key, budget) => TurnStep::Decide(Event::SentBack {
            key,
            findings: vec![unusable(key.turn, cause)],
        }),
        Class::Tool | Class::Bug => {
            TurnStep::Decide(give_up(state, key.turn, cause.clone(), replies))
        }
    }
}

/// Reads the reply to `key`: admit it, send it back, or give the turn up.
fn read(state: &State, key: AskKey, budget: &Budget, replies: &mut ParsedReplies) -> Event {
    let reading = reading(state, key, &replies.parse(state, key));
    let worst = reading
        .findings()
        .iter()
        .map(|finding| finding.severity)
        .max();
    if worst >= Some(Severity::Error) && may_ask_again(state, key, budget) {
        return Event::SentBack {
            key,
            findings: reading.findings().to_vec(),
        };
    }
    match reading {
        Reading::Usable { moves, findings } => admit(key, moves, findings),
        Reading::Unusable { cause, .. } => give_up(state, key.turn, cause, replies),
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

/// What is wrong with `text` as a reply to `key`, before anything it cites is looked up.
///
/// The same holds for it once it is given.
pub fn check_reply(state: &State, key: AskKey, text: &str) -> Vec<Finding> {
    let kind = format::of(state.spec.format()).moves_kind(key.turn);
    match reading(state, key, &parse(text, kind, key.turn)) {
        Reading::Usable { findings, .. } | Reading::Unusable { findings, .. } => findings,
    }
}

fn reading(state: &State, key: AskKey, parsed: &ParseResult) -> Reading {
    match parsed {
        Err(error) => Reading::Unusable {
            cause: Cause {
                code: CauseCode::NoMoves,
                detail: error.to_string(),
            },
            findings: error.findings.clone(),
        },
        Ok(parsed) if quoted(state, key.turn, &parsed.moves) => Reading::Unusable {
            cause: Cause {
                code: CauseCode::NoMoves,
                detail: "PARSE_ERROR:json:quoted".to_owned(),
            },
            findings: vec![not_its_own(key.turn)],
        },
        Ok(parsed) => {
            let mut findings = parsed.findings.clone();
            rule::weigh(state, &mut findings);
            findings.extend(rule::check_asked(state, key, &parsed.moves));
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

fn admit(key: AskKey, moves: Moves, findings: Vec<Finding>) -> Event {
    let ids = point::ids(key.turn, &moves);
    Event::Admitted {
        key,
        moves: Box::new(moves),
        ids,
        findings,
    }
}

/// Falls back on an earlier reply that is usable, else the turn is lost.
///
/// A reply that was sent back for an error is better than no reply at all.
fn give_up(state: &State, turn: TurnId, cause: Cause, replies: &mut ParsedReplies) -> Event {
    let asks = state.turns.get(&turn).map_or(&[][..], |turn| &turn.asks);
    let mut last = Vec::new();
    for again in (0..asks.len()).rev().filter_map(|at| u8::try_from(at).ok()) {
        let key = AskKey { turn, again };
        if asks[usize::from(again)].given.is_none() {
            continue;
        }
        match reading(state, key, &replies.parse(state, key)) {
            Reading::Usable { moves, findings } => return admit(key, moves, findings),
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

/// What becomes of a turn that is not to be asked for again: a usable reply that it has is
/// admitted; none when it has none.
pub(crate) fn cut_short<'a>(
    state: &State,
    turn: TurnId,
    replies: &mut ParsedReplies,
) -> Option<TurnStep<'a>> {
    let asks = state.turns.get(&turn)?.asks.iter().enumerate();
    let (last, _) = asks.rev().find(|(_, ask)| ask.given.is_some())?;
    let again = u8::try_from(last).unwrap_or(u8::MAX);
    let key = AskKey { turn, again };
    if unresolved_moves(state, key, replies).is_some() {
        return Some(TurnStep::Resolve(key));
    }
    let event = give_up(state, turn, bound_reached(), replies);
    matches!(event, Event::Admitted { .. }).then_some(TurnStep::Decide(event))
}

fn may_ask_again(state: &State, key: AskKey, budget: &Budget) -> bool {
    let again = key.again.saturating_add(1);
    let left = budget.reasks_left_by(key.turn);
    let bears = || Budget::take(&mut { *budget }, AskKey { again, ..key }, AT_ONCE).is_ok();
    key.again < REASKS
        && state.sent_back.saturating_add(left) < state.caps.reasks
        && (sits(state, key) || bears())
}

fn bound_reached() -> Cause {
    Cause {
        code: CauseCode::NoMoves,
        detail: "a bound was reached before the turn could be asked for again".to_owned(),
    }
}

/// A reply whose only moves are a quotation.
fn not_its_own(turn: TurnId) -> Finding {
    Finding {
        code: "reply-parse".to_owned(),
        severity: Severity::Fatal,
        turn,
        at: String::new(),
        path: None,
        span: None,
        message: "the JSON object of this reply stands in the text of another seat".to_owned(),
        hint: "end with one fenced JSON block of your own moves, after anything you quote"
            .to_owned(),
    }
}

fn unusable(turn: TurnId, cause: &Cause) -> Finding {
    Finding {
        code: "reply-unusable".to_owned(),
        severity: Severity::Fatal,
        turn,
        at: String::new(),
        path: None,
        span: None,
        message: format!("the call gave no usable reply ({})", cause.code.name()),
        hint: "reply with prose and end with one fenced JSON block of moves".to_owned(),
    }
}
