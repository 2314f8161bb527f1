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
    /// The complete standard output.
    pub stdout: &'a [u8],
    /// The end of standard error.
    pub stderr_tail: &'a [u8],
    /// The exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
}

/// A tool's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The text of the answer.
    pub text: String,
    /// Tokens and cost, if reported.
    pub usage: Option<Usage>,
    /// The reason for stopping that the tool reported.
    pub stop_reason: Option<String>,
    /// The tool's ID for the conversation.
    pub session_id: Option<String>,
    /// The model that answered, if reported. If several models answered, the model that wrote the
    /// most output.
    pub model: Option<String>,
}

/// The reason why an output contains no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct DialectError {
    /// The kind of cause.
    pub code: CauseCode,
    /// Whether to retry, to ask the user, or to give up.
    pub class: Class,
    /// A short description.
    pub detail: String,
    /// Tokens and cost of the failed call, if the tool reported them.
    pub usage: Option<Usage>,
    /// The milliseconds that the service asked to wait before the next call, if it said so.
    pub asked_wait_ms: Option<u64>,
}

/// A parser for one output format.
pub trait Dialect: Debug + Send + Sync {
    /// Returns the name used in profiles.
    fn name(&self) -> &'static str;

    /// Parses a complete output.
    ///
    /// # Errors
    ///
    /// If it contains no reply.
    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError>;

    /// Returns whether the output contains the format's end marker, for success or failure, so that
    /// the tool's process may be ended.
    fn is_complete(&self, _stdout: &[u8]) -> bool {
        false
    }

    /// Returns the real cause of a timeout, if the output so far shows one.
    fn diagnose_timeout(&self, _output: &RawOutput<'_>) -> Option<DialectError> {
        None
    }

    /// Parses the file to which a tool wrote its usage.
    fn parse_usage_file(&self, _bytes: &[u8]) -> Option<Usage> {
        None
    }

    /// Returns the model that wrote the most output, from the same file.
    fn parse_usage_file_model(&self, _bytes: &[u8]) -> Option<String> {
        None
    }
}

/// All dialects.
pub const DIALECTS: &[&dyn Dialect] = &[
    &claude::Claude,
    &codex::Codex,
    &gemini::Gemini,
    &opencode::Opencode,
    &copilot::Copilot,
];

/// Parses an output that contains no document of its format: it is a reply in plain text, or a
/// failure.
///
/// # Errors
///
/// If it contains no reply.
fn read_plain_text(output: &RawOutput<'_>) -> Result<Reply, DialectError> {
    let text = String::from_utf8_lossy(output.stdout);
    // A reply must contain a fenced block, as the prompts ask for one; a notice or a stack trace
    // has none.
    if output.code == Some(0) && text.contains("```") {
        return Ok(Reply {
            text: strip_control_characters(&text),
            ..Reply::default()
        });
    }
    Err(DialectError::from_exit(output))
}

/// Returns the dialect with this name.
pub fn find_dialect(name: &str) -> Option<&'static dyn Dialect> {
    DIALECTS
        .iter()
        .copied()
        .find(|dialect| dialect.name() == name)
}

/// Returns the model with the most output tokens.
pub(crate) fn model_with_most_output(
    models: impl IntoIterator<Item = (String, u64)>,
) -> Option<String> {
    let most = models.into_iter().max_by_key(|(_, written)| *written);
    most.map(|(name, _)| name)
}

/// Converts dollars to millionths of a dollar; `None` if the amount is not valid.
pub(crate) fn dollars_to_micros(dollars: f64) -> Option<u64> {
    let amount = (dollars * 1e6).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked"
    )]
    (0.0..1e15).contains(&amount).then_some(amount as u64)
}
