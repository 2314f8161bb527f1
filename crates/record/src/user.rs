//! The user's additions to a running debate: notes, runs of commands, orders.
//!
//! A [`UserRequest`] is what the user wants. Every later prompt contains the notes and runs. Each
//! has the id of its request, so that a request submitted twice counts once.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::decision::Decision;

// About 2,000 tokens of every later prompt, and a quarter of the limit for all notes.
/// Maximum size of a note, in bytes.
pub const MAX_NOTE_BYTES: usize = 8 * 1024;
/// Maximum size of all notes of a debate, in bytes, because every prompt contains them.
pub const MAX_NOTES_BYTES: usize = 32 * 1024;
// Prompts show 8 KiB of each: together 32,000 tokens, half of the 64,000 above which an unknown
// model is assumed to lose track.
/// Maximum number of commands run in one debate.
pub const MAX_RUNS: usize = 16;
// Eight times what a prompt shows: seats may cite the rest. The same as the longest reply
// (`MAX_REPLY_BYTES` in `engine/src/call.rs`).
/// Maximum number of bytes kept of a command's output.
pub const MAX_OUTPUT_BYTES: usize = 64 * 1024;

/// The id of a user's note or run, such as `note 1` or `run 2`.
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

/// A text that is not the id of a note or run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the id of a note or a run")]
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

/// A note by the user, after redaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its id.
    pub id: WordId,
    /// The request it came from.
    pub item: Ulid,
    /// Its text.
    pub text: String,
    /// How many secrets were redacted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redacted: u32,
}

/// A command that the user ran in the debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// Its id.
    pub id: WordId,
    /// The request it came from.
    pub item: Ulid,
    /// Its result.
    #[serde(flatten)]
    pub run: CommandRun,
}

/// The result of a command, after redaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRun {
    /// The command line for the shell.
    pub command: String,
    /// The exit code; `None` if a signal or the time limit ended it.
    pub exit: Option<i32>,
    /// How it ended without an exit code, such as `signal 9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// Its output: all of it, or the beginning and the end around a line that marks the gap.
    pub output: String,
    /// Size of its output in bytes.
    pub bytes: u64,
    /// Bytes of the output that were not kept.
    #[serde(default, skip_serializing_if = "is_zero_long")]
    pub left_out: u64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// How many secrets were redacted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redacted: u32,
}

impl CommandRun {
    /// Returns how the command ended, as a fragment such as `exit 1`.
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

/// A note or run that the user added for all seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UserInput {
    /// A note.
    Note(Note),
    /// A run of a command.
    Ran(Ran),
}

impl UserInput {
    /// Its id.
    pub fn id(&self) -> WordId {
        match self {
            Self::Note(note) => note.id,
            Self::Ran(ran) => ran.id,
        }
    }

    /// Returns the request that the note or run came from.
    pub fn request_id(&self) -> Ulid {
        match self {
            Self::Note(note) => note.item,
            Self::Ran(ran) => ran.item,
        }
    }

    /// Its text, which seats may quote.
    pub fn text(&self) -> &str {
        match self {
            Self::Note(note) => &note.text,
            Self::Ran(ran) => &ran.run.output,
        }
    }
}

/// How a duel should continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// The judge rules now.
    Judge,
    /// More rounds than were planned.
    Rounds {
        /// How many more.
        more: u16,
    },
}

/// A user's request to a running debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "wish", rename_all = "snake_case")]
pub enum UserRequest {
    /// A note for both seats and the judge.
    Note {
        /// Its text, after redaction.
        text: String,
        /// How many secrets were redacted.
        #[serde(default)]
        redacted: u32,
    },
    /// A command was run; both seats and the judge see its output.
    Run(CommandRun),
    /// The duel continues differently.
    Order(Order),
    /// What became of the verdict.
    Decide(Decision),
    /// The run stops; the debate can be resumed.
    Stop,
}

/// A user request with its id, by which it is recognized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its id.
    pub id: Ulid,
    /// The request.
    #[serde(flatten)]
    pub wish: UserRequest,
}
