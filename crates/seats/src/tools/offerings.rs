//! Stores the tools that each AI tool offers to its model.

use agon_agents::probe::Offers;
use agon_agents::profile::{Transport, UnlistedTool};
use agon_agents::{DetectedTool, Toolbox};
use agon_caller::Caller;
use agon_store::{Offering, Offerings, SeatOffer};

/// Removes the agents of tools that offered their model a tool that their profile does not list.
pub(crate) fn remove_agents_with_unlisted_tools(caller: &Caller, mut toolbox: Toolbox) -> Toolbox {
    if let Some(offerings) = offerings_store(caller) {
        toolbox.record_unlisted_tools(|found| unlisted_offers(&offerings, found));
    }
    toolbox
}

/// Saves the observation of a tool if it is complete or found unlisted tools. Keeps the earlier
/// observation for the rest.
///
/// # Errors
///
/// If it cannot be written.
pub(crate) fn save_offers(
    caller: &Caller,
    found: &DetectedTool,
    offers: &[Offers],
) -> std::io::Result<()> {
    let failed = offers.iter().any(|offers| offers.failed.is_some());
    let unlisted = offers.iter().any(|offers| !offers.unlisted.is_empty());
    let Some(offerings) =
        offerings_store(caller).filter(|_| !offers.is_empty() && (unlisted || !failed))
    else {
        return Ok(());
    };
    let before = offering_of_version(&offerings, found);
    let before = before.map_or_else(Vec::new, |before| before.seats);
    let seats = merge_offers(offers, before);
    let offering = Offering::new(found.profile.name.clone(), found.version.clone(), seats);
    offerings.save(&offering)
}

fn offerings_store(caller: &Caller) -> Option<Offerings> {
    let dir = caller.state_dir()?;
    Some(Offerings::in_dir(dir.join("offers")))
}

/// Returns the saved observation of the installed version; if one of the versions is unknown, the
/// latest.
fn offering_of_version(offerings: &Offerings, found: &DetectedTool) -> Option<Offering> {
    let seen = offerings.read(&found.profile.name)?;
    let known = seen.version.is_some() && found.version.is_some();
    (!known || seen.version == found.version).then_some(seen)
}

/// Returns the observations to save for each kind of seat: the new observation, and also `before`
/// if the new observation is incomplete.
fn merge_offers(offers: &[Offers], before: Vec<SeatOffer>) -> Vec<SeatOffer> {
    let mut seats: Vec<_> = offers
        .iter()
        .map(|offers| SeatOffer {
            transport: offers.way.name().to_owned(),
            reads: offers.reads,
            tools: offers.names.clone(),
        })
        .collect();
    for old in before {
        let at = offers
            .iter()
            .position(|new| new.way.name() == old.transport && new.reads == old.reads);
        match at.and_then(|at| Some((offers.get(at)?, seats.get_mut(at)?))) {
            Some((offers, seat)) if offers.failed.is_some() => seat.tools.extend(old.tools),
            Some(_) => {}
            // This kind of seat was not checked this time, so keep the earlier result.
            None => seats.push(old),
        }
    }
    seats
}

/// Returns the offered tools that the profile does not list at present.
fn unlisted_offers(offerings: &Offerings, found: &DetectedTool) -> Vec<UnlistedTool> {
    let seen = offering_of_version(offerings, found);
    let mut all = Vec::new();
    for seat in seen.iter().flat_map(|seen| &seen.seats) {
        if let Some(way) = Transport::from_name(&seat.transport) {
            let reads = seat.reads;
            let names = found.profile.unlisted_tools(way, reads, &seat.tools);
            all.extend(
                names
                    .into_iter()
                    .map(|name| UnlistedTool { way, reads, name }),
            );
        }
    }
    all
}
