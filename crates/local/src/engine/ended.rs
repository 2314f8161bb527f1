//! Texts that were cut off at their length end where a sentence or a word does.

use serde_json::Value;

/// Shortens every text in a JSON answer that reached its `maxLength` to its last whole sentence or
/// word.
pub(super) fn trim_cut_answer(answer: String, schema: &Value) -> String {
    let Ok(mut value) = serde_json::from_str(&answer) else {
        return answer;
    };
    if trim_cut_texts(&mut value, schema) {
        value.to_string()
    } else {
        answer
    }
}

/// Whether something was cut.
fn trim_cut_texts(value: &mut Value, schema: &Value) -> bool {
    let schema = schema.pointer("/anyOf/0").unwrap_or(schema);
    match value {
        Value::Object(members) => {
            let cut = |(name, member): (&String, &mut Value)| {
                trim_cut_texts(member, &schema["properties"][name])
            };
            members
                .iter_mut()
                .map(cut)
                .fold(false, |any, one| any | one)
        }
        Value::Array(items) => {
            let items = items.iter_mut().enumerate();
            let cut = |(at, item): (usize, &mut Value)| {
                let place = schema["prefixItems"].get(at);
                trim_cut_texts(item, place.unwrap_or(&schema["items"]))
            };
            items.map(cut).fold(false, |any, one| any | one)
        }
        Value::String(text) => {
            let bound = |key: &str| schema[key].as_u64().and_then(|n| usize::try_from(n).ok());
            let most = bound("maxLength").unwrap_or(usize::MAX);
            if text.chars().count() < most {
                return false;
            }
            let short = trim_to_sentence_or_word(text, bound("minLength").unwrap_or(0));
            let is_shorter = short.len() < text.len();
            *text = short;
            is_shorter
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The text up to its last whole sentence, else its last whole word, with `least` signs at least.
fn trim_to_sentence_or_word(text: &str, least: usize) -> String {
    let long = |part: &&str| !part.is_empty() && part.chars().count() >= least;
    let sentence = text.rfind(['.', '!', '?']).map(|at| &text[..=at]);
    let word = text
        .rfind(' ')
        .map(|at| text[..at].trim_end_matches([' ', ',', ';', ':']));
    let part = sentence.filter(long).or(word.filter(long));
    part.unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_that_reached_its_length_ends_with_a_sentence_or_a_word() {
        let text = |least: u64, most: u64| json!({ "type": "string", "minLength": least, "maxLength": most });
        let of = |said: &str, schema: &Value| {
            let answer = json!({ "a": [said] }).to_string();
            let list = json!({ "prefixItems": [schema] });
            let schema = json!({ "anyOf": [{ "properties": { "a": list } }] });
            let value: Value = serde_json::from_str(&trim_cut_answer(answer, &schema)).unwrap();
            value["a"][0].as_str().unwrap().to_owned()
        };
        assert_eq!(of("It works. Then it fai", &text(3, 21)), "It works.");
        assert_eq!(
            of("It works. Then it fai", &text(12, 21)),
            "It works. Then it"
        );
        assert_eq!(
            of("It works. Then it fai", &text(3, 22)),
            "It works. Then it fai"
        );
        assert_eq!(of("没有空格的文字", &text(3, 7)), "没有空格的文字");
        assert_eq!(of("", &text(0, 0)), "");
        assert_eq!(trim_cut_answer("no JSON".to_owned(), &json!({})), "no JSON");
    }
}
