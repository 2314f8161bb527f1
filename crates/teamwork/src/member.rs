//! Identifies the caller: the member whose token the work tree has, or a person at a terminal.

use agon_caller::host_ancestry::is_started_by_host;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::mail::Trust;
use agon_team::store::{Actor, MemberToken, StoreError, Team, TeamLocation};

use super::open_team::failure;
pub(super) use agon_caller::environments::TOKEN_VAR;

/// Returns the caller's token: from its environment, otherwise from its work tree.
///
/// # Errors
///
/// Fails if the work tree's token file cannot be read.
pub(super) fn token(caller: &Caller, place: &TeamLocation) -> Result<Option<MemberToken>, Failure> {
    if let Some(text) = caller.vars.get(TOKEN_VAR).filter(|text| !text.is_empty()) {
        return Ok(Some(MemberToken::from_text(text)));
    }
    let file = place.read_token().map_err(failure)?;
    Ok(file.map(|(_, token)| token))
}

/// Returns the member of this work tree, or the person at the terminal if it has none.
///
/// # Errors
///
/// Fails if the token belongs to no member, or there is neither a token nor a person.
pub(super) fn actor(caller: &Caller, team: &Team, place: &TeamLocation) -> Result<Actor, Failure> {
    match token(caller, place)? {
        Some(token) => team.authenticate(&token).map_err(failure),
        // A terminal alone does not make a person: an AI tool may have one, too.
        None if is_person(caller) => Ok(Actor::person()),
        None => Err(Failure::new(
            Code::NotMember,
            "no member has joined the team from this folder",
        )
        .hint(
            Hint::new("join with ")
                .quoted("team join NAME --role ROLE --host HOST")
                .text(" (the lead joins too)")
                .or("run the command from a terminal"),
        )),
    }
}

/// Returns whether the caller is a person: at a terminal, and not started by an AI tool, whatever
/// the environment says.
pub(super) fn is_person(caller: &Caller) -> bool {
    caller.is_watched && !agon_caller::host_sign::is_in_host(caller) && !is_started_by_host()
}

/// Returns the caller if it is the lead or a person.
///
/// # Errors
///
/// Fails like [`actor`], or if another member calls it; `act` names what that member may not do.
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

/// Returns whether the caller is the host of a member that Agon started. Such a model gets only the
/// team's tools.
pub fn is_started_member_host(caller: &Caller) -> bool {
    let token = caller.vars.get(TOKEN_VAR);
    token.is_some_and(|token| !token.is_empty())
}

/// Returns whether a member works in the caller's folder. Only then are the team's tools offered.
pub fn is_joined(caller: &Caller) -> bool {
    let location = TeamLocation::find(&caller.cwd);
    location.is_ok_and(|place| {
        place.database().is_file() && token(caller, &place).is_ok_and(|found| found.is_some())
    })
}
