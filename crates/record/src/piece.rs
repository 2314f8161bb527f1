//! Formats small texts for a line of a prompt.

use serde::Serialize;

use crate::moves::{Citation, Ground};
use crate::text::strip_invisible_characters;

/// Cleans and trims `text` and indents its further lines, so that none of them looks like a list
/// item.
pub fn clean_list_item(text: &str) -> String {
    strip_invisible_characters(text)
        .trim()
        .replace('\n', "\n  ")
}

/// Returns `text` on one line, cut to about `max` characters.
pub fn single_line(text: &str, max: usize) -> String {
    let text = strip_invisible_characters(text);
    let words: Vec<_> = text.split_whitespace().collect();
    truncate_at_word(&words.join(" "), max)
}

/// Returns the first `max` characters of `text`, cut at a word boundary if there is one.
pub fn truncate_at_word(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else {
        return text.to_owned();
    };
    let kept = text.get(..end).unwrap_or_default();
    let kept = match kept.rfind(char::is_whitespace) {
        Some(space) if space > end / 2 => kept.get(..space).unwrap_or(kept),
        Some(_) | None => kept,
    };
    format!("{} …", kept.trim_end())
}

/// Returns the serialized name of a variant without fields, such as `tradeoff`.
pub fn variant_name<T: Serialize>(variant: &T) -> String {
    match serde_json::to_value(variant) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(_) | Err(_) => String::new(),
    }
}

/// Formats a ground as a list item of three lines.
pub fn format_ground(ground: &Ground) -> String {
    let Ground {
        source,
        content,
        relevance,
        citation,
    } = ground;
    let source = clean_list_item(source);
    let source = match citation.as_ref().and_then(format_citation_place) {
        Some(place) if place.starts_with(&source) => place,
        Some(place) => format!("{source} ({place})"),
        None => source,
    };
    let (content, relevance) = (clean_list_item(content), clean_list_item(relevance));
    format!("- Ground: {content}\n  Source: {source}\n  Relevance: {relevance}\n")
}

/// Formats the place of a citation, with the quoted words.
pub fn format_citation_place(citation: &Citation) -> Option<String> {
    let Citation {
        file,
        lines,
        commit,
        url,
        document,
        anchor,
        command,
        output,
        reasoning,
    } = citation;
    let mut out = Vec::new();
    if let Some(file) = file {
        let lines = lines.map(|[from, to]| match from == to {
            true => format!(":{from}"),
            false => format!(":{from}-{to}"),
        });
        out.push(format!(
            "{}{}",
            clean_list_item(file),
            lines.unwrap_or_default()
        ));
    }
    let named = [
        ("at commit", commit),
        ("url", url),
        ("document", document),
        ("command", command),
        ("printed", output),
        ("reasoning", reasoning),
    ];
    for (name, value) in named {
        out.extend(
            value
                .iter()
                .map(|value| format!("{name} {}", clean_list_item(value))),
        );
    }
    out.extend(
        anchor
            .iter()
            .map(|anchor| format!("reads `{}`", clean_list_item(anchor))),
    );
    (!out.is_empty()).then(|| out.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_whole_words_and_says_that_it_cut() {
        assert_eq!(truncate_at_word("one two three", 13), "one two three");
        assert_eq!(truncate_at_word("one two three", 12), "one two …");
        assert_eq!(truncate_at_word("ééééé", 3), "ééé …");
    }

    #[test]
    fn a_further_line_cannot_pass_for_an_item() {
        assert_eq!(
            clean_list_item(" a\r\n### cha_001a\u{2028}- b "),
            "a\n  ### cha_001a\n  - b"
        );
    }

    #[test]
    fn a_place_says_all_that_the_citation_says() {
        let citation = Citation {
            file: Some("src/a.rs".to_owned()),
            lines: Some([3, 9]),
            commit: Some("3f1c9ae".to_owned()),
            anchor: Some("let a".to_owned()),
            ..Citation::default()
        };
        let said = "src/a.rs:3-9, at commit 3f1c9ae, reads `let a`";
        assert_eq!(format_citation_place(&citation), Some(said.to_owned()));
        assert_eq!(format_citation_place(&Citation::default()), None);
    }
}
