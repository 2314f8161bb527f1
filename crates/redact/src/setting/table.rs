//! Finds values in the columns of tables.

use std::ops::Range;

use super::{NameScan, Tie};
use crate::name::Name;
use crate::span::is_name_char;

// Enough for 60 rows of 273 bytes each.
/// Maximum distance between a table's head and a field, in bytes.
const MAX_TABLE: usize = 16_384;
/// Maximum number of rows below a head.
const MAX_ROWS: usize = 60;

impl NameScan<'_> {
    /// Returns the values below the name, if it heads a table column.
    pub(super) fn column_values(&self) -> Vec<Range<usize>> {
        let line = self.line_start;
        let head = &self.text[line..self.name.start];
        let is_head = head.len() <= 400 && memchr::memchr(b'|', head.as_bytes()).is_some();
        if !is_head || !is_separator_line(self.rows().next().unwrap_or("")) {
            return Vec::new();
        }
        let place = head.matches('|').count();
        let rows = self.rows().skip(1).take_while(|row| row.contains('|'));
        let cells = rows.filter_map(|row| row.split('|').nth(place));
        self.secret_cells(cells)
    }

    /// Returns the values below the name, if it heads a column of values separated by commas,
    /// semicolons or tabs.
    pub(super) fn field_values(&self) -> Vec<Range<usize>> {
        let start = self.line_start;
        let length = memchr::memchr(b'\n', self.text_near(self.name.end).as_bytes());
        let Some(end) = length.map(|length| self.name.end + length) else {
            return Vec::new();
        };
        let head = &self.text[start..end];
        let Some(sign) = [',', '\t', ';']
            .into_iter()
            .find(|sign| is_header_line(head, *sign))
        else {
            return Vec::new();
        };
        let place = self.text[start..self.name.start].matches(sign).count();
        let count = head.matches(sign).count();
        let is_row = |row: &&str| row.matches(sign).count() >= count.min(2);
        let rows = self.rows().take_while(is_row);
        let cells = rows.filter_map(|row| row.split(sign).nth(place));
        self.secret_cells(cells)
    }

    /// Returns the lines below the line of the name.
    pub(super) fn rows(&self) -> impl Iterator<Item = &str> {
        let length = memchr::memchr(b'\n', self.text_near(self.name.end).as_bytes());
        let at = length.map_or(self.text.len(), |length| self.name.end + length + 1);
        let rows = &self.text[at..];
        let rows = &rows[..rows.floor_char_boundary(MAX_TABLE)];
        rows.split('\n').take(MAX_ROWS)
    }

    /// Returns the cells that are secrets, as parts of the text and without their quotes.
    pub(super) fn secret_cells<'c>(
        &self,
        cells: impl Iterator<Item = &'c str>,
    ) -> Vec<Range<usize>> {
        let tie = match self.kind {
            Name::Password => Tie::Tight,
            // Generated values are long; a short word in a cell is a kind or a state, not a secret.
            Name::Known | Name::Token | Name::Key | Name::Auth | Name::Signature => Tie::Field,
        };
        let frame = |char: char| char.is_whitespace() || matches!(char, '`' | '*' | '"' | '\'');
        let mut spans = Vec::new();
        for cell in cells {
            let value = cell.trim_matches(frame);
            let start = value.as_ptr() as usize - self.text.as_ptr() as usize;
            if !value.is_empty() && self.is_secret_value(tie, false, value) {
                spans.push(start..start + value.len());
            }
        }
        spans
    }
}

/// Returns whether `line` separates a table's head from its rows.
fn is_separator_line(line: &str) -> bool {
    let line = line.trim();
    line.contains("--")
        && line
            .bytes()
            .all(|byte| matches!(byte, b'-' | b'+' | b'|' | b':' | b' '))
}

/// Returns whether `line` consists of at least three names separated by `sign`.
fn is_header_line(line: &str, sign: char) -> bool {
    let is_part = |byte: u8| is_name_char(char::from(byte)) || b" \"\r".contains(&byte);
    let mut signs = 0;
    let fits = line.bytes().all(|byte| {
        let is_sign = char::from(byte) == sign;
        signs += usize::from(is_sign);
        is_sign || is_part(byte)
    });
    fits && signs >= 2
}
