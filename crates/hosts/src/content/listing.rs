//! What the list of all skills takes of a host's window.

use agon_tokens::count_tokens;

use super::Skill;

/// How much of its model's window a host gives the names and descriptions of all skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListingRoom {
    /// The host.
    pub host: &'static str,
    /// The tokens of its model's window.
    pub window: u64,
    /// The part of it that the list may take, in hundredths.
    pub percent: u64,
}

// Both hosts drop descriptions beyond this without a word. The windows are those of the smallest
// models that each of them runs by default.
/// The hosts that bound the list.
pub const LISTING_ROOMS: &[ListingRoom] = &[
    ListingRoom {
        host: "claude",
        window: 200_000,
        percent: 1,
    },
    ListingRoom {
        host: "codex",
        window: 272_000,
        percent: 2,
    },
];

impl ListingRoom {
    /// The most tokens of the list.
    pub fn limit(&self) -> u64 {
        self.window * self.percent / 100
    }
}

/// The tokens of the names and descriptions of these skills, a line each.
pub fn listing_tokens(skills: &[Skill]) -> u64 {
    let lines = skills
        .iter()
        .map(|skill| format!("{}: {}\n", skill.name, skill.description));
    count_tokens(&lines.collect::<String>()) as u64
}
