//! Tables with two spaces between columns.

use crate::screen::{Line, Style};
use crate::text::display_width;

/// Returns the rows as aligned lines; the last column may have any width.
pub(super) fn table_lines<const N: usize>(
    rows: impl IntoIterator<Item = [String; N]>,
) -> Vec<Line> {
    let rows: Vec<_> = rows.into_iter().collect();
    let widths: [usize; N] = std::array::from_fn(|at| {
        rows.iter()
            .map(|row| display_width(&row[at]))
            .max()
            .unwrap_or(0)
    });
    let line = |row: &[String; N]| {
        let mut text = String::new();
        for (cell, width) in row.iter().zip(widths) {
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width - display_width(cell) + 2));
        }
        Line::default().with(Style::Plain, text.trim_end())
    };
    rows.iter().map(line).collect()
}
