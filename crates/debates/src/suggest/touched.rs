//! Which topics a text would change.

use agon_config::CostlyTopic;

use super::phrase::Phrase;
use super::sentence::{demands, is_easy, words};

/// Returns the name and description of each topic that a demand in a text would change. A text that
/// speaks of debates has none: the user knows them.
pub(super) fn touched_topics(topics: &[CostlyTopic], text: &str) -> Vec<(String, String)> {
    let names_debate = |word: &String| word.starts_with("debat") || word == "agon";
    if topics.is_empty() || words(text).iter().any(names_debate) {
        return Vec::new();
    }
    let demands = demands(text);
    let is_touched = |topic: &&CostlyTopic| {
        let mut phrases = topic.phrases.iter().map(|phrase| Phrase::parse(phrase));
        phrases.any(|phrase| {
            let mut found = demands.iter().filter_map(|it| Some((it, phrase.find(it)?)));
            // A phrase of the configuration means exactly its words.
            found.any(|(demand, range)| topic.about.is_empty() || !is_easy(demand, &range))
        })
    };
    let touched = topics.iter().filter(is_touched);
    touched
        .map(|it| (it.name.clone(), it.about.clone()))
        .collect()
}

#[cfg(test)]
mod tests;
