//! What was written in a slot, as moves have it.

use agon_record::grammar::FieldKind;
use agon_record::moves::ChoiceWord;
use serde_json::{Value, json};

use super::choice;
use super::ground::{WrittenGround, is_none_or_blank};
use super::open::OpenSlot;
use super::problem::Problem;

/// What stands in a slot; none where nothing does, or nothing that is understood.
pub(super) fn parse_slot_value(open: &OpenSlot, problems: &mut Vec<Problem>) -> Option<Value> {
    let first = open
        .entries
        .first()
        .map(|entry| entry.trim())
        .unwrap_or_default();
    let mut wrong = |message: String, hint: String| {
        problems.push(Problem {
            ids: matches!(open.slot.kind, FieldKind::Id | FieldKind::Ids),
            ..Problem::at(open.words, &message, &hint)
        });
        None
    };
    match open.slot.kind {
        FieldKind::Text if open.slot.optional && is_none_or_blank(first) => None,
        FieldKind::Text => (!first.is_empty()).then(|| json!(first)),
        FieldKind::Texts => {
            let entries = open.entries.iter().map(|entry| entry.trim());
            let entries: Vec<_> = entries.filter(|entry| !is_none_or_blank(entry)).collect();
            (!entries.is_empty()).then(|| json!(entries))
        }
        FieldKind::Grounds(_) => {
            let grounds = open.grounds.iter().cloned();
            let grounds: Vec<_> = grounds
                .filter_map(|ground| WrittenGround::into_value(ground, problems))
                .collect();
            (!grounds.is_empty()).then(|| json!(grounds))
        }
        _ if first.is_empty() => None,
        FieldKind::Ids if open.entries.iter().all(|entry| is_none_or_blank(entry)) => None,
        FieldKind::Choice(choices) => match choice::find_choice_by_prefix(first, choices) {
            Some(choice) => Some(json!(choice)),
            None => wrong(
                format!(
                    "`{}` is none of the words for {}",
                    shorten_for_message(first),
                    open.slot.label
                ),
                format!("one of: {}", join_choice_words(choices)),
            ),
        },
        FieldKind::Id => match choice::parse_node_ids(first) {
            (ids, None) if ids.len() == 1 => Some(json!(ids.first())),
            _ => wrong(
                format!("`{}` is not the id of a point", shorten_for_message(first)),
                "name one point by its id, such as pro_001a".to_owned(),
            ),
        },
        FieldKind::Ids => {
            let mut all = Vec::new();
            for entry in &open.entries {
                let (ids, other) = choice::parse_node_ids(entry);
                if let Some(other) = other {
                    return wrong(
                        format!("`{}` is not the id of a point", shorten_for_message(other)),
                        "name points by their ids, such as pro_001a, cha_001b".to_owned(),
                    );
                }
                all.extend(ids);
            }
            Some(json!(all))
        }
        FieldKind::Score => match choice::parse_number(first) {
            Some(number) => Some(number),
            None => wrong(
                format!("`{}` is not a number", shorten_for_message(first)),
                "a number from -1 to 1, such as 0.35".to_owned(),
            ),
        },
        FieldKind::Lines | FieldKind::One(_) | FieldKind::List(_) => None,
    }
}

/// The words of `choices` in a line.
fn join_choice_words(choices: &[ChoiceWord]) -> String {
    let words: Vec<_> = choices.iter().map(|choice| choice.word).collect();
    words.join(", ")
}

fn shorten_for_message(text: &str) -> String {
    agon_record::text::sanitise_line(text, 40)
}
