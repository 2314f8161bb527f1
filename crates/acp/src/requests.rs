//! Handles requests about sessions.

use agent_client_protocol::Client;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ListSessionsRequest, ListSessionsResponse, LoadSessionRequest, LoadSessionResponse,
    NewSessionRequest, NewSessionResponse, ResumeSessionRequest, ResumeSessionResponse, SessionId,
    SessionInfo, SetSessionConfigOptionRequest, SetSessionConfigOptionResponse,
    SetSessionModeRequest, SetSessionModeResponse,
};
use agon_caller::{Code, Failure};
use agon_debates::status::list;

use crate::options::{BOUNDS_OPTION, BoundsChoice, DebateMode, config_options, mode_state};
use crate::replay;
use crate::session::OpenSessions;
use crate::updates::Updates;

/// Creates a session.
///
/// # Errors
///
/// Returns an error if this runs inside a debate, or the folder cannot be used.
pub(crate) fn new_session(
    sessions: &OpenSessions,
    request: &NewSessionRequest,
) -> Result<NewSessionResponse, Failure> {
    let session = sessions.create(&request.cwd)?;
    Ok(NewSessionResponse::new(session.id.to_string())
        .modes(mode_state(session.mode))
        .config_options(config_options(session.bounds)))
}

/// Reopens a session and sends its history.
///
/// # Errors
///
/// Returns an error if there is no such debate, or it cannot be read.
pub(crate) fn load_session(
    sessions: &OpenSessions,
    request: &LoadSessionRequest,
    client: ConnectionTo<Client>,
) -> Result<LoadSessionResponse, Failure> {
    let mut session = sessions.reopen(&request.session_id, &request.cwd)?;
    let updates = Updates {
        client,
        session: request.session_id.clone(),
    };
    replay::replay(&mut session, &updates)?;
    sessions.note_progress(&session);
    updates.send_commands();
    Ok(LoadSessionResponse::new())
}

/// Reopens a session whose history the client already has.
///
/// # Errors
///
/// Returns an error in the same cases as [`load_session`].
pub(crate) fn resume_session(
    sessions: &OpenSessions,
    request: &ResumeSessionRequest,
) -> Result<ResumeSessionResponse, Failure> {
    let mut session = sessions.reopen(&request.session_id, &request.cwd)?;
    replay::skip_ended_turns(&mut session)?;
    sessions.note_progress(&session);
    Ok(ResumeSessionResponse::new())
}

/// Lists the debates of a folder [default: the folder of this process].
///
/// # Errors
///
/// Returns an error if the folder cannot be used, or its debates cannot be read.
pub(crate) fn list_sessions(
    sessions: &OpenSessions,
    request: &ListSessionsRequest,
) -> Result<ListSessionsResponse, Failure> {
    let cwd = request
        .cwd
        .clone()
        .unwrap_or_else(|| sessions.default_cwd());
    let caller = sessions.caller_in(&cwd)?;
    let listed = serde_json::to_value(list::list(&caller, None)?)
        .map_err(|error| Failure::from_error(Code::Bug, &error))?;
    let debates = listed["debates"].as_array().into_iter().flatten();
    let sessions = debates.filter_map(|debate| {
        let text = |name: &str| debate[name].as_str().map(str::to_owned);
        let info = SessionInfo::new(SessionId::new(text("id")?), cwd.clone());
        Some(info.title(text("topic")).updated_at(text("last_at")))
    });
    Ok(ListSessionsResponse::new(sessions.collect()))
}

/// Sets the mode of a session.
///
/// # Errors
///
/// Returns an error if there is no such session or mode, or its debate has started.
pub(crate) fn set_mode(
    sessions: &OpenSessions,
    request: &SetSessionModeRequest,
) -> Result<SetSessionModeResponse, Failure> {
    let id = &request.mode_id;
    let mode = DebateMode::from_id(&id.0).ok_or_else(|| {
        Failure::new(Code::InvalidParameter, format!("unknown mode {id}"))
            .parameter("modeId")
            .hint("use quick, default, deep or formal")
    })?;
    sessions.set(&request.session_id, |session| session.mode = mode)?;
    Ok(SetSessionModeResponse::new())
}

/// Sets the limits of a session.
///
/// # Errors
///
/// Returns an error if there is no such session, option or value, or its debate has started.
pub(crate) fn set_option(
    sessions: &OpenSessions,
    request: &SetSessionConfigOptionRequest,
) -> Result<SetSessionConfigOptionResponse, Failure> {
    let value = request.value.as_value_id();
    let choice = value
        .filter(|_| &*request.config_id.0 == BOUNDS_OPTION)
        .and_then(|value| BoundsChoice::from_id(&value.0));
    let choice = choice.ok_or_else(|| {
        Failure::new(
            Code::InvalidParameter,
            "unknown session option, or invalid value for it",
        )
        .parameter("configId")
        .hint("set `bounds` to configured, double or quadruple")
    })?;
    let session = sessions.set(&request.session_id, |session| session.bounds = choice)?;
    Ok(SetSessionConfigOptionResponse::new(config_options(
        session.bounds,
    )))
}
