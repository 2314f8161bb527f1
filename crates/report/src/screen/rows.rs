//! Rows of labelled text.

use super::line::{Line, Style};

// The width of the longest label, `Disagreements`, and a space.
/// The width of the labels of a complete verdict, with the space after them.
pub(super) const WIDE_LABEL: usize = 14;

// The width of the longest labels, `Evidence` and `Decisive`, and two spaces.
/// The width of the labels of a short verdict, with the space after them.
pub(super) const NARROW_LABEL: usize = 10;

// A label of 14 columns takes a quarter of 60 columns, but a third of 40.
/// On narrower screens a label gets its own line.
const MIN_BESIDE: usize = 60;

/// A label with entries; each entry starts a line.
pub(super) struct Row {
    label: &'static str,
    entries: Vec<Line>,
}

impl Row {
    /// Creates a row of plain text without its empty entries.
    pub(super) fn new(label: &'static str, entries: Vec<String>) -> Self {
        Self::styled(label, Style::Plain, entries)
    }

    /// Creates a row of text in `style`, with ids in the style of their seat.
    pub(super) fn styled(label: &'static str, style: Style, entries: Vec<String>) -> Self {
        let entries = entries.into_iter().filter(|entry| !entry.is_empty());
        let line = |entry: String| Line::default().with_ids(style, &entry);
        Self {
            label,
            entries: entries.map(line).collect(),
        }
    }

    /// Creates a row of styled lines.
    pub(super) fn from_lines(label: &'static str, entries: Vec<Line>) -> Self {
        Self { label, entries }
    }
}

/// Returns the rows that have text as lines of at most `width` columns, of which `label` are for
/// labels.
///
/// If a row has several entries, the further lines of each are indented a little more than its
/// first.
pub(super) fn lay_out_rows(rows: &[Row], label: usize, width: usize) -> Vec<Line> {
    let (beside, indent) = match width < MIN_BESIDE {
        true => (false, 2),
        false => (true, label),
    };
    let mut lines = Vec::new();
    for row in rows {
        let hang = indent + if row.entries.len() > 1 { 2 } else { 0 };
        if !beside && !row.entries.is_empty() {
            lines.push(Line::default().with(Style::Name, row.label));
        }
        for (at, entry) in row.entries.iter().enumerate() {
            let name = if at == 0 && beside { row.label } else { "" };
            let mut line = Line::default().with(Style::Name, format!("{name:<indent$}"));
            line.spans.extend(entry.spans.iter().cloned());
            lines.extend(line.wrap_to_width(hang, width));
        }
    }
    lines
}
