//! The context of a member of a team, by the tool it works in.

use std::path::Path;

use agon_caller::{Caller, Failure, settings};

use super::choose::find_in_work_tree;
use super::limits::Limits;
use super::state::ContextState;
use super::{Thoroughness, measure, unreadable};

/// How good the context of a member is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberContext {
    /// How good it is.
    pub state: ContextState,
    /// The tool that its session is held in.
    pub host: &'static str,
    /// Why it is not green, the worst first, without secrets.
    pub reasons: Vec<String>,
}

/// The context of the session that works in the work tree at `root`: the caller's own where it is held
/// there, else the one that was written last; none where no tool has a record of one.
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
