//! Who asks: the member whose token the work tree has, or a person at a terminal.

use agon_team::store::{Actor, Team, TeamLocation};

use super::door::failure;
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

/// The member of this work tree; where it has none, the person who is at the terminal.
///
/// # Errors
///
/// If its token is of no member, or neither is here.
pub(super) fn actor(caller: &Caller, team: &Team, place: &TeamLocation) -> Result<Actor, Failure> {
    match place.read_token().map_err(failure)? {
        Some((_, token)) => team.authenticate(&token).map_err(failure),
        // An AI tool that has a terminal is not a person.
        None if caller.is_watched && !crate::last_debate::is_in_host(caller) => Ok(Actor::person()),
        None => Err(Failure::new(
            FailureKind::Usage,
            "not_member",
            "no member is bound to this work tree",
        )
        .hint("join with `agon team join NAME --role ROLE --host HOST`, or ask from a terminal")),
    }
}

/// Whether a member of a team works in the caller's folder: what the tools of a team are offered by.
pub fn is_joined(caller: &Caller) -> bool {
    let location = TeamLocation::find(&caller.cwd);
    location.is_ok_and(|place| {
        place.database().is_file() && place.read_token().is_ok_and(|found| found.is_some())
    })
}
