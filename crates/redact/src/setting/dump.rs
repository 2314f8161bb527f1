//! Finds values in the rows of a database dump, whose head names the columns.

use std::ops::Range;

use super::NameScan;

/// Maximum length of the column names, in bytes.
const MAX_HEAD: usize = 1_000;
/// Maximum number of rows read.
const MAX_ROWS: usize = 60;

impl NameScan<'_> {
    /// Returns the values of the column with this name, in `COPY t (a, b) FROM stdin` or `INSERT
    /// INTO t (a, b) VALUES (…)`.
    pub(super) fn dumped_values(&self) -> Vec<Range<usize>> {
        let start = self.line_start;
        let before = &self.text[start..self.name.start];
        let Some(open) = memchr::memrchr(b'(', before.as_bytes()) else {
            return Vec::new();
        };
        let lower = before[..open].to_ascii_lowercase();
        let place = before[open..].matches(',').count();
        let rest = &self.text[self.name.end..];
        let head = &rest[..rest.floor_char_boundary(MAX_HEAD)];
        let Some(close) = head.find(')') else {
            return Vec::new();
        };
        let behind = head[close + 1..].trim_start();
        let is = |word: &str| {
            behind
                .get(..word.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(word))
        };
        if lower.contains("copy ") && is("from stdin") {
            let rows = self.rows().take_while(|row| !row.contains("\\."));
            return self.secret_cells(rows.filter_map(|row| row.split('\t').nth(place)));
        }
        if lower.contains("insert ") && is("values") {
            let at = behind.as_ptr() as usize - self.text.as_ptr() as usize + "values".len();
            return self.secret_cells(self.tuple_items(at, place).into_iter());
        }
        Vec::new()
    }

    /// Returns the items at index `place` of the consecutive tuples from `at` on.
    fn tuple_items(&self, at: usize, place: usize) -> Vec<&str> {
        // The same limit as `MAX_TABLE` in `table.rs`.
        let end = self
            .text
            .floor_char_boundary((at + 16_384).min(self.text.len()));
        let mut items = Vec::new();
        let (mut is_open, mut count, mut begin, mut quoted) = (false, 0, at, false);
        for (offset, byte) in self.text.as_bytes()[at..end].iter().enumerate() {
            let here = at + offset;
            match byte {
                b'\'' => quoted = !quoted,
                _ if quoted => {}
                b'(' if !is_open => (is_open, count, begin) = (true, 0, here + 1),
                b',' | b')' if is_open => {
                    if count == place {
                        items.push(&self.text[begin..here]);
                    }
                    (is_open, count, begin) = (*byte == b',', count + 1, here + 1);
                }
                b';' if !is_open => break,
                _ => {}
            }
            if items.len() == MAX_ROWS {
                break;
            }
        }
        items
    }
}
