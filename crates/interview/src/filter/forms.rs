//! Words and their inflected forms.

use agon_record::similarity::subject_words;
use agon_record::words;

/// Number of characters of a stem that identify a word: `rent` in `renting`.
const STEM: usize = 4;

/// Returns the words that distinguish an option from another; all words if none does.
pub(super) fn distinguishing_words(phrase: &str) -> Vec<String> {
    let telling = subject_words(phrase);
    match telling.is_empty() {
        true => plain_words(phrase),
        false => telling,
    }
}

/// Returns the words of a text in lower case.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    let plain = words::normalize_words(text);
    plain
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns whether a word, or another form of it, is in `words`.
pub(super) fn contains_form_of(words: &[String], word: &str) -> bool {
    words.iter().any(|known| is_same_word(known, word))
}

/// Returns whether two words are forms of the same word: `rent` and `renting`, `file` and `files`.
pub(super) fn is_same_word(one: &str, other: &str) -> bool {
    let (one, other) = (stem(one), stem(other));
    let (short, long) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    let rest = long.len() - short.len();
    short == long || (short.len() >= STEM && long.starts_with(short) && rest <= 4)
}

/// Returns a word without its ending.
fn stem(word: &str) -> &str {
    let endings = ["ings", "ing", "ies", "ed", "es", "s", "e", "y"];
    let ending = endings
        .iter()
        .find(|ending| word.ends_with(**ending) && word.len() >= ending.len() + 3);
    let word = ending
        .and_then(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    // Undo a doubled letter: `bann`, from `banning`, becomes `ban`.
    let letters = word.as_bytes();
    match letters {
        [.., a, b] if ending.is_some() && a == b && letters.len() > 3 => &word[..word.len() - 1],
        _ => word,
    }
}
