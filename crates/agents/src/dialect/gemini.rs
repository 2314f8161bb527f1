//! Parses `gemini --output-format json`: one object. A failure is an object on standard error.
//!
//! A broken stream is not always visible in this format: the texts of all attempts can be
//! concatenated, with exit code 0.

use std::collections::BTreeMap;

use agon_record::event::{CauseCode, Class, Usage};
use serde::Deserialize;

use super::{
    Dialect, DialectError, RawOutput, Reply, documents, model_with_most_output, read_plain_text,
};

/// The object that Gemini CLI prints.
#[derive(Debug)]
pub(super) struct Gemini;

#[derive(Deserialize)]
struct GeminiAnswer {
    session_id: Option<String>,
    response: Option<String>,
    stats: Option<Stats>,
    error: Option<GeminiError>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Stats {
    models: BTreeMap<String, GeminiModel>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GeminiModel {
    tokens: GeminiTokens,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GeminiTokens {
    prompt: u64,
    cached: u64,
    candidates: u64,
    thoughts: u64,
}

#[derive(Deserialize)]
struct GeminiError {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    message: String,
    code: Option<Code>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Code {
    Number(i64),
    Text(String),
}

impl Code {
    fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.parse().ok(),
        }
    }
}

impl Dialect for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError> {
        let answer = parse_answer(output.stdout);
        let (answer, failure) = match answer {
            Some(mut answer) => {
                let failure = answer.error.take();
                (Some(answer), failure)
            }
            None => (None, None),
        };
        let usage = answer
            .as_ref()
            .and_then(|answer| usage(answer.stats.as_ref()?));
        let text = answer
            .as_ref()
            .and_then(|answer| answer.response.as_deref());
        let text = text.unwrap_or_default();
        if let Some(failure) = failure.or_else(|| parse_stderr_failure(output.stderr_tail)) {
            let error = match failure.kind.as_str() {
                "INVALID_STREAM" if text.is_empty() => DialectError::empty_reply(),
                "INVALID_STREAM" => {
                    DialectError::unreadable_output("the service's answer is incomplete")
                }
                _ => convert_stderr_error(output, &failure),
            };
            return Err(error.with_usage(usage));
        }
        match answer {
            Some(_) if output.code == Some(0) && text.trim().is_empty() => {
                Err(DialectError::empty_reply().with_usage(usage))
            }
            Some(answer) if output.code == Some(0) => Ok(Reply {
                model: answer.stats.and_then(answering_model),
                text: answer.response.unwrap_or_default(),
                usage,
                stop_reason: None,
                session_id: answer.session_id,
            }),
            None if output.code == Some(0) => read_plain_text(output),
            Some(_) | None => {
                let error = error_from_exit_code(output.code)
                    .unwrap_or_else(|| DialectError::from_exit(output));
                Err(error.with_usage(usage))
            }
        }
    }

    fn is_complete(&self, stdout: &[u8]) -> bool {
        parse_answer(stdout)
            .is_some_and(|answer| answer.response.is_some() || answer.error.is_some())
    }
}

/// Returns the last object of this format, once it is complete.
fn parse_answer(stdout: &[u8]) -> Option<GeminiAnswer> {
    let objects = documents::parse_documents::<GeminiAnswer>(stdout);
    let is_answer = |it: &GeminiAnswer| {
        it.response.is_some() || it.error.is_some() || it.session_id.is_some() || it.stats.is_some()
    };
    objects.into_iter().rfind(is_answer)
}

fn convert_stderr_error(output: &RawOutput<'_>, failure: &GeminiError) -> DialectError {
    let code = failure.code.as_ref().and_then(Code::number);
    let status = code
        .and_then(|code| u16::try_from(code).ok())
        .filter(|status| (400..600).contains(status));
    if status.is_none()
        && let Some(error) = error_from_exit_code(output.code)
    {
        return error;
    }
    let error = DialectError::from_message(status, &failure.message);
    if error.code == CauseCode::Failed && status.is_none() {
        // The stack trace that precedes the object says more than the object.
        return DialectError::from_stderr(output);
    }
    error
}

/// Returns the error for one of Gemini CLI's own exit codes, or for an HTTP status cut to eight
/// bits (429 becomes 173).
fn error_from_exit_code(code: Option<i32>) -> Option<DialectError> {
    let user = |what: &str| DialectError::new(CauseCode::Failed, Class::User, what);
    match code? {
        41 => Some(DialectError::from_message(None, "not logged in")),
        42 => Some(DialectError::bug("it was given no prompt")),
        52 => Some(user("its settings are invalid")),
        53 => Some(DialectError::new(
            CauseCode::Failed,
            Class::Tool,
            "it reached its turn limit without an answer",
        )),
        55 => Some(user("it does not trust the folder it runs in")),
        code @ 144..=199 => u16::try_from(code + 256)
            .ok()
            .map(|status| DialectError::from_message(Some(status), "")),
        code @ 244..=255 => u16::try_from(code + 256)
            .ok()
            .map(|status| DialectError::from_message(Some(status), "")),
        _ => None,
    }
}

/// Parses the error object on standard error, which follows warnings and stack traces.
fn parse_stderr_failure(stderr: &[u8]) -> Option<GeminiError> {
    #[derive(Deserialize)]
    struct Object {
        error: GeminiError,
    }
    let objects = documents::parse_documents::<Object>(stderr);
    objects.into_iter().next_back().map(|object| object.error)
}

/// Returns the model that wrote the most output; other models may only have chosen the model.
fn answering_model(stats: Stats) -> Option<String> {
    let written = |tokens: GeminiTokens| tokens.candidates.saturating_add(tokens.thoughts);
    let models = stats.models.into_iter();
    model_with_most_output(models.map(|(name, model)| (name, written(model.tokens))))
}

fn usage(stats: &Stats) -> Option<Usage> {
    let mut sum = Usage::default();
    for GeminiModel { tokens } in stats.models.values() {
        sum.input = sum.input.saturating_add(tokens.prompt);
        sum.cached = sum.cached.saturating_add(tokens.cached);
        sum.output = sum
            .output
            .saturating_add(tokens.candidates)
            .saturating_add(tokens.thoughts);
    }
    (sum.total_tokens() > 0).then_some(sum)
}
