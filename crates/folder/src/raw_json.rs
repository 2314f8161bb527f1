//! JSON whose bytes are preserved: values are slices of the original text.

use std::fmt;
use std::ops::Range;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
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
        .map(|(key, value)| format!("\n  {}: {value}", to_ascii_json(&key)))
        .collect();
    let new = new.join(",");
    let (at, new) = match members.0.last() {
        Some((_, last)) => (byte_range_of(text, last.get()).end, format!(",{new}")),
        None => (byte_range_of(text, object).start + 1, format!("{new}\n")),
    };
    (at..at, new)
}

/// Formats JSON in ASCII with an indentation of two, like other tools.
pub(crate) fn to_ascii_json(value: &impl Serialize) -> String {
    to_ascii_json_nested(value, 0)
}

/// As [`to_ascii_json`], for a value nested `levels` deep.
pub(crate) fn to_ascii_json_nested(value: &impl Serialize, levels: usize) -> String {
    // Cannot fail: every key is a string.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    if levels == 0 && text.bytes().all(is_plain) {
        return text;
    }
    let indent = "  ".repeat(levels);
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut rest = text.as_str();
    // Copy plain ASCII at once, because most characters are.
    loop {
        let plain = rest
            .bytes()
            .take_while(|&byte| is_plain(byte) && byte != b'\n');
        let (before, tail) = rest.split_at(plain.count());
        out.push_str(before);
        let Some(c) = tail.chars().next() else {
            return out;
        };
        match c {
            '\n' => {
                out.push('\n');
                out.push_str(&indent);
            }
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        rest = &tail[c.len_utf8()..];
    }
}

fn is_plain(byte: u8) -> bool {
    byte == b'\n' || (b' '..=b'~').contains(&byte)
}
