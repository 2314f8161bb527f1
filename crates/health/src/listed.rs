//! A session of the list, by the tool and the id that the list shows.

use agon_caller::{Caller, Code, Failure, settings};

use super::choose::{SessionChoice, SessionRequest, choose};
use super::limits::Limits;
use super::{ContextDoc, Thoroughness, all_sessions_hint, measure, unreadable};

/// Measures one session of the caller's project and runs the rules. `host` and `id` are only
/// compared with those of the found sessions, so no text becomes a path.
///
/// # Errors
///
/// If the project has no such session, or it cannot be read.
pub fn inspect_listed(caller: &Caller, host: &str, id: &str) -> Result<ContextDoc, Failure> {
    let request = SessionRequest {
        choice: SessionChoice::All,
        host: Some(host.to_owned()),
    };
    let found = choose(caller, &request)?.into_iter();
    let mut named = found.filter(|session| session.id == id);
    let session = named.next().ok_or_else(|| {
        let message = "the project has no such session";
        Failure::new(Code::NoSession, message)
            .parameter("session")
            .hint(all_sessions_hint())
    })?;
    let limits = Limits::new(&settings::read_settings(caller)?.limits);
    let document = measure(caller, &session, &limits, Thoroughness::Findings);
    let document = document.map_err(|error| unreadable(&error))?;
    let project = caller.display_path(&caller.project());
    Ok(ContextDoc::new(project, vec![document], 0))
}
