//! What the list of all skills takes of a host's window.

use agon_tokens::count_tokens;

use super::Skill;

/// The tokens of the names and descriptions of these skills, a line each.
pub fn listing_tokens(skills: &[Skill]) -> u64 {
    let lines = skills
        .iter()
        .map(|skill| format!("{}: {}\n", skill.name, skill.description));
    count_tokens(&lines.collect::<String>()) as u64
}
