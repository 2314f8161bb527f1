//! Sessions that were lost before the end of their turn.

use agon_caller::Failure;
use agon_team::store::{SessionDoc, Team};

use super::door::failure;

/// The commit that the changes of a session are judged against. Sessions of its member that were lost
/// before it may have committed to the same branch, for another task too, and no policy judged that.
pub(super) fn unjudged_since(
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
