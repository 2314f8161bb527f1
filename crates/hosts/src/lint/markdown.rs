//! Reads Markdown with YAML front matter.

use serde_json::{Map, Value};

use super::finding::Findings;
use super::keys::Source;
use crate::content::front_matter::{self, DividedText};
use crate::level::LintLevel;

/// A file divided into its parts, with parsed front matter.
#[derive(Debug)]
pub(super) struct Markdown<'a> {
    pub(super) front: Map<String, Value>,
    pub(super) source: Source<'a>,
    pub(super) body: &'a str,
}

/// Reads `text` and reports errors in its front matter and, with the severity `empty`, an empty body.
pub(super) fn read<'a>(
    text: &'a str,
    empty: LintLevel,
    findings: &mut Findings,
) -> Option<Markdown<'a>> {
    let DividedText { front, body } = match front_matter::divide(text, "---") {
        Ok(parts) => parts,
        Err(error) => {
            findings.add("front-matter", 1, error.to_string());
            return None;
        }
    };
    let has_fault = check_lines(front, findings);
    let source = Source {
        text: front,
        before: 1,
    };
    let front = match serde_yaml_ng::from_str::<Value>(front) {
        Ok(Value::Object(front)) => front,
        Ok(Value::Null) => Map::new(),
        Ok(_) => {
            findings.add("yaml", 2, "its front matter is not a map");
            return None;
        }
        // The tab or unquoted value that was just reported is the reason, so one message is enough.
        Err(_) if has_fault => return None,
        Err(error) => {
            let line = error.location().map_or(1, |place| place.line());
            findings.add(
                "yaml",
                line + 1,
                format!("its front matter is not YAML: {error}"),
            );
            return None;
        }
    };
    if body.trim().is_empty() {
        let line = text.lines().count().max(1);
        findings.add_with_level(
            empty,
            "empty-body",
            line,
            "nothing follows its front matter",
        );
    }
    Some(Markdown {
        front,
        source,
        body,
    })
}

/// Reports tabs, which YAML rejects, and unquoted values that readers interpret differently. Returns
/// whether there are any.
fn check_lines(front: &str, findings: &mut Findings) -> bool {
    let mut block_indent = None;
    let mut has_fault = false;
    for (at, line) in front.lines().enumerate() {
        let number = at + 2;
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if line.get(..indent).is_some_and(|blank| blank.contains('\t')) {
            findings.add("tab", number, "a line is indented with a tab");
            has_fault = true;
        }
        if block_indent.is_some_and(|block| indent > block || line.trim().is_empty()) {
            continue;
        }
        block_indent = None;
        let Some(value) = value_of_line(line) else {
            continue;
        };
        if value.starts_with(['|', '>']) {
            block_indent = Some(indent);
        } else if is_ambiguous(value) {
            findings.add(
                "unquoted",
                number,
                format!("hosts read this differently without quotes: {value}"),
            );
            has_fault = true;
        }
    }
    has_fault
}

/// Returns the value after the first colon or hyphen of a line.
fn value_of_line(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with('#') {
        return None;
    }
    let entry = line.strip_prefix("- ").map(str::trim_start).unwrap_or(line);
    let is_entry = entry.len() != line.len();
    let after_key = match entry.strip_prefix(['"', '\'']) {
        Some(rest) => rest.find(['"', '\'']).and_then(|end| rest.get(end + 1..)),
        None => entry.find([':', ' ']).and_then(|end| entry.get(end..)),
    };
    let value = after_key.and_then(|rest| rest.trim_start().strip_prefix(':'));
    match value {
        Some(value) if value.is_empty() || value.starts_with(' ') => Some(value.trim()),
        Some(_) | None if is_entry => Some(entry),
        Some(_) | None => None,
    }
}

/// Returns whether YAML readers interpret an unquoted scalar differently: some as a map or an error, or
/// older ones as a boolean, a date or a number.
fn is_ambiguous(value: &str) -> bool {
    if value.is_empty() || value.starts_with(['"', '\'', '[', '{', '#']) {
        return false;
    }
    match serde_yaml_ng::from_str::<Value>(value) {
        Ok(Value::Bool(_) | Value::Number(_) | Value::Null) => false,
        Ok(Value::String(text)) => is_not_string_in_yaml_1_1(&text),
        Ok(Value::Array(_) | Value::Object(_)) | Err(_) => true,
    }
}

/// Returns whether `text` is not a string in YAML 1.1, which some hosts use.
fn is_not_string_in_yaml_1_1(text: &str) -> bool {
    let lower = text.to_lowercase();
    if ["y", "n", "yes", "no", "on", "off"].contains(&lower.as_str()) {
        return true;
    }
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_date = {
        let day = text.split(['T', 't', ' ']).next().unwrap_or_default();
        let parts: Vec<&str> = day.split('-').collect();
        parts.len() == 3 && parts.iter().all(|part| is_number(part))
    };
    // YAML 1.1 reads 1:30 as 90 and 1_000 as 1000, so both count as numbers.
    let digits = text.trim_start_matches(['+', '-']);
    let of_parts = |sign: char| digits.contains(sign) && digits.split(sign).all(is_number);
    is_date || of_parts(':') || of_parts('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_is_fine_until_readers_disagree_on_it() {
        for value in [
            "tea",
            "use when asked",
            "Read, Grep",
            "MIT",
            "1.2.3",
            "it's done",
            "a -> b",
            "v1",
            "C#",
            "3",
            "true",
            "null",
            "https://example.org/x",
            "1:30 hours",
            "yes please",
            "~/notes",
        ] {
            assert!(!is_ambiguous(value), "{value}");
        }
        for value in [
            "use when: x",
            "@tea",
            "`tea`",
            "%x",
            "*tea",
            "yes",
            "Off",
            "N",
            "2026-01-02",
            "2026-01-02T03:04:05Z",
            "1:30",
            "1_000",
            "a: b: c",
        ] {
            assert!(is_ambiguous(value), "{value}");
        }
    }
}
