//! Single words of a form: choices, ids and numbers.

use agon_record::id::NodeId;
use agon_record::moves::ChoiceWord;
use serde_json::{Number, Value};

use super::name::normalize_name;

/// Words that stand before an id and say nothing.
const FILLERS: [&str; 9] = [
    "on", "to", "of", "in", "at", "with", "for", "against", "about",
];

/// The choice that `word` names outright.
pub(super) fn find_exact_choice(
    word: &str,
    choices: &'static [ChoiceWord],
) -> Option<&'static str> {
    let word = normalize_name(word);
    let is = |choice: &&ChoiceWord| {
        let names = [Some(choice.word), choice.word.strip_suffix("_attack")];
        names.contains(&Some(&word)) || choice.also.contains(&word.as_str())
    };
    choices.iter().find(is).map(|choice| choice.word)
}

/// The choice that `words` names, also by its beginning or with an added ending ("conceded" for
/// `concede`); none when more words follow it, since they may say otherwise.
pub(super) fn find_choice_by_prefix(
    words: &str,
    choices: &'static [ChoiceWord],
) -> Option<&'static str> {
    if let Some(found) = find_exact_choice(words, choices) {
        return Some(found);
    }
    let word = normalize_name(words);
    if word.len() < 3 {
        return None;
    }
    let near = |choice: &&'static str| {
        let bare = choice.strip_suffix("_attack").unwrap_or(choice);
        let ending = word.strip_prefix(bare).filter(|_| bare.len() > 3);
        bare.starts_with(&word) || ending.is_some_and(|ending| !ending.contains('_'))
    };
    let mut found = choices.iter().map(|choice| choice.word).filter(near);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The id that `word` is, in whatever case and quotation marks.
pub(super) fn parse_node_id(word: &str) -> Option<NodeId> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.to_ascii_lowercase().parse().ok()
}

/// Every id among the words of `text`, and the first word that is none.
pub(super) fn parse_node_ids(text: &str) -> (Vec<NodeId>, Option<&str>) {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    let mut found = Vec::new();
    let mut other = None;
    for word in words {
        match parse_node_id(word) {
            Some(id) => found.push(id),
            None if normalize_name(word) == "and" => {}
            None => other = other.or(Some(word)),
        }
    }
    (found, other)
}

/// The number that `text` is, with a sign or a decimal comma if need be.
pub(super) fn parse_number(text: &str) -> Option<Value> {
    let text = text.trim().trim_matches(|c| matches!(c, '`' | '*' | '"'));
    let text = text.replace(['−', '–'], "-").replace(',', ".");
    let plain = text.strip_prefix('+').unwrap_or(&text);
    let is_sign = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    if plain.is_empty() || !plain.chars().all(is_sign) {
        return None;
    }
    let number: f64 = plain.parse().ok()?;
    Number::from_f64(number).map(Value::Number)
}

/// `text` without a leading word that says nothing, and without punctuation before it; a dash is
/// some only where white space comes after it, else it is a sign or a flag.
pub(super) fn strip_leading_fillers(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = strip_leading_punctuation(rest);
        let word = rest.split_whitespace().next().unwrap_or_default();
        let says_nothing = FILLERS
            .iter()
            .any(|filler| word.eq_ignore_ascii_case(filler));
        // Only an id comes after such a word.
        let after = rest.get(word.len()..).unwrap_or_default().trim_start();
        let next = after.split_whitespace().next().unwrap_or_default();
        if says_nothing && parse_node_id(next).is_some() {
            rest = after;
        } else {
            return rest;
        }
    }
}

fn strip_leading_punctuation(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = rest.strip_prefix([',', ':', '—', '–']).or_else(|| {
            let after = rest.strip_prefix('-')?;
            (after.is_empty() || after.starts_with(char::is_whitespace)).then_some(after)
        });
        match after {
            Some(after) => rest = after.trim_start(),
            None => return rest,
        }
    }
}
