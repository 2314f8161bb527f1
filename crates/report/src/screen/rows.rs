//! Labelled rows that share a number of lines.

use super::line::{Line, Style};
use crate::text::{cut, wrapped};

/// Columns of a row's label, with the space after it.
const LABEL: usize = 11;

/// A labelled text; each entry begins a line.
pub(super) struct Row {
    pub(super) label: &'static str,
    pub(super) entries: Vec<String>,
    /// The most lines it may take.
    pub(super) most: usize,
    pub(super) style: Style,
}

impl Row {
    /// A row of plain text; entries without text are left out.
    pub(super) fn new(label: &'static str, entries: Vec<String>, most: usize) -> Self {
        let entries = entries
            .into_iter()
            .filter(|entry| !entry.is_empty())
            .collect();
        let style = Style::Plain;
        Self {
            label,
            entries,
            most,
            style,
        }
    }

    /// The lines of its text when it may take `most` of them, and whether
    /// something was left out.
    fn lines(&self, width: usize, most: usize) -> (Vec<String>, bool) {
        let (mut lines, mut short) = (Vec::new(), false);
        for entry in &self.entries {
            let (wrapped, cut) = wrapped(entry, width, most);
            short |= cut;
            lines.extend(wrapped);
        }
        if lines.len() <= most {
            return (lines, short);
        }
        let mut lines: Vec<_> = self.entries.iter().map(|entry| cut(entry, width)).collect();
        if lines.len() > most {
            let kept = most.saturating_sub(1);
            let more = lines.len() - kept;
            lines.truncate(kept);
            lines.push(format!("… {more} of these"));
        }
        (lines, true)
    }
}

/// The rows in at most `most` lines of `width` columns, and whether something
/// was left out.
///
/// Every row with text has a line; what is left goes to the rows in their
/// order. `most` must not be less than the number of rows.
pub(super) fn laid_out(rows: &[Row], width: usize, most: usize) -> (Vec<Line>, bool) {
    let width = width.saturating_sub(LABEL);
    let rows = rows.iter().filter(|row| !row.entries.is_empty());
    let mut left = most.saturating_sub(rows.clone().count());
    let (mut lines, mut short) = (Vec::new(), false);
    for row in rows {
        let (texts, cut) = row.lines(width, row.most.min(1 + left));
        left -= texts.len().saturating_sub(1).min(left);
        short |= cut;
        for (at, text) in texts.into_iter().enumerate() {
            let label = if at == 0 { row.label } else { "" };
            let label = Line::default().with(Style::Name, format!("{label:<LABEL$}"));
            lines.push(label.with(row.style, text));
        }
    }
    (lines, short)
}
