//! Grades answers by code: an option's letter, or a checker.

mod expression;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use expression::expression_value;
use expression::numbers_of;

use crate::present::Presented;
use crate::question::{Checker, Question, letter_number};

/// How an answer was graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The right answer.
    Right,
    /// Another answer.
    Wrong,
    /// A text in which no answer was found.
    Unreadable,
    /// No text: the call or debate failed.
    Failed,
}

/// An answer that was read from a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The answer: the text of an option, or what the checker reads; `None` if it is unreadable.
    pub answer: Option<String>,
    /// The confidence that the text names, from 0 to 1.
    pub confidence: Option<f64>,
}

/// The relative difference up to which two numbers are equal.
const EPSILON: f64 = 1e-9;

/// Reads the answer in `text`: after the last `Answer:`, otherwise at its beginning.
pub fn read(question: &Question, presented: &Presented, text: &str) -> Reading {
    let after = after_label(text);
    let given = after.unwrap_or(text).trim();
    let answer = match &question.checker {
        None => read_option(presented, given, after.is_some()),
        Some(Checker::Text) => Some(normalise(first_line(given))).filter(|it| !it.is_empty()),
        Some(Checker::Number { .. }) => number_in(first_line(given)).map(|it| it.to_string()),
        Some(Checker::Expression { .. }) => {
            let line = first_line(given);
            let left = line.split_once('=').map_or(line, |(left, _)| left);
            let left = without_percent(left).trim_matches(|c: char| c == '`' || c.is_whitespace());
            expression_value(left).map(|_| left.to_owned())
        }
    };
    Reading {
        answer,
        confidence: percent_in(first_line(given)).map(|(percent, _)| percent / 100.0),
    }
}

/// Grades an answer that was read.
pub fn grade(question: &Question, answer: Option<&str>) -> Grade {
    let Some(answer) = answer else {
        return Grade::Unreadable;
    };
    let is_close = |found: f64, wanted: f64, tolerance: f64| {
        (found - wanted).abs() <= tolerance.max(EPSILON * wanted.abs().max(1.0))
    };
    let wanted = || number_in(&question.answer).or_else(|| expression_value(&question.answer));
    let is_right = match &question.checker {
        None => {
            let right = question
                .right_option()
                .and_then(|at| question.options.get(at));
            right.is_some_and(|right| right == answer)
        }
        Some(Checker::Text) => normalise(answer) == normalise(&question.answer),
        Some(Checker::Number { tolerance }) => match (answer.parse::<f64>(), wanted()) {
            (Ok(found), Some(wanted)) => is_close(found, wanted, *tolerance),
            _ => false,
        },
        Some(Checker::Expression { numbers }) => match (expression_value(answer), wanted()) {
            (Some(found), Some(wanted)) => {
                let mut numbers = numbers.clone();
                numbers.sort_unstable();
                is_close(found, wanted, 0.0) && numbers_of(answer) == numbers
            }
            _ => false,
        },
    };
    match is_right {
        true => Grade::Right,
        false => Grade::Wrong,
    }
}

/// Returns the text after the last `Answer:` that has one.
fn after_label(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let mut places: Vec<_> = lower.match_indices("answer").map(|(at, _)| at).collect();
    places.reverse();
    places.into_iter().find_map(|at| {
        let rest = text.get(at + "answer".len()..)?;
        let rest = rest.trim_start_matches(['*', '_', ' ']);
        let rest = rest
            .strip_prefix(':')
            .or_else(|| rest.strip_prefix("is "))?;
        let rest = rest.trim_start_matches(['*', '_', '`', ' ', ':', '\n', '[', '"']);
        (!rest.is_empty()).then_some(rest)
    })
}

/// Returns the text of the option that `given` names by its letter or text.
fn read_option(presented: &Presented, given: &str, is_labelled: bool) -> Option<String> {
    let option = |at: usize| presented.options.get(at).cloned();
    let word = given.trim_start_matches(['(', '*', '"', '`']);
    let end = word
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(word.len());
    let (letter, rest) = word.split_at(end);
    // `A lot` begins with an article, and `A) a lot` with a letter.
    let is_letter = is_labelled || rest.is_empty() || rest.starts_with([')', '.', ':', ',', '*']);
    let by_letter = letter_number(letter).filter(|_| is_letter && !rest.starts_with('\''));
    // The text of an option may begin with a letter too, such as `A cat`.
    let starts = |option: &&String| {
        let (given, option) = (given.to_lowercase(), option.to_lowercase());
        given.trim_start_matches('"').starts_with(option.trim())
    };
    let by_text = || {
        let mut found = presented.options.iter().filter(starts).collect::<Vec<_>>();
        found.sort_by_key(|option| option.len());
        found.pop().cloned()
    };
    match letter.len() == 1 && rest.starts_with(' ') {
        true => by_text().or_else(|| by_letter.and_then(option)),
        false => by_letter.and_then(option).or_else(by_text),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns the first percentage in a text, from 0 to 100, and where its number begins.
fn percent_in(text: &str) -> Option<(f64, usize)> {
    let mut places = text.match_indices('%').map(|(at, _)| at);
    places.find_map(|end| {
        let before = text.get(..end)?.trim_end();
        let digits = before.rfind(|c: char| !c.is_ascii_digit() && c != '.');
        let start = digits.map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
        let percent: f64 = before.get(start..)?.parse().ok()?;
        (0.0..=100.0).contains(&percent).then_some((percent, start))
    })
}

/// Returns a text up to its percentage and the bracket before it.
fn without_percent(text: &str) -> &str {
    match percent_in(text) {
        Some((_, start)) => {
            let head = text.get(..start).unwrap_or_default().trim_end();
            head.strip_suffix('(')
                .unwrap_or(head)
                .trim_end_matches([' ', ','])
        }
        None => text.trim_end(),
    }
}

/// Returns the first number in a text, such as -1,234.5.
pub(crate) fn number_in(text: &str) -> Option<f64> {
    let text = without_percent(text);
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text[start..].find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let digits = &text[start..end.map_or(text.len(), |end| start + end)];
    let digits = digits.trim_end_matches(['.', ',']).replace(',', "");
    let value: f64 = digits.parse().ok()?;
    let is_negative = text[..start].ends_with(['-', '−']);
    Some(if is_negative { -value } else { value })
}

/// Returns a text in small letters, with single spaces and without the punctuation around it.
fn normalise(text: &str) -> String {
    let words: Vec<_> = without_percent(text).split_whitespace().collect();
    let text = words.join(" ").to_lowercase();
    text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

#[cfg(test)]
mod tests;
