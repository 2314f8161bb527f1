//! What happened in a debate, in order: the record.
//!
//! Outcomes of calls and decisions about them are both events. Applying an
//! event never parses a reply again, so a newer program never un-admits an old
//! turn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

pub use crate::cause::{Cause, CauseCode};
use crate::finding::Finding;
use crate::ground::GroundStamp;
use crate::id::{AskKey, NodeId, Seat, TurnId};
use crate::moves::{Contention, Moves};
use crate::score::Score;
use crate::seat_finding::SeatFinding;
use crate::spec::{Caps, Effort, Seating, Spec, Standby, ToolName};
use crate::text::plain_word;
use crate::user::{Note, Order, Ran};

/// One fact in the record of a debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The debate was opened.
    Opened(Box<Spec>),
    /// A call is about to be made. Recorded before it is.
    Asked(Asked),
    /// A call gave a reply, recorded before anything acts on it.
    Given(Given),
    /// A call gave none.
    Lost(Lost),
    /// A stored reply is not used: what it answered has changed since.
    Discarded {
        /// The ask whose reply it was.
        key: AskKey,
    },
    /// The places that a reply cites were looked up.
    Stamped {
        /// The ask whose reply it was.
        key: AskKey,
        /// What was found, in the order of its grounds.
        stamps: Vec<GroundStamp>,
        /// BLAKE3 of what commits said that it cites, in hexadecimal; kept under that name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commits: Option<String>,
        /// How many commands the user had run into the debate.
        #[serde(default, skip_serializing_if = "is_zero")]
        runs: u32,
    },
    /// A tool changed files that it was only to read. They are as they were for the next call.
    Touched {
        /// The ask that it was called for.
        key: AskKey,
        /// The files that were changed, added or removed.
        changed: Vec<String>,
    },
    /// A reply broke rules that its seat can still keep, and is asked for again.
    SentBack {
        /// The ask whose reply it was.
        key: AskKey,
        /// What was wrong with it.
        findings: Vec<Finding>,
    },
    /// A reply became part of the debate.
    Admitted {
        /// The ask whose reply it was.
        key: AskKey,
        /// The moves it ended in.
        moves: Box<Moves>,
        /// The ids of its points, in the order of `record::points`.
        ids: Vec<NodeId>,
        /// What stayed wrong with it.
        findings: Vec<Finding>,
    },
    /// A seat will not speak this turn.
    TurnLost {
        /// The turn.
        turn: TurnId,
        /// Why.
        cause: Cause,
        /// What was wrong with its last reply.
        findings: Vec<Finding>,
    },
    /// A tool refused the model that the effort chose for it: in every seat of it, its own default
    /// answers from here on.
    ModelRefused {
        /// The tool.
        tool: ToolName,
        /// The model.
        model: String,
    },
    /// Another tool takes a seat whose turn was lost; that of a debater only before the side's first
    /// reply is part of the debate.
    Reseated {
        /// The seat.
        seat: Seat,
        /// Who takes it.
        seating: Seating,
        /// Why the tool before it cannot be used; none where the lost turn says so, or where the
        /// user asked for another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<Cause>,
    },
    /// The blind answers agree, and what was decided about it.
    Agreement {
        /// Whether the debate stops with that answer.
        stop: bool,
    },
    /// A bound was reached: no more turns, straight to the judge.
    Capped {
        /// Which.
        cap: Cap,
    },
    /// The debate cannot go on as it is.
    Halted {
        /// Why.
        reason: Halt,
    },
    /// A halted debate goes on: what was lost is asked for again.
    Resumed {
        /// The bounds from here on.
        caps: Caps,
        /// The seats whose tools are spoken to in another way from here on.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        seats: BTreeMap<Seat, Seating>,
    },
    /// The user noted something for everybody to hear.
    Noted(Note),
    /// The user ran a command, for everybody to see what it printed.
    Ran(Box<Ran>),
    /// The user ordered a duel to go on in another way.
    Ordered {
        /// The wish it came from.
        item: Ulid,
        /// What was ordered.
        #[serde(flatten)]
        order: Order,
    },
    /// A debate that rests is to go on, with these seats: a formal one as far as an exchange, a
    /// closed duel as far as a round; its lost turns and its judges are then asked again.
    Continued {
        /// The last exchange to judge, or the last round.
        through: u16,
        /// Who sits where from here on.
        seats: BTreeMap<Seat, Seating>,
        /// The bounds from here on; they count what was spent before.
        caps: Caps,
        /// The substitutes of the debaters from here on.
        #[serde(default, skip_serializing_if = "Standby::is_empty")]
        standby: Standby,
    },
    /// The judges' scores of an exchange, as one.
    Scored(Box<Judgment>),
    /// What another tool wrote into the folder became part of the debate.
    Imported(Box<Imported>),
    /// The debate has its answer.
    Closed {
        /// How it came about.
        outcome: Outcome,
    },
}

impl Event {
    /// A halted debate goes on within `caps`, everybody as before.
    pub fn resumed(caps: Caps) -> Self {
        Self::Resumed {
            caps,
            seats: BTreeMap::new(),
        }
    }
}

/// A call about to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The ask.
    pub key: AskKey,
    /// The tool called.
    pub tool: ToolName,
    /// The model asked for.
    pub model: Option<String>,
    /// The effort asked for.
    pub effort: Effort,
    /// Time for the call, in milliseconds.
    pub timeout_ms: u64,
    /// Tokens set aside for it.
    pub reserved: u64,
    /// The parts of the prompt, in order.
    pub parts: Vec<PartRef>,
    /// The version of the prompt templates.
    pub prompt_version: u32,
    /// The session it belongs to, such as `pro#1`; none for a call that stands alone.
    pub session: Option<String>,
    /// The parts that the session is told, by their place among `parts`; none where it is told
    /// all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Vec<u32>>,
    /// How many of the user's words, in their order, stand in the prompt.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub heard: u32,
    /// The tokens from which on answers of the model get worse, where the prompt has more: it is
    /// asked all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub past_onset: Option<u64>,
    /// With the first judge: what went wrong so far in the contexts of those who argue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat_findings: Vec<SeatFinding>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A part of a prompt, by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRef {
    /// What the part is for, such as `motion`.
    #[serde(deserialize_with = "plain_word")]
    pub kind: String,
    /// BLAKE3 of its text, in hexadecimal.
    pub hash: String,
    /// Length of its text.
    pub bytes: u64,
}

/// A reply to a call, after redaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// The ask.
    pub key: AskKey,
    /// What was said.
    pub reply: Reply,
    /// What it cost.
    pub usage: Usage,
    /// How long the call took, in milliseconds.
    pub took_ms: u64,
    /// The debate's clock when it came, in milliseconds of running time.
    pub clock_ms: u64,
    /// When it came, in UTC milliseconds since 1970; orders nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// Why the tool stopped, in its own word.
    pub stop_reason: Option<String>,
    /// The model that answered, where the tool says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How many secrets were taken out.
    pub redacted: u32,
}

/// The text of a reply, or where it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The text itself.
    Text(String),
    /// Text too large for the journal's line.
    Blob {
        /// BLAKE3 of the text, in hexadecimal.
        hash: String,
        /// Its length.
        bytes: u64,
    },
}

/// A call that gave no reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lost {
    /// The ask.
    pub key: AskKey,
    /// What may be done about it.
    pub class: Class,
    /// What happened.
    pub cause: Cause,
    /// What it cost all the same.
    pub usage: Option<Usage>,
    /// How long the call took, in milliseconds.
    pub took_ms: u64,
    /// The debate's clock when it ended, in milliseconds of running time.
    pub clock_ms: u64,
}

/// What the engine may do about a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Class {
    /// Another attempt may succeed.
    Retry {
        /// Not sooner than this, in milliseconds.
        after_ms: u64,
    },
    /// Only the user can fix it: install, log in, pay, change the configuration.
    User,
    /// The tool broke its protocol.
    Tool,
    /// The debate was told to stop.
    Cancelled,
    /// An invariant of ours is broken.
    Bug,
}

/// What a call cost, as the tool reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, cached ones included.
    pub input: u64,
    /// Tokens read from a cache; part of `input`.
    pub cached: u64,
    /// Tokens written.
    pub output: u64,
    /// Money in millionths of a US dollar, where the tool reports it.
    pub cost_micros: Option<u64>,
    /// Whether the tokens are our estimate because the tool reports none.
    pub estimated: bool,
}

impl Usage {
    /// Tokens in and out together.
    pub fn total_tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// A bound that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    /// Calls.
    Calls,
    /// Tokens.
    Tokens,
    /// Time.
    Time,
    /// Money.
    Cost,
}

impl Cap {
    /// The name used in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Tokens => "tokens",
            Self::Time => "time",
            Self::Cost => "cost",
        }
    }
}

/// Why a debate stands still without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Halt {
    /// Only the user can fix what a seat met.
    User {
        /// The turn that met it.
        turn: TurnId,
        /// What it met.
        cause: Cause,
    },
    /// The proposer's first turn is lost: there is nothing to debate.
    ProposerLost {
        /// Why it was lost.
        cause: Cause,
    },
    /// A turn of a formal debate is lost: the exchange waits for it.
    TurnLost {
        /// The turn.
        turn: TurnId,
        /// Why it was lost.
        cause: Cause,
    },
    /// No judge gave a verdict.
    JudgeLost {
        /// Why the last of them was lost.
        cause: Cause,
    },
    /// Every call ran out of time.
    AllTimedOut,
    /// No turn was spoken.
    NoTurns,
    /// A bound was reached before a verdict was possible.
    Capped {
        /// Which.
        cap: Cap,
    },
}

/// How a debate got its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A judge ruled.
    Judged,
    /// The blind answers agreed and the user stopped there.
    Agreed,
    /// The challenger gave no usable reply to the proposer, whose claim is untested and unjudged.
    Uncontested,
}

/// The scores of an exchange: one judge's, or the median of a panel's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgment {
    /// The exchange.
    pub exchange: u16,
    /// When the last judge's reply came, in UTC milliseconds since 1970.
    pub at_ms: Option<u64>,
    /// Every argument of the exchange, in the order in which it was scored.
    pub scores: Vec<Scored>,
    /// Earlier arguments whose score changed.
    pub rescores: Vec<Rescored>,
}

/// The score of one argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scored {
    /// The argument.
    pub id: NodeId,
    /// Its score.
    pub score: Score,
    /// Why.
    pub reasoning: String,
    /// The lowest and the highest score that a panel gave; none for one judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<[Score; 2]>,
}

/// A changed score of one argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescored {
    /// The argument.
    pub id: NodeId,
    /// The score it had.
    pub old: Score,
    /// The score it has now.
    pub new: Score,
    /// Why.
    pub reasoning: String,
    /// The new argument that led to it.
    pub triggered_by: Option<NodeId>,
    /// The lowest and the highest score that a panel gave; none for one judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<[Score; 2]>,
}

/// What another tool wrote into the folder of a formal debate.
///
/// The arguments and scores are read once, when they are imported; the files
/// are kept as they were.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    /// Every file that was read, by its path in the folder.
    pub files: BTreeMap<String, Reply>,
    /// The arguments that were not known before, in order.
    pub arguments: Vec<ImportedArgument>,
    /// Every score that was not known before: the whole history of each argument it concerns.
    pub scores: BTreeMap<NodeId, Vec<ScoreEntry>>,
    /// The last exchange that is judged; none before the first judgment.
    pub judged: Option<u16>,
    /// What is wrong with it by the rules: it is imported all the same.
    pub findings: Vec<Finding>,
}

/// An argument that another tool wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedArgument {
    /// Its id, which says whose it is and of which exchange.
    pub id: NodeId,
    /// The argument.
    pub contention: Contention,
}

/// A score that an argument had at some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreEntry {
    /// The score.
    pub score: Score,
    /// Why.
    pub reasoning: String,
    /// When it was given, in UTC milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// The argument that led to it, where it is not the first score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triggered_by: Option<NodeId>,
    /// The lowest and the highest score that a panel gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<[Score; 2]>,
}
