//! Labelled rows of text, one below the other.

use super::line::{Line, Style};
use crate::text::wrap_whole;

// The longest, `Still open`, and a space.
/// Columns of a row's label, with the space after it.
const LABEL: usize = 11;

/// A labelled text; each entry begins a line.
pub(super) struct Row {
    pub(super) label: &'static str,
    pub(super) entries: Vec<String>,
    pub(super) style: Style,
}

impl Row {
    /// A row of plain text; entries without text are left out.
    pub(super) fn new(label: &'static str, entries: Vec<String>) -> Self {
        let entries = entries.into_iter().filter(|entry| !entry.is_empty());
        Self {
            label,
            entries: entries.collect(),
            style: Style::Plain,
        }
    }
}

/// The rows that have text, in lines of `width` columns.
pub(super) fn lay_out_rows(rows: &[Row], width: usize) -> Vec<Line> {
    let width = width.saturating_sub(LABEL);
    let line = |row: &Row, at: usize, text: String| {
        let label = if at == 0 { row.label } else { "" };
        let label = Line::default().with(Style::Name, format!("{label:<LABEL$}"));
        label.with(row.style, text)
    };
    let lines = rows.iter().flat_map(|row| {
        let entries = row.entries.iter();
        let texts = entries.flat_map(|entry| wrap_whole(entry, width));
        texts.enumerate().map(move |(at, text)| line(row, at, text))
    });
    lines.collect()
}
