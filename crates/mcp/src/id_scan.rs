//! Finds the request id in a line that cannot be parsed: malformed, not UTF-8, or too long.

use rmcp::model::{NumberOrString, RequestId};
use serde_json::Value;

/// The maximum length of an id, in bytes.
const MAX_ID_BYTES: usize = 1024;
/// The length of the longest key to find, plus one to detect longer keys, in bytes.
const KEY_BYTES: usize = 7;

/// Returns the id of the request in a malformed line; `None` if there is no readable id, or the
/// line is a response.
pub(crate) fn id_in_line(line: &[u8]) -> Option<RequestId> {
    let mut scan = LineScan::default();
    scan.scan_bytes(line);
    scan.id_of_request()
}

/// Converts a value to an id.
pub(crate) fn id_of_value(value: Value) -> Option<RequestId> {
    match value {
        Value::String(text) => Some(NumberOrString::String(text.into())),
        Value::Number(number) => number.as_i64().map(NumberOrString::Number),
        _ => None,
    }
}

/// A scan of the top-level keys of a line of any length, even if it is malformed.
#[derive(Debug, Default)]
pub(crate) struct LineScan {
    /// Number of open braces and brackets.
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    /// The beginning of the last top-level string, which may be a key.
    text: Vec<u8>,
    /// The text after the key `id`; `None` before the key.
    id: Option<Vec<u8>>,
    /// Whether the scan is inside the value of the key `id`.
    in_id: bool,
    /// Whether the line has a result or an error, so it is a response and must not be answered.
    is_answer: bool,
}

impl LineScan {
    /// Scans the next bytes of the line.
    pub(crate) fn scan_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.take(byte);
        }
    }

    fn take(&mut self, byte: u8) {
        if self.in_id {
            let ends = !self.in_text && self.depth == 1 && matches!(byte, b',' | b'}');
            match (&mut self.id, ends) {
                (_, true) => self.in_id = false,
                (Some(id), false) if id.len() < MAX_ID_BYTES => id.push(byte),
                (_, false) => {}
            }
        }
        if self.in_text {
            match (self.is_escaped, byte) {
                (true, _) => self.is_escaped = false,
                (false, b'\\') => self.is_escaped = true,
                (false, b'"') => self.in_text = false,
                (false, _) => {}
            }
            if self.in_text && self.text.len() < KEY_BYTES {
                self.text.push(byte);
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_text = true;
                self.text.clear();
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b':' if self.depth == 1 => self.take_key(),
            _ => {}
        }
    }

    fn take_key(&mut self) {
        match self.text.as_slice() {
            b"id" if self.id.is_none() => {
                self.in_id = true;
                self.id = Some(Vec::new());
            }
            b"result" | b"error" => self.is_answer = true,
            _ => {}
        }
    }

    /// Returns the id of the scanned request; `None` if there is no readable id, or the line is a
    /// response.
    pub(crate) fn id_of_request(&self) -> Option<RequestId> {
        let id = self.id.as_deref().filter(|_| !self.is_answer)?;
        id_of_value(serde_json::from_slice(id).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_broken_request_is_read_where_it_stands() {
        let number = |id| Some(NumberOrString::Number(id));
        for (line, id) in [
            (
                &b"{\"id\":5,\"method\":\"ping\",\"a\":\"\\ud83d\"}"[..],
                number(5),
            ),
            (
                b"{\"method\":\"ping\",\"a\":\"\xff\xfe\",\"id\":-6}",
                number(-6),
            ),
            (b"{\"id\":7,\"method\":\"pi", number(7)),
            (b"{\"id\":\"\xff\",\"method\":\"ping\"}", None),
            (b"{\"id\":1.5,\"method\":\"ping\"}", None),
            (b"{\"result\":\"\\ud83d\",\"id\":8}", None),
            (b"}}}\"id\":9", None),
            (b"", None),
        ] {
            let shown = String::from_utf8_lossy(line).into_owned();
            assert_eq!(id_in_line(line), id, "{shown}");
        }
    }
}
