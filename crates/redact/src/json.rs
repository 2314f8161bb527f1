//! Locates JSON in a text, the bytes that must stay, and the parts to search separately.

use std::ops::Range;

mod context;
mod decode;
mod reader;

use decode::DecodedString;
use reader::{JsonString, JsonValue, ReadEnd};

// Each level doubles the backslashes: a quotation mark twelve strings deep already has 4,095 before
// it, so real text is never deeper.
/// Maximum nesting depth of JSON in JSON strings.
const MAX_DEPTH: u8 = 12;

/// The bytes of a text that keep its JSON valid, and the parts of the text that are searched
/// separately.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// Everything in objects and lists except string values: brackets, keys, numbers. In order.
    fixed: Vec<Range<usize>>,
    /// The contents of the keys.
    pub(crate) keys: Vec<Range<usize>>,
    /// The string values, each with its label.
    pub(crate) segments: Vec<Segment>,
}

/// A part of a text that is searched separately, because a JSON value says nothing about the next
/// one.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The whole part.
    pub(crate) range: Range<usize>,
    /// The gaps in it, in order.
    pub(crate) holes: Vec<Hole>,
    /// The part of the range in which secrets are replaced. The rest is the string's key.
    pub(crate) leaf: Range<usize>,
}

/// A part of a text that is not searched.
#[derive(Clone, Debug)]
pub(crate) struct Hole {
    pub(crate) range: Range<usize>,
    /// The text to search instead.
    pub(crate) text: &'static str,
}

/// Text that is searched for JSON, and its position in the whole text.
struct JsonLayer<'t> {
    text: &'t str,
    place: &'t dyn Fn(usize) -> usize,
    depth: u8,
}

impl Frame {
    /// Finds all JSON in `text`, including escaped JSON in strings and truncated JSON. Takes time
    /// linear in its length.
    ///
    /// The first segment is the text itself, without the JSON in it.
    pub(crate) fn of(text: &str) -> Self {
        let mut frame = Self::default();
        let holes = frame.add_layer(&JsonLayer {
            text,
            place: &|at| at,
            depth: 0,
        });
        let whole = Segment {
            range: 0..text.len(),
            holes,
            leaf: 0..text.len(),
        };
        frame.segments.insert(0, whole);
        frame.fixed.sort_by_key(|range| range.start);
        frame
    }

    /// Returns the parts of `span` that may be replaced.
    pub(crate) fn replaceable_parts(&self, span: &Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut at = span.start;
        let first = self.fixed.partition_point(|range| range.end <= span.start);
        for fixed in self.fixed.iter().skip(first) {
            if fixed.start >= span.end {
                break;
            }
            if fixed.start > at {
                parts.push(at..fixed.start);
            }
            at = at.max(fixed.end);
        }
        if at < span.end {
            parts.push(at..span.end);
        }
        parts
    }

    /// Adds the JSON of a layer, and returns the parts of the layer that are now searched
    /// separately.
    fn add_layer(&mut self, layer: &JsonLayer<'_>) -> Vec<Hole> {
        let text = layer.text;
        let mut holes = Vec::new();
        let mut at = text.len() - text.trim_start().len();
        if text[at..].starts_with('"') {
            let value = reader::read_value(text, at);
            if value.ending == ReadEnd::Whole && text[value.end..].trim().is_empty() {
                self.add_value(&value, at, layer, &mut holes);
                return holes;
            }
        }
        while let Some(found) = memchr::memchr2(b'{', b'[', &text.as_bytes()[at..]) {
            let open = at + found;
            let value = reader::read_value(text, open);
            self.add_value(&value, open, layer, &mut holes);
            at = text.ceil_char_boundary(value.next);
        }
        holes
    }

    /// Adds a value that begins at `start`.
    fn add_value(
        &mut self,
        value: &JsonValue,
        start: usize,
        layer: &JsonLayer<'_>,
        holes: &mut Vec<Hole>,
    ) {
        let is_kept = match value.ending {
            ReadEnd::Whole => true,
            ReadEnd::Cut => value.has_member || value.strings.len() > 1,
            ReadEnd::Wrong => value.has_member,
        };
        if !is_kept {
            return;
        }
        let place = layer.place;
        let is_apart = !value.strings.is_empty() && !is_code_index(value, layer.text, start);
        let name = list_name(layer.text, start);
        let mut at = start;
        for string in &value.strings {
            if string.is_key {
                self.keys
                    .push(place(string.inner.start)..place(string.inner.end));
                continue;
            }
            self.fixed.push(place(at)..place(string.inner.start));
            at = string.inner.end;
            let inner = self.add_nested_json(layer, &string.inner);
            if is_apart {
                let label = string.label.as_ref().or(name.as_ref());
                self.segments.push(segment(string, label, layer, inner));
            } else {
                holes.extend(inner);
            }
        }
        self.fixed.push(place(at)..place(value.end));
        if is_apart {
            holes.push(Hole {
                range: place(start)..place(value.end),
                text: "{}",
            });
        }
    }

    /// Adds the JSON inside a string.
    fn add_nested_json(&mut self, layer: &JsonLayer<'_>, inner: &Range<usize>) -> Vec<Hole> {
        let text = &layer.text[inner.clone()];
        // A bracket may itself be escaped, so `\u00` may also be the beginning of JSON.
        let may_hold = text.contains(['{', '[']) || text.contains("\\u00");
        if layer.depth == MAX_DEPTH || !text.contains('\\') || !may_hold {
            return Vec::new();
        }
        let decoded = DecodedString::of(text);
        let place = |at: usize| (layer.place)(inner.start + decoded.source(at));
        self.add_layer(&JsonLayer {
            text: &decoded.text,
            place: &place,
            depth: layer.depth + 1,
        })
    }
}

/// Returns the segment of a string and its label.
fn segment(
    string: &JsonString,
    label: Option<&Range<usize>>,
    layer: &JsonLayer<'_>,
    mut inner: Vec<Hole>,
) -> Segment {
    let place = layer.place;
    let end = (string.inner.end + 1).min(layer.text.len());
    let mut start = string.inner.start - 1;
    let mut holes = Vec::new();
    if let Some(label) = label.filter(|label| label.start > string.inner.end) {
        holes.append(&mut inner);
        holes.push(Hole {
            range: place(string.inner.end + 1)..place(label.start - 1),
            text: " as ",
        });
        return Segment {
            range: place(start)..place(label.end + 1),
            holes,
            leaf: place(string.inner.start)..place(string.inner.end),
        };
    }
    if let Some(label) = label {
        let is_quote = |at: usize| layer.text.as_bytes().get(at) == Some(&b'"');
        let end = label.end + usize::from(is_quote(label.end));
        holes.push(Hole {
            range: place(end)..place(start),
            text: ": ",
        });
        start = label.start - usize::from(is_quote(label.start.wrapping_sub(1)));
    }
    holes.append(&mut inner);
    Segment {
        range: place(start)..place(end),
        holes,
        leaf: place(string.inner.start)..place(string.inner.end),
    }
}

// Names of settings have up to about 40 bytes.
/// Maximum length of a list's name with the separator after it, in bytes.
const MAX_NAME: usize = 80;

/// Returns the range of the name given to the list at `start`, outside any object: `codes = ["…",
/// "…"]`.
fn list_name(text: &str, start: usize) -> Option<Range<usize>> {
    let blank = [' ', '\t'];
    let from = text.ceil_char_boundary(start.saturating_sub(MAX_NAME));
    let before = text[start..]
        .starts_with('[')
        .then(|| text[from..start].trim_end_matches(blank))?;
    let before = before.strip_suffix([':', '='])?.trim_end_matches(blank);
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let length = before.bytes().rev().take_while(part).count();
    let end = from + before.len();
    (length > 0).then_some(end - length..end)
}

/// Returns whether the value is code instead of JSON: a list of one string directly after a name,
/// as in `environ["NAME"]`.
fn is_code_index(value: &JsonValue, text: &str, start: usize) -> bool {
    let before = text[..start].chars().next_back();
    let is_name =
        |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | ')' | ']' | '.');
    !value.has_member && value.strings.len() == 1 && before.is_some_and(is_name)
}

#[cfg(test)]
mod tests {
    use super::Frame;

    /// The text with a dot for each byte that must stay.
    fn free(text: &str) -> String {
        let frame = Frame::of(text);
        let mut out = vec![b'.'; text.len()];
        for part in frame.replaceable_parts(&(0..text.len())) {
            out[part.clone()].copy_from_slice(&text.as_bytes()[part]);
        }
        String::from_utf8(out).unwrap()
    }

    /// The searched text of each segment.
    fn segments(text: &str) -> Vec<String> {
        let frame = Frame::of(text);
        let read = frame.segments.iter().map(|segment| {
            let mut read = String::new();
            let mut at = segment.range.start;
            for hole in &segment.holes {
                read.push_str(&text[at..hole.range.start]);
                read.push_str(hole.text);
                at = hole.range.end;
            }
            read.push_str(&text[at..segment.range.end]);
            read
        });
        read.collect()
    }

    #[test]
    fn all_but_the_strings_that_are_values_stays() {
        assert_eq!(free(r#"a {"b": ["c", 1]} {d"#), "a ........c...... {d");
        assert_eq!(free(r#""all""#), ".all.");
        assert_eq!(
            free(r#"{"a": "{\"b\": \"c\"}"}"#),
            ".................c....."
        );
        assert_eq!(free(r#"{"a" "b"} "c""#), r#"{"a" "b"} "c""#);
    }

    #[test]
    fn every_value_is_read_with_its_key_alone() {
        assert_eq!(
            segments(r#"see {"a": ["b", "c"], "d":"e", "f": 1} end"#),
            ["see {} end", r#""a": "b""#, r#""a": "c""#, r#""d": "e""#]
        );
        assert_eq!(
            segments(r#"[{"name": "X_KEY", "value": "a"}, ["--token", "b", "c"]]"#),
            [
                "{}",
                r#""name": "X_KEY""#,
                r#""X_KEY": "a""#,
                r#""--token""#,
                r#""--token": "b""#,
                r#""c""#
            ]
        );
        assert_eq!(
            segments(r#"{"a": "x {\"b\": \"c\"} y"}"#),
            ["{}", r#"\"b\": \"c\""#, r#""a": "x {} y""#]
        );
        assert_eq!(
            segments(r#"environ["A_KEY"] = "b""#),
            [r#"environ["A_KEY"] = "b""#]
        );
        assert_eq!(
            segments(r#"a_keys=["b", "c"] d: ["e"]"#),
            [
                "a_keys={} d: {}",
                r#"a_keys: "b""#,
                r#"a_keys: "c""#,
                r#"d: "e""#
            ]
        );
    }

    #[test]
    fn what_is_cut_off_or_goes_wrong_is_json_as_far_as_it_goes() {
        assert_eq!(
            segments(r#"{"a": "b", "c": "d"#),
            ["{}", r#""a": "b""#, r#""c": "d"#]
        );
        assert_eq!(segments(r#"{"a": "b", "c"#), [r#"{}, "c"#, r#""a": "b""#]);
        assert_eq!(
            segments(r#"{"a": "b", "c": d}"#),
            [r#"{}, "c": d}"#, r#""a": "b""#]
        );
        assert_eq!(
            segments(r#"{"a": "{\"b\": \"c\", \"d"#),
            ["{}", r#"\"b\": \"c\""#, r#""a": "{}, \"d"#]
        );
        assert_eq!(
            segments(r#"{"a": "b", "c": {"d": {"e"#),
            [r#"{} {"e"#, r#""a": "b""#]
        );
        assert_eq!(
            segments(r#"{"a": "\u007b\"b\": \"c\"}"}"#),
            ["{}", r#"\"b\": \"c\""#, r#""a": "{}""#]
        );
        assert_eq!(segments(r#"{"a": "b", "c": 1,}"#), ["{}", r#""a": "b""#]);
    }
}
