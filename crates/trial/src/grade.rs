//! Grades answers by code: an option's letter, or a checker.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::present::Presented;
use crate::question::{Checker, Question, letter_number};
use crate::value::{expression_value, number_in, numbers_of, percent_in, without_percent};

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
            let left = without_percent(left)
                .trim_matches(|c: char| "`*$".contains(c) || c.is_whitespace());
            // Votes for the same expression are counted together.
            let plain = || left.split_whitespace().collect::<String>();
            expression_value(left).map(|_| plain().replace('×', "*").replace('÷', "/"))
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
                // A decimal would hide which numbers it uses.
                let is_whole = !answer.contains('.');
                is_close(found, wanted, 0.0) && is_whole && numbers_of(answer) == numbers
            }
            _ => false,
        },
    };
    match is_right {
        true => Grade::Right,
        false => Grade::Wrong,
    }
}

/// Returns the text after the last `Answer:` that has one, or else after the last `answer is`.
fn after_label(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let places: Vec<_> = lower.match_indices("answer").map(|(at, _)| at).collect();
    let after = |mark: &str| {
        places.iter().rev().find_map(|at| {
            let rest = text.get(at + "answer".len()..)?;
            let rest = rest
                .trim_start_matches(['*', '_', ' '])
                .strip_prefix(mark)?;
            let rest = rest.trim_start_matches(['*', '_', '`', ' ', ':', '\n', '[', '"', '$']);
            (!rest.is_empty()).then_some(rest)
        })
    };
    after(":").or_else(|| after("is "))
}

/// Returns the text of the option that `given` names by its letter or text. Without a label, the
/// option must be all of the answer, or be followed by what its letter never is in prose.
fn read_option(presented: &Presented, given: &str, is_labelled: bool) -> Option<String> {
    let line = first_line(given).trim();
    let line = line
        .strip_prefix("option ")
        .or(line.strip_prefix("Option "))
        .unwrap_or(line);
    let line = line.strip_prefix("\\boxed{").unwrap_or(line);
    let word = line.trim_start_matches(['(', '*', '"', '`', '$']);
    by_text(presented, word, is_labelled).or_else(|| by_letter(presented, word, is_labelled))
}

/// Returns the longest option with which `given` begins, as whole words.
fn by_text(presented: &Presented, given: &str, is_labelled: bool) -> Option<String> {
    let lower = given.to_lowercase();
    let fits = |option: &&String| {
        let option = option.trim().to_lowercase();
        let Some(rest) = lower.strip_prefix(&option) else {
            return false;
        };
        // A letter alone is read as such, and an option may be one.
        let is_whole = !rest.starts_with(char::is_alphanumeric) && option.chars().count() > 1;
        let is_all = without_percent(rest)
            .trim_matches(|c: char| !c.is_alphanumeric())
            .is_empty();
        is_whole && (is_all || is_labelled || rest.starts_with([',', ';', ':']) && option.len() > 3)
    };
    let found = presented.options.iter().filter(fits);
    found.max_by_key(|option| option.len()).cloned()
}

/// Returns the option whose letter `given` begins with.
fn by_letter(presented: &Presented, given: &str, is_labelled: bool) -> Option<String> {
    let end = given
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(given.len());
    let (letter, rest) = given.split_at(end);
    let at = letter_number(letter)?;
    let option = presented.options.get(at)?;
    let after = rest.trim_start_matches(['*', '`', '"', '$']);
    let spaced = after.trim_start();
    // `A lot` begins with an article, and `I do not know` with a pronoun.
    let is_letter = after.is_empty()
        || after.starts_with([')', '.', ':', '}', ']'])
        || after.starts_with([',', ';']) && is_labelled
        || spaced.starts_with(['(', '-', '–', '—'])
        || spaced
            .to_lowercase()
            .starts_with(&option.trim().to_lowercase())
        || spaced.starts_with(|c: char| c.is_ascii_digit()) && percent_in(spaced).is_some();
    is_letter.then(|| option.clone())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns a text in small letters, with single spaces and without the punctuation around it.
fn normalise(text: &str) -> String {
    let words: Vec<_> = without_percent(text).split_whitespace().collect();
    let text = words.join(" ").to_lowercase();
    text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

#[cfg(test)]
mod tests;
