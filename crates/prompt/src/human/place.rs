//! Parses the evidence for a point, one line each: a place, or plain words.

use serde_json::{Map, Value, json};

/// The source of a ground in the person's own words.
const OWN: &str = "own statement";
/// The relevance of a place, which a person is not asked for.
const FOR_THIS: &str = "given in support of this point";

/// Creates a ground from a person's own words.
pub(super) fn ground_from_words(words: &str) -> Value {
    json!({ "source": OWN, "content": words, "relevance": FOR_THIS })
}

/// Parses a ground as a person writes it: `src/a.rs:10-20 "words copied from there" what they
/// show`, or plain words.
pub(super) fn parse_ground(line: &str) -> Value {
    let Some((citation, after)) = parse_place(line) else {
        return ground_from_words(line);
    };
    let named = ["file", "url"].iter();
    let source = named.filter_map(|key| citation.get(*key)?.as_str()).next();
    let shown = after.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '-' | '–' | '—' | ':' | ',')
    });
    let anchor = citation.get("anchor").and_then(Value::as_str);
    let content = match shown.trim() {
        "" => anchor.or(source).unwrap_or(OWN),
        shown => shown,
    };
    json!({
        "source": source.unwrap_or(OWN),
        "content": content,
        "relevance": FOR_THIS,
        "citation": citation,
    })
}

/// Parses the place at the beginning of `text` and returns the rest. A word with a dot counts as a
/// file only if lines or quoted words follow.
fn parse_place(text: &str) -> Option<(Map<String, Value>, &str)> {
    let (mut citation, after) = parse_file_or_url(text)?;
    if let Some((anchor, rest)) = split_quotation(after) {
        citation.insert("anchor".to_owned(), json!(anchor));
        return Some((citation, rest));
    }
    let is_plain = citation.contains_key("file") && !citation.contains_key("lines");
    (!is_plain).then_some((citation, after))
}

/// Parses the file or URL at the beginning of `text` and returns the rest.
fn parse_file_or_url(text: &str) -> Option<(Map<String, Value>, &str)> {
    let text = text.trim_start();
    let (word, after) = match text.strip_prefix('`') {
        Some(rest) => rest.split_once('`')?,
        None => match text.find(char::is_whitespace) {
            Some(at) => text.split_at(at),
            None => (text, ""),
        },
    };
    let mut citation = Map::new();
    if word.starts_with("https://") || word.starts_with("http://") {
        citation.insert("url".to_owned(), json!(word.trim_end_matches(',')));
    } else {
        let (file, lines) = match word.trim_end_matches(',').rsplit_once([':', '#']) {
            Some((file, lines)) => (file, parse_line_range(lines)),
            None => (word, None),
        };
        let file = if lines.is_some() {
            file
        } else {
            word.trim_end_matches([',', ':'])
        };
        let like_a_file = file.contains(['/', '.']) && !file.ends_with('.');
        if !like_a_file {
            return None;
        }
        citation.insert("file".to_owned(), json!(file));
        if let Some(lines) = lines {
            citation.insert("lines".to_owned(), json!(lines));
        }
    }
    Some((citation, after))
}

/// Splits the quoted words at the beginning of `text` from the rest.
fn split_quotation(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ':'));
    let open = text.chars().next()?;
    let close = match open {
        '"' | '`' => open,
        '“' => '”',
        '„' => '“',
        '«' => '»',
        _ => return None,
    };
    let rest = text.get(open.len_utf8()..)?;
    let (words, after) = rest.split_once(close)?;
    (!words.trim().is_empty()).then_some((words.trim(), after))
}

/// Parses the first and last line from `10`, `10-20`, `10..20` or `L10-L20`.
fn parse_line_range(text: &str) -> Option<[u32; 2]> {
    let number = |text: &str| {
        let digits = text.trim().trim_start_matches(['L', 'l']);
        digits.parse::<u32>().ok().filter(|line| *line > 0)
    };
    let text = text.trim().trim_matches(|c| matches!(c, '[' | ']'));
    let parts = text
        .split_once("..")
        .or_else(|| text.split_once(['-', '–', ',']));
    match parts {
        Some((first, last)) => Some([number(first)?, number(last)?]),
        None => number(text).map(|line| [line, line]),
    }
}
