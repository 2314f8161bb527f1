//! Values in the columns of tables.

use std::ops::Range;

use super::{Look, Tie, line_start};
use crate::name::Name;
use crate::span::is_name_char;

// 60 rows are looked at, of 273 bytes each.
/// How far below its head a field is looked for.
const MAX_TABLE: usize = 16_384;

impl Look<'_> {
    /// The values below the name, where it heads the column of a table.
    pub(super) fn column_values(&self) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let line = line_start(self.text, self.name.start);
        let head = &self.text[line..self.name.start];
        if self.kind != Name::Password || !head.trim_end().ends_with('|') || head.len() > 400 {
            return spans;
        }
        let place = head.matches('|').count();
        let end = self.text_near(self.name.end).find('\n');
        let Some(mut at) = end.map(|end| self.name.end + end + 1) else {
            return spans;
        };
        if !self.text_near(at).trim_start().starts_with("|-")
            && !self.text_near(at).trim_start().starts_with("| -")
            && !self.text_near(at).trim_start().starts_with("|:")
        {
            return spans;
        }
        for row in self.text[at..].split_inclusive('\n').take(60) {
            if !row.trim_start().starts_with('|') {
                break;
            }
            let mut cells = row
                .match_indices('|')
                .map(|(bar, _)| bar + 1)
                .skip(place - 1);
            if let (Some(from), Some(to)) = (cells.next(), cells.next()) {
                let cell = row[from..to - 1].trim_matches([' ', '`', '*', '\t']);
                let start = at + from + row[from..].find(cell).unwrap_or(0);
                if !cell.is_empty() && self.is_secret_value(Tie::Tight, false, cell) {
                    spans.push(start..start + cell.len());
                }
            }
            at += row.len();
        }
        spans
    }

    /// The values below the name, where it heads a field of values between commas.
    pub(super) fn comma_field_values(&self) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let start = line_start(self.text, self.name.start);
        let end = self
            .text_near(self.name.end)
            .find('\n')
            .map(|end| self.name.end + end);
        let Some(end) = end.filter(|_| self.kind == Name::Password) else {
            return spans;
        };
        let head = &self.text[start..end];
        let column = |part: &str| {
            part.bytes()
                .all(|byte| is_name_char(char::from(byte)) || b" \"\r".contains(&byte))
        };
        if head.matches(',').count() < 2 || !head.split(',').all(column) {
            return spans;
        }
        let place = self.text[start..self.name.start].matches(',').count();
        let mut at = end + 1;
        let rows = &self.text[at..];
        let rows = &rows[..rows.floor_char_boundary(MAX_TABLE)];
        for row in rows.split_inclusive('\n').take(60) {
            let line = row.trim_end();
            if line.matches(',').count() < 2 {
                break;
            }
            if let Some(cell) = line.split(',').nth(place) {
                let inner = cell.trim_matches(['"', ' ']);
                let start = at + (inner.as_ptr() as usize - row.as_ptr() as usize);
                if !inner.is_empty() && self.is_secret_value(Tie::Tight, false, inner) {
                    spans.push(start..start + inner.len());
                }
            }
            at += row.len();
        }
        spans
    }
}
