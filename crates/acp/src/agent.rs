//! The protocol of the agent: its capabilities and its request handlers.

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    AgentCapabilities, AuthenticateRequest, AuthenticateResponse, CancelNotification,
    CloseSessionRequest, CloseSessionResponse, Implementation, InitializeRequest,
    InitializeResponse, ListSessionsRequest, LoadSessionRequest, NewSessionRequest,
    PromptCapabilities, PromptRequest, ResumeSessionRequest, SessionCapabilities,
    SessionCloseCapabilities, SessionListCapabilities, SessionResumeCapabilities,
    SetSessionConfigOptionRequest, SetSessionModeRequest,
};
use agent_client_protocol::v1::{ConnectionTo, Responder};
use agent_client_protocol::{
    Agent, Channel, Client, Error, on_receive_notification, on_receive_request,
};
use agon_caller::Failure;

use crate::prompt_thread::accept_prompt;
use crate::refusal::error_from_failure;
use crate::requests::{
    list_sessions, load_session, new_session, resume_session, set_mode, set_option,
};
use crate::session::OpenSessions;

/// Serves one client until the connection ends.
///
/// # Errors
///
/// Returns an error if the connection breaks the protocol in an unrecoverable way.
pub(crate) async fn serve(sessions: OpenSessions, channel: Channel) -> Result<(), Error> {
    let for_each = || sessions.clone();
    let (new, load, resume, list) = (for_each(), for_each(), for_each(), for_each());
    let (mode, option, prompt, cancel, close) =
        (for_each(), for_each(), for_each(), for_each(), for_each());
    Agent
        .v1()
        .name("agon")
        .on_receive_request(
            async move |_: InitializeRequest, responder, _: ConnectionTo<Client>| {
                responder.respond(describe_agent())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |_: AuthenticateRequest, responder, _: ConnectionTo<Client>| {
                responder.respond(AuthenticateResponse::new())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, _: ConnectionTo<Client>| {
                answer(responder, new_session(&new, &request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: LoadSessionRequest, responder, client| {
                let sessions = load.clone();
                answer_on_thread(responder, move || load_session(&sessions, &request, client));
                Ok(())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ResumeSessionRequest, responder, _: ConnectionTo<Client>| {
                let sessions = resume.clone();
                answer_on_thread(responder, move || resume_session(&sessions, &request));
                Ok(())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ListSessionsRequest, responder, _: ConnectionTo<Client>| {
                let sessions = list.clone();
                answer_on_thread(responder, move || list_sessions(&sessions, &request));
                Ok(())
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: SetSessionModeRequest, responder, _: ConnectionTo<Client>| {
                answer(responder, set_mode(&mode, &request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: SetSessionConfigOptionRequest,
                        responder,
                        _: ConnectionTo<Client>| {
                answer(responder, set_option(&option, &request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, client| {
                accept_prompt(&prompt, request, responder, client)
            },
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |request: CancelNotification, _: ConnectionTo<Client>| {
                cancel.cancel_prompt(&request.session_id);
                Ok(())
            },
            on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: CloseSessionRequest, responder, _: ConnectionTo<Client>| {
                close.cancel_prompt(&request.session_id);
                let closed = close.close(&request.session_id);
                answer(responder, closed.map(|()| CloseSessionResponse::new()))
            },
            on_receive_request!(),
        )
        .connect_with(channel, async |client: ConnectionTo<Client>| {
            client.incoming_closed().await;
            Ok(())
        })
        .await
}

fn describe_agent() -> InitializeResponse {
    let sessions = SessionCapabilities::new()
        .list(SessionListCapabilities::new())
        .resume(SessionResumeCapabilities::new())
        .close(SessionCloseCapabilities::new());
    let capabilities = AgentCapabilities::new()
        .load_session(true)
        .prompt_capabilities(PromptCapabilities::new().embedded_context(true))
        .session_capabilities(sessions);
    let about = Implementation::new("agon", env!("CARGO_PKG_VERSION")).title("Agon".to_owned());
    InitializeResponse::new(ProtocolVersion::V1)
        .agent_capabilities(capabilities)
        .agent_info(about)
}

fn answer<T: agent_client_protocol::JsonRpcResponse>(
    responder: Responder<T>,
    outcome: Result<T, Failure>,
) -> Result<(), Error> {
    responder.respond_with_result(outcome.map_err(|failure| error_from_failure(&failure)))
}

/// Runs `work` on a separate thread and sends its result, because it waits for files.
fn answer_on_thread<T: agent_client_protocol::JsonRpcResponse + Send + 'static>(
    responder: Responder<T>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) {
    tokio::task::spawn_blocking(move || {
        // Sending fails only if the client has disconnected, so the error is ignored.
        answer(responder, work()).ok();
    });
}
