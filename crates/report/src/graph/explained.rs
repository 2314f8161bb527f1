//! Explains the words and numbers that appear in a picture.

use super::Drawing;

/// The words beside edges and in boxes, with their meanings.
const WORDS: &[(&str, &str)] = &[
    ("claim", "attacks the claim itself"),
    ("grounds", "attacks the facts that the point rests on"),
    ("warrant", "attacks the step from the grounds to the claim"),
    ("backing", "attacks the support for the warrant"),
    (
        "blocker",
        "an objection that defeats the position if it is right",
    ),
    ("major", "an objection that must be answered"),
    ("minor", "an objection worth mentioning"),
    ("rebuts", "an answer: the objection is wrong"),
    (
        "trades off",
        "an answer: the objection is right but not decisive",
    ),
    ("concedes", "an answer: the objection is right"),
    (
        "concede and pivot",
        "gives up one of its own arguments and moves on",
    ),
    ("withdraws", "withdraws its own objection"),
    ("agrees", "accepts a point of the other side"),
    ("upholds", "a ruling: the objection is still right"),
    ("resolved", "a ruling: the answer settles the objection"),
    ("sustained", "a ruling: the answer does not settle it"),
    ("dodged", "a ruling: the answer avoids the objection"),
    (
        "unsupported",
        "nothing supports the point, or the answer to an objection",
    ),
    ("reframed", "a ruling: the answer changes the question"),
    ("reinforce", "supports an earlier argument further"),
    ("clarify", "explains what an earlier argument meant"),
    (
        "wrong citation",
        "the cited place does not contain the quoted words",
    ),
    ("cites a missing place", "the cited place does not exist"),
];

// Stands for every score; explained if any box shows one.
const SCORE: (&str, &str) = (
    "+0.35",
    "a judge's score, from -1 (refuted) to +1 (unanswerable); an exchange's new scores sum to 0",
);

/// Returns the words that appear in `drawing`, with their meanings.
pub(crate) fn word_explanations(drawing: &Drawing) -> Vec<(&'static str, &'static str)> {
    let labels = drawing.edges.iter().map(|edge| edge.label.as_str());
    let notes = drawing.nodes.iter().filter_map(|node| node.note.as_deref());
    let all: Vec<&str> = labels.chain(notes.clone()).collect();
    let stands = |word: &str| all.iter().any(|text| text.contains(word));
    let words = WORDS.iter().filter(|(word, _)| stands(word)).copied();
    let is_score = |note: &str| note.starts_with(['+', '-', '\u{2212}']);
    let score = notes.clone().any(is_score).then_some(SCORE);
    words.chain(score).collect()
}
