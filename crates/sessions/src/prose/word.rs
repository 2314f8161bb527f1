//! Splits text into words, and tells content words from stop words.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::SeededHash;

/// Stop words.
static STOP_WORDS: LazyLock<HashSet<&str, SeededHash>> =
    LazyLock::new(|| include_str!("stop_words.txt").split_whitespace().collect());

/// Returns whether a lowercase word is a stop word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// Returns whether a word in any case is a stop word.
pub(crate) fn is_stop_word_in_any_case(word: &str) -> bool {
    match word
        .bytes()
        .any(|it| !it.is_ascii() || it.is_ascii_uppercase())
    {
        true => is_stop_word(&word.to_lowercase()),
        false => is_stop_word(word),
    }
}

/// Returns runs of letters and digits, with the characters that join paths, flags and names.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| {
        !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '\\'))
    })
    .map(|run| run.trim_matches(['.', '/', ':', '@', '\\', '-']))
    .filter(|run| !run.is_empty())
}

/// Returns the words within a run.
pub(crate) fn parts(run: &str) -> impl Iterator<Item = &str> {
    run.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|part| !part.is_empty())
}

/// Returns a case-insensitive lookup key of a word.
pub(crate) fn key(word: &str) -> u64 {
    // FNV-1a, which hashes tens of megabytes of words without allocating.
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A map with word keys.
pub(crate) type KeyMap<V> = HashMap<u64, V, SeededHash>;

/// A set of word keys.
pub(crate) type KeySet = HashSet<u64, SeededHash>;

/// Returns the word without endings for number and tense.
pub(crate) fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let cut = |end: &str| {
        word.strip_suffix(end)
            .filter(|rest| rest.chars().count() >= 4 && !rest.contains('_'))
            .map(str::to_owned)
    };
    let stem = cut("ies")
        .map(|rest| rest + "y")
        .or_else(|| cut("ing"))
        .or_else(|| cut("ed"))
        .or_else(|| cut("es"));
    let stem = stem.unwrap_or_else(|| match word.strip_suffix('s') {
        Some(rest) if rest.len() >= 3 && !rest.ends_with('s') => rest.to_owned(),
        _ => word.clone(),
    });
    match stem.strip_suffix('e') {
        Some(rest) if rest.len() >= 4 => rest.to_owned(),
        _ => stem,
    }
}

/// Returns the distinct stems of the content words, in order.
pub(crate) fn content_stems(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    let mut met = KeySet::default();
    for part in runs(text).flat_map(parts) {
        let small = part.to_lowercase();
        if small.len() < 2 || is_stop_word(&small) {
            continue;
        }
        let stem = stem(&small);
        if met.insert(key(&stem)) {
            stems.push(stem);
        }
    }
    stems
}

/// Returns whether a run is a path, a flag or a compound identifier.
pub(crate) fn is_code_like(run: &str) -> bool {
    let letters = run.chars().filter(|c| c.is_alphabetic()).count();
    let joined = run.contains(['_', '/', '\\']) || run.contains("::");
    let dotted = run.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty()
            && (1..=5).contains(&end.len())
            && end.chars().all(|c| c.is_ascii_lowercase())
    });
    let humped = run
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    letters >= 2 && run.len() >= 4 && (joined || dotted || humped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_and_tense_do_not_tell_words_apart() {
        for (one, other) in [
            ("tests", "test"),
            ("Listening", "listens"),
            ("databases", "database"),
            ("retries", "retry"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
        assert_ne!(stem("staging"), stem("stable"));
    }

    #[test]
    fn names_of_code_are_told_from_words() {
        for name in [
            "src/a.rs",
            "parse_config",
            "config.toml",
            "camelCase",
            "a::bc",
        ] {
            assert!(is_code_like(name), "{name}");
        }
        for word in ["word", "well-known", "1.2", "end.", "U.S"] {
            assert!(!is_code_like(word), "{word}");
        }
    }

    #[test]
    fn words_that_stand_in_any_text_say_nothing() {
        assert_eq!(
            content_stems("What is the port of the staging database?"),
            ["port", "staging", "database"].map(stem)
        );
    }
}
