//! Where JSON stands in a text, and which of its bytes hold it together.

use std::ops::Range;

// Every level doubles the backslashes: a quotation mark five strings deep has 31 before it. What
// writes deeper is not known.
/// How deep JSON in strings of JSON is looked into.
const DEEPEST: u8 = 5;

/// The bytes of a text that keep its JSON readable.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// All of every object and list but what is in strings; in order.
    frame: Vec<Range<usize>>,
    /// What is in the strings that name members of an object.
    names: Vec<Range<usize>>,
}

impl Frame {
    /// Finds all JSON in `text`, also escaped JSON in strings; takes time linear in its length.
    pub(crate) fn of(text: &str) -> Self {
        let mut frame = Self::default();
        frame.add_json_values(text, &|at| at, 0);
        frame.frame.sort_by_key(|range| range.start);
        frame
    }

    /// The parts of `span` that may be replaced.
    pub(crate) fn replaceable_parts(&self, span: &Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut at = span.start;
        let first = self.frame.partition_point(|range| range.end <= span.start);
        for fixed in self.frame.iter().skip(first) {
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
        if parts.len() > 1 {
            parts.retain(|part| !self.is_in_member_name(part));
        }
        parts
    }

    /// Whether `part` stands in the name of a member.
    pub(crate) fn is_in_member_name(&self, part: &Range<usize>) -> bool {
        let met = |name: &Range<usize>| name.start < part.end && part.start < name.end;
        self.names.iter().any(met)
    }

    fn add_json_values(&mut self, text: &str, place: &dyn Fn(usize) -> usize, depth: u8) {
        let mut at = 0;
        while let Some(open) = text[at..].find(['{', '[', '"']).map(|found| at + found) {
            let whole = open == 0 || text[..open].trim().is_empty();
            if text[open..].starts_with('"') && !whole {
                at = open + 1;
                continue;
            }
            let mut reader = JsonReader::new(text, open);
            match reader.read_value() {
                Ok(()) if text[open..].starts_with('"') && !text[reader.at..].trim().is_empty() => {
                    at = open + 1;
                }
                Ok(()) => {
                    self.add_value_frame(&reader, text, place, depth);
                    at = reader.at;
                }
                Err(()) => at = reader.at.max(open + 1),
            }
            while !text.is_char_boundary(at) {
                at += 1;
            }
        }
    }

    fn add_value_frame(
        &mut self,
        reader: &JsonReader<'_>,
        text: &str,
        place: &dyn Fn(usize) -> usize,
        depth: u8,
    ) {
        let mut at = reader.start;
        for string in &reader.strings {
            self.frame.push(place(at)..place(string.inner.start));
            at = string.inner.end;
            if string.is_name {
                self.names
                    .push(place(string.inner.start)..place(string.inner.end));
            }
            let inner = &text[string.inner.clone()];
            if depth < DEEPEST && inner.contains('\\') && inner.contains(['{', '[']) {
                let (decoded, steps) = decode_string(inner);
                let start = string.inner.start;
                let outer =
                    |at: usize| place(start + steps.get(at).copied().unwrap_or(inner.len()));
                self.add_json_values(&decoded, &outer, depth + 1);
            }
        }
        self.frame.push(place(at)..place(reader.at));
    }
}

/// The text that the inside of a string stands for, and where each of its bytes comes from.
fn decode_string(inner: &str) -> (String, Vec<usize>) {
    let (mut text, mut steps) = (String::with_capacity(inner.len()), Vec::new());
    let mut at = 0;
    while let Some(char) = inner[at..].chars().next() {
        let (plain, length) = match char {
            '\\' => decode_escape(&inner[at..]),
            plain => (plain, plain.len_utf8()),
        };
        text.push(plain);
        steps.resize(text.len(), at);
        at += length;
    }
    (text, steps)
}

fn decode_escape(text: &str) -> (char, usize) {
    match text.as_bytes().get(1) {
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => {
            let digits = text.get(2..6).unwrap_or_default();
            let code = u32::from_str_radix(digits, 16).ok();
            let char = code.and_then(char::from_u32);
            (
                char.unwrap_or(char::REPLACEMENT_CHARACTER),
                6.min(text.len()),
            )
        }
        Some(sign @ (b'"' | b'\\' | b'/')) => (char::from(*sign), 2),
        Some(_) => (' ', 2),
        None => ('\\', 1),
    }
}

/// A string in a value that was read.
struct JsonString {
    inner: Range<usize>,
    is_name: bool,
}

/// Reads one value, without a stack of calls.
struct JsonReader<'t> {
    bytes: &'t [u8],
    start: usize,
    at: usize,
    strings: Vec<JsonString>,
}

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenBracket {
    Object,
    List,
}

impl<'t> JsonReader<'t> {
    fn new(text: &'t str, start: usize) -> Self {
        Self {
            bytes: text.as_bytes(),
            start,
            at: start,
            strings: Vec::new(),
        }
    }

    /// Reads one value to its end; on an error `at` is the offset of what is not JSON.
    fn read_value(&mut self) -> Result<(), ()> {
        let mut open = Vec::new();
        loop {
            self.skip_whitespace();
            match self.peek() {
                Some(b'{') => {
                    self.at += 1;
                    self.skip_whitespace();
                    if !self.consume_if(b'}') {
                        open.push(OpenBracket::Object);
                        self.read_member_name()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.skip_whitespace();
                    if !self.consume_if(b']') {
                        open.push(OpenBracket::List);
                        continue;
                    }
                }
                Some(b'"') => self.read_string(false)?,
                Some(_) | None => self.read_literal()?,
            }
            if self.read_after_value(&mut open)? {
                return Ok(());
            }
        }
    }

    /// What follows a value; whether all of it was read.
    fn read_after_value(&mut self, open: &mut Vec<OpenBracket>) -> Result<bool, ()> {
        while let Some(inner) = open.last().copied() {
            self.skip_whitespace();
            if self.consume_if(b',') {
                self.skip_whitespace();
                if inner == OpenBracket::Object {
                    self.read_member_name()?;
                }
                return Ok(false);
            }
            let close = match inner {
                OpenBracket::Object => b'}',
                OpenBracket::List => b']',
            };
            if !self.consume_if(close) {
                return Err(());
            }
            open.pop();
        }
        Ok(true)
    }

    fn read_member_name(&mut self) -> Result<(), ()> {
        self.read_string(true)?;
        self.skip_whitespace();
        if self.consume_if(b':') {
            Ok(())
        } else {
            Err(())
        }
    }

    fn read_string(&mut self, is_name: bool) -> Result<(), ()> {
        if !self.consume_if(b'"') {
            return Err(());
        }
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                            self.at += 1
                        }
                        Some(b'u') => {
                            let digits = self.bytes.get(self.at + 1..self.at + 5);
                            let all = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
                            if !digits.is_some_and(all) {
                                return Err(());
                            }
                            self.at += 5;
                        }
                        Some(_) | None => return Err(()),
                    }
                }
                Some(byte) if byte >= b' ' => self.at += 1,
                Some(_) | None => return Err(()),
            }
        }
        let inner = start..self.at;
        self.strings.push(JsonString { inner, is_name });
        self.at += 1;
        Ok(())
    }

    /// `true`, `false`, `null`, or what begins like a number, whose form is not checked; fails
    /// without moving on for anything else.
    fn read_literal(&mut self) -> Result<(), ()> {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let start = self.at;
        while self.peek().is_some_and(is_part) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        let is_number = word
            .first()
            .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-');
        if is_number || matches!(word, b"true" | b"false" | b"null") {
            return Ok(());
        }
        self.at = start;
        Err(())
    }

    fn skip_whitespace(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn consume_if(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }
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

    #[test]
    fn all_but_strings_is_the_frame() {
        assert_eq!(free(r#"a {"b": ["c", 1]} {d"#), "a ........c...... {d");
        assert_eq!(free(r#""all""#), ".all.");
        assert_eq!(
            free(r#"{"a": "{\"b\": \"c\"}"}"#),
            ".................c....."
        );
        assert_eq!(free(r#"{"a" "b"} "c""#), r#"{"a" "b"} "c""#);
    }
}
