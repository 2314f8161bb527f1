//! Reads line numbers from a column of a Markdown table.

use super::lines::NamedLines;
use super::path::Path;
use super::ranges::parse_line_cell;

/// Names of columns with line numbers, without marks and in lower case.
const LINE_COLUMNS: [&str; 23] = [
    "line",
    "lines",
    "line no",
    "line nos",
    "line number",
    "line numbers",
    "line range",
    "ln",
    "place",
    "location",
    "where",
    "zeile",
    "zeilen",
    "zeilennummer",
    "stelle",
    "ort",
    "ligne",
    "lignes",
    "línea",
    "líneas",
    "строка",
    "строки",
    "行",
];

/// Names of columns with files.
const FILE_COLUMNS: [&str; 9] = [
    "file",
    "files",
    "path",
    "filename",
    "file name",
    "datei",
    "pfad",
    "fichier",
    "archivo",
];

/// Assigns the line numbers in a table row to the path in the same row. The line numbers must be
/// alone in a cell of a column for lines. `paths` must be in order.
pub(super) fn assign_table_lines(text: &str, paths: &mut [Path]) {
    let mut header: Option<Header> = None;
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let start = from;
        from += line.len();
        let cells = row_cells(line, start);
        if cells.len() < 2 {
            header = None;
            continue;
        }
        let Some(columns) = &header else {
            header = Some(Header::of(text, &cells));
            continue;
        };
        let ranges = columns.lines.and_then(|at| cells.get(at));
        let Some(ranges) = ranges.and_then(|at| parse_line_cell(&text[at[0]..at[1]])) else {
            continue;
        };
        let Some((first, more)) = ranges.split_first() else {
            continue;
        };
        let file_cell = columns.file.and_then(|at| cells.get(at));
        let only = only_path_in(paths, file_cell.copied())
            .or_else(|| only_path_in(paths, Some([start, from])));
        let Some(path) = only.and_then(|at| paths.get_mut(at)) else {
            continue;
        };
        if path.lines.is_none() {
            path.lines = Some(NamedLines {
                lines: *first,
                more: more.to_vec(),
                is_ambiguous: false,
                is_approximate: false,
                at: path.span[1],
            });
        }
    }
}

/// The positions of the columns for lines and files.
struct Header {
    lines: Option<usize>,
    file: Option<usize>,
}

impl Header {
    fn of(text: &str, cells: &[[usize; 2]]) -> Self {
        let names: Vec<String> = cells.iter().map(|at| name(&text[at[0]..at[1]])).collect();
        let position = |list: &[&str]| names.iter().position(|it| list.contains(&it.as_str()));
        Self {
            lines: position(&LINE_COLUMNS),
            file: position(&FILE_COLUMNS),
        }
    }
}

/// Returns the name of a column without marks and in lower case: `line` for `**Line #**`.
fn name(cell: &str) -> String {
    let kept = cell
        .chars()
        .filter(|c| c.is_alphanumeric() || c.is_whitespace());
    kept.collect::<String>().trim().to_lowercase()
}

/// Returns the byte ranges of a row's cells; fewer than two if the line is not a row.
fn row_cells(line: &str, start: usize) -> Vec<[usize; 2]> {
    let bare = line.trim();
    let offset = start + line.len() - line.trim_start().len();
    let mut cells = Vec::new();
    let mut from = 0;
    for (at, _) in bare.match_indices('|') {
        if bare[..at].ends_with('\\') {
            continue;
        }
        if at > 0 {
            cells.push([offset + from, offset + at]);
        }
        from = at + 1;
    }
    if from > 0 && from < bare.len() {
        cells.push([offset + from, offset + bare.len()]);
    }
    cells
}

/// Returns the index of the path in a byte range, if there is exactly one.
fn only_path_in(paths: &[Path], within: Option<[usize; 2]>) -> Option<usize> {
    let [from, to] = within?;
    let first = paths.partition_point(|path| path.span[0] < from);
    let is_inside = |at: usize| paths.get(at).is_some_and(|it| it.span[0] < to);
    (is_inside(first) && !is_inside(first + 1)).then_some(first)
}
