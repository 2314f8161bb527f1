//! The record of a debate: its events in order.
//!
//! Results of calls and decisions about them are both events. Applying an event never parses a
//! reply again, so a newer program never rejects an old turn that was admitted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

pub use crate::cause::{Cause, CauseCode};
use crate::decision::Decided;
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
    /// A call is about to be made; recorded before the call.
    Asked(Asked),
    /// A call returned a reply; recorded before anything uses it.
    Given(Given),
    /// A call returned no reply.
    Lost(Lost),
    /// A stored reply is not used, because its question has changed since.
    Discarded {
        /// The ask whose reply it was.
        key: AskKey,
    },
    /// The engine looked up the places cited by a reply.
    Stamped {
        /// The ask whose reply it was.
        key: AskKey,
        /// The results, in the order of the reply's grounds.
        stamps: Vec<GroundStamp>,
        /// BLAKE3 of the looked-up commits, in hexadecimal; they are stored under that name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commits: Option<String>,
        /// How many commands the user had run in the debate by then.
        #[serde(default, skip_serializing_if = "is_zero")]
        runs: u32,
    },
    /// A tool changed files that it was only meant to read. The next call gets the original files.
    Touched {
        /// The ask for which it was called.
        key: AskKey,
        /// The files that were changed, added or removed.
        changed: Vec<String>,
    },
    /// A reply broke rules that its seat can still keep, so the seat is asked again.
    SentBack {
        /// The ask whose reply it was.
        key: AskKey,
        /// The fault in it.
        findings: Vec<Finding>,
    },
    /// A reply became part of the debate.
    Admitted {
        /// The ask whose reply it was.
        key: AskKey,
        /// The moves in the reply.
        moves: Box<Moves>,
        /// The ids of its points, in the order of `record::points`.
        ids: Vec<NodeId>,
        /// The remaining fault in it.
        findings: Vec<Finding>,
    },
    /// A turn ended without a usable reply.
    TurnLost {
        /// The turn.
        turn: TurnId,
        /// Why.
        cause: Cause,
        /// The fault in its last reply.
        findings: Vec<Finding>,
    },
    /// A tool refused the model that the effort level chose for it. From now on its default model
    /// answers in all of its seats.
    ModelRefused {
        /// The tool.
        tool: ToolName,
        /// The model.
        model: String,
    },
    /// Another tool takes a seat whose turn was lost. For a debater this happens only before the
    /// side's first reply is admitted.
    Reseated {
        /// The seat.
        seat: Seat,
        /// The tool that takes it.
        seating: Seating,
        /// Why the previous tool cannot be used; `None` if the lost turn says so, or if the user
        /// asked for another tool.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<Cause>,
    },
    /// The first answers agree, and the decision whether to stop.
    Agreement {
        /// Whether the debate stops with that answer.
        stop: bool,
    },
    /// A limit was reached: no more turns, the judge rules next.
    Capped {
        /// The limit.
        cap: Cap,
    },
    /// The debate cannot continue in its present state.
    Halted {
        /// Why.
        reason: Halt,
    },
    /// A halted debate continues: lost turns are asked for again.
    Resumed {
        /// The limits from now on.
        caps: Caps,
        /// The seats that use another transport from now on.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        seats: BTreeMap<Seat, Seating>,
    },
    /// The user added a note for all seats.
    Noted(Note),
    /// The user ran a command whose output all seats can see.
    Ran(Box<Ran>),
    /// The user changed how a duel continues.
    Ordered {
        /// The user's request.
        item: Ulid,
        /// The order.
        #[serde(flatten)]
        order: Order,
    },
    /// The user, or an AI tool for the user, recorded what became of the verdict.
    Decided(Box<Decided>),
    /// A debate without a pending turn continues with these seats: a formal debate up to an
    /// exchange, a closed duel up to a round. Its lost turns and its judges are then asked again.
    Continued {
        /// The last exchange to judge, or the last round.
        through: u16,
        /// The seating from now on.
        seats: BTreeMap<Seat, Seating>,
        /// The limits from now on; they include what was spent before.
        caps: Caps,
        /// The debaters' substitutes from now on.
        #[serde(default, skip_serializing_if = "Standby::is_empty")]
        standby: Standby,
    },
    /// The judges' combined scores of an exchange.
    Scored(Box<Judgment>),
    /// Text that another tool wrote into the folder became part of the debate.
    Imported(Box<Imported>),
    /// The debate has its answer.
    Closed {
        /// How the debate got it.
        outcome: Outcome,
    },
}

impl Event {
    /// Returns the event that continues a halted debate within `caps`, with unchanged seats.
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
    /// Time limit of the call, in milliseconds.
    pub timeout_ms: u64,
    /// Tokens reserved for it.
    pub reserved: u64,
    /// The parts of the prompt, in order.
    pub parts: Vec<PartRef>,
    /// The version of the prompt templates.
    pub prompt_version: u32,
    /// The session it belongs to, such as `pro#1`; `None` for a call without a session.
    pub session: Option<String>,
    /// The parts that the session receives, as indices into `parts`; `None` if it receives all of
    /// them.
    #[serde(default, rename = "told", skip_serializing_if = "Option::is_none")]
    pub sent_parts: Option<Vec<u32>>,
    /// How many of the user's notes and runs the prompt contains, in order.
    #[serde(default, rename = "heard", skip_serializing_if = "is_zero")]
    pub user_inputs: u32,
    /// The token count above which the model's answers get worse, if the prompt is longer than
    /// that. The model is asked anyway.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub past_onset: Option<u64>,
    /// For the first judge: the context problems found so far in the debaters' sessions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat_findings: Vec<SeatFinding>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A part of a prompt, by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRef {
    /// The purpose of the part, such as `motion`.
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
    /// The reply.
    pub reply: Reply,
    /// The tokens and money used.
    pub usage: Usage,
    /// How long the call took, in milliseconds.
    pub took_ms: u64,
    /// The debate's clock on arrival, in milliseconds of running time.
    pub clock_ms: u64,
    /// Time of arrival, in UTC milliseconds since 1970; not used for ordering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// Why the tool stopped, as it reports it.
    pub stop_reason: Option<String>,
    /// The model that answered, if the tool reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How many secrets were redacted.
    pub redacted: u32,
}

/// The text of a reply, or a reference to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The text itself.
    Text(String),
    /// Text too large for a journal line.
    Blob {
        /// BLAKE3 of the text, in hexadecimal.
        hash: String,
        /// Its length.
        bytes: u64,
    },
}

/// A call that returned no reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lost {
    /// The ask.
    pub key: AskKey,
    /// How the engine may react to it.
    pub class: Class,
    /// What happened.
    pub cause: Cause,
    /// The tokens and money used anyway.
    pub usage: Option<Usage>,
    /// How long the call took, in milliseconds.
    pub took_ms: u64,
    /// The debate's clock at its end, in milliseconds of running time.
    pub clock_ms: u64,
}

/// How the engine may react to a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Class {
    /// Another attempt may succeed.
    Retry {
        /// Minimum waiting time, in milliseconds.
        after_ms: u64,
    },
    /// Only the user can fix it: install, log in, pay, change the configuration.
    User,
    /// The tool broke its protocol.
    Tool,
    /// The debate was stopped.
    Cancelled,
    /// An internal error of Agon.
    Bug,
}

/// The tokens and money of a call, as the tool reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Input tokens, including cached ones.
    pub input: u64,
    /// Input tokens read from a cache; part of `input`.
    pub cached: u64,
    /// Output tokens.
    pub output: u64,
    /// Cost in millionths of a US dollar, if the tool reports it.
    pub cost_micros: Option<u64>,
    /// Whether the tokens are Agon's estimate, because the tool reports none.
    pub estimated: bool,
}

impl Usage {
    /// Input and output tokens together.
    pub fn total_tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// A limit that was reached.
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
    /// Returns the name used in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Tokens => "tokens",
            Self::Time => "time",
            Self::Cost => "cost",
        }
    }
}

/// Why a debate stopped without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Halt {
    /// Only the user can fix the problem of a seat.
    User {
        /// The turn with the problem.
        turn: TurnId,
        /// The problem.
        cause: Cause,
    },
    /// The proposer's first turn was lost, so there is nothing to debate.
    ProposerLost {
        /// Why it was lost.
        cause: Cause,
    },
    /// A turn of a formal debate was lost, and its exchange cannot be judged without it.
    TurnLost {
        /// The turn.
        turn: TurnId,
        /// Why it was lost.
        cause: Cause,
    },
    /// No judge returned a verdict.
    JudgeLost {
        /// Why the last judge's turn was lost.
        cause: Cause,
    },
    /// Every call timed out.
    AllTimedOut,
    /// No turn was admitted.
    NoTurns,
    /// A limit was reached before a verdict was possible.
    Capped {
        /// The limit.
        cap: Cap,
    },
}

/// How a debate got its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A judge ruled.
    Judged,
    /// The first answers agreed, and the user stopped the debate.
    Agreed,
    /// The challenger returned no usable reply, so the proposer's claim is untested and unjudged.
    Uncontested,
}

/// The scores of an exchange: one judge's, or the median of a panel's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgment {
    /// The exchange.
    pub exchange: u16,
    /// When the last judge's reply arrived, in UTC milliseconds since 1970.
    pub at_ms: Option<u64>,
    /// Every argument of the exchange, in the order of scoring.
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
    /// The lowest and the highest score of a panel; `None` for a single judge.
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
    /// The new argument that caused the change.
    pub triggered_by: Option<NodeId>,
    /// The lowest and the highest score of a panel; `None` for a single judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<[Score; 2]>,
}

/// Text that another tool wrote into the folder of a formal debate.
///
/// The arguments and scores are read once, on import. The files are kept unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    /// Every file that was read, by its path in the folder.
    pub files: BTreeMap<String, Reply>,
    /// The new arguments, in order.
    pub arguments: Vec<ImportedArgument>,
    /// Every new score: the whole history of each argument that has one.
    pub scores: BTreeMap<NodeId, Vec<ScoreEntry>>,
    /// The last judged exchange; `None` before the first judgment.
    pub judged: Option<u16>,
    /// The rules it breaks; it is imported anyway.
    pub findings: Vec<Finding>,
}

/// An argument that another tool wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedArgument {
    /// Its id, which names its side and exchange.
    pub id: NodeId,
    /// The argument.
    pub contention: Contention,
}

/// A score in an argument's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreEntry {
    /// The score.
    pub score: Score,
    /// Why.
    pub reasoning: String,
    /// When it was set, in UTC milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// The argument that caused it, unless it is the first score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triggered_by: Option<NodeId>,
    /// The lowest and the highest score of a panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<[Score; 2]>,
}
