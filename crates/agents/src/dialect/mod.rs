//! Reading what a tool printed: pure functions, one for each form.
//!
//! That a program ended with 0 is not success. A reply has the form's own sign
//! of success and a text; anything else is a [`DialectError`] with a cause for
//! people and a class for policy. Of what a provider said one line is quoted at
//! most, where the class does not tell what is wrong.

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

/// What a tool printed, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawOutput<'a> {
    /// Standard output, from its beginning.
    pub stdout: &'a [u8],
    /// The end of standard error.
    pub stderr_tail: &'a [u8],
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
}

/// What a tool answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The answer.
    pub text: String,
    /// What it cost, where the output says so.
    pub usage: Option<Usage>,
    /// Why the tool stopped, in its own word.
    pub stop_reason: Option<String>,
    /// The tool's name for the conversation.
    pub session_id: Option<String>,
    /// The model that answered, where the output says so; of several, the one that wrote most.
    pub model: Option<String>,
}

/// Why an output holds no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct DialectError {
    /// The kind of cause.
    pub code: CauseCode,
    /// What may be done about it.
    pub class: Class,
    /// A few words of our own.
    pub detail: String,
    /// What it cost all the same, where the output says so.
    pub usage: Option<Usage>,
}

/// A form of output.
pub trait Dialect: Debug + Send + Sync {
    /// The name used in profiles.
    fn name(&self) -> &'static str;

    /// Reads a whole output.
    ///
    /// # Errors
    ///
    /// If it holds no reply.
    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError>;

    /// Whether an output has the form's own sign that nothing more is to come, whether all went
    /// well or not: its tool may be ended then.
    fn is_complete(&self, _stdout: &[u8]) -> bool {
        false
    }

    /// Called after a timeout: the real cause, if the output so far shows one; none keeps the
    /// timeout.
    fn diagnose_timeout(&self, _output: &RawOutput<'_>) -> Option<DialectError> {
        None
    }

    /// Reads the file a tool wrote its usage to.
    fn parse_usage_file(&self, _bytes: &[u8]) -> Option<Usage> {
        None
    }

    /// Reads the model that wrote most from the file a tool wrote its usage to.
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

/// Reads an output without a document of its form: a reply that was printed as plain text, or a
/// failure.
///
/// # Errors
///
/// If there is no reply in it.
fn read_formless(output: &RawOutput<'_>) -> Result<Reply, DialectError> {
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

/// The dialect of a name.
pub fn find_dialect(name: &str) -> Option<&'static dyn Dialect> {
    DIALECTS
        .iter()
        .copied()
        .find(|dialect| dialect.name() == name)
}

/// Of models and the tokens that each wrote, the one that wrote most.
pub(crate) fn model_with_most_output(
    models: impl IntoIterator<Item = (String, u64)>,
) -> Option<String> {
    let most = models.into_iter().max_by_key(|(_, written)| *written);
    most.map(|(name, _)| name)
}

/// Millionths of a dollar; none for what is not an amount.
pub(crate) fn dollars_to_micros(dollars: f64) -> Option<u64> {
    let amount = (dollars * 1e6).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to fit"
    )]
    (0.0..1e15).contains(&amount).then_some(amount as u64)
}
