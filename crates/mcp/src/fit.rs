//! Results that a host's model has room for.

use agon_app::heard::{beginning_within, count_tokens};
use serde_json::Value;

// A host warns its user of results of 10,000 tokens, and what it is given stays in its context.
/// The most o200k tokens of a result.
pub(crate) const MAX_TOKENS: usize = 1_500;

/// What a note about it takes.
const NOTE_TOKENS: usize = 40;

/// The document with its longest texts cut, each at a word, so that the whole takes at most `max`
/// tokens; a note says so. What fits stays as it is.
pub(crate) fn fit(document: Value, max: usize) -> Value {
    let text = document.to_string();
    // No token is shorter than a byte: what is small needs no tokenizer, which takes 30 MB.
    if text.len() <= max || count_tokens(&text) <= max {
        return document;
    }
    let mut cap = longest_text(&document);
    let mut cut = loop {
        cap = cap * 9 / 10;
        let mut cut = document.clone();
        cut_texts(&mut cut, cap);
        if cap == 0 || count_tokens(&cut.to_string()) + NOTE_TOKENS <= max {
            break cut;
        }
    };
    if let Some(fields) = cut.as_object_mut() {
        let notes = fields
            .entry("notes")
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Some(notes) = notes.as_array_mut() {
            notes.push(format!("long texts are cut, at {cap} tokens each").into());
        }
    }
    cut
}

/// The tokens of the longest text in `value`.
fn longest_text(value: &Value) -> usize {
    match value {
        Value::String(text) => count_tokens(text),
        Value::Array(all) => all.iter().map(longest_text).max().unwrap_or(0),
        Value::Object(all) => all.values().map(longest_text).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

fn cut_texts(value: &mut Value, cap: usize) {
    match value {
        Value::String(text) if count_tokens(text) > cap => {
            *text = format!("{} […]", beginning_within(text, cap));
        }
        Value::Array(all) => all.iter_mut().for_each(|value| cut_texts(value, cap)),
        Value::Object(all) => all.values_mut().for_each(|value| cut_texts(value, cap)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_stays_and_what_does_not_is_cut_with_a_note() {
        let small = json!({"answer": "Yes.", "notes": ["asked once"]});
        assert_eq!(fit(small.clone(), 200), small);
        let long = "A line with \"quotes\" in it.\n".repeat(200);
        let cut = fit(json!({"answer": long, "notes": ["asked once"]}), 200);
        let answer = cut["answer"].as_str().unwrap();
        assert!(answer.ends_with(" […]") && long.starts_with(&answer[..60]));
        assert_eq!(cut["notes"].as_array().unwrap().len(), 2);
        let tokens = count_tokens(&cut.to_string());
        assert!((100..=200).contains(&tokens), "{tokens}");
    }

    #[test]
    fn several_long_texts_are_cut_alike_and_a_short_one_stays_whole() {
        let long = "word ".repeat(2_000);
        let answers = json!([{"response": long}, {"response": "Short."}, {"response": long}]);
        let cut = fit(json!({"answers": answers}), 600);
        let answers = &cut["answers"];
        assert_eq!(answers[1]["response"], "Short.");
        assert_eq!(answers[0], answers[2]);
        assert!(answers[0]["response"].as_str().unwrap().len() > 900);
        assert!(count_tokens(&cut.to_string()) <= 600);
    }
}
