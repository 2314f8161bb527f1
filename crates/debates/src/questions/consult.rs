//! One question to several tools at once, outside any debate.

mod answer;
mod calls;
mod document;
mod front;
mod question;
mod respondents;
mod restored;
mod retention;

use std::sync::Arc;
use std::time::Duration;

use agon_caller::hint::Words;
use agon_caller::{Caller, Code, Failure, FailureKind, depth, error_chain, settings, system};
use agon_prompt::estimate_tokens;
use agon_report::text::abbreviate_count;
use agon_store::Consults;
use serde::Serialize;
use ulid::Ulid;

pub use self::answer::ConsultAnswer;
pub use self::document::{ConsultDoc, ConsultationsDoc, SCHEMA, SCHEMA_OF_SEVERAL};
pub use self::front::ConsultFront;
pub use self::question::{MAX_QUESTION_BYTES, question_from_bytes};
use self::restored::Restored;
use crate::limits::spending;
use crate::request::ConsultRequest;

/// The answers of several tools to one question.
#[derive(Debug)]
pub struct Consultation {
    id: Ulid,
    is_kept: bool,
    /// The answer or failure of each tool, in the order the tools were named.
    pub answers: Vec<ConsultAnswer>,
}

impl Consultation {
    /// Returns the machine-readable document: one answer, or a list of several.
    pub fn document(&self, words: &dyn Words) -> ConsultationDocument {
        let document = |answer| document::document(self.id, self.is_kept, answer, words);
        match self.answers.as_slice() {
            [only] => ConsultationDocument::One(Box::new(document(only))),
            answers => ConsultationDocument::Several(ConsultationsDoc {
                schema: SCHEMA_OF_SEVERAL,
                id: self.id.to_string(),
                answers: answers.iter().map(document).collect(),
            }),
        }
    }

    /// Returns whether `--continue` can resume at least one of its conversations.
    pub fn is_continuable(&self) -> bool {
        self.is_kept
            && self
                .answers
                .iter()
                .any(|answer| answer.conversation_to_keep().is_some())
    }

    /// Returns the kind of failure if no tool answered.
    pub fn failure_kind(&self) -> Option<FailureKind> {
        failure_kind(&self.answers)
    }
}

/// The machine-readable document: one answer, or a list of several.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ConsultationDocument {
    /// One tool was asked.
    One(Box<ConsultDoc>),
    /// Several were.
    Several(ConsultationsDoc),
}

/// Asks the tools and returns their answers in the order the tools were named.
///
/// # Errors
///
/// If the question is rejected, or no tool can be asked.
pub async fn ask(
    caller: &Caller,
    request: &ConsultRequest,
    front: &mut dyn ConsultFront,
) -> Result<Consultation, Failure> {
    depth::refuse_nested(caller)?;
    let question = question::clean_question(request)?;
    let settings = settings::read_settings(caller)?;
    let consults = caller
        .state_dir()
        .filter(|_| !request.forget)
        .map(|dir| Consults::in_dir(dir.join("consults")));
    let mut restored = restored::restore_consult(caller, request, consults.as_ref(), front)?;
    let mut respondents =
        respondents::choose_respondents(caller, request, &settings, &restored, front).await?;
    let prompt: Arc<str> = question::prompt(caller, request, &question, front)
        .await?
        .into();

    let mut id = restored.id.unwrap_or_else(system::new_ulid);
    if let (Some(_), Some(consults)) = (restored.id, &consults)
        && let Err(error) = consults.make_empty_folder(id)
    {
        // Without their old folder, the tools cannot find their earlier conversations.
        front.note(&format!(
            "note: {}; starting a new conversation",
            error_chain(&error)
        ));
        restored = Restored::default();
        respondents.iter_mut().for_each(|one| one.before = None);
        id = system::new_ulid();
    }
    let folder = retention::consult_folder(consults.as_ref(), id, front);
    let tokens = estimate_tokens(prompt.len() as u64);
    let names: Vec<_> = respondents.iter().map(|one| one.tool.as_str()).collect();
    front.note(&format!(
        "asking {}: about {} tokens each, plus each tool's own system prompt",
        names.join(", "),
        abbreviate_count(tokens)
    ));
    let start = system::new_ulid();
    let asked = u64::try_from(names.len()).unwrap_or(u64::MAX);
    let reserved = spending::tokens_for_answer(tokens).saturating_mul(asked);
    spending::reserve_for_answers(caller, start, reserved, front)?;
    let cancel = front.cancel_token();
    let timeout = Duration::from_secs(request.timeout);
    let answers = calls::ask_all(
        caller,
        respondents,
        prompt,
        timeout,
        folder.as_deref(),
        &cancel,
        front,
    )
    .await;
    let used = answers.iter().filter_map(|answer| answer.usage.as_ref());
    let used = used.fold(0, |sum: u64, usage| {
        sum.saturating_add(usage.total_tokens())
    });
    spending::settle(caller, start, used);
    let is_kept = consults.as_ref().is_some_and(|consults| {
        folder.is_some()
            && retention::save_conversations(caller, consults, id, &restored, &answers, front)
    });
    Ok(Consultation {
        id,
        is_kept,
        answers,
    })
}

/// Returns `None` if a tool answered, and [`FailureKind::Tool`] if no tool could be asked.
fn failure_kind(answers: &[ConsultAnswer]) -> Option<FailureKind> {
    let failures = || answers.iter().filter_map(|one| one.answer.as_ref().err());
    let nobody = |failure: &Failure| matches!(failure.code, Code::NotInstalled | Code::LoggedOut);
    if failures().any(|failure| failure.kind == FailureKind::Cancelled) {
        Some(FailureKind::Cancelled)
    } else if failures().count() < answers.len() {
        None
    } else if failures().all(nobody) {
        Some(FailureKind::Tool)
    } else {
        Some(FailureKind::NoVerdict)
    }
}
