//! Finds values that a failed test prints for the name that it checked.

use std::ops::Range;

use super::{NameScan, Tie};
use crate::span::quoted_span;

// Twice the two blank lines and two lines with values that Jest prints below an assertion.
/// Maximum number of lines searched below the assertion.
const MAX_LINES: usize = 8;
/// Maximum number of bytes searched below the assertion.
const MAX_BELOW: usize = 800;

/// The text that a test prints directly before a value.
const BEFORE_VALUE: [&str; 10] = [
    "assert ",
    "Expected: ",
    "Received: ",
    "left: ",
    "right: ",
    "expected: ",
    "actual: ",
    "got: ",
    "want: ",
    "Actual: ",
];

impl NameScan<'_> {
    /// Returns the values below or before the name, if its line is an assertion.
    pub(super) fn asserted_values(&self) -> Vec<Range<usize>> {
        let start = self.line_start;
        let line = &self.text[start..self.name.start];
        if !(line.contains("where ") || line.contains("assert") || line.contains("expect(")) {
            return Vec::new();
        }
        if let Some(span) = self.value_equal_to_name(start) {
            return vec![span];
        }
        let below = &self.text[self.name.end..];
        let below = &below[..below.floor_char_boundary(MAX_BELOW)];
        let mut at = self.name.end;
        let mut spans = Vec::new();
        for line in below.split_inclusive('\n').take(MAX_LINES + 1) {
            let found = BEFORE_VALUE
                .iter()
                .find_map(|word| line.find(word).map(|place| place + word.len()));
            if let Some(place) = found.filter(|_| at > self.name.end) {
                spans.extend(self.quoted_secret(at + place));
            }
            at += line.len();
        }
        spans
    }

    /// Returns the value in `where 'value' = Config(…).name`.
    fn value_equal_to_name(&self, start: usize) -> Option<Range<usize>> {
        let line = &self.text[start..self.name.start];
        let open = line.find("where ")? + "where ".len();
        let span = self.quoted_secret(start + open)?;
        let sign = self.text.get(span.end + 1..self.name.start)?;
        (sign.starts_with(" = ") && !sign[3..].contains(' ')).then_some(span)
    }

    fn quoted_secret(&self, at: usize) -> Option<Range<usize>> {
        if !matches!(self.byte_at(at), b'"' | b'\'' | b'`') {
            return None;
        }
        let span = quoted_span(self.view, at)?;
        self.is_secret_value(Tie::Tight, true, &self.text[span.clone()])
            .then_some(span)
    }
}
