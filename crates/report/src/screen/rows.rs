//! Labelled rows that share a number of lines.

use super::line::{Line, Style};
use crate::text::{display_width, truncate_to_width, wrap_to_lines};

// The longest, `Still open`, and a space.
/// Columns of a row's label, with the space after it.
const LABEL: usize = 11;

/// A labelled text; each entry begins a line.
pub(super) struct Row {
    pub(super) label: &'static str,
    pub(super) entries: Vec<String>,
    /// The most lines it may take.
    pub(super) most: usize,
    pub(super) style: Style,
    /// Whether it gets its lines before the others.
    pub(super) first: bool,
}

impl Row {
    /// A row of plain text; entries without text are left out.
    pub(super) fn new(label: &'static str, entries: Vec<String>, most: usize) -> Self {
        let entries = entries.into_iter().filter(|entry| !entry.is_empty());
        Self {
            label,
            entries: entries.collect(),
            most,
            style: Style::Plain,
            first: false,
        }
    }

    /// Its text in at most `most` lines, and whether something was left out.
    ///
    /// Every entry has a line as long as there are enough; what is left goes to
    /// the entries in their order. The last line says how many are not shown.
    fn wrap_entries(&self, width: usize, most: usize) -> (Vec<String>, bool) {
        let shown = self.entries.len().min(most);
        let more = self.entries.len() - shown;
        let mut left = most - shown;
        let (mut lines, mut short) = (Vec::new(), more > 0);
        for entry in &self.entries[..shown] {
            let (entry, cut) = wrap_to_lines(entry, width, 1 + left);
            left -= entry.len() - 1;
            short |= cut;
            lines.extend(entry);
        }
        if more > 0
            && let Some(last) = lines.last_mut()
        {
            let note = format!(" (and {more} more)");
            let room = width.saturating_sub(display_width(&note));
            *last = format!("{}{note}", truncate_to_width(last, room));
        }
        (lines, short)
    }
}

/// The rows in at most `most` lines of `width` columns, and whether something
/// was left out.
///
/// Every row with text has a line; what is left goes to those that come first,
/// then to the others in their order. `most` must not be less than the number
/// of rows.
pub(super) fn lay_out_rows(rows: &[Row], width: usize, most: usize) -> (Vec<Line>, bool) {
    let width = width.saturating_sub(LABEL);
    let rows: Vec<_> = rows.iter().filter(|row| !row.entries.is_empty()).collect();
    let mut left = most.saturating_sub(rows.len());
    let mut texts = vec![Vec::new(); rows.len()];
    let mut short = false;
    for first in [true, false] {
        for (row, text) in rows
            .iter()
            .zip(&mut texts)
            .filter(|(row, _)| row.first == first)
        {
            let cut;
            (*text, cut) = row.wrap_entries(width, row.most.min(1 + left));
            left -= text.len().saturating_sub(1).min(left);
            short |= cut;
        }
    }
    let lines = rows.into_iter().zip(texts).flat_map(|(row, texts)| {
        texts.into_iter().enumerate().map(|(at, text)| {
            let label = if at == 0 { row.label } else { "" };
            let label = Line::default().with(Style::Name, format!("{label:<LABEL$}"));
            label.with(row.style, text)
        })
    });
    (lines.collect(), short)
}
