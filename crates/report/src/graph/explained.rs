//! What the words and numbers of a picture mean, as far as they stand in it.

use super::Drawing;

/// The words beside edges and in boxes, with their meaning.
const WORDS: &[(&str, &str)] = &[
    ("claim", "what is attacked: the claim itself"),
    ("grounds", "what is attacked: what the point rests on"),
    (
        "warrant",
        "what is attacked: the step from grounds to claim",
    ),
    ("backing", "what is attacked: what carries that step"),
    (
        "blocker",
        "an objection by which the position falls if it stands",
    ),
    ("major", "an objection that must be answered"),
    ("minor", "an objection worth saying"),
    ("rebuts", "an answer: the objection is wrong"),
    (
        "trades off",
        "an answer: the objection is right and does not decide",
    ),
    ("concedes", "an answer: the objection is right"),
    ("concede and pivot", "gives an own argument up and moves on"),
    ("withdraws", "takes an own objection back"),
    ("agrees", "accepts a point of the other side"),
    ("upholds", "a ruling: the objection still stands"),
    ("resolved", "a ruling: the answer settles the objection"),
    ("sustained", "a ruling: the answer does not settle it"),
    ("dodged", "a ruling: the answer speaks of something else"),
    (
        "unsupported",
        "nothing carries the point, or the answer to an objection",
    ),
    ("reframed", "a ruling: the answer changes the question"),
    ("reinforce", "supports an earlier argument further"),
    ("clarify", "says what an earlier argument really said"),
    (
        "wrong citation",
        "the point cites a place that does not have its words",
    ),
    (
        "cites a missing place",
        "the point cites a place that does not exist",
    ),
];

// What a judge may give, by the rules of a formal debate.
const SCORE: (&str, &str) = (
    "+0.35",
    "a judge's score: from -1, refuted, to +1, unanswerable; the new ones of an exchange sum to 0",
);

/// The words that stand in `drawing`, with their meaning.
pub(crate) fn explained_words_of(drawing: &Drawing) -> Vec<(&'static str, &'static str)> {
    let labels = drawing.edges.iter().map(|edge| edge.label.as_str());
    let notes = drawing.nodes.iter().filter_map(|node| node.note.as_deref());
    let all: Vec<&str> = labels.chain(notes.clone()).collect();
    let stands = |word: &str| all.iter().any(|text| text.contains(word));
    let words = WORDS.iter().filter(|(word, _)| stands(word)).copied();
    let is_score = |note: &str| note.starts_with(['+', '-', '\u{2212}']);
    let score = notes.clone().any(is_score).then_some(SCORE);
    words.chain(score).collect()
}
