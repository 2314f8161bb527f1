//! What happened in a session, one thing at a time.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{CallUsage, Location, PlanChange, RawText, ToolCall, ToolResult};

/// The most entries that a compaction names as kept: a record can name them again and again.
pub(crate) const MAX_KEPT: usize = 4096;

/// One thing that happened, where and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Counted from 0 in the order of the session, without gaps.
    pub index: u64,
    /// The user's prompts so far, this one included: 0 before the first.
    pub turn: u32,
    /// Model calls of the main agent so far that were counted, this one included.
    pub call: u32,
    /// The sub-agent that did it, where it is recorded in this session's own file.
    pub agent: Option<String>,
    /// Whether it was copied from the session of which this one is a fork.
    pub copied: bool,
    /// Where it stands.
    pub location: Location,
    /// When it happened.
    pub time: Option<Timestamp>,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryKind {
    /// What a person wrote; to a sub-agent, what its parent wrote.
    Prompt(RawText),
    /// What the host or a hook put into the context.
    Loaded(Loaded),
    /// What the model said.
    Text(RawText),
    /// What the model thought, where that is recorded in words.
    Reasoning(RawText),
    /// A tool that the model called.
    Call(ToolCall),
    /// What came of a call.
    Result(ToolResult),
    /// A sub-agent that began or ended.
    SubAgent(SubAgent),
    /// The context was made smaller.
    Compaction(Compaction),
    /// The list of things to do changed.
    Plan(PlanChange),
    /// A model call was counted.
    Usage(CallUsage),
    /// The turn was broken off.
    Aborted,
    /// The session was taken up again by a new process, where that is recorded.
    Resumed,
    /// The context was begun again.
    Renewed(Renewal),
}

impl EntryKind {
    /// Its text, where it has one: prompts, loaded text, the model's words, results, summaries.
    pub fn text(&self) -> Option<&RawText> {
        match self {
            Self::Prompt(text) | Self::Text(text) | Self::Reasoning(text) => Some(text),
            Self::Loaded(loaded) => Some(&loaded.text),
            Self::Result(result) => Some(&result.text),
            Self::Compaction(compaction) => compaction.summary.as_ref(),
            Self::Call(_)
            | Self::SubAgent(_)
            | Self::Plan(_)
            | Self::Usage(_)
            | Self::Aborted
            | Self::Resumed
            | Self::Renewed(_) => None,
        }
    }
}

/// Text that neither the user nor the model wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// What it is.
    pub kind: LoadedKind,
    /// The text.
    pub text: RawText,
}

/// What was put into the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadedKind {
    /// The host's own instructions.
    System,
    /// Instructions of the project or the user, such as those in `AGENTS.md`.
    Instructions,
    /// What a hook added.
    Hook,
    /// The surroundings: folder, date, shell; files the user attached; lists of skills and agents.
    Surroundings,
    /// A sentence by which the host lets the model go on, as after a compaction.
    GoOn,
}

/// A sub-agent of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubAgent {
    /// What happened to it.
    pub state: SubAgentState,
    /// The host's id of it: that of its own session, or of [`Entry::agent`].
    pub id: String,
    /// Which kind of agent, where that is known.
    pub name: Option<String>,
    /// The call that began it, where that is known.
    pub call: Option<String>,
}

/// What happened to a sub-agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubAgentState {
    /// It began. A host that only records the end has no such entry.
    Started,
    /// It ended.
    Ended,
}

/// A compaction: from here on the model has a summary instead of what was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compaction {
    /// Why it was done.
    pub trigger: CompactionTrigger,
    /// Tokens in the context before it, as the host counts them.
    pub before: Option<u64>,
    /// Tokens after it, as the host counts them.
    pub after: Option<u64>,
    /// The summary that takes the place of what was dropped.
    pub summary: Option<RawText>,
    /// Indices of the entries that stay word for word beside the summary, where that is recorded.
    pub kept: Option<Vec<u64>>,
}

/// A context that was begun again: from here on the model has what comes after this, and what is told
/// it once more. Nothing was summed up; a seat of a debate that is asked by a call of its own each time
/// has as many contexts as it had calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renewal {
    /// Indices of the entries that are told again word for word.
    pub kept: Vec<u64>,
}

/// Why a context was compacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionTrigger {
    /// It was full.
    Automatic,
    /// A person asked for it.
    Manual,
    /// It is not recorded.
    Unknown,
}
