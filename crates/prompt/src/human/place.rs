//! Places that can be looked up, as people write them down.

use serde_json::{Map, Value, json};

/// What is wrong with a place, and what would be right.
pub(super) type Wrong = (String, &'static str);

/// What `told` names under `citation:`: the object that it is, or a place.
pub(super) fn parse_citation(told: &str) -> Result<Map<String, Value>, Wrong> {
    if let Ok(whole) = serde_json::from_str(told) {
        return Ok(whole);
    }
    let wrong = || {
        let told = agon_record::text::sanitise_line(told, 40);
        let message = format!("`{told}` is no place that can be looked up");
        (
            message,
            "a file, its lines and words copied from there, such as src/a.rs:10-20 \"words\"; else say it under source",
        )
    };
    let (mut citation, after) = parse_file_or_url(told).ok_or_else(wrong)?;
    let rest = match split_quotation(after) {
        Some((anchor, rest)) => {
            citation.insert("anchor".to_owned(), json!(anchor));
            rest
        }
        None => after,
    };
    match rest.trim().is_empty() {
        true => Ok(citation),
        false => Err(wrong()),
    }
}

/// The place that `text` begins with, such as `src/a.rs:10-20 "words"`, and what comes after it;
/// none without words that are to stand there.
pub(super) fn parse_quoted_place(text: &str) -> Option<(Map<String, Value>, &str)> {
    let (mut citation, after) = parse_file_or_url(text)?;
    let (anchor, after) = split_quotation(after)?;
    citation.insert("anchor".to_owned(), json!(anchor));
    Some((citation, after))
}

/// The file or address that `text` begins with, and what comes after it.
pub(super) fn parse_file_or_url(text: &str) -> Option<(Map<String, Value>, &str)> {
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

/// The words between quotation marks that `text` begins with, and what comes after them.
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

/// First and last line, from `10`, `10-20`, `10..20`, `L10-L20`.
pub(super) fn parse_line_range(text: &str) -> Option<[u32; 2]> {
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
