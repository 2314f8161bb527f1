//! Chooses who debates: named, proposed, behind API keys, or as a substitute.

mod api_models;
#[cfg(feature = "local-model")]
mod built_in;
pub(crate) mod consent;
pub(crate) mod debaters;
pub(crate) mod duel;
pub(crate) mod formal_seats;
pub mod init;
pub(crate) mod interviewed;
pub(crate) mod lost_seat;
pub(crate) mod replace;
pub(crate) mod seated;
pub mod substitute;
mod wishes;

/// Returns an AI tool of a vendor that is ready, for tests.
#[cfg(test)]
pub(crate) fn candidate(tool: &str, vendor: &str) -> agon_seats::seating::Candidate {
    agon_seats::seating::Candidate {
        tool: tool.parse().unwrap(),
        vendor: vendor.to_owned(),
        version: None,
        unmeasured: false,
        transport: "cli",
        budget: None,
        classes: None,
        takes_effort: Some(true),
        untested: false,
        is_tool: true,
        ready: agon_seats::seating::Ready::Yes,
    }
}
