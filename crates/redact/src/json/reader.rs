//! Reads one JSON value, also one that is cut off or goes wrong.

use std::ops::Range;

use super::context::OpenBracket;

/// A string in a value.
pub(super) struct JsonString {
    /// What is between its quotation marks.
    pub(super) inner: Range<usize>,
    /// Whether it is the key of a member.
    pub(super) is_key: bool,
    /// The inside of the string that says what this one is: its key, mostly.
    pub(super) label: Option<Range<usize>>,
}

/// How reading a value ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadEnd {
    /// With the value.
    Whole,
    /// With the text, in the middle of the value.
    Cut,
    /// At something that is not JSON.
    Wrong,
}

/// Why a value was not read to its end.
struct Stopped;

/// A value, as far as it could be read.
pub(super) struct JsonValue {
    /// The strings, in order. Of a value that goes wrong only those of members and elements that are
    /// whole.
    pub(super) strings: Vec<JsonString>,
    /// Whether some member of an object was read.
    pub(super) has_member: bool,
    pub(super) ending: ReadEnd,
    /// Where the value ends, or the last part of it that was read.
    pub(super) end: usize,
    /// Where to look for the next value.
    pub(super) next: usize,
}

/// Reads the value at `start`, without a stack of calls.
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
        Err(Stopped) if reader.is_cut() => ReadEnd::Cut,
        Err(Stopped) => ReadEnd::Wrong,
    };
    let mut next = reader.at;
    match ending {
        ReadEnd::Whole => {
            reader.whole = reader.strings.len();
            reader.end = reader.at;
        }
        // A key that is cut off is none yet.
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
    /// Where the inside of the value begins that is being read, if it is a string.
    begun: Option<usize>,
    /// Where the last key ends, its colon with it.
    key_end: usize,
    /// How many of the strings belong to members and elements that were read to their end.
    whole: usize,
    /// Where the last of these ends.
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

    /// Goes into an object or a list.
    fn push(&mut self, mut inner: OpenBracket) {
        inner.drawn = self.open.last().and_then(|outer| outer.drawn.clone());
        self.open.push(inner);
    }

    /// Reads what follows a value; whether all of it was read.
    fn read_after_value(&mut self) -> Result<bool, Stopped> {
        self.end_part();
        while let Some(inner) = self.open.last_mut() {
            inner.end_value();
            let is_object = inner.is_object();
            self.skip_whitespace();
            let more = self.consume_if(b',');
            self.skip_whitespace();
            // A comma behind the last one is not JSON, but models write it.
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
            let label = around.label_of(self.bytes, &inner, number);
            let is_name = around.has_name();
            (label, around.unnamed.take_if(|_| is_name))
        });
        // A value that came before its name.
        if let Some(value) = unnamed.and_then(|number| self.strings.get_mut(number)) {
            value.label = Some(inner.clone());
        }
        self.strings.push(JsonString {
            inner,
            is_key: false,
            label,
        });
    }

    /// Reads a string and returns the span of its inside.
    fn read_quoted(&mut self) -> Result<Range<usize>, Stopped> {
        if !self.consume_if(b'"') {
            return Err(Stopped);
        }
        let start = self.at;
        loop {
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
                Some(byte) if byte >= b' ' => self.at += 1,
                Some(_) | None => return Err(Stopped),
            }
        }
        let inner = start..self.at;
        self.at += 1;
        Ok(inner)
    }

    /// Reads `true`, `false`, `null`, or what begins like a number, whose form is not checked; fails
    /// without moving on for anything else.
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

    /// Whether reading stopped because the text ends.
    fn is_cut(&self) -> bool {
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
