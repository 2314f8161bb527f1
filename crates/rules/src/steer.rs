//! What becomes of what the user wants of a debate that goes on.
//!
//! [`accept_request`] says what comes into the record for a [`UserRequest`], or why nothing does.

use agon_hint::{Hint, command};
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

/// The kind of reason for which a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalCode {
    /// The debate has ended.
    Closed,
    /// The note has no text.
    Empty,
    /// A formal debate does not take this order.
    Formal,
    /// The judge has the debate.
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

/// Why a wish is not granted, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CommandRefusal {
    /// The kind of reason.
    pub code: RefusalCode,
    /// Why.
    pub message: String,
    /// What to do.
    pub hint: Hint,
}

/// The event that grants a wish; none for one that is granted already, and for
/// a stop, which is not recorded.
///
/// # Errors
///
/// If it makes no sense in this debate as it stands, or is too large.
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
                id: WordId::Note(next_word_number(state, |id| matches!(id, WordId::Note(_)))),
                item,
                text: text.clone(),
                redacted: *redacted,
            })))
        }
        UserRequest::Run(run) => {
            check_command_run(state, run)?;
            Ok(Some(Event::Ran(Box::new(Ran {
                id: WordId::Run(next_word_number(state, |id| matches!(id, WordId::Run(_)))),
                item,
                run: run.clone(),
            }))))
        }
        UserRequest::Order(order) => {
            check_order(state, *order)?;
            let order = *order;
            Ok(Some(Event::Ordered { item, order }))
        }
    }
}

fn next_word_number(state: &State, same: impl Fn(&WordId) -> bool) -> u16 {
    let before = state.words.iter().map(UserInput::id).filter(same).count();
    u16::try_from(before + 1).unwrap_or(u16::MAX)
}

/// Whether a note would be taken; so that a person is told before it is typed.
///
/// # Errors
///
/// If no seat would hear it.
pub fn check_not_closed(state: &State) -> Result<(), CommandRefusal> {
    if state.closed.is_none() {
        return Ok(());
    }
    let name = state.command_name();
    Err(CommandRefusal {
        code: RefusalCode::Closed,
        message: "the duel is closed: nobody would hear it".to_owned(),
        hint: command(format!("continue {name} --note \"…\"")).text(" goes on with it"),
    })
}

fn check_note(state: &State, text: &str) -> Result<(), CommandRefusal> {
    check_not_closed(state)?;
    if text.trim().is_empty() {
        return Err(CommandRefusal {
            code: RefusalCode::Empty,
            message: "the note says nothing".to_owned(),
            hint: "agon say DEBATE TEXT".into(),
        });
    }
    let notes = state.words.iter().filter_map(|word| match word {
        UserInput::Note(note) => Some(note.text.len()),
        UserInput::Ran(_) => None,
    });
    let all: usize = notes.sum::<usize>() + text.len();
    let (what, most) = match (text.len() > MAX_NOTE_BYTES, all > MAX_NOTES_BYTES) {
        (true, _) => ("a note has", MAX_NOTE_BYTES),
        (false, true) => ("the notes of a debate together have", MAX_NOTES_BYTES),
        (false, false) => return Ok(()),
    };
    Err(CommandRefusal {
        code: RefusalCode::TooLarge,
        message: format!("{what} at most {most} bytes"),
        hint: Hint::new("say it shorter").then(
            Hint::new("material belongs into ")
                .flag("context")
                .text(" when a debate opens"),
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
            "a debate has at most {MAX_RUNS} runs of {MAX_OUTPUT_BYTES} bytes of output"
        ),
        hint: "say what they showed in a note".into(),
    })
}

/// Whether an order can be given.
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
            format!("a {noun} is judged after every {one} and has no end to bring nearer or move");
        let hint = format!("agon run {name} N plays N more {one}s; agon stop {name} stops it");
        return refuse(RefusalCode::Formal, &message, hint.into());
    }
    if state.closed.is_some() {
        return refuse(
            RefusalCode::Closed,
            "the duel is closed: the judge has ruled",
            format!("agon continue {name} plays more rounds, then asks the judge anew").into(),
        );
    }
    if state.has_asked_judge() {
        return refuse(
            RefusalCode::Judging,
            "the judge has been asked already",
            format!("once it has ruled, agon continue {name} plays more rounds").into(),
        );
    }
    if state.is_judge_ordered() {
        return match order {
            Order::Judge => refuse(
                RefusalCode::Judging,
                "the judge is asked as soon as both sides have spoken, as you ordered",
                Hint::default(),
            ),
            Order::Rounds { .. } => refuse(
                RefusalCode::Judging,
                "you sent the duel to the judge",
                format!("once it has ruled, agon continue {name} plays more rounds").into(),
            ),
        };
    }
    if let Some(cap) = state.capped {
        let message = format!("the bound on {} is reached: the judge is next", cap.name());
        let hint = format!("agon continue {name} plays more rounds after the verdict");
        return refuse(RefusalCode::Limit, &message, hint.into());
    }
    match order {
        Order::Rounds { more }
            if more == 0 || state.planned_rounds().saturating_add(more) > MAX_ROUNDS =>
        {
            let message = format!(
                "a duel has at most {MAX_ROUNDS} rounds, and this one has {}",
                state.planned_rounds()
            );
            refuse(RefusalCode::Rounds, &message, Hint::default())
        }
        Order::Rounds { .. } | Order::Judge => Ok(()),
    }
}

/// The rounds of a closed duel that goes on for `more`; lost turns are asked for
/// again first, and a round that was begun is finished and not counted.
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
            hint: format!("agon resume {name} goes on with it").into(),
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
            message: format!("a duel has at most {MAX_ROUNDS} rounds, and this one has {begun}"),
            hint: match MAX_ROUNDS.saturating_sub(begun) {
                0 => "a new debate can start from its verdict".into(),
                left => format!("1 to {left} more can be played").into(),
            },
        });
    }
    Ok(rounds)
}

/// Who hears a word that the user puts in now, in a few words.
pub fn describe_listeners(state: &State) -> &'static str {
    match state.format_rules().judging {
        Judging::EachRound => "both sides and the judge will see it in their next turn",
        Judging::AtTheEnd if state.has_asked_judge() => {
            "the judge was asked before and does not see it; it stands in the record"
        }
        Judging::AtTheEnd => "both seats and the judge will see it",
    }
}

/// What an order comes to, in a few words.
pub fn describe_order_effect(state: &State, order: Order) -> String {
    match order {
        Order::Judge if state.is_judge_order_in_effect() => {
            "the judge rules now, on what was said".to_owned()
        }
        Order::Judge => "the judge is asked once both sides have spoken in round 1".to_owned(),
        Order::Rounds { more } => {
            let (rounds, calls) = (state.planned_rounds(), 2 * u32::from(more));
            format!("{rounds} rounds in all now: {calls} more calls")
        }
    }
}
