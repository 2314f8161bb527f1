//! A question to a tool: what it is made of, when it carries a schema, and who hears the answer.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use agon_interview::Interview;
use agon_record::spec::Effort;

/// A question to a tool.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// What it is told: all of it, or what a session that remembers has not heard.
    pub prompt: &'a str,
    /// The model; none, empty or `auto` lets the tool choose.
    pub model: Option<&'a str>,
    /// How hard it thinks.
    pub effort: Effort,
    /// Time for the answer.
    pub timeout: Duration,
    /// The folder it may read in, and nothing else; none for an empty one.
    pub reads: Option<&'a Path>,
    /// Who hears the answer as it comes.
    pub hears: Option<&'a dyn OutputListener>,
    /// What the moves of the answer must fit, as JSON Schema; those who cannot be held to one
    /// leave it alone.
    pub schema: Option<&'a serde_json::Value>,
    /// The questions that are asked one at a time in place of the prompt, by those who are
    /// interviewed; the answer is then their transcript.
    pub interview: Option<&'a Interview>,
}

/// When an agent is held to the schema of what it is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemaUse {
    /// Never: it cannot be.
    #[default]
    Never,
    /// When it is asked again: it thinks in prose first, which costs less freely said.
    Again,
    /// Always: without one it would not keep to the shape.
    Always,
}

/// Hears what a tool says while it says it.
///
/// The text is as it came: not redacted, not whole, and not what counts.
pub trait OutputListener: Send + Sync + fmt::Debug {
    /// The tool said this next.
    fn receive_chunk(&self, text: &str);
}
