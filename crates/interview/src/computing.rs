//! Decides whether a text is about computing.
//!
//! Asked about tabs, a small model talks about furniture, and it claims that a monorepo can be
//! composted. If the topic is about computing, an answer must be too.

use std::collections::BTreeSet;

use agon_record::options::Options;
use agon_record::words;

/// Words that are common in texts about computing and rare in others.
const COMPUTING: &str = "\
    algorithm api async backend backup browser bug cache caching code codebase coding commit \
    compile compiler concurrency config configuration coroutine cpu database debug debugging \
    dependency deploy deployment developer developing disk docker editor endpoint framework \
    frontend git graphql indent indentation indexing javascript json latency linux \
    maintainability metadata microservice monolith monorepo orm parse parser plugin postgres \
    programmer programming python query querying readability rebase refactor refactoring repo \
    repository rollback runtime scalability schema scripting server software sql sqlite syntax \
    threading toml typescript typing ui web website yaml";

/// Words that are common in texts about computing, but have other meanings elsewhere.
const AMBIGUOUS: &str = "\
    app application architecture branch build class client cloud cluster component container \
    dashboard data file format function hardware index infrastructure integration interface \
    keyboard library memory merge migration module network node object package performance \
    pipeline process production program protocol release request script session source storage \
    store system template test testing thread transaction user variable virtual workflow";

/// Names that make a topic one about computing, but not a sentence of an answer.
const NAMES: &str = "\
    angular apache aws azure bash csharp django elixir emacs golang haskell heroku java jquery \
    kotlin kubernetes mariadb memcached mongodb mysql mysqlclient nginx nodejs oracle perl php \
    postgresql react redis ruby rust scala selenium svelte tabs vim vue windows zig";

/// Words for tangible things, and for life outside work.
const TANGIBLE: &str = "\
    beach biodegradable body boss building car child children clothes composted construction \
    cooking door family food fridge fun furniture garden grocery health home house kitchen metal \
    movie music oil paper phone plastic play recycled road roof room scissors sleep speedometer \
    steel vacation water weather wood";

/// Returns whether `text` contains a computing word.
pub(crate) fn has_word_of_computing(text: &str) -> bool {
    has_word(text, COMPUTING) || has_word(text, AMBIGUOUS)
}

/// Returns whether a debate on `topic` between these options is about computing.
///
/// One ambiguous word is not enough, since stores and classes are debated elsewhere too.
pub(crate) fn is_about_computing(topic: &str, options: &Options) -> bool {
    let phrases = [&options.proposer.phrase, &options.challenger.phrase];
    let mut texts = phrases.map(String::as_str).into_iter().chain([topic]);
    texts.any(|text| {
        let ambiguous: BTreeSet<String> = words_among(text, AMBIGUOUS).collect();
        has_word(text, COMPUTING) || has_word(text, NAMES) || ambiguous.len() > 1
    })
}

/// Returns whether a lower-case word names a language or program, which an answer may mention only
/// if the topic does.
pub(crate) fn is_name_in_computing(word: &str) -> bool {
    is_among(NAMES, word)
}

/// Returns whether `text` contains a word for a tangible thing.
pub(crate) fn has_tangible_word(text: &str) -> bool {
    has_word(text, TANGIBLE)
}

fn has_word(text: &str, wanted: &str) -> bool {
    words_among(text, wanted).next().is_some()
}

/// Returns the words of `text`, as they are or in the singular, that are among `wanted`.
fn words_among(text: &str, wanted: &str) -> impl Iterator<Item = String> {
    let singular = |word: &str| match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s').unwrap_or(word).to_owned(),
    };
    let plain = words::normalize_words(text);
    let forms: Vec<_> = plain
        .split_whitespace()
        .flat_map(|word| [word.to_owned(), singular(word)])
        .collect();
    forms.into_iter().filter(|word| is_among(wanted, word))
}

/// Returns whether a word is in the space-separated list `words`.
fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use agon_record::options::{Contrast, SideOption};

    use super::*;

    #[test]
    fn tabs_of_wood_are_not_about_computing() {
        assert!(has_word_of_computing(
            "Should we write the new APIs in Rust?"
        ));
        assert!(!has_word_of_computing(
            "Tabbed furniture can be made from a variety of materials."
        ));
        assert!(has_tangible_word(
            "Space allows for flexibility, while tabs limit movement in rooms."
        ));
    }

    #[test]
    fn a_topic_is_about_computing_by_one_clear_word_or_two_others() {
        let about = |topic: &str| {
            let side = |phrase: &str| SideOption {
                name: phrase.to_owned(),
                phrase: phrase.to_owned(),
            };
            let options = Options {
                contrast: Contrast::Answers,
                proposer: side("yes"),
                challenger: side("no"),
                setting: String::new(),
            };
            is_about_computing(topic, &options)
        };
        for topic in [
            "Tabs or spaces?",
            "REST or an API?",
            "Integration tests first?",
        ] {
            assert!(about(topic), "{topic}");
        }
        for topic in [
            "Should stores open on Sundays?",
            "Trains or planes for short trips?",
        ] {
            assert!(!about(topic), "{topic}");
        }
    }
}
