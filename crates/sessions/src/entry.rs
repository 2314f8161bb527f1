//! The entries of a session: one event each.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{CallUsage, Location, PlanChange, RawText, ToolCall, ToolResult};

/// Most entries listed as kept by a compaction, since a record can repeat them many times.
pub(crate) const MAX_KEPT: usize = 4096;

/// One event of a session, with its place and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its index in the session, from 0 without gaps.
    pub index: u64,
    /// The number of user prompts so far, including this one; 0 before the first.
    pub turn: u32,
    /// The number of counted model calls of the main agent so far, including this one.
    pub call: u32,
    /// The sub-agent it belongs to, if the host records sub-agents in the same file.
    pub agent: Option<String>,
    /// Whether it was copied from the session that this one was forked from.
    pub copied: bool,
    /// Its place in the record.
    pub location: Location,
    /// When it happened.
    pub time: Option<Timestamp>,
    /// Its kind and content.
    pub kind: EntryKind,
}

/// The kind and content of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryKind {
    /// A prompt of the user; for a sub-agent, the prompt of its parent.
    Prompt(RawText),
    /// Text that the host or a hook put into the context.
    Loaded(Loaded),
    /// A message of the model.
    Text(RawText),
    /// The model's reasoning, if its text is recorded.
    Reasoning(RawText),
    /// A tool that the model called.
    Call(ToolCall),
    /// The result of a tool call.
    Result(ToolResult),
    /// A sub-agent started or ended.
    SubAgent(SubAgent),
    /// The context was compacted.
    Compaction(Compaction),
    /// The to-do list changed.
    Plan(PlanChange),
    /// The token counts of a model call.
    Usage(CallUsage),
    /// The turn was aborted.
    Aborted,
    /// A new process resumed the session, if the host records that.
    Resumed,
    /// The context was started again.
    Renewed(Renewal),
}

impl EntryKind {
    /// Returns the text of a prompt, loaded text, message, reasoning, result or summary.
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

/// Text in the context that neither the user nor the model wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Its kind.
    pub kind: LoadedKind,
    /// The text.
    pub text: RawText,
}

/// The kind of a loaded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadedKind {
    /// The host's own instructions.
    System,
    /// Instructions of the project or the user, such as those in `AGENTS.md`.
    Instructions,
    /// Text that a hook added.
    Hook,
    /// The environment (folder, date, shell), attached files, and lists of skills and agents.
    Surroundings,
    /// A message with which the host makes the model continue, for example after a compaction.
    GoOn,
}

/// A sub-agent of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubAgent {
    /// Its state.
    pub state: SubAgentState,
    /// The host's id: the id of the sub-agent's own session, or the id in [`Entry::agent`].
    pub id: String,
    /// The kind of agent, if known.
    pub name: Option<String>,
    /// The tool call that started it, if known.
    pub call: Option<String>,
}

/// The state of a sub-agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubAgentState {
    /// It started. Hosts that record only the end have no such entry.
    Started,
    /// It ended.
    Ended,
}

/// A compaction: from here on, a summary replaces the earlier context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compaction {
    /// Its cause.
    pub trigger: CompactionTrigger,
    /// Tokens in the context before it, by the host's count.
    pub before: Option<u64>,
    /// Tokens in the context after it, by the host's count.
    pub after: Option<u64>,
    /// The summary that replaces the dropped entries.
    pub summary: Option<RawText>,
    /// Indices of the entries kept word for word beside the summary, if recorded.
    pub kept: Option<Vec<u64>>,
}

/// A new context: the model has only later entries and entries that are sent again.
///
/// Nothing was summarised. A debate seat that is asked in a separate call each time has one
/// context per call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renewal {
    /// Indices of the entries that are sent again word for word.
    pub kept: Vec<u64>,
}

/// The cause of a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionTrigger {
    /// The context was full.
    Automatic,
    /// The user asked for it.
    Manual,
    /// The record does not say.
    Unknown,
}
