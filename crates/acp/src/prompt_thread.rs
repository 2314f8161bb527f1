//! Accepts a prompt and answers it on a separate thread.

use agent_client_protocol::v1::schema::{PromptRequest, PromptResponse};
use agent_client_protocol::v1::{ConnectionTo, Responder};
use agent_client_protocol::{Client, Error};
use agon_caller::{Code, Failure};

use crate::conversation::PromptRun;
use crate::refusal::error_from_failure;
use crate::session::OpenSessions;
use crate::updates::Updates;

/// Accepts a prompt and answers it on a separate thread with its own runtime, because debates must
/// stay on one thread.
pub(crate) fn accept_prompt(
    sessions: &OpenSessions,
    request: PromptRequest,
    responder: Responder<PromptResponse>,
    client: ConnectionTo<Client>,
) -> Result<(), Error> {
    let (session, cancel) = match sessions.begin_prompt(&request.session_id) {
        Ok(begun) => begun,
        Err(failure) => return responder.respond_with_error(error_from_failure(&failure)),
    };
    let ending = cancel.child_token();
    let mut conversation = PromptRun {
        updates: Updates {
            client,
            session: request.session_id.clone(),
        },
        sessions: sessions.clone(),
        session,
        cancel: cancel.clone(),
        ending: ending.clone(),
    };
    let cancelled = responder.cancellation();
    let closing = sessions.closing.clone();
    let watch = tokio::spawn(async move {
        tokio::select! {
            () = cancelled.cancelled() => cancel.cancel(),
            () = closing.cancelled() => ending.cancel(),
        }
    });
    tokio::task::spawn_blocking(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let reason = runtime.map(|runtime| {
            let local = tokio::task::LocalSet::new();
            runtime.block_on(local.run_until(conversation.answer(&request)))
        });
        watch.abort();
        conversation.sessions.end_prompt(&conversation.session);
        let outcome = reason
            .map(PromptResponse::new)
            .map_err(|error| Failure::from_error(Code::Runtime, &error))
            .map_err(|failure| error_from_failure(&failure));
        // A disconnected client needs no answer.
        responder.respond_with_result(outcome).ok();
    });
    Ok(())
}
