//! The ruling with the sides swapped, in the debate's own names.
//!
//! `agon_record::swap` replaces the hidden names when it reads a reply, if the judge wrote them as
//! instructed. This module handles a judge that writes `A` for `side A`: only the complete record
//! shows whether the letter means something else in this debate.

use agon_record::id::Seat;
use agon_record::moves::Ruling;
use agon_record::state::State;
use agon_record::swap::{rewrite_names, swapped_side_name};
use serde_json::Value;

/// Returns the first judge's ruling with the sides swapped, without hidden names.
pub fn swap_ruling_in_own_names(state: &State) -> Option<Ruling> {
    let ruling = state.swap_ruling()?;
    let sides = side_letters_to_restore(state);
    if sides.is_empty() {
        return Some(ruling.clone());
    }
    let mut value = serde_json::to_value(ruling).ok()?;
    rewrite_strings(&mut value, &sides);
    serde_json::from_value(value)
        .ok()
        .or_else(|| Some(ruling.clone()))
}

/// Returns the letters in the hidden names with their seats, except letters that the debate uses
/// for something else, such as in `option A or option B?`.
fn side_letters_to_restore(state: &State) -> Vec<(char, Seat)> {
    let said: Vec<&str> = debate_texts(state).collect();
    let letter = |seat: Seat| Some((swapped_side_name(seat)?.chars().next_back()?, seat));
    let all: Vec<_> = [Seat::Challenger, Seat::Proposer]
        .into_iter()
        .filter_map(letter)
        .collect();
    // If the debate uses one of the letters itself, it may use both, so restore neither.
    let is_used = said
        .iter()
        .any(|text| restore_letters(text, &all) != **text);
    match is_used {
        true => Vec::new(),
        false => all,
    }
}

/// Returns the topic and the texts of both sides.
fn debate_texts(state: &State) -> impl Iterator<Item = &str> {
    let blind = [Seat::Proposer, Seat::Challenger]
        .into_iter()
        .filter_map(|seat| state.blind_answer(seat));
    let blind = blind.flat_map(|blind| [blind.answer.as_str(), blind.position.as_str()]);
    let points = state.nodes().into_iter();
    let points = points.flat_map(|node| [node.point.title(), Some(node.point.main_text())]);
    std::iter::once(state.spec.topic.as_str())
        .chain(blind)
        .chain(points.flatten())
}

fn rewrite_strings(value: &mut Value, sides: &[(char, Seat)]) {
    match value {
        Value::String(text) => *text = restore_letters(text, sides),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| rewrite_strings(item, sides)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| rewrite_strings(field, sides)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Words after which a letter names a thing, such as `option A`.
const LABELLED: &[&str] = &[
    "answer", "appendix", "case", "choice", "class", "column", "figure", "group", "model",
    "option", "part", "phase", "plan", "row", "section", "stage", "step", "table", "team", "type",
    "variant", "version", "vitamin",
];

/// Replaces each stand-alone letter that means a side with that side's name.
fn restore_letters(text: &str, sides: &[(char, Seat)]) -> String {
    rewrite_names(text, |out, rest| {
        let letter = rest.chars().next()?;
        let (_, seat) = sides.iter().find(|(known, _)| *known == letter)?;
        let after = rest.get(letter.len_utf8()..)?;
        if !is_separate_word(out, after) || follows_label_word(out) {
            return None;
        }
        let starts = starts_sentence(out);
        // At the beginning of a sentence, `A` is the article and `A's` is the side.
        if letter == 'A' && starts && !after.starts_with("'s ") && !after.starts_with("’s ") {
            return None;
        }
        let article = if starts { "The" } else { "the" };
        out.push_str(&format!("{article} {seat}"));
        Some(letter.len_utf8())
    })
}

/// Returns whether a letter between `before` and `after` is a separate word.
fn is_separate_word(before: &str, after: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || "_/\\+#-*=".contains(c);
    let next = after.chars().next();
    let dotted = after.starts_with('.') && after.chars().nth(1).is_some_and(char::is_alphanumeric);
    let bracketed = before.ends_with('(') && next == Some(')');
    let last = before.chars().next_back();
    !next.is_some_and(joins) && !last.is_some_and(|c| joins(c) || c == '.') && !dotted && !bracketed
}

fn follows_label_word(before: &str) -> bool {
    let word = before
        .trim_end()
        .rsplit(|c: char| !c.is_alphanumeric())
        .next();
    let word = word.unwrap_or_default().to_lowercase();
    LABELLED.contains(&word.strip_suffix('s').unwrap_or(&word)) || LABELLED.contains(&&*word)
}

fn starts_sentence(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\n', '"', '“', '(', '\'', '‘']);
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '…'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [(char, Seat); 2] = [('A', Seat::Challenger), ('B', Seat::Proposer)];

    #[test]
    fn a_letter_that_stands_for_a_side_becomes_its_name() {
        for (text, named) in [
            (
                "The fault made B drop it, yet A ruled it fair",
                "The fault made the proposer drop it, yet the challenger ruled it fair",
            ),
            (
                "B's answer; A, too.",
                "The proposer's answer; the challenger, too.",
            ),
            ("A's last word", "The challenger's last word"),
            ("as (B) said? B did", "as (B) said? The proposer did"),
        ] {
            assert_eq!(restore_letters(text, &BOTH), named);
        }
    }

    #[test]
    fn a_letter_that_is_something_else_stays() {
        for text in [
            "A test that fails. A whole line.",
            "option A or plan B",
            "A/B tests of a B-tree in C",
            "B+ and A.b and options A",
            "xA B_",
            "",
        ] {
            assert_eq!(restore_letters(text, &BOTH), text);
        }
    }
}
