//! Which topics a text would change.

use agon_config::CostlyTopic;

use super::phrase::Phrase;
use super::sentence::{demands, head, words_of};

/// Returns the name and description of each topic that a demand in a text would change. A text that
/// speaks of debates has none: the user knows them.
pub(super) fn touched_topics(topics: &[CostlyTopic], text: &str) -> Vec<(String, String)> {
    let names_debate = |word: &String| word.starts_with("debat") || word == "agon";
    if topics.is_empty() || words_of(head(text)).iter().any(names_debate) {
        return Vec::new();
    }
    let demands = demands(text);
    let is_touched = |topic: &&CostlyTopic| {
        let mut phrases = topic.phrases.iter().map(|phrase| Phrase::parse(phrase));
        phrases.any(|phrase| {
            demands.iter().any(|demand| {
                let mut found = phrase.find_all(&demand.words).into_iter();
                let first = found.find(|range| !demand.is_negated(range));
                // A phrase of the configuration means exactly its words.
                first.is_some_and(|range| topic.about.is_empty() || !demand.is_easy(&range))
            })
        })
    };
    let touched = topics.iter().filter(is_touched);
    touched
        .map(|it| (it.name.clone(), it.about.clone()))
        .collect()
}

#[cfg(test)]
mod tests;
