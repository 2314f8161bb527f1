//! One step of a formal debate whose arguments or scores another tool submits.
//!
//! A step is accepted completely or not at all: it produces events only if everything in it keeps
//! the rules. The same step submitted again gets the same answer.

use agon_record::event::{Event, Given, Judgment, Reply, Usage};
use agon_record::finding::{Finding, Severity};
use agon_record::id::{AskKey, NodeId, Seat, TurnId};
use agon_record::moves::{Formal, Moves};
use agon_record::point;
use agon_record::state::State;
use serde::Serialize;
use serde_json::{Value, json};

use crate::format::{self, Phase, debate_phase};
use crate::panel;
use crate::parse;
use crate::rule;

/// A submitted step.
#[derive(Clone, Copy, Debug)]
pub enum OutsideStep<'a> {
    /// Both sides' arguments of an exchange.
    Exchange {
        /// The exchange of the arguments.
        exchange: u16,
        /// The proposition's reply.
        proposition: SubmittedReply<'a>,
        /// The opposition's reply.
        opposition: SubmittedReply<'a>,
    },
    /// A judge's scores.
    Judgment(SubmittedReply<'a>),
}

/// A submitted reply, after redaction.
#[derive(Clone, Copy, Debug)]
pub struct SubmittedReply<'a> {
    /// The bytes of the reply.
    pub reply: &'a [u8],
    /// The number of secrets removed from it.
    pub redacted: u32,
}

/// The outcome of a submitted step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepOutcome {
    /// The step is accepted with these events, recorded together.
    Taken {
        /// The events.
        events: Vec<Event>,
        /// The report for the caller.
        told: StepReport,
    },
    /// The step is part of the debate already.
    Repeated(StepReport),
    /// The step breaks a rule.
    Refused(StepRefusal),
    /// The debate waits for a different step.
    Untimely(String),
}

/// The report on an accepted step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepReport {
    success: bool,
    argument_id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rescored: Option<Vec<NodeId>>,
    warnings: Option<Vec<String>>,
}

/// The report on a step that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepRefusal {
    success: bool,
    side: Seat,
    errors: Vec<String>,
    warnings: Option<Vec<String>>,
}

/// Evaluates `step`, submitted at `at_ms` since 1970.
pub fn evaluate_outside_step(state: &State, step: OutsideStep<'_>, at_ms: u64) -> StepOutcome {
    if !state.format_rules().takes_outside_parts {
        let format = state.spec.format();
        return StepOutcome::Untimely(format!("this debate is a {format}, not a formal debate"));
    }
    match step {
        OutsideStep::Exchange {
            exchange,
            proposition,
            opposition,
        } => evaluate_exchange(state, exchange, [proposition, opposition], at_ms),
        OutsideStep::Judgment(brought) => evaluate_judgment(state, brought, at_ms),
    }
}

fn evaluate_exchange(
    state: &State,
    exchange: u16,
    brought: [SubmittedReply<'_>; 2],
    at_ms: u64,
) -> StepOutcome {
    let turns = state
        .spec
        .format()
        .sides()
        .map(|seat| TurnId::round(exchange, seat));
    let pairs = || turns.into_iter().zip(brought);
    if pairs().all(|(turn, brought)| is_recorded(state, turn, brought)) {
        return StepOutcome::Repeated(exchange_report(state, &turns));
    }
    let due = format::first_unjudged_exchange(state);
    match debate_phase(state) {
        Phase::AwaitingArguments if exchange == due => {}
        Phase::AwaitingArguments => {
            return StepOutcome::Untimely(format!(
                "exchange {due} is next, not exchange {exchange}"
            ));
        }
        _ => {
            return StepOutcome::Untimely(format!(
                "exchange {due} waits for the judge's scores (agon ops process-judge)"
            ));
        }
    }
    let mut held = PendingStep::default();
    for (turn, brought) in pairs() {
        // The submitted reply replaces one that an interrupted run has stored for this side.
        held.add_reply(state, turn, brought, at_ms);
    }
    if let Some(refused) = held.refusal() {
        return StepOutcome::Refused(refused);
    }
    let after = state.without_turns().with_events(&held.events);
    let told = StepReport {
        warnings: held.warnings(),
        ..exchange_report(&after, &turns)
    };
    let events = held.events;
    StepOutcome::Taken { events, told }
}

fn evaluate_judgment(state: &State, brought: SubmittedReply<'_>, at_ms: u64) -> StepOutcome {
    if let Some(last) = state.last_judged_exchange() {
        let turn = TurnId::round(last, Seat::JUDGE);
        if is_recorded(state, turn, brought) {
            return StepOutcome::Repeated(judgment_report(&panel::judgment_from_turns(
                state,
                last,
                &[turn],
            )));
        }
    }
    let exchange = format::first_unjudged_exchange(state);
    if debate_phase(state) != Phase::AwaitingJudgment {
        return StepOutcome::Untimely(format!(
            "exchange {exchange} waits for both sides' arguments (agon ops process-exchange)"
        ));
    }
    let turn = TurnId::round(exchange, Seat::JUDGE);
    let mut held = PendingStep::default();
    held.add_reply(state, turn, brought, at_ms);
    if let Some(refused) = held.refusal() {
        return StepOutcome::Refused(refused);
    }
    let after = state.without_turns().with_events(&held.events);
    let judgment = panel::judgment_from_turns(&after, exchange, &[turn]);
    let told = StepReport {
        warnings: held.warnings(),
        ..judgment_report(&judgment)
    };
    let mut events = held.events;
    events.push(Event::Scored(Box::new(judgment)));
    StepOutcome::Taken { events, told }
}

/// Returns whether `brought` is the recorded reply of `turn`.
fn is_recorded(state: &State, turn: TurnId, brought: SubmittedReply<'_>) -> bool {
    let Some(admitted) = state.admitted(turn) else {
        return false;
    };
    let asks = state.turns.get(&turn).map_or(&[][..], |turn| &turn.asks);
    let ask = asks.get(usize::from(admitted.key.again));
    ask.and_then(|ask| ask.reply_text()).map(str::as_bytes) == Some(brought.reply)
}

/// Checked replies and their events.
#[derive(Debug, Default)]
struct PendingStep {
    events: Vec<Event>,
    findings: Vec<Finding>,
}

impl PendingStep {
    fn add_reply(&mut self, state: &State, turn: TurnId, brought: SubmittedReply<'_>, at_ms: u64) {
        let key = AskKey { turn, again: 0 };
        match parse_and_check_reply(state, turn, brought.reply) {
            Ok((moves, findings)) => {
                let reply = String::from_utf8_lossy(brought.reply).into_owned();
                self.findings.extend(findings.iter().cloned());
                self.events.push(Event::Given(Given {
                    key,
                    reply: Reply::Text(reply),
                    usage: Usage::default(),
                    took_ms: 0,
                    clock_ms: state.spent.clock_ms,
                    at_ms: Some(at_ms),
                    stop_reason: None,
                    model: None,
                    redacted: brought.redacted,
                }));
                self.events.push(Event::Admitted {
                    key,
                    ids: point::point_ids(turn, &moves),
                    moves: Box::new(moves),
                    findings,
                });
            }
            Err(findings) => self.findings.extend(findings),
        }
    }

    /// Returns the refusal, with every broken rule that is more than a warning.
    fn refusal(&self) -> Option<StepRefusal> {
        let broken = |finding: &&Finding| finding.severity > Severity::Warning;
        let mut broken = self.findings.iter().filter(broken).peekable();
        let side = broken.peek()?.turn.seat;
        let errors = broken.map(|finding| {
            let of = if finding.turn.seat == side {
                String::new()
            } else {
                format!("{}: ", finding.turn.seat)
            };
            format!("{of}{}", describe_finding(finding))
        });
        Some(StepRefusal {
            success: false,
            side,
            errors: errors.collect(),
            warnings: self.warnings(),
        })
    }

    fn warnings(&self) -> Option<Vec<String>> {
        let warnings = self.findings.iter();
        let warnings = warnings.filter(|finding| finding.severity == Severity::Warning);
        let warnings: Vec<_> = warnings
            .map(|finding| format!("{}: {}", finding.turn.seat, describe_finding(finding)))
            .collect();
        (!warnings.is_empty()).then_some(warnings)
    }
}

/// Returns the moves of a reply with their findings, or why there are none.
fn parse_and_check_reply(
    state: &State,
    turn: TurnId,
    reply: &[u8],
) -> Result<(Moves, Vec<Finding>), Vec<Finding>> {
    let kind = format::requested_moves_kind(state, turn);
    let parsed = parse::parse_strict_bytes(reply, kind, turn).map_err(|error| error.findings)?;
    let mut findings = parsed.findings;
    rule::apply_severities(state, &mut findings);
    findings.extend(rule::check_moves(state, turn, &parsed.moves));
    findings.extend(double_defense_finding(turn, &parsed.moves));
    // A submitted reply cannot be sent back, so exceeding a word limit is only a warning.
    let findings = rule::relax_word_limits(findings);
    Ok((parsed.moves, findings))
}

/// Reports an argument that a rebuttal defends in two ways, which must be one defense.
fn double_defense_finding(turn: TurnId, moves: &Moves) -> Option<Finding> {
    let Moves::Formal(Formal::Rebuttal(rebuttal)) = moves else {
        return None;
    };
    let defends = &rebuttal.defends;
    let mut later = defends.iter().enumerate().skip(1);
    let (at, again) = later.find(|(at, one)| {
        let mut before = defends[..*at].iter();
        // Report only different kinds here: a general rule reports two defenses of the same kind.
        before.any(|it| it.target_id == one.target_id && it.defense_type != one.defense_type)
    })?;
    Some(Finding {
        code: "attack-repeat".to_owned(),
        severity: Severity::Fatal,
        turn,
        at: format!("defends[{at}].target_id"),
        path: None,
        span: None,
        message: format!("{} is defended twice", again.target_id),
        hint: "merge both into one defense".to_owned(),
    })
}

fn describe_finding(finding: &Finding) -> String {
    let at = match finding.at.as_str() {
        "" => String::new(),
        at => format!("{at}: "),
    };
    let hint = match finding.hint.as_str() {
        "" => String::new(),
        hint => format!(" ({hint})"),
    };
    format!("{at}{}{hint} [{}]", finding.message, finding.code)
}

fn exchange_report(state: &State, turns: &[TurnId; 2]) -> StepReport {
    let ids = turns.map(|turn| {
        let admitted = state.admitted(turn);
        one_or_list(admitted.map_or(&[][..], |admitted| &admitted.ids))
    });
    let [proposition, opposition] = ids;
    StepReport {
        success: true,
        argument_id: json!({ "proposition": proposition, "opposition": opposition }),
        score: None,
        rescored: None,
        warnings: None,
    }
}

fn judgment_report(judgment: &Judgment) -> StepReport {
    let ids: Vec<_> = judgment.scores.iter().map(|scored| scored.id).collect();
    let scores: Vec<_> = judgment.scores.iter().map(|scored| scored.score).collect();
    let rescored: Vec<_> = judgment.rescores.iter().map(|again| again.id).collect();
    StepReport {
        success: true,
        argument_id: one_or_list(&ids),
        score: Some(one_or_list(&scores)),
        rescored: (!rescored.is_empty()).then_some(rescored),
        warnings: None,
    }
}

/// Returns a single value, or a list of several.
fn one_or_list<T: Serialize>(values: &[T]) -> Value {
    match values {
        [one] => json!(one),
        several => json!(several),
    }
}
