//! Finds unanswered questions of the user to the model and of the model to the user.

use serde_json::Value;

use super::Quotation;
use crate::prose::{Quotes, phrases, sentences};
use crate::{Entry, EntryKind, ToolCall, ToolKind};

/// Most characters quoted of a question.
const MAX_CHARS: usize = 300;

/// Returns the questions that are open at the end of the session, in order.
pub(super) fn open_questions(entries: &[&Entry], quotes: &mut Quotes) -> Vec<Quotation> {
    // Each open question has the id of the tool call that asked it, if any.
    let mut open: Vec<(Option<&str>, Quotation)> = Vec::new();
    for entry in entries {
        match &entry.kind {
            EntryKind::Prompt(text) => {
                // The user's next message answers the model's question, whatever it says.
                open.retain(|(_, it)| it.is_of_user);
                let asked = sentences(text.as_str()).into_iter();
                for sentence in asked.filter(|it| it.is_question()) {
                    let words = quotes.excerpt(text, sentence.text, MAX_CHARS);
                    open.push((None, Quotation::new(entry, words)));
                }
            }
            EntryKind::Text(text) => {
                // The model's next message answers the user's question, and what the model asked
                // itself. It does not answer what only the user can.
                open.retain(|(call, it)| {
                    !it.is_of_user && (call.is_some() || is_to_user(&it.words))
                });
                let all = sentences(text.as_str());
                let last = all.len().saturating_sub(1);
                for (at, sentence) in all.iter().enumerate() {
                    // Any question at the end of a message is put to the user, at least if the
                    // model then stops.
                    let asks = sentence.is_question() && (at == last || is_to_user(sentence.text));
                    if asks {
                        let words = quotes.excerpt(text, sentence.text, MAX_CHARS);
                        open.push((None, Quotation::new(entry, words)));
                    }
                }
            }
            EntryKind::Call(call) if call.kind == ToolKind::Ask => {
                for words in questions_of(call) {
                    let words = quotes.quote_argument(words, MAX_CHARS);
                    open.push((Some(call.id.as_str()), Quotation::new(entry, words)));
                }
            }
            EntryKind::Result(result) => {
                open.retain(|(call, _)| *call != Some(result.call.as_str()));
            }
            _ => {}
        }
    }
    open.into_iter().map(|(_, it)| it).collect()
}

/// Returns whether only the user can answer a question, as in "may I add it?"
fn is_to_user(question: &str) -> bool {
    phrases().to_user.is_match(question)
}

/// Returns the questions in the arguments of a tool that asks the user.
fn questions_of(call: &ToolCall) -> Vec<&str> {
    let many = call.arguments.get("questions").and_then(Value::as_array);
    let many = many.into_iter().flatten();
    let question = |value| Value::get(value, "question").and_then(Value::as_str);
    many.filter_map(question)
        .chain(question(&call.arguments))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Location, ToolResult};

    fn open(kinds: Vec<EntryKind>) -> Vec<(String, bool)> {
        let entries: Vec<Entry> = (0_u64..)
            .zip(kinds)
            .map(|(index, kind)| Entry {
                index,
                turn: 1,
                call: 1,
                agent: None,
                copied: false,
                location: Location::Line {
                    line: index,
                    byte: 0,
                },
                time: None,
                kind,
            })
            .collect();
        let all: Vec<&Entry> = entries.iter().collect();
        open_questions(&all, &mut Quotes::default())
            .into_iter()
            .map(|it| (it.words, it.is_of_user))
            .collect()
    }

    fn prompt(text: &str) -> EntryKind {
        EntryKind::Prompt(text.into())
    }

    fn said(text: &str) -> EntryKind {
        EntryKind::Text(text.into())
    }

    #[test]
    fn a_question_of_the_user_is_open_until_the_model_says_something() {
        let found = open(vec![
            prompt("Why is it slow?"),
            said("It reads the file twice."),
            prompt("Can it be cached? Do it then."),
            EntryKind::Aborted,
            prompt("Wait."),
        ]);
        assert_eq!(found, [("Can it be cached?".to_owned(), true)]);
    }

    #[test]
    fn a_question_of_the_model_is_open_until_the_user_says_something() {
        let asks = || said("I made the table. Shall I drop the old one?");
        let found = open(vec![prompt("Make a table."), asks()]);
        assert_eq!(found, [("Shall I drop the old one?".to_owned(), false)]);
        assert_eq!(open(vec![asks(), prompt("Yes.")]), []);
        // It answers that itself.
        let found = open(vec![said("Why is it slow? It reads the file twice.")]);
        assert_eq!(found, []);
    }

    #[test]
    fn a_question_to_the_user_stays_open_where_the_model_works_on() {
        let call = || {
            EntryKind::Call(ToolCall {
                id: "c".to_owned(),
                name: "Bash".to_owned(),
                kind: ToolKind::Run,
                arguments: json!({"command": "cargo test"}),
            })
        };
        let asked = "I would like a variant `Unterminated`; may I add it?";
        let found = open(vec![
            prompt("Read raw strings."),
            said(&format!("1. Count the hashes. {asked} Then I test it.")),
            call(),
            said("Why does it fail?"),
            call(),
            said("The module is private."),
        ]);
        assert_eq!(found, [(asked.to_owned(), false)]);
        let found = open(vec![
            said("Soll ich das löschen?"),
            call(),
            said("Es ist grün."),
        ]);
        assert_eq!(found, [("Soll ich das löschen?".to_owned(), false)]);
        assert_eq!(open(vec![said(asked), call(), prompt("Hm.")]), []);
    }

    #[test]
    fn a_tool_that_asks_is_open_until_it_has_a_result() {
        let call = EntryKind::Call(ToolCall {
            id: "c".to_owned(),
            name: "AskUserQuestion".to_owned(),
            kind: ToolKind::Ask,
            arguments: json!({"questions": [{"question": "Which database?"}]}),
        });
        let result = EntryKind::Result(ToolResult {
            call: "c".to_owned(),
            text: "SQLite".into(),
            whole: None,
            failure: None,
        });
        let asked = [("Which database?".to_owned(), false)];
        assert_eq!(open(vec![call.clone()]), asked);
        assert_eq!(open(vec![call, result]), []);
    }
}
