//! A call to a tool: its parameters, when it uses a schema, and the listener for its output.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use agon_interview::Interview;
use agon_record::spec::Effort;

/// The parameters of a call to a tool.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The prompt: the complete one, or only the new part if the session retains its context.
    pub prompt: &'a str,
    /// The model; with `None`, an empty name or `auto`, the tool chooses.
    pub model: Option<&'a str>,
    /// The reasoning effort.
    pub effort: Effort,
    /// The time limit for the answer.
    pub timeout: Duration,
    /// The only folder that the tool may read; `None`: an empty folder.
    pub reads: Option<&'a Path>,
    /// Receives the output while it arrives.
    pub hears: Option<&'a dyn OutputListener>,
    /// The JSON schema of the answer's moves; ignored by agents that cannot constrain their output.
    pub schema: Option<&'a serde_json::Value>,
    /// Questions that are asked one at a time instead of the prompt, for agents that are
    /// interviewed; the answer is then the transcript.
    pub interview: Option<&'a Interview>,
}

/// When an agent's answers are constrained to the JSON schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemaUse {
    /// Never: the agent cannot constrain its output.
    #[default]
    Never,
    /// Only in a repeated call: the first answer contains reasoning in prose, which is cheaper
    /// without a schema.
    Again,
    /// Always: without a schema the answer would not have the required form.
    Always,
}

/// Receives a tool's output while it arrives.
///
/// The text is as received: not redacted, possibly incomplete, and not the final answer.
pub trait OutputListener: Send + Sync + fmt::Debug {
    /// Called with each new piece of output.
    fn receive_chunk(&self, text: &str);
}
