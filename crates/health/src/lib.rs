//! Judges the health of a session's context, by its tokens and by findings.

mod brief;
mod choose;
mod debate;
mod decided;
mod describe;
mod document;
pub mod documents;
mod examination;
mod examine;
mod examined_doc;
mod finding_doc;
mod follow;
mod glance;
mod judge_member;
mod kept;
mod limits;
mod listed;
mod old_files;
mod reminder;
mod session_brief;
mod state;
mod status_line;
mod step;
mod step_doc;
mod words;

use agon_caller::hint::quoted;
use agon_caller::{Caller, Code, Failure, Hint, error_chain, settings};
use agon_sessions::{Measures, ReadError, RecentEntries, SessionRef};

pub use self::brief::shorten;
pub use self::choose::{SessionChoice, SessionRequest};
pub use self::document::{
    CompactionDoc, ContextDoc, CurvePointDoc, LimitsDoc, PlanItemDoc, ProblemDoc, ReasonDoc,
    SESSION_HEALTH_SCHEMA, SessionHealthDoc, SessionTokensDoc,
};
pub use self::examination::{
    Examination, ExaminationPlan, Examiner, ExaminerAnswer, ExaminerName, ExaminerTestDoc,
    IntervalDoc, SELF_TEST_SCHEMA, SelfTest, TestedPatternDoc, instruction_tokens,
};
pub use self::examined_doc::{
    DroppedFindingsDoc, ExaminedDoc, ExaminedFindingDoc, ExaminedLineDoc,
};
pub use self::finding_doc::{SessionEvidenceDoc, SessionFindingDoc, SessionFindingsDoc};
pub use self::follow::follow;
pub use self::judge_member::judge_member;
pub use self::kept::{find_handover, write_handover};
pub use self::listed::inspect_listed;
pub use self::reminder::reminder;
pub use self::session_brief::{SessionBrief, session_brief};
pub use self::state::ContextState;
pub use self::status_line::{StatusLine, status_line};
pub use self::step_doc::{NextStepDoc, QuotedLineDoc, SessionPlaceDoc, SummableTurnsDoc};

use self::choose::choose;
use self::describe::describe;
use self::examine::{MAX_RECENT_BYTES, examine};
use self::limits::Limits;

/// Most sessions read for a list.
pub(crate) const MAX_LISTED: usize = 20;

/// How thoroughly a session is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thoroughness {
    /// Token counts.
    Measures,
    /// Token counts and findings.
    Findings,
    /// Token counts, findings and the hand-over.
    Handover,
}

/// Measures the requested sessions, and runs the rules unless all sessions are listed.
///
/// # Errors
///
/// If there is no session, or a named one cannot be read. A list includes unreadable sessions with
/// their problem.
pub fn inspect(caller: &Caller, request: &SessionRequest) -> Result<ContextDoc, Failure> {
    let is_list = request.choice == SessionChoice::All;
    let depth = match is_list {
        true => Thoroughness::Measures,
        false => Thoroughness::Findings,
    };
    inspect_to(caller, request, depth)
}

/// [`inspect`], with the hand-over.
///
/// # Errors
///
/// As [`inspect`].
pub fn prepare_handover(caller: &Caller, request: &SessionRequest) -> Result<ContextDoc, Failure> {
    inspect_to(caller, request, Thoroughness::Handover)
}

/// [`inspect`] with a short document: without the curve, and with the first rows of each list.
///
/// # Errors
///
/// As [`inspect`].
pub fn inspect_briefly(caller: &Caller, request: &SessionRequest) -> Result<ContextDoc, Failure> {
    let mut document = inspect(caller, request)?;
    document.sessions.iter_mut().for_each(brief::shorten);
    Ok(document)
}

fn inspect_to(
    caller: &Caller,
    request: &SessionRequest,
    depth: Thoroughness,
) -> Result<ContextDoc, Failure> {
    let limits = Limits::new(&settings::read_settings(caller)?.limits);
    let mut found = choose(caller, request)?;
    let passed_over = found.len().saturating_sub(MAX_LISTED);
    found.truncate(MAX_LISTED);
    let is_list = request.choice == SessionChoice::All;
    let mut sessions = Vec::new();
    for session in &found {
        match measure(caller, session, &limits, depth) {
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
    depth: Thoroughness,
) -> Result<SessionHealthDoc, ReadError> {
    let Some(mut reader) = debate::open(session) else {
        return Ok(describe::unreadable(
            caller,
            session,
            &"Agon cannot read sessions of this tool",
        ));
    };
    let mut measures = Measures::new();
    let mut recent = RecentEntries::new(MAX_RECENT_BYTES);
    let progress = reader.read(&mut |entry| {
        measures.add(&entry);
        if depth != Thoroughness::Measures {
            recent.push(entry);
        }
    })?;
    let mut document = describe(
        caller,
        session,
        reader.as_ref(),
        &measures,
        progress,
        limits,
    );
    match depth {
        Thoroughness::Measures => document.curve.clear(),
        Thoroughness::Findings => examine(caller, &mut document, reader.as_ref(), &recent, false),
        Thoroughness::Handover => examine(caller, &mut document, reader.as_ref(), &recent, true),
    }
    Ok(document)
}

fn unreadable(error: &ReadError) -> Failure {
    Failure::new(Code::UnreadableSession, error_chain(error))
        .parameter("session")
        .hint(all_sessions_hint())
}

fn all_sessions_hint() -> Hint {
    quoted("context --all").text(" lists the sessions of this project")
}
