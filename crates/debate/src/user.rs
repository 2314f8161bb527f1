//! What the user puts into a debate while it goes on: notes, runs of commands, orders.
//!
//! A [`Wish`] is what the user wants; [`accept`] says what becomes of it in the
//! record, or why nothing does. Notes and runs stand in every prompt that is
//! made after them. Each has the name of the wish it came from, so that one
//! that is handed in twice is taken once.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::event::Event;
use crate::format::MOST_ROUNDS;
use crate::id::{Stage, TurnId};
use crate::spec::FormatName;
use crate::state::State;

/// Bytes of the longest note.
pub const MOST_NOTE_BYTES: usize = 8 * 1024;
/// Bytes of all notes of a debate: they stand in every prompt.
pub const MOST_NOTES_BYTES: usize = 32 * 1024;
/// Runs of commands in one debate.
pub const MOST_RUNS: usize = 16;
/// Bytes of the output of a run that are kept.
pub const MOST_OUTPUT_BYTES: usize = 64 * 1024;

/// The name of something the user put in, such as `note 1` or `run 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum WordId {
    /// A note, numbered from 1.
    Note(u16),
    /// A run of a command, numbered from 1.
    Run(u16),
}

impl fmt::Display for WordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Note(number) => write!(f, "note {number}"),
            Self::Run(number) => write!(f, "run {number}"),
        }
    }
}

/// A text that names nothing the user put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this names neither a note nor a run")]
pub struct WordIdError;

impl FromStr for WordId {
    type Err = WordIdError;

    fn from_str(text: &str) -> Result<Self, WordIdError> {
        let (kind, number) = text.split_once(' ').ok_or(WordIdError)?;
        let number: u16 = number.parse().map_err(|_| WordIdError)?;
        match kind {
            "note" if number > 0 => Ok(Self::Note(number)),
            "run" if number > 0 => Ok(Self::Run(number)),
            _ => Err(WordIdError),
        }
    }
}

impl TryFrom<String> for WordId {
    type Error = WordIdError;

    fn try_from(text: String) -> Result<Self, WordIdError> {
        text.parse()
    }
}

impl From<WordId> for String {
    fn from(id: WordId) -> Self {
        id.to_string()
    }
}

/// A note of the user's, after redaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its name.
    pub id: WordId,
    /// The wish it came from.
    pub item: Ulid,
    /// What it says.
    pub text: String,
    /// How many secrets were taken out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redacted: u32,
}

/// A command that the user ran into the debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// Its name.
    pub id: WordId,
    /// The wish it came from.
    pub item: Ulid,
    /// What came of it.
    #[serde(flatten)]
    pub run: CommandRun,
}

/// What came of a command, after redaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRun {
    /// The command, as it was given to a shell.
    pub command: String,
    /// The exit code; none when a signal or the time bound ended it.
    pub exit: Option<i32>,
    /// How it ended, where there is no exit code, such as `signal 9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// What it printed: all, or the beginning and the end with a line between that says so.
    pub output: String,
    /// Bytes that it printed.
    pub bytes: u64,
    /// Bytes of these that are not kept.
    #[serde(default, skip_serializing_if = "is_zero_long")]
    pub left_out: u64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// How many secrets were taken out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redacted: u32,
}

impl CommandRun {
    /// How it ended, as a fragment such as `exit 1`.
    pub fn ending(&self) -> String {
        match (self.exit, &self.ended) {
            (Some(code), _) => format!("exit {code}"),
            (None, Some(ended)) => ended.clone(),
            (None, None) => "no exit code".to_owned(),
        }
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn is_zero_long(count: &u64) -> bool {
    *count == 0
}

/// Something that the user put into the debate, for everybody to hear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// A note.
    Note(Note),
    /// A run of a command.
    Ran(Ran),
}

impl Word {
    /// Its name.
    pub fn id(&self) -> WordId {
        match self {
            Self::Note(note) => note.id,
            Self::Ran(ran) => ran.id,
        }
    }

    /// The wish it came from.
    pub fn item(&self) -> Ulid {
        match self {
            Self::Note(note) => note.item,
            Self::Ran(ran) => ran.item,
        }
    }

    /// The text that others may repeat.
    pub fn text(&self) -> &str {
        match self {
            Self::Note(note) => &note.text,
            Self::Ran(ran) => &ran.run.output,
        }
    }
}

/// How a duel is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// The judge rules on what was said so far.
    Judge,
    /// More rounds than were planned.
    Rounds {
        /// How many more.
        more: u16,
    },
}

/// What the user wants of a debate that goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "wish", rename_all = "snake_case")]
pub enum Wish {
    /// A note for both seats and the judge.
    Note {
        /// What it says, after redaction.
        text: String,
        /// How many secrets were taken out.
        #[serde(default)]
        redacted: u32,
    },
    /// A command was run, for both seats and the judge to see.
    Run(CommandRun),
    /// The duel goes on in another way.
    Order(Order),
    /// The run stops; the debate can be resumed.
    Stop,
}

/// A wish with its name, by which it is known again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its name.
    pub id: Ulid,
    /// What is wanted.
    #[serde(flatten)]
    pub wish: Wish,
}

/// Why a wish is not granted, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// The kind of reason, such as `closed`.
    pub code: &'static str,
    /// Why.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// The event that grants a wish; none for one that is granted already, and for
/// a stop, which is no part of the record.
///
/// # Errors
///
/// If it makes no sense in this debate as it stands, or is too large.
pub fn accept(state: &State, item: Ulid, wish: &Wish) -> Result<Option<Event>, Refused> {
    if state.took(item) {
        return Ok(None);
    }
    match wish {
        Wish::Stop => Ok(None),
        Wish::Note { text, redacted } => {
            note_fits(state, text)?;
            Ok(Some(Event::Noted(Note {
                id: WordId::Note(next(state, |id| matches!(id, WordId::Note(_)))),
                item,
                text: text.clone(),
                redacted: *redacted,
            })))
        }
        Wish::Run(run) => {
            run_fits(state, run)?;
            Ok(Some(Event::Ran(Box::new(Ran {
                id: WordId::Run(next(state, |id| matches!(id, WordId::Run(_)))),
                item,
                run: run.clone(),
            }))))
        }
        Wish::Order(order) => {
            order_fits(state, *order)?;
            let order = *order;
            Ok(Some(Event::Ordered { item, order }))
        }
    }
}

fn next(state: &State, same: impl Fn(&WordId) -> bool) -> u16 {
    let before = state.words.iter().map(Word::id).filter(same).count();
    u16::try_from(before + 1).unwrap_or(u16::MAX)
}

/// Whether a note would be taken; so that a person is told before it is typed.
///
/// # Errors
///
/// If nobody would hear it.
pub fn still_heard(state: &State) -> Result<(), Refused> {
    if state.closed.is_none() {
        return Ok(());
    }
    let slug = &state.spec.slug;
    Err(Refused {
        code: "closed",
        message: "the duel is closed: nobody would hear it".to_owned(),
        hint: format!("agon continue {slug} --note \"…\" goes on with it"),
    })
}

fn note_fits(state: &State, text: &str) -> Result<(), Refused> {
    still_heard(state)?;
    if text.trim().is_empty() {
        return Err(Refused {
            code: "empty",
            message: "the note says nothing".to_owned(),
            hint: "agon say DEBATE TEXT".to_owned(),
        });
    }
    let notes = state.words.iter().filter_map(|word| match word {
        Word::Note(note) => Some(note.text.len()),
        Word::Ran(_) => None,
    });
    let all: usize = notes.sum::<usize>() + text.len();
    let (what, most) = match (text.len() > MOST_NOTE_BYTES, all > MOST_NOTES_BYTES) {
        (true, _) => ("a note has", MOST_NOTE_BYTES),
        (false, true) => ("the notes of a debate together have", MOST_NOTES_BYTES),
        (false, false) => return Ok(()),
    };
    Err(Refused {
        code: "too_large",
        message: format!("{what} at most {most} bytes"),
        hint: "say it shorter; material belongs into --context when a debate opens".to_owned(),
    })
}

fn run_fits(state: &State, run: &CommandRun) -> Result<(), Refused> {
    still_heard(state)?;
    let runs = state.runs().count();
    if runs < MOST_RUNS && run.output.len() <= MOST_OUTPUT_BYTES + 200 {
        return Ok(());
    }
    Err(Refused {
        code: "too_large",
        message: format!(
            "a debate has at most {MOST_RUNS} runs of {MOST_OUTPUT_BYTES} bytes of output"
        ),
        hint: "say what they showed in a note".to_owned(),
    })
}

/// Whether an order can be given.
fn order_fits(state: &State, order: Order) -> Result<(), Refused> {
    let slug = &state.spec.slug;
    let refuse = |code, message: &str, hint: String| {
        let message = message.to_owned();
        Err(Refused {
            code,
            message,
            hint,
        })
    };
    if state.spec.format == FormatName::Formal {
        return refuse(
            "formal",
            "a formal debate is judged after every exchange and has no end to bring nearer or move",
            format!("agon run {slug} N plays N more exchanges; agon stop {slug} stops it"),
        );
    }
    if state.closed.is_some() {
        return refuse(
            "closed",
            "the duel is closed: the judge has ruled",
            format!("agon continue {slug} plays more rounds, then asks the judge anew"),
        );
    }
    if state.is_at_judge() {
        return refuse(
            "judging",
            "the judge has been asked already",
            format!("once it has ruled, agon continue {slug} plays more rounds"),
        );
    }
    if state.judge_now {
        return match order {
            Order::Judge => refuse(
                "judging",
                "the judge is asked as soon as both sides have spoken, as you ordered",
                String::new(),
            ),
            Order::Rounds { .. } => refuse(
                "judging",
                "you sent the duel to the judge",
                format!("once it has ruled, agon continue {slug} plays more rounds"),
            ),
        };
    }
    if let Some(cap) = state.capped {
        let message = format!("the bound on {} is reached: the judge is next", cap.name());
        let hint = format!("agon continue {slug} plays more rounds after the verdict");
        return refuse("limit", &message, hint);
    }
    match order {
        Order::Rounds { more }
            if more == 0 || state.rounds().saturating_add(more) > MOST_ROUNDS =>
        {
            let message = format!(
                "a duel has at most {MOST_ROUNDS} rounds, and this one has {}",
                state.rounds()
            );
            refuse("rounds", &message, String::new())
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
pub fn rounds_onward(state: &State, more: u16) -> Result<u16, Refused> {
    if state.closed.is_none() {
        let slug = &state.spec.slug;
        return Err(Refused {
            code: "unfinished",
            message: "the duel has not ended".to_owned(),
            hint: format!("agon resume {slug} goes on with it"),
        });
    }
    let begun = state.spoken().filter_map(|(turn, _)| match turn.stage {
        Stage::Round(round) => Some(round),
        Stage::Theses | Stage::Verdict | Stage::Swap => None,
    });
    let begun = begun.max().unwrap_or(0);
    let rounds = begun.saturating_add(more);
    if more == 0 || rounds > MOST_ROUNDS {
        return Err(Refused {
            code: "rounds",
            message: format!("a duel has at most {MOST_ROUNDS} rounds, and this one has {begun}"),
            hint: match MOST_ROUNDS.saturating_sub(begun) {
                0 => "a new debate can start from its verdict".to_owned(),
                left => format!("1 to {left} more can be played"),
            },
        });
    }
    Ok(rounds)
}

/// Who hears a word that the user puts in now, in a few words.
pub fn heard_by(state: &State) -> &'static str {
    match state.spec.format {
        FormatName::Formal => "both sides and the judge will see it in their next turn",
        FormatName::Duel if state.is_at_judge() => {
            "the judge was asked before and does not see it; it stands in the record"
        }
        FormatName::Duel => "both seats and the judge will see it",
    }
}

/// What an order comes to, in a few words.
pub fn ordered(state: &State, order: Order) -> String {
    match order {
        Order::Judge if state.is_sent_to_judge() => {
            "the judge rules now, on what was said".to_owned()
        }
        Order::Judge => "the judge is asked once both sides have spoken in round 1".to_owned(),
        Order::Rounds { more } => {
            let (rounds, calls) = (state.rounds(), 2 * u32::from(more));
            format!("{rounds} rounds in all now: {calls} more calls")
        }
    }
}

impl State {
    /// Whether a wish was granted before.
    pub fn took(&self, item: Ulid) -> bool {
        self.words.iter().any(|word| word.item() == item)
            || self.orders.iter().any(|(taken, _)| *taken == item)
    }

    /// The notes of the user, in order.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        self.words.iter().filter_map(|word| match word {
            Word::Note(note) => Some(note),
            Word::Ran(_) => None,
        })
    }

    /// The commands that the user ran into the debate, in order.
    pub fn runs(&self) -> impl Iterator<Item = &Ran> {
        self.words.iter().filter_map(|word| match word {
            Word::Note(_) => None,
            Word::Ran(ran) => Some(ran),
        })
    }

    /// Whether a judge of a duel has been asked for its ruling.
    pub fn is_at_judge(&self) -> bool {
        let asked = |(turn, known): (&TurnId, &crate::state::Turn)| {
            matches!(turn.stage, Stage::Verdict | Stage::Swap) && !known.asks.is_empty()
        };
        self.turns.iter().any(asked)
    }

    /// Whether the user's order to judge has taken effect: both sides have spoken.
    pub fn is_sent_to_judge(&self) -> bool {
        let challenged = TurnId::round(1, crate::id::Seat::Challenger);
        self.judge_now && self.admitted(challenged).is_some()
    }

    /// Whether `word` had been told to every judge whose ruling stands; in a formal debate, to
    /// those who scored last.
    pub fn judge_heard(&self, word: WordId) -> bool {
        let Some(place) = self.words.iter().position(|known| known.id() == word) else {
            return false;
        };
        let stage = match self.spec.format {
            FormatName::Duel => Some(Stage::Verdict),
            FormatName::Formal => self.judged.map(Stage::Round),
        };
        let judges = |turn: &TurnId| Some(turn.stage) == stage && turn.seat.judges();
        let heard = self.spoken().filter(|(turn, _)| judges(turn));
        let heard = heard.filter_map(|(turn, admitted)| {
            let asks = &self.turns.get(&turn)?.asks;
            let ask = asks.get(usize::from(admitted.key.again))?;
            Some(ask.asked.as_ref()?.heard)
        });
        heard.min().is_some_and(|heard| heard as usize > place)
    }
}
