//! How many words of a question stand in the sentence that answers it.

use std::collections::BTreeSet;

use rust_stemmers::{Algorithm, Stemmer};

/// Words that any sentence has, and that find nothing.
const STOP_WORDS: [&str; 48] = [
    "a", "an", "and", "are", "at", "be", "before", "by", "close", "did", "do", "does", "for",
    "from", "had", "has", "have", "her", "his", "how", "in", "is", "it", "its", "many", "near",
    "of", "off", "on", "that", "the", "their", "there", "they", "to", "under", "was", "were",
    "what", "when", "where", "which", "who", "whom", "whose", "with", "would", "as",
];

/// The words of `text` that say something, by their stems.
pub(crate) fn content_words(text: &str) -> BTreeSet<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !STOP_WORDS.contains(&word.as_str()))
        .map(|word| stemmer.stem(&word).into_owned())
        .collect()
}

/// The share of the content words of `question` that stand in `fact` too.
pub(crate) fn overlap(question: &str, fact: &str) -> f64 {
    let (question, fact) = (content_words(question), content_words(fact));
    let shared = question.intersection(&fact).count();
    shared as f64 / question.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{KINDS, fill};

    /// The most that a question in other words may share, its name included.
    const MAX_PARAPHRASED: f64 = 0.25;
    /// The least that a question in the fact's own words shares.
    const MIN_LITERAL: f64 = 0.8;

    #[test]
    fn a_paraphrase_shares_the_name_alone_with_its_fact_and_a_literal_question_most_words() {
        for kind in KINDS {
            let fact = fill(kind.fact, "Velmora", "48213");
            let literal = fill(kind.literal, "Velmora", "");
            let paraphrase = fill(kind.paraphrase, "Velmora", "");
            assert!(overlap(&literal, &fact) >= MIN_LITERAL, "{literal}");
            assert!(
                overlap(&paraphrase, &fact) <= MAX_PARAPHRASED,
                "{paraphrase}"
            );
            let shared: Vec<_> = content_words(&paraphrase)
                .intersection(&content_words(&fact))
                .cloned()
                .collect();
            assert_eq!(shared, ["velmora"], "{paraphrase}");
        }
    }

    #[test]
    fn words_are_compared_by_their_stems_and_common_ones_do_not_count() {
        assert!(
            (overlap("Did the miners reach it?", "The miner reached water.") - 1.0).abs() < 1e-9
        );
        assert!(overlap("Who was it?", "It was the miner.") < 1e-9);
        assert!((overlap("A red boat", "The blue boat") - 0.5).abs() < 1e-9);
    }
}
