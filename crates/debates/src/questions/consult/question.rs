//! The text of a question, and the prompt that adds its context.

use agon_caller::{Caller, Code, Failure, Notes, find, system};
use agon_record::text::strip_control_characters;
use agon_redact::Redactor;

use crate::request::ConsultRequest;
use crate::sources::context;
use crate::sources::own_folders::OwnFolders;
use crate::sources::session::take_session_brief;

// About 500,000 tokens, more than most models can handle.
// `three_tools_answer_a_question_of_400_kb_at_once` shows that a fifth of it works.
/// Maximum length of a question, in bytes.
pub const MAX_QUESTION_BYTES: usize = 2 * 1024 * 1024;

/// Returns the question as it is sent.
///
/// # Errors
///
/// If it is empty, too long, or seems to contain a secret.
pub(super) fn clean_question(request: &ConsultRequest) -> Result<String, Failure> {
    if request.question.len() > MAX_QUESTION_BYTES {
        return Err(too_long_failure());
    }
    let text = strip_control_characters(&request.question)
        .trim()
        .to_owned();
    if text.is_empty() {
        let message = "the question is missing";
        return Err(Failure::new(Code::MissingParameter, message)
            .parameter("question")
            .hint("run agon consult \"your question\", or pipe the question in"));
    }
    let secrets = Redactor::new().redact(&text).hits;
    match secrets.first() {
        Some(first) if !request.allow_secrets => Err(Failure::new(
            Code::QuestionRefused,
            format!(
                "line {} of the question looks like a secret ({})",
                text[..first.span.start].matches('\n').count() + 1,
                first.rule
            ),
        )
        .parameter("question")
        .hint(context::secret_hint())),
        Some(_) | None => Ok(text),
    }
}

/// Decodes a question from bytes.
///
/// # Errors
///
/// If there are too many bytes, or they are not UTF-8.
pub fn question_from_bytes(bytes: Vec<u8>) -> Result<String, Failure> {
    if bytes.len() > MAX_QUESTION_BYTES {
        return Err(too_long_failure());
    }
    String::from_utf8(bytes).map_err(|_| refusal("the question is not UTF-8 text".to_owned()))
}

fn too_long_failure() -> Failure {
    refusal(format!(
        "the question is too long: the limit is {MAX_QUESTION_BYTES} bytes"
    ))
}

fn refusal(message: String) -> Failure {
    Failure::new(Code::InvalidParameter, message).parameter("question")
}

/// Returns the question followed by its context, which is marked as data.
///
/// # Errors
///
/// If the context cannot be read or is rejected.
pub(super) async fn prompt(
    caller: &Caller,
    request: &ConsultRequest,
    question: &str,
    notes: &mut dyn Notes,
) -> Result<String, Failure> {
    if request.context == "repo" {
        let message = "a consult cannot read the whole project";
        return Err(Failure::new(Code::ContextRefused, message)
            .parameter("context")
            .hint(
                context::use_context("none")
                    .text(", diff, commit=A..B, file=PATH, dir=DIR or session"),
            ));
    }
    let mut pasted = Vec::new();
    let wanted = take_session_brief(caller, &request.context, &mut pasted, notes)?;
    let redactor = Redactor::new();
    let own = OwnFolders::in_project(caller, &find::debates_dir(caller)?);
    let given = context::read(
        caller,
        &wanted,
        (&pasted, None),
        &redactor,
        request.allow_secrets,
        &own,
    )
    .await?;
    Ok(agon_prompt::consult_prompt(
        &system::new_salt()?,
        question,
        &given.context,
    ))
}
