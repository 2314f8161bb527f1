//! What tools were seen to offer to their models, from one run to the next.

use std::collections::BTreeSet;

use agon_agents::drift::Offers;
use agon_agents::profile::Transport;
use agon_agents::{Found, Toolbox};
use agon_store::{Offering, Offerings, SeatOffer};

use crate::edge::Edge;

/// The tools, without agents for those that were seen to offer what is on no list.
pub(crate) fn recalled(edge: &Edge, mut toolbox: Toolbox) -> Toolbox {
    if let Some(offerings) = kept(edge) {
        toolbox.distrust(|found| unlisted(&offerings, found));
    }
    toolbox
}

/// Keeps what was seen of a tool; what it could not be told of is left out.
///
/// # Errors
///
/// If it cannot be written.
pub(crate) fn keep(edge: &Edge, found: &Found, offers: &[Offers]) -> std::io::Result<()> {
    let seat = |offers: &Offers| SeatOffer {
        transport: offers.way.name().to_owned(),
        reads: offers.reads,
        tools: offers.names.clone(),
    };
    let name = found.profile.name.clone();
    let seats = offers.iter().map(seat).collect();
    let offering = Offering::new(name, found.version.clone(), seats);
    kept(edge).map_or(Ok(()), |offerings| offerings.keep(&offering))
}

fn kept(edge: &Edge) -> Option<Offerings> {
    let dir = edge.state_dir()?;
    Some(Offerings::at(dir.join("offers")))
}

/// What this very version was seen to offer, as far as no list has it now.
fn unlisted(offerings: &Offerings, found: &Found) -> Vec<String> {
    let seen = offerings.of(&found.profile.name);
    let seen = seen.filter(|seen| seen.version == found.version);
    let mut names = BTreeSet::new();
    for seat in seen.iter().flat_map(|seen| &seen.seats) {
        if let Some(way) = Transport::named(&seat.transport) {
            names.extend(found.profile.unlisted((way, seat.reads), &seat.tools));
        }
    }
    names.into_iter().collect()
}
