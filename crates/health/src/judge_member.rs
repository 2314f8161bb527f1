//! Judges the context of a team member.

use std::path::Path;

use agon_caller::{Caller, Failure, settings};

use super::choose::find_in_work_tree;
use super::limits::Limits;
use super::state::ContextState;
use super::{Thoroughness, measure, unreadable};

/// The state of a member's context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberContext {
    /// The state.
    pub state: ContextState,
    /// The tool of its session.
    pub host: &'static str,
    /// The reasons if it is not green, worst first, without secrets.
    pub reasons: Vec<String>,
}

/// Judges the context of the session in the work tree at `root`.
///
/// That is the caller's own session if it works there, otherwise the latest one. Returns `None` if
/// no tool has a session there.
///
/// # Errors
///
/// If the record cannot be read.
pub fn judge_member(caller: &Caller, root: &Path) -> Result<Option<MemberContext>, Failure> {
    let Some(session) = find_in_work_tree(caller, root) else {
        return Ok(None);
    };
    let limits = Limits::new(&settings::read_settings(caller)?.limits);
    let document = measure(caller, &session, &limits, Thoroughness::Findings)
        .map_err(|error| unreadable(&error))?;
    Ok(Some(MemberContext {
        state: document.state,
        host: document.host,
        reasons: document.reasons.into_iter().map(|it| it.words).collect(),
    }))
}
