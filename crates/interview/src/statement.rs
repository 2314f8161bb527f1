//! The part of an answer that is used in a debate.

/// Words with which a sentence contradicts itself, which a side would not do; a third of a small
/// model's sentences do.
const TAKING_BACK: [&str; 8] = [
    ", but ",
    ", while ",
    ", although ",
    ", though ",
    ", whereas ",
    ", however",
    " but also ",
    " but ",
];

// Fewer words, as in "It is good, but", say nothing, so the answer is not cut there.
/// Minimum number of words before a contradicting part.
const MIN_WORDS: usize = 5;

/// Returns an answer up to the point where it contradicts itself, or all of it.
pub(crate) fn part_before_contradiction(answer: &str) -> &str {
    let part = contradiction_start(answer).and_then(|at| answer.get(..at));
    let part = part.unwrap_or(answer).trim();
    part.trim_end_matches(['"', '\u{201d}', ',', ' '])
}

/// Returns whether an answer contradicts itself.
pub(crate) fn contradicts_itself(answer: &str) -> bool {
    contradiction_start(answer).is_some()
}

/// Returns the start of the part that contradicts what precedes it.
fn contradiction_start(answer: &str) -> Option<usize> {
    let begins = TAKING_BACK.iter().filter_map(|word| answer.find(word));
    let says = |at: &usize| {
        let before = answer.get(..*at).unwrap_or_default();
        before.split_whitespace().count() >= MIN_WORDS
    };
    begins.filter(says).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_turn_ends_what_is_said_where_enough_stands_before_it() {
        for (answer, said) in [
            (
                "It is good, but not for everybody who uses it.",
                "It is good, but not for everybody who uses it.",
            ),
            (
                "Go is fast and small, while Rust is safe, but hard.",
                "Go is fast and small",
            ),
            (
                "Renting a flat can be expensive, but it is also free.",
                "Renting a flat can be expensive",
            ),
            ("SQLite is in every phone.\"", "SQLite is in every phone."),
            ("SQLite is a fast store but", "SQLite is a fast store but"),
            ("SQLite is a fast store but not", "SQLite is a fast store"),
            ("", ""),
        ] {
            assert_eq!(part_before_contradiction(answer), said, "{answer}");
            let turns = answer.trim_end_matches('"').len() > said.len();
            assert_eq!(contradicts_itself(answer), turns, "{answer}");
        }
    }
}
