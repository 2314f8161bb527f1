//! Markdown with front matter in YAML.

use serde_json::{Map, Value};

use super::finding::Findings;
use super::keys::Source;
use crate::content::front_matter::{self, DividedText};

/// A file in its parts, with its front matter read.
#[derive(Debug)]
pub(super) struct Markdown<'a> {
    pub(super) front: Map<String, Value>,
    pub(super) source: Source<'a>,
    pub(super) body: &'a str,
}

/// Reads `text`; what is wrong with its front matter is found on the way.
pub(super) fn read<'a>(text: &'a str, findings: &mut Findings) -> Option<Markdown<'a>> {
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
            findings.add("yaml", 2, "its front matter is no map");
            return None;
        }
        // A tab or a text without quotes that was found is why: it is told once.
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
        findings.add("empty-body", line, "nothing stands below its front matter");
    }
    Some(Markdown {
        front,
        source,
        body,
    })
}

/// Tabs, which YAML refuses, and scalars without quotes, which readers take for different things;
/// says whether there are any.
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
        } else if is_bare_text(value) {
            findings.add(
                "unquoted",
                number,
                format!("a text stands without quotes: {value}"),
            );
            has_fault = true;
        }
    }
    has_fault
}

/// What stands after the first colon or hyphen of a line.
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

/// Whether a scalar is a text that has no quotes, or no scalar at all.
fn is_bare_text(value: &str) -> bool {
    if value.is_empty() || value.starts_with(['"', '\'', '[', '{', '#']) {
        return false;
    }
    match serde_yaml_ng::from_str::<Value>(value) {
        Ok(Value::Bool(_) | Value::Number(_) | Value::Null) => false,
        Ok(Value::String(_) | Value::Array(_) | Value::Object(_)) | Err(_) => true,
    }
}
