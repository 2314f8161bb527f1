//! JSON whose bytes are preserved: values are slices of the original text.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The members of an object in order, each with its raw value.
#[derive(Debug)]
pub(crate) struct Members<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// Parses the object in `text`.
    pub(crate) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Returns the value of `key`; the last one if there are several.
    pub(crate) fn get(&self, key: &str) -> Option<&'a RawValue> {
        let mut found = self.0.iter().rev().filter(|(name, _)| name == key);
        found.next().map(|(_, value)| *value)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<String, &'de RawValue>()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}

/// Returns the byte range of `part`, a slice of `whole`.
pub(crate) fn byte_range_of(whole: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr().saturating_sub(whole.as_ptr().addr());
    start..start + part.len()
}

/// Replaces several ranges of a text, given in any order.
pub(crate) fn apply_edits(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(at, _)| at.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, new) in edits {
        out.push_str(&text[done..at.start]);
        out.push_str(&new);
        done = at.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Returns the edit that adds serialized members to the object `object` in `text`.
pub(crate) fn members_insertion(
    text: &str,
    object: &str,
    members: &Members<'_>,
    new: &[(String, String)],
) -> (Range<usize>, String) {
    let new: Vec<_> = new
        .iter()
        .map(|(key, value)| format!("\n  {}: {value}", to_ascii_json(&Value::from(key.as_str()))))
        .collect();
    let new = new.join(",");
    let (at, new) = match members.0.last() {
        Some((_, last)) => (byte_range_of(text, last.get()).end, format!(",{new}")),
        None => (byte_range_of(text, object).start + 1, format!("{new}\n")),
    };
    (at..at, new)
}

/// Formats JSON in ASCII with an indentation of two, like other tools.
pub(crate) fn to_ascii_json(value: &Value) -> String {
    let text = format!("{value:#}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    let plain = |c: char| c == '\n' || (' '..='~').contains(&c);
    // Copy plain ASCII at once, because most characters are.
    while let Some(at) = rest.find(|c| !plain(c)) {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        rest = tail.trim_start_matches(|c| !plain(c));
        for unit in tail[..tail.len() - rest.len()].encode_utf16() {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out + rest
}

/// As [`to_ascii_json`], for a value nested `levels` deep.
pub(crate) fn to_ascii_json_nested(value: &Value, levels: usize) -> String {
    let indent = format!("\n{}", "  ".repeat(levels));
    to_ascii_json(value).replace('\n', &indent)
}
