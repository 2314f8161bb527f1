//! Finds sessions that were lost before the end of their turn.

use agon_caller::Failure;
use agon_team::store::{SessionDoc, Team};

use super::open_team::failure;

/// Returns the commit that a session's changes are judged against. Sessions of the same member that
/// were lost earlier may have committed to the same branch, even for another task, and no policy
/// has judged those commits.
pub(super) fn unjudged_base(
    team: &mut Team,
    session: &SessionDoc,
) -> Result<Option<String>, Failure> {
    let sessions = team.sessions().map_err(failure)?;
    let before = sessions
        .iter()
        .rev()
        .filter(|it| it.member == session.member && it.session < session.session);
    let lost = before.take_while(|it| is_lost(it));
    let earliest = lost.filter_map(|it| it.base.clone()).last();
    Ok(earliest.or_else(|| session.base.clone()))
}

pub(super) fn is_lost(session: &SessionDoc) -> bool {
    let ending = session.ending.as_ref();
    ending.is_none_or(|ending| !ending.is_complete)
}
