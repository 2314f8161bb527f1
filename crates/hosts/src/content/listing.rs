//! Size of the skill list in a host's context window.

use agon_tokens::count_tokens;

use super::Skill;

/// Returns the tokens of the list of these skills: name and description, one line each.
pub fn listing_tokens(skills: &[Skill]) -> u64 {
    let lines = skills
        .iter()
        .map(|skill| format!("{}: {}\n", skill.name, skill.description));
    count_tokens(&lines.collect::<String>()) as u64
}
