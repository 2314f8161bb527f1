//! What tools were seen to offer to their models, from one run to the next.

use agon_agents::probe::Offers;
use agon_agents::profile::{Transport, UnlistedTool};
use agon_agents::{DetectedTool, Toolbox};
use agon_caller::Caller;
use agon_store::{Offering, Offerings, SeatOffer};

/// The toolbox without agents for tools that were seen to offer something that is on no list of
/// their profile.
pub(crate) fn distrust_unlisted_offers(caller: &Caller, mut toolbox: Toolbox) -> Toolbox {
    if let Some(offerings) = offerings_store(caller) {
        toolbox.record_unlisted_tools(|found| unlisted_offers(&offerings, found));
    }
    toolbox
}

/// Keeps what was seen of a tool, if all of it could be told or something of it is on no list; what
/// could not be told stays as it was kept before.
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

/// What was kept of the version that is here; where one of the two is not known, what was kept last.
fn offering_of_version(offerings: &Offerings, found: &DetectedTool) -> Option<Offering> {
    let seen = offerings.read(&found.profile.name)?;
    let known = seen.version.is_some() && found.version.is_some();
    (!known || seen.version == found.version).then_some(seen)
}

/// What is kept of each kind of seat: what was seen now, and where not everything could be told,
/// what was kept `before` as well.
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
            // That kind of seat was not looked at this time.
            None => seats.push(old),
        }
    }
    seats
}

/// What the tool was seen to offer, as far as no list has it now.
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
