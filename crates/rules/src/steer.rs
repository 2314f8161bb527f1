//! The user's requests to a debate: notes, command runs, orders and decisions.
//!
//! [`accept_request`] returns the event that records a [`UserRequest`], or why it is refused.

use agon_hint::{Hint, command};
use agon_record::decision::{Decided, Decision, MAX_DECISIONS, MAX_WHY_BYTES};
use agon_record::event::Event;
use agon_record::format::Judging;
use agon_record::id::Stage;
use agon_record::spec::MAX_ROUNDS;
use agon_record::state::State;
use agon_record::user::{
    CommandRun, MAX_NOTE_BYTES, MAX_NOTES_BYTES, MAX_OUTPUT_BYTES, MAX_RUNS, Note, Order, Ran,
    UserInput, UserRequest, WordId,
};
use ulid::Ulid;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalCode {
    /// The debate has ended.
    Closed,
    /// The note has no text.
    Empty,
    /// A formal debate does not support this order.
    Formal,
    /// The judge was asked already.
    Judging,
    /// A limit was reached.
    Limit,
    /// The debate would have too many rounds.
    Rounds,
    /// A text is too long.
    TooLarge,
    /// The debate has not ended.
    Unfinished,
}

/// A refused request, with a hint on what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CommandRefusal {
    /// The kind of refusal.
    pub code: RefusalCode,
    /// Why.
    pub message: String,
    /// What to do.
    pub hint: Hint,
}

/// Returns the event that records a request; `None` if it is recorded already, and for a stop,
/// which is not recorded.
///
/// # Errors
///
/// If the debate cannot accept the request now, or the request is too large.
pub fn accept_request(
    state: &State,
    item: Ulid,
    wish: &UserRequest,
) -> Result<Option<Event>, CommandRefusal> {
    if state.has_processed_item(item) {
        return Ok(None);
    }
    match wish {
        UserRequest::Stop => Ok(None),
        UserRequest::Note { text, redacted } => {
            check_note(state, text)?;
            Ok(Some(Event::Noted(Note {
                id: WordId::Note(next_input_number(state, |id| matches!(id, WordId::Note(_)))),
                item,
                text: text.clone(),
                redacted: *redacted,
            })))
        }
        UserRequest::Run(run) => {
            check_command_run(state, run)?;
            Ok(Some(Event::Ran(Box::new(Ran {
                id: WordId::Run(next_input_number(state, |id| matches!(id, WordId::Run(_)))),
                item,
                run: run.clone(),
            }))))
        }
        UserRequest::Order(order) => {
            check_order(state, *order)?;
            let order = *order;
            Ok(Some(Event::Ordered { item, order }))
        }
        UserRequest::Decide(decision) => {
            check_decision(state, &decision.why)?;
            let decision = Decision::clone(decision);
            Ok(Some(Event::Decided(Box::new(Decided { item, decision }))))
        }
    }
}

fn next_input_number(state: &State, same: impl Fn(&WordId) -> bool) -> u16 {
    let before = state.words.iter().map(UserInput::id).filter(same).count();
    u16::try_from(before + 1).unwrap_or(u16::MAX)
}

/// Returns whether a note would be accepted, so that a person knows before typing it.
///
/// # Errors
///
/// If no seat would see it.
pub fn check_not_closed(state: &State) -> Result<(), CommandRefusal> {
    if state.closed.is_none() {
        return Ok(());
    }
    let name = state.command_name();
    Err(CommandRefusal {
        code: RefusalCode::Closed,
        message: "the duel has ended, so no seat would see it".to_owned(),
        hint: command(format!("continue {name} --note \"…\"")).text(" continues with a note"),
    })
}

fn check_note(state: &State, text: &str) -> Result<(), CommandRefusal> {
    check_not_closed(state)?;
    if text.trim().is_empty() {
        return Err(CommandRefusal {
            code: RefusalCode::Empty,
            message: "the note is empty".to_owned(),
            hint: "agon say DEBATE TEXT".into(),
        });
    }
    let notes = state.words.iter().filter_map(|word| match word {
        UserInput::Note(note) => Some(note.text.len()),
        UserInput::Ran(_) => None,
    });
    let all: usize = notes.sum::<usize>() + text.len();
    let (what, most) = match (text.len() > MAX_NOTE_BYTES, all > MAX_NOTES_BYTES) {
        (true, _) => ("a note", MAX_NOTE_BYTES),
        (false, true) => ("all notes of a debate together", MAX_NOTES_BYTES),
        (false, false) => return Ok(()),
    };
    Err(CommandRefusal {
        code: RefusalCode::TooLarge,
        message: format!("{what} may have at most {most} bytes"),
        hint: Hint::new("shorten it").then(
            Hint::new("give material with ")
                .flag("context")
                .text(" when you open a debate"),
        ),
    })
}

fn check_command_run(state: &State, run: &CommandRun) -> Result<(), CommandRefusal> {
    check_not_closed(state)?;
    let runs = state.command_runs().count();
    if runs < MAX_RUNS && run.output.len() <= MAX_OUTPUT_BYTES + 200 {
        return Ok(());
    }
    Err(CommandRefusal {
        code: RefusalCode::TooLarge,
        message: format!(
            "a debate may have at most {MAX_RUNS} command runs of {MAX_OUTPUT_BYTES} bytes of output"
        ),
        hint: "summarize the output in a note".into(),
    })
}

/// Returns whether a decision with the reason `why` would be accepted.
///
/// # Errors
///
/// If there is no verdict, the reason is empty or too long, or there are too many decisions.
pub fn check_decision(state: &State, why: &str) -> Result<(), CommandRefusal> {
    let name = state.command_name();
    let refuse = |code, message: String, hint: Hint| {
        Err(CommandRefusal {
            code,
            message,
            hint,
        })
    };
    if state.closed.is_none() && state.last_judged_exchange().is_none() {
        let message = "there is no verdict to decide on yet".to_owned();
        let hint = match state.format_rules().judging {
            Judging::AtTheEnd => {
                command(format!("resume {name}")).text(" continues to the verdict")
            }
            Judging::EachRound => command(format!("run {name}")).text(" runs the next exchange"),
        };
        return refuse(RefusalCode::Unfinished, message, hint);
    }
    if why.trim().is_empty() {
        let hint = Hint::new("say why with ").flag_with("why", "REASON");
        return refuse(RefusalCode::Empty, "the reason is empty".to_owned(), hint);
    }
    if why.len() > MAX_WHY_BYTES {
        let message = format!("a reason may have at most {MAX_WHY_BYTES} bytes");
        return refuse(RefusalCode::TooLarge, message, "shorten it".into());
    }
    if state.decisions.len() >= MAX_DECISIONS {
        let message = format!("{MAX_DECISIONS} decisions on this debate are recorded already");
        let hint = "start a new debate on the topic".into();
        return refuse(RefusalCode::Limit, message, hint);
    }
    Ok(())
}

/// Returns whether the debate accepts an order now.
fn check_order(state: &State, order: Order) -> Result<(), CommandRefusal> {
    let name = state.command_name();
    let refuse = |code, message: &str, hint: Hint| {
        let message = message.to_owned();
        Err(CommandRefusal {
            code,
            message,
            hint,
        })
    };
    let rules = state.format_rules();
    if rules.judging == Judging::EachRound {
        let (noun, one) = (rules.noun, rules.rounds.one);
        let message =
            format!("a {noun} is judged after every {one} and has no planned end to change");
        let hint = format!("agon run {name} N runs N more {one}s; agon stop {name} stops it");
        return refuse(RefusalCode::Formal, &message, hint.into());
    }
    if state.closed.is_some() {
        return refuse(
            RefusalCode::Closed,
            "the duel has ended: the judge has ruled",
            format!("agon continue {name} adds rounds and asks the judge again").into(),
        );
    }
    if state.has_asked_judge() {
        return refuse(
            RefusalCode::Judging,
            "the judge has already been asked",
            format!("after the ruling, agon continue {name} adds rounds").into(),
        );
    }
    if state.is_judge_ordered() {
        return match order {
            Order::Judge => refuse(
                RefusalCode::Judging,
                "you already sent the duel to the judge; it rules once both sides have spoken",
                Hint::default(),
            ),
            Order::Rounds { .. } => refuse(
                RefusalCode::Judging,
                "you sent the duel to the judge",
                format!("after the ruling, agon continue {name} adds rounds").into(),
            ),
        };
    }
    if let Some(cap) = state.capped {
        let message = format!("the limit on {} was reached: the judge is next", cap.name());
        let hint = format!("after the verdict, agon continue {name} adds rounds");
        return refuse(RefusalCode::Limit, &message, hint.into());
    }
    match order {
        Order::Rounds { more }
            if more == 0 || state.planned_rounds().saturating_add(more) > MAX_ROUNDS =>
        {
            let message = format!(
                "a duel may have at most {MAX_ROUNDS} rounds, and this one has {}",
                state.planned_rounds()
            );
            refuse(RefusalCode::Rounds, &message, Hint::default())
        }
        Order::Rounds { .. } | Order::Judge => Ok(()),
    }
}

/// Returns the rounds of an ended duel that continues for `more` rounds. Lost turns are asked for
/// again first; a round that was begun is finished and does not count.
///
/// # Errors
///
/// If the duel has not ended, or would become too long.
pub fn extended_round_count(state: &State, more: u16) -> Result<u16, CommandRefusal> {
    if state.closed.is_none() {
        let name = state.command_name();
        return Err(CommandRefusal {
            code: RefusalCode::Unfinished,
            message: "the duel has not ended".to_owned(),
            hint: format!("agon resume {name} continues it").into(),
        });
    }
    let begun = state
        .admitted_turns()
        .filter_map(|(turn, _)| match turn.stage {
            Stage::Round(round) => Some(round),
            Stage::Theses | Stage::Verdict | Stage::Swap => None,
        });
    let begun = begun.max().unwrap_or(0);
    let rounds = begun.saturating_add(more);
    if more == 0 || rounds > MAX_ROUNDS {
        return Err(CommandRefusal {
            code: RefusalCode::Rounds,
            message: format!(
                "a duel may have at most {MAX_ROUNDS} rounds, and this one has {begun}"
            ),
            hint: match MAX_ROUNDS.saturating_sub(begun) {
                0 => "start a new debate from its verdict".into(),
                left => format!("add 1 to {left} rounds").into(),
            },
        });
    }
    Ok(rounds)
}

/// Returns which seats will see the user's input, in a few words.
pub fn describe_input_recipients(state: &State) -> &'static str {
    match state.format_rules().judging {
        Judging::EachRound => "both sides and the judge will see it in their next turn",
        Judging::AtTheEnd if state.has_asked_judge() => {
            "the judge has already been asked and will not see it; it is in the record"
        }
        Judging::AtTheEnd => "both seats and the judge will see it",
    }
}

/// Returns the effect of an order, in a few words.
pub fn describe_order_effect(state: &State, order: Order) -> String {
    match order {
        Order::Judge if state.is_judge_order_in_effect() => {
            "the judge rules now, on the debate so far".to_owned()
        }
        Order::Judge => "the judge is asked once both sides have spoken in round 1".to_owned(),
        Order::Rounds { more } => {
            let (rounds, calls) = (state.planned_rounds(), 2 * u32::from(more));
            format!("now {rounds} rounds ({calls} more calls)")
        }
    }
}
