//! Whether the context of an AI tool's session is still good: tokens against what its model bears.

mod choose;
mod describe;
mod document;
mod follow;
mod limits;

use agon_sessions::{Measures, ReadError, SessionRef, open_session};

pub use self::choose::{SessionChoice, SessionRequest};
pub use self::document::{
    CompactionDoc, ContextDoc, ContextState, CurvePointDoc, LimitsDoc, PlanItemDoc, ProblemDoc,
    ReasonDoc, SESSION_HEALTH_SCHEMA, SessionHealthDoc, SessionTokensDoc,
};
pub use self::follow::follow;

use self::choose::choose;
use self::describe::describe;
use self::limits::Limits;
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind, error_chain};
use crate::settings;

/// Sessions that are read for a list.
pub(crate) const MAX_LISTED: usize = 20;

/// Measures the sessions that are asked for.
///
/// # Errors
///
/// If there is none, or the one that is named cannot be read. In a list, one that cannot be read
/// says so and the others are given.
pub fn inspect(caller: &Caller, request: &SessionRequest) -> Result<ContextDoc, Failure> {
    let limits = Limits::new(&settings::read_settings(caller)?.limits);
    let mut found = choose(caller, request)?;
    let passed_over = found.len().saturating_sub(MAX_LISTED);
    found.truncate(MAX_LISTED);
    let is_list = request.choice == SessionChoice::All;
    let mut sessions = Vec::new();
    for session in &found {
        match measure(caller, session, &limits, is_list) {
            Ok(document) => sessions.push(document),
            Err(error) if is_list => sessions.push(describe::unreadable(caller, session, &error)),
            Err(error) => return Err(unreadable(&error)),
        }
    }
    Ok(ContextDoc::new(
        caller.display_path(&caller.project()),
        sessions,
        passed_over,
    ))
}

fn measure(
    caller: &Caller,
    session: &SessionRef,
    limits: &Limits,
    is_list: bool,
) -> Result<SessionHealthDoc, ReadError> {
    let Some(mut reader) = open_session(session) else {
        return Ok(describe::unreadable(
            caller,
            session,
            &"sessions of this tool are not read",
        ));
    };
    let mut measures = Measures::new();
    let progress = reader.read(&mut |entry| measures.add(&entry))?;
    let mut document = describe(
        caller,
        session,
        reader.as_ref(),
        &measures,
        progress,
        limits,
    );
    if is_list {
        document.curve.clear();
    }
    Ok(document)
}

fn unreadable(error: &ReadError) -> Failure {
    Failure::new(FailureKind::Store, "unreadable_session", error_chain(error))
        .parameter("session")
        .hint("`agon context --all` lists the sessions that are here")
}
