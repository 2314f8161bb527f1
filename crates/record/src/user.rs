//! What the user puts into a debate while it goes on: notes, runs of commands, orders.
//!
//! A [`UserRequest`] is what the user wants. Notes and runs stand in every prompt that is
//! made after them. Each has the name of the wish it came from, so that one
//! that is handed in twice is taken once.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

// About 2,000 tokens of every later prompt, and a quarter of what all notes may have.
/// Bytes of the longest note.
pub const MAX_NOTE_BYTES: usize = 8 * 1024;
/// Bytes of all notes of a debate: they stand in every prompt.
pub const MAX_NOTES_BYTES: usize = 32 * 1024;
// Each shows 8 KiB: together 32,000 tokens, half of the 64,000 from which on an unknown model is
// thought to lose track.
/// Runs of commands in one debate.
pub const MAX_RUNS: usize = 16;
// Eight times what a prompt shows of it: seats may cite the rest. As long as the longest reply
// (`MAX_REPLY_BYTES` in `engine/src/call.rs`).
/// Bytes of the output of a run that are kept.
pub const MAX_OUTPUT_BYTES: usize = 64 * 1024;

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
pub enum UserInput {
    /// A note.
    Note(Note),
    /// A run of a command.
    Ran(Ran),
}

impl UserInput {
    /// Its name.
    pub fn id(&self) -> WordId {
        match self {
            Self::Note(note) => note.id,
            Self::Ran(ran) => ran.id,
        }
    }

    /// The wish it came from.
    pub fn request_id(&self) -> Ulid {
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
pub enum UserRequest {
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
    pub wish: UserRequest,
}
