//! Who debates: named, proposed, behind keys, in the place of another.

pub(crate) mod alone;
pub(crate) mod fallback;
pub mod init;
pub(crate) mod interviewed;
pub(crate) mod keyed;
pub(crate) mod lost;
pub(crate) mod replace;
pub mod substitute;

/// An AI tool of a vendor that can speak, for tests.
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
