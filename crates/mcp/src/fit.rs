//! Cuts results to a size that fits into the context of a host's model.

use std::collections::BTreeMap;

use agon_tokens::{count_tokens, has_more_tokens, truncate_to_tokens};
use serde_json::Value;

// Far below the 10,000 tokens at which hosts warn, because every result stays in the model's
// context.
/// The maximum size of a result, in o200k tokens.
pub(crate) const MAX_TOKENS: usize = 1_500;

/// Tokens reserved for a note about cuts.
const NOTE_TOKENS: usize = 40;

// A token of prose, code or base64 has 2 to 6 bytes; only blanks and repeated characters make
// longer tokens. 16 bytes per token are therefore enough.
/// The number of bytes to read per allowed token.
const BYTES_PER_TOKEN: usize = 16;

/// Texts up to this number of tokens are not cut, because ids, states and names are useless in
/// part.
const MIN_CUT_TOKENS: usize = 24;

/// Cuts the longest texts of a document at word boundaries until it has at most `max` tokens, and
/// adds a note. If that is not enough, removes entries from the ends of the longest lists, with a
/// note on the number. A document that fits stays unchanged.
///
/// Reads at most 16 bytes of each text per token of `max`, so long texts cost no more time.
pub(crate) fn fit(mut document: Value, max: usize) -> Value {
    if !has_more_tokens(&document.to_string(), max) {
        return document;
    }
    cut_texts(&mut document, max);
    let room = max.saturating_sub(NOTE_TOKENS);
    let cut_at = |cap: usize| {
        let mut cut = document.clone();
        cut_texts(&mut cut, cap);
        cut
    };
    let longest = longest_text(&document);
    // Binary search for the largest cap that fits: ten steps, where a linear search takes fifty.
    let (mut cap, mut above) = (MIN_CUT_TOKENS, longest);
    while above > cap + 1 {
        let middle = cap + (above - cap) / 2;
        match has_more_tokens(&cut_at(middle).to_string(), room) {
            true => above = middle,
            false => cap = middle,
        }
    }
    let mut cut = cut_at(cap);
    let mut notes = Vec::new();
    if longest > cap {
        notes.push(format!("long texts are cut to {cap} tokens each"));
    }
    notes.extend(shorten_lists(&mut cut, room));
    if let Some(fields) = cut.as_object_mut() {
        let own = fields
            .entry("notes")
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Some(own) = own.as_array_mut() {
            own.extend(notes.into_iter().map(Value::from));
        }
    }
    cut
}

/// Removes entries from the ends of the longest lists until `value` has at most `room` tokens.
/// Returns notes on the lists and the numbers.
fn shorten_lists(value: &mut Value, room: usize) -> Vec<String> {
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    while has_more_tokens(&value.to_string(), room) {
        let Some((name, list)) = longest_list(value, "") else {
            break;
        };
        // Removes an eighth at a time, so that several lists shrink evenly.
        let kept = list.len() - list.len().div_ceil(8);
        *left_out.entry(name).or_default() += list.len() - kept;
        list.truncate(kept);
    }
    let noted = left_out.into_iter();
    noted
        .map(|(name, count)| format!("the last {count} of `{name}` are left out"))
        .collect()
}

/// Returns the largest list in `value` and the name of its field; ignores notes.
fn longest_list<'a>(value: &'a mut Value, name: &str) -> Option<(String, &'a mut Vec<Value>)> {
    let of_inner: Vec<(&str, &'a mut Value)> = match value {
        Value::Object(fields) => {
            let fields = fields.iter_mut().filter(|(name, _)| *name != "notes");
            fields.map(|(name, value)| (name.as_str(), value)).collect()
        }
        Value::Array(all) if !all.is_empty() => {
            return Some((name.to_owned(), all));
        }
        _ => return None,
    };
    let inner = of_inner.into_iter();
    inner
        .filter_map(|(name, value)| longest_list(value, name))
        .max_by_key(|(_, list)| {
            list.iter()
                .map(|entry| entry.to_string().len())
                .sum::<usize>()
        })
}

/// Returns the number of tokens of the longest text in `value`.
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
        Value::String(text) => {
            let most = text.floor_char_boundary(cap.saturating_mul(BYTES_PER_TOKEN));
            let is_long = most < text.len() || has_more_tokens(text, cap);
            if is_long {
                *text = format!("{} […]", truncate_to_tokens(&text[..most], cap));
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|value| cut_texts(value, cap)),
        Value::Object(all) => all.values_mut().for_each(|value| cut_texts(value, cap)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

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

    #[test]
    fn a_long_list_of_short_texts_loses_its_end_and_no_text_its_words() {
        let entry = |at: usize| json!({"id": format!("t{at}"), "state": "waiting_for_review"});
        let tasks: Vec<_> = (0..400).map(entry).collect();
        let document = json!({"schema": "agon.tasks/1", "tasks": tasks, "board": {"locks": tasks}});
        let cut = fit(document, 1_500);
        assert_eq!(cut["schema"], "agon.tasks/1");
        let (kept, locks) = (
            cut["tasks"].as_array().unwrap(),
            cut["board"]["locks"].as_array().unwrap(),
        );
        assert_eq!(kept[..], tasks[..kept.len()]);
        assert!(kept.len().abs_diff(locks.len()) < 10 && kept.len() > 20);
        let left = |of: &[Value]| 400 - of.len();
        assert_eq!(
            cut["notes"],
            json!([
                format!("the last {} of `locks` are left out", left(locks)),
                format!("the last {} of `tasks` are left out", left(kept)),
            ])
        );
        let tokens = count_tokens(&cut.to_string());
        assert!((1_000..=1_500).contains(&tokens), "{tokens}");
    }

    #[test]
    fn a_text_without_a_blank_is_cut_in_a_moment_whatever_its_length() {
        let began = Instant::now();
        for unbroken in ["x", "aZ4/", "\u{65e5}", "\\\""] {
            let text = unbroken.repeat(4_000_000 / unbroken.len());
            let cut = fit(json!({"answer": text, "other": "Short."}), 1_500);
            assert_eq!(cut["other"], "Short.");
            assert!(cut["answer"].as_str().unwrap().ends_with(" […]"));
            let tokens = count_tokens(&cut.to_string());
            assert!((100..=1_500).contains(&tokens), "{tokens}");
        }
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{:?}",
            began.elapsed()
        );
    }

    #[test]
    fn many_long_texts_are_cut_as_fast_as_one() {
        let texts: Vec<_> = (0..100).map(|_| "Zm9v".repeat(50_000)).collect();
        let began = Instant::now();
        let cut = fit(json!({"answers": texts}), 1_500);
        let kept = cut["answers"].as_array().unwrap();
        assert!((40..100).contains(&kept.len()), "{}", kept.len());
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "{:?}",
            began.elapsed()
        );
    }
}
