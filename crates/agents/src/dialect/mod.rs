//! Parsers for the output formats of tools: pure functions, one per format.
//!
//! Exit code 0 alone is not success. A reply has the format's own success marker and a text;
//! anything else is a [`DialectError`] with a cause for people and a class for the retry policy. At
//! most one line of a provider's message is quoted, and only if the class does not tell what is
//! wrong.

mod claude;
mod codex;
mod copilot;
mod documents;
mod fault;
mod gemini;
mod opencode;

use std::fmt::Debug;

use agon_record::event::{CauseCode, Class, Usage};
use agon_record::text::strip_control_characters;

/// A tool's output and exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawOutput<'a> {
    /// Standard output, from its beginning.
    pub stdout: &'a [u8],
    /// The end of standard error.
    pub stderr_tail: &'a [u8],
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
}

/// A tool's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The answer.
    pub text: String,
    /// Tokens and cost, if reported.
    pub usage: Option<Usage>,
    /// Why the tool stopped, as reported by the tool.
    pub stop_reason: Option<String>,
    /// The tool's ID for the conversation.
    pub session_id: Option<String>,
    /// The model that answered, if reported; of several, the one that wrote the most output.
    pub model: Option<String>,
}

/// Why an output contains no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct DialectError {
    /// The kind of cause.
    pub code: CauseCode,
    /// How to handle it.
    pub class: Class,
    /// A short description.
    pub detail: String,
    /// Tokens and cost of the failed call, if reported.
    pub usage: Option<Usage>,
}

/// A parser for one output format.
pub trait Dialect: Debug + Send + Sync {
    /// The name used in profiles.
    fn name(&self) -> &'static str;

    /// Parses a complete output.
    ///
    /// # Errors
    ///
    /// If it contains no reply.
    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError>;

    /// Whether the output contains the format's end marker, for success or failure: the tool's
    /// process may then be ended.
    fn is_complete(&self, _stdout: &[u8]) -> bool {
        false
    }

    /// Called after a timeout: the real cause, if the output so far shows one; `None` keeps the
    /// timeout.
    fn diagnose_timeout(&self, _output: &RawOutput<'_>) -> Option<DialectError> {
        None
    }

    /// Parses the file that a tool wrote its usage to.
    fn parse_usage_file(&self, _bytes: &[u8]) -> Option<Usage> {
        None
    }

    /// The model that wrote the most output, from the file that a tool wrote its usage to.
    fn parse_usage_file_model(&self, _bytes: &[u8]) -> Option<String> {
        None
    }
}

/// Every dialect.
pub const DIALECTS: &[&dyn Dialect] = &[
    &claude::Claude,
    &codex::Codex,
    &gemini::Gemini,
    &opencode::Opencode,
    &copilot::Copilot,
];

/// Parses an output without a document of its format: a reply in plain text, or a failure.
///
/// # Errors
///
/// If it contains no reply.
fn read_plain_text(output: &RawOutput<'_>) -> Result<Reply, DialectError> {
    let text = String::from_utf8_lossy(output.stdout);
    // A reply ends in a fenced block; a notice or a trace does not.
    if output.code == Some(0) && text.contains("```") {
        return Ok(Reply {
            text: strip_control_characters(&text),
            ..Reply::default()
        });
    }
    Err(DialectError::from_exit(output))
}

/// The dialect with this name.
pub fn find_dialect(name: &str) -> Option<&'static dyn Dialect> {
    DIALECTS
        .iter()
        .copied()
        .find(|dialect| dialect.name() == name)
}

/// The model with the most output tokens.
pub(crate) fn model_with_most_output(
    models: impl IntoIterator<Item = (String, u64)>,
) -> Option<String> {
    let most = models.into_iter().max_by_key(|(_, written)| *written);
    most.map(|(name, _)| name)
}

/// Millionths of a dollar; `None` if not a valid amount.
pub(crate) fn dollars_to_micros(dollars: f64) -> Option<u64> {
    let amount = (dollars * 1e6).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to fit"
    )]
    (0.0..1e15).contains(&amount).then_some(amount as u64)
}
