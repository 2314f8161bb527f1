//! Calls all tools at the same time.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_agents::{
    Agent, AgentAnswer, AgentError, Ask, CallFailure as NoAnswer, ConversationId,
    SavedConversation, Session,
};
use agon_caller::guard::with_guard;
use agon_caller::{Caller, Code, Failure, system};
use agon_proc::Unwatched;
use agon_record::event::Usage;
use agon_record::text::strip_control_characters;
use agon_redact::{Redactor, unescape_printable};
use agon_seats::single_tool;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::answer::ConsultAnswer;
use super::front::ConsultFront;
use super::respondents::Respondent;
use super::restored::Restored;

/// Asks all tools and returns their answers in order.
pub(super) async fn ask_all(
    caller: &Caller,
    respondents: Vec<Respondent>,
    prompt: Arc<str>,
    timeout: Duration,
    folder: Option<&Path>,
    cancel: &CancellationToken,
    front: &mut dyn ConsultFront,
) -> Vec<ConsultAnswer> {
    let mut running = JoinSet::new();
    for (at, respondent) in respondents.into_iter().enumerate() {
        front.ask_started(at, &respondent.tool);
        let (prompt, cancel) = (Arc::clone(&prompt), cancel.clone());
        let kept = folder.map(|folder| resumed_or_new_conversation(&respondent, folder));
        let caller = caller.clone();
        running.spawn_local(async move {
            let (answer, note) =
                ask_one(&caller, respondent, kept, &prompt, timeout, &cancel).await;
            (at, answer, note)
        });
    }
    let mut all = Vec::new();
    while let Some(done) = running.join_next().await {
        // A panicking call is a bug, which the panic hook has reported; its answer is lost.
        let Ok((at, answer, note)) = done else {
            continue;
        };
        front.ask_finished(at, &answer, note.as_deref());
        all.push((at, answer));
    }
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, answer)| answer).collect()
}

/// Returns the conversation to resume or begin, and why an old one cannot be resumed.
fn resumed_or_new_conversation(
    respondent: &Respondent,
    folder: &Path,
) -> (Option<SavedConversation>, Option<String>) {
    let before = respondent.before.as_ref();
    let before = before
        .map(|before| Restored::resume_conversation(before, respondent.by, folder.to_owned()));
    match before {
        Some(Ok(kept)) => (Some(kept), None),
        Some(Err(why)) => (new_conversation(folder), Some(why)),
        None => (new_conversation(folder), None),
    }
}

fn new_conversation(folder: &Path) -> Option<SavedConversation> {
    Some(SavedConversation {
        id: ConversationId::random(system::new_bits().ok()?),
        begun: false,
        folder: folder.to_owned(),
        spent: Usage::default(),
    })
}

/// Asks one tool. If the tool has forgotten the conversation, begins a new one and notes it.
async fn ask_one(
    caller: &Caller,
    respondent: Respondent,
    kept: Option<(Option<SavedConversation>, Option<String>)>,
    prompt: &str,
    timeout: Duration,
    cancel: &CancellationToken,
) -> (ConsultAnswer, Option<String>) {
    let begun = Instant::now();
    let Respondent {
        tool,
        model,
        effort,
        agent,
        ..
    } = respondent;
    let mut result = ConsultAnswer {
        tool,
        model,
        effort,
        transport: None,
        took: Duration::ZERO,
        usage: None,
        answer: Err(Failure::new(Code::Bug, "the tool was not asked")),
        conversation: None,
    };
    let agent = match agent {
        Ok(agent) => agent,
        Err(failure) => {
            result.answer = Err(failure);
            return (result, None);
        }
    };
    result.transport = Some(agent.transport().name().to_owned());
    let ask = Ask {
        prompt,
        model: result.model.as_deref(),
        effort: result.effort,
        timeout,
        reads: None,
        hears: None,
        schema: None,
        interview: None,
    };
    let (kept, why) = kept.unwrap_or_default();
    let mut note =
        why.map(|why| format!("note: {} {why}; starting a new conversation", result.tool));
    let folder = kept.as_ref().map(|kept| kept.folder.clone());
    let mut session = open_conversation(caller, agent.as_ref(), kept);
    let mut outcome = session.ask(ask, cancel).await;
    if let Err(AgentError {
        failure: NoAnswer::NoConversation,
        ..
    }) = &outcome
    {
        note = Some(format!(
            "note: {} no longer has that conversation; starting a new one",
            result.tool
        ));
        let again = folder.and_then(|folder| new_conversation(&folder));
        session = open_conversation(caller, agent.as_ref(), again);
        outcome = session.ask(ask, cancel).await;
    }
    result.conversation = session.saved_conversation().cloned();
    session.close().await;
    result.took = begun.elapsed();
    result.usage = match &outcome {
        Ok(answer) => Some(answer.usage),
        Err(error) => error.usage,
    };
    result.answer = outcome
        .map_err(|error| single_tool::failure(&error))
        .and_then(|answer| redacted_answer_text(&answer));
    (result, note)
}

fn open_conversation(
    caller: &Caller,
    agent: &dyn Agent,
    kept: Option<SavedConversation>,
) -> Box<dyn Session> {
    let watch = with_guard(caller, Arc::new(Unwatched));
    let kept = kept.and_then(|kept| agent.open_saved(kept, Arc::clone(&watch)));
    kept.unwrap_or_else(|| agent.open(watch))
}

/// Returns the answer without secrets and invisible characters.
fn redacted_answer_text(answer: &AgentAnswer) -> Result<String, Failure> {
    let plain = strip_control_characters(&answer.text);
    let redactor = Redactor::new();
    // Keep the answer as it is, unless escapes in it hide a secret.
    let whole = strip_control_characters(&unescape_printable(&plain));
    let hidden = redactor.redact(&whole).hits.len() > redactor.redact(&plain).hits.len();
    let text = redactor.redact(if hidden { &whole } else { &plain });
    let text = text.text.trim().to_owned();
    if text.is_empty() {
        let message = "the tool gave an empty answer";
        return Err(Failure::new(Code::Empty, message));
    }
    Ok(text)
}
