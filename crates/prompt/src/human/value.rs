//! Parses the answer to one question.

use agon_record::moves::ChoiceWord;
use agon_record::text::sanitise_line;
use serde_json::{Number, Value, json};

use super::place::parse_ground;
use super::questions::AnswerKind;

/// Returns what is wrong with `text` as an answer of `kind` and how to fix it; `None` if it is
/// valid.
pub(super) fn answer_fault(kind: AnswerKind, text: &str) -> Option<(String, String)> {
    answer_value(kind, text).err()
}

/// Parses `text` as an answer of `kind`; the error has the message and the hint.
pub(super) fn answer_value(kind: AnswerKind, text: &str) -> Result<Value, (String, String)> {
    let wrong = |message: String, hint: String| Err((message, hint));
    match kind {
        AnswerKind::Text => Ok(json!(text)),
        AnswerKind::Lines => {
            let lines = split_entries(text)
                .into_iter()
                .map(|(_, entry)| Value::String(entry));
            Ok(lines.collect())
        }
        AnswerKind::Places => {
            let grounds = split_entries(text)
                .into_iter()
                .map(|(_, entry)| parse_ground(&entry));
            Ok(grounds.collect())
        }
        AnswerKind::Choice(choices) => match find_choice(text, choices) {
            Some(word) => Ok(json!(word)),
            None => wrong(
                format!("`{}` is not one of the choices", shorten(text)),
                format!("write one of: {}", list_choices(choices)),
            ),
        },
        AnswerKind::Score => {
            let number = text.replace('−', "-").replace(',', ".");
            let number = number.parse().ok().and_then(Number::from_f64);
            number.map(Value::Number).ok_or_else(|| {
                (
                    format!("`{}` is not a number", shorten(text)),
                    "write a number from -1 to 1, such as 0.35".to_owned(),
                )
            })
        }
    }
}

/// Lists the choices as a person writes them.
fn list_choices(choices: &[ChoiceWord]) -> String {
    let words = choices.iter().map(|choice| {
        let word = choice.word.strip_suffix("_attack").unwrap_or(choice.word);
        match word {
            "tradeoff" => "trade-off".to_owned(),
            word => word.replace('_', " "),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

fn find_choice(text: &str, choices: &'static [ChoiceWord]) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let said = plain(text);
    let is = |choice: &&ChoiceWord| {
        let short = choice.word.strip_suffix("_attack").unwrap_or(choice.word);
        [choice.word, short, choice.label]
            .iter()
            .any(|word| plain(word) == said)
    };
    choices.iter().find(is).map(|choice| choice.word)
}

/// Returns the entries of `text` with the number of lines before each: one per line, or one per
/// dash.
pub(super) fn split_entries(text: &str) -> Vec<(u32, String)> {
    let mut found: Vec<(u32, String)> = Vec::new();
    let mut has_dashes = false;
    for (offset, line) in (0..).zip(text.lines()) {
        let line = line.trim();
        let dash = line.strip_prefix(['-', '*']);
        let dash = dash.filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        has_dashes |= dash.is_some();
        match (dash, found.last_mut()) {
            (Some(entry), _) => found.push((offset, entry.trim().to_owned())),
            // In a list with dashes, a line without one continues the entry above.
            (None, Some((_, entry))) if has_dashes && !line.is_empty() => {
                entry.push(' ');
                entry.push_str(line);
            }
            (None, _) => found.push((offset, line.to_owned())),
        }
    }
    found.retain(|(_, entry)| !entry.is_empty());
    found
}

/// Shortens `text` for a message.
fn shorten(text: &str) -> String {
    sanitise_line(text, 40)
}
