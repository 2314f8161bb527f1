//! Reads one JSON value, even if it is truncated or invalid.

use std::ops::Range;

use super::context::OpenBracket;

/// A string in a value.
pub(super) struct JsonString {
    /// The range between its quotation marks.
    pub(super) inner: Range<usize>,
    /// Whether it is the key of a member.
    pub(super) is_key: bool,
    /// The inside of the string that labels this one, usually its key.
    pub(super) label: Option<Range<usize>>,
}

/// How the reading of a value ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadEnd {
    /// At the end of the value.
    Whole,
    /// At the end of the text, inside the value.
    Cut,
    /// At invalid JSON.
    Wrong,
}

/// The value could not be read to its end.
struct Stopped;

/// Returns whether `byte` stands for itself in a string.
const fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// A value, as far as it could be read.
pub(super) struct JsonValue {
    /// The strings, in order. For an invalid value, only the strings of complete members and
    /// elements.
    pub(super) strings: Vec<JsonString>,
    /// Whether a member of an object was read.
    pub(super) has_member: bool,
    pub(super) ending: ReadEnd,
    /// Where the value, or the last part of it that was read, ends.
    pub(super) end: usize,
    /// Where to look for the next value.
    pub(super) next: usize,
}

/// Reads the value at `start` without recursion.
pub(super) fn read_value(text: &str, start: usize) -> JsonValue {
    let mut reader = Reader {
        bytes: text.as_bytes(),
        at: start,
        open: Vec::new(),
        strings: Vec::new(),
        begun: None,
        whole: 0,
        key_end: start,
        end: start,
        has_member: false,
    };
    let read = reader.read();
    let ending = match read {
        Ok(()) => ReadEnd::Whole,
        Err(Stopped) if reader.is_truncated() => ReadEnd::Cut,
        Err(Stopped) => ReadEnd::Wrong,
    };
    let mut next = reader.at;
    match ending {
        ReadEnd::Whole => {
            reader.whole = reader.strings.len();
            reader.end = reader.at;
        }
        // A truncated key does not count, so the value ends at the last complete key.
        ReadEnd::Cut => {
            reader.end = reader.end.max(reader.key_end);
            if let Some(begin) = reader.begun {
                reader.add_string(begin..text.len());
                reader.end = text.len();
                next = text.len();
            }
            reader.whole = reader.strings.len();
        }
        ReadEnd::Wrong => {}
    }
    reader.strings.truncate(reader.whole);
    JsonValue {
        strings: reader.strings,
        has_member: reader.has_member || ending == ReadEnd::Cut && reader.key_end > start,
        ending,
        end: reader.end,
        next: next.max(start + 1),
    }
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
    open: Vec<OpenBracket>,
    strings: Vec<JsonString>,
    /// Where the inside of the current value begins, if it is a string.
    begun: Option<usize>,
    /// Where the last key ends, including its colon.
    key_end: usize,
    /// Number of strings in members and elements that were read completely.
    whole: usize,
    /// Where the last complete member or element ends.
    end: usize,
    has_member: bool,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Stopped> {
        loop {
            self.skip_whitespace();
            match self.peek() {
                Some(b'{') => {
                    self.at += 1;
                    self.skip_whitespace();
                    if !self.consume_if(b'}') {
                        let key = self.open.last().and_then(OpenBracket::key);
                        self.push(OpenBracket::object(key));
                        self.read_key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.skip_whitespace();
                    if !self.consume_if(b']') {
                        let key = self.open.last().and_then(OpenBracket::key);
                        self.push(OpenBracket::list(key));
                        continue;
                    }
                }
                Some(b'"') => self.read_string()?,
                Some(_) | None => self.read_literal()?,
            }
            if self.read_after_value()? {
                return Ok(());
            }
        }
    }

    /// Enters an object or a list.
    fn push(&mut self, mut inner: OpenBracket) {
        inner.drawn = self.open.last().and_then(|outer| outer.drawn.clone());
        self.open.push(inner);
    }

    /// Reads the text after a value; returns whether everything was read.
    fn read_after_value(&mut self) -> Result<bool, Stopped> {
        self.end_part();
        while let Some(inner) = self.open.last_mut() {
            inner.end_value();
            let is_object = inner.is_object();
            self.skip_whitespace();
            let more = self.consume_if(b',');
            self.skip_whitespace();
            // Accept a trailing comma: it is not valid JSON, but models write it.
            if !self.consume_if(if is_object { b'}' } else { b']' }) {
                if !more {
                    return Err(Stopped);
                }
                if is_object {
                    self.read_key()?;
                }
                return Ok(false);
            }
            self.open.pop();
            self.end_part();
        }
        Ok(true)
    }

    fn end_part(&mut self) {
        self.whole = self.strings.len();
        self.end = self.at;
        self.has_member |= self.open.last().is_some_and(OpenBracket::is_object);
    }

    fn read_key(&mut self) -> Result<(), Stopped> {
        let inner = self.read_quoted()?;
        self.skip_whitespace();
        if !self.consume_if(b':') {
            return Err(Stopped);
        }
        self.key_end = self.at;
        if let Some(object) = self.open.last_mut() {
            object.begin_member(&inner);
        }
        self.strings.push(JsonString {
            inner,
            is_key: true,
            label: None,
        });
        Ok(())
    }

    fn read_string(&mut self) -> Result<(), Stopped> {
        self.begun = Some(self.at + 1);
        let inner = self.read_quoted()?;
        self.begun = None;
        self.add_string(inner);
        Ok(())
    }

    fn add_string(&mut self, inner: Range<usize>) {
        let number = self.strings.len();
        let around = self.open.last_mut();
        let (label, unnamed) = around.map_or((None, None), |around| {
            let label = around.string_label(self.bytes, &inner, number);
            let is_name = around.has_name();
            (label, around.unnamed.take_if(|_| is_name))
        });
        // This string names a value that was read before it, so label that value now.
        if let Some(value) = unnamed.and_then(|number| self.strings.get_mut(number)) {
            value.label = Some(inner.clone());
        }
        self.strings.push(JsonString {
            inner,
            is_key: false,
            label,
        });
    }

    /// Reads a string and returns the range of its inside.
    fn read_quoted(&mut self) -> Result<Range<usize>, Stopped> {
        if !self.consume_if(b'"') {
            return Err(Stopped);
        }
        let start = self.at;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            self.at += rest.iter().take_while(|byte| is_plain(**byte)).count();
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => match self.bytes.get(self.at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
                    Some(b'u') => {
                        let digits = self.bytes.get(self.at + 2..self.at + 6);
                        let all = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
                        if !digits.is_some_and(all) {
                            return Err(Stopped);
                        }
                        self.at += 6;
                    }
                    Some(_) | None => return Err(Stopped),
                },
                // A control character.
                Some(_) | None => return Err(Stopped),
            }
        }
        let inner = start..self.at;
        self.at += 1;
        Ok(inner)
    }

    /// Reads `true`, `false`, `null`, or something that begins like a number, without checking its
    /// form. Fails without advancing for anything else.
    fn read_literal(&mut self) -> Result<(), Stopped> {
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
        Err(Stopped)
    }

    /// Whether reading stopped because the text ended.
    fn is_truncated(&self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest {
            [] | [b'\\'] => true,
            [b'\\', b'u', digits @ ..] => {
                digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit)
            }
            word => ["true", "false", "null"]
                .iter()
                .any(|literal| literal.as_bytes().starts_with(word)),
        }
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
