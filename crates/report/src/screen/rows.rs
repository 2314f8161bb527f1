//! Labelled rows of text, one below the other.

use super::line::{Line, Style};

// The longest, `Disagreements`, and a space.
/// Columns of the labels of all rows, with the space after them.
pub(super) const WIDE_LABEL: usize = 14;

// The longest, `Evidence` and `Decisive`, and two spaces.
/// Columns of the labels of a short verdict, with the space after them.
pub(super) const NARROW_LABEL: usize = 10;

// A label of 14 columns takes a third of 40 and a quarter of 60.
/// Below this width a label has a line of its own.
const MIN_BESIDE: usize = 60;

/// A labelled text; each entry begins a line.
pub(super) struct Row {
    label: &'static str,
    entries: Vec<Line>,
}

impl Row {
    /// A row of plain text; entries without text are left out.
    pub(super) fn new(label: &'static str, entries: Vec<String>) -> Self {
        Self::styled(label, Style::Plain, entries)
    }

    /// A row of text in `style`; ids in it have the style of their seat.
    pub(super) fn styled(label: &'static str, style: Style, entries: Vec<String>) -> Self {
        let entries = entries.into_iter().filter(|entry| !entry.is_empty());
        let line = |entry: String| Line::default().with_ids(style, &entry);
        Self {
            label,
            entries: entries.map(line).collect(),
        }
    }

    /// A row of lines that have styles of their own.
    pub(super) fn from_lines(label: &'static str, entries: Vec<Line>) -> Self {
        Self { label, entries }
    }
}

/// The rows that have text, whole, in lines of at most `width` columns, `label` of them for labels.
///
/// What of an entry does not fit its first line is indented a little more than its beginning, where
/// there are several of them.
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
