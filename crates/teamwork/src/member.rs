//! Who asks: the member whose token the work tree has, or a person at a terminal.

use agon_caller::host_ancestry::is_below_host;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::mail::Trust;
use agon_team::store::{Actor, MemberToken, StoreError, Team, TeamLocation};

use super::door::failure;
pub(super) use agon_caller::environments::TOKEN_VAR;

/// The token that the caller has: that of its environment, else that of its work tree.
///
/// # Errors
///
/// If the file of the work tree cannot be read.
pub(super) fn token(caller: &Caller, place: &TeamLocation) -> Result<Option<MemberToken>, Failure> {
    if let Some(text) = caller.vars.get(TOKEN_VAR).filter(|text| !text.is_empty()) {
        return Ok(Some(MemberToken::from_text(text)));
    }
    let file = place.read_token().map_err(failure)?;
    Ok(file.map(|(_, token)| token))
}

/// The member of this work tree; where it has none, the person who is at the terminal.
///
/// # Errors
///
/// If its token is of no member, or neither is here.
pub(super) fn actor(caller: &Caller, team: &Team, place: &TeamLocation) -> Result<Actor, Failure> {
    match token(caller, place)? {
        Some(token) => team.authenticate(&token).map_err(failure),
        // An AI tool that has a terminal is not a person.
        None if is_person(caller) => Ok(Actor::person()),
        None => Err(
            Failure::new(Code::NotMember, "no member is bound to this work tree").hint(
                Hint::new("join with ")
                    .quoted("team join NAME --role ROLE --host HOST")
                    .text(" (the lead joins too)")
                    .or("ask from a terminal"),
            ),
        ),
    }
}

/// Whether a person asks: at a terminal, and below no AI tool, whatever the environment says.
pub(super) fn is_person(caller: &Caller) -> bool {
    caller.is_watched && !agon_caller::host_sign::is_in_host(caller) && !is_below_host()
}

/// Who asks, where it is the lead or a person.
///
/// # Errors
///
/// As [`actor`], or if another member asks; `act` says what it may not do.
pub(super) fn lead(
    caller: &Caller,
    team: &Team,
    place: &TeamLocation,
    act: &'static str,
) -> Result<Actor, Failure> {
    let asking = actor(caller, team, place)?;
    match asking.trust() {
        Trust::Peer => Err(failure(StoreError::NotAllowed {
            actor: asking.label().to_owned(),
            act,
        })),
        Trust::Lead | Trust::Person | Trust::Team => Ok(asking),
    }
}

/// Whether the caller is the host of a member that Agon started: its model is given the tools of the
/// team alone.
pub fn is_started(caller: &Caller) -> bool {
    let token = caller.vars.get(TOKEN_VAR);
    token.is_some_and(|token| !token.is_empty())
}

/// Whether a member of a team works in the caller's folder: what the tools of a team are offered by.
pub fn is_joined(caller: &Caller) -> bool {
    let location = TeamLocation::find(&caller.cwd);
    location.is_ok_and(|place| {
        place.database().is_file() && token(caller, &place).is_ok_and(|found| found.is_some())
    })
}
