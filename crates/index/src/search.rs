//! Full-text search, the best match first.

use std::path::PathBuf;

use rusqlite::{Connection, Row, params};

use crate::entry::{Summary, is_unspaced_script};
use crate::query::match_all_expression;
use crate::refresh::folder_path;
use crate::{Index, IndexError};

/// The weights of the columns: topic, answer, points, reasons, metadata and single characters.
const WEIGHTS: &str = "10.0, 6.0, 2.0, 3.0, 4.0, 2.0";
/// Marks around a match in a snippet; indexed texts do not contain them.
const MARKS: [char; 2] = ['\u{1}', '\u{2}'];
// About 100 characters, one line of 110 columns.
/// Number of words in a snippet.
const AROUND: u32 = 16;

/// A debate that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The folder of the debate.
    pub path: PathBuf,
    /// The summary of the debate.
    pub summary: Summary,
    /// The matching text with some context.
    pub snippet: Vec<Piece>,
    /// How well the debate matches; higher is better. Comparable only within one search.
    pub score: f64,
}

/// A part of a snippet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text, safe to print.
    pub text: String,
    /// Whether the part is a match.
    pub found: bool,
}

impl Index {
    /// Returns the debates that contain all words of `asked`, the best match first, at most `most`.
    ///
    /// Words in quotation marks must be adjacent, `migrat*` is a prefix, and any other character is
    /// part of a word. Word endings and accents are ignored.
    ///
    /// # Errors
    ///
    /// If `asked` contains no word, or the index fails.
    pub fn search(&mut self, asked: &str, most: usize) -> Result<Vec<Hit>, IndexError> {
        let expression = match_all_expression(asked).ok_or(IndexError::NoWords)?;
        let dir = self.dir.clone();
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.run_with_repair(|db| {
            let rows = find_rows(db, &expression, most)?;
            let hit = |(folder, summary, snippet, score)| Hit {
                path: folder_path(&dir, folder),
                summary,
                snippet,
                score,
            };
            Ok(rows.into_iter().map(hit).collect())
        })
    }
}

type FoundRow = (Vec<u8>, Summary, Vec<Piece>, f64);

fn find_rows(
    db: &Connection,
    expression: &str,
    most: i64,
) -> Result<Vec<FoundRow>, rusqlite::Error> {
    // Build the snippet in the query, so that SQLite creates it only for the returned rows.
    let sql = format!(
        "SELECT folder, summary, snippet(said, -1, ?2, ?3, '…', {AROUND}), rank \
         FROM said JOIN debate ON debate.id = said.rowid \
         WHERE said MATCH ?1 AND rank MATCH 'bm25({WEIGHTS})' AND summary IS NOT NULL \
         ORDER BY rank LIMIT ?4"
    );
    let mut found = db.prepare_cached(&sql)?;
    let [from, to] = MARKS.map(String::from);
    let rows = found.query_map(params![expression, from, to, most], |row| {
        let text: String = row.get(2)?;
        let rank: f64 = row.get(3)?;
        Ok((
            row.get(0)?,
            parse_summary_column(row, 1)?,
            split_snippet(&text),
            -rank,
        ))
    })?;
    rows.collect()
}

/// Parses the summary, which one column stores as JSON.
pub(super) fn parse_summary_column(
    row: &Row<'_>,
    column: usize,
) -> Result<Summary, rusqlite::Error> {
    let json: String = row.get(column)?;
    let text = rusqlite::types::Type::Text;
    serde_json::from_str(&json)
        .map_err(|cause| rusqlite::Error::FromSqlConversionFailure(column, text, cause.into()))
}

/// Splits a snippet at the marks around matches.
fn split_snippet(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut found = false;
    for part in text.split_inclusive(MARKS) {
        let (said, mark) = match part.strip_suffix(MARKS) {
            Some(said) => (said, part.chars().next_back()),
            None => (part, None),
        };
        if !said.is_empty() {
            let text = to_display_line(said);
            pieces.push(Piece { text, found });
        }
        found = mark == Some(MARKS[0]);
    }
    pieces
}

/// Returns the text on one line, without the spaces that indexing added between characters of
/// scripts without spaces.
fn to_display_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let signs = out.chars().next_back().is_some_and(is_unspaced_script);
        match c {
            ' ' if signs
                && rest
                    .peek()
                    .is_none_or(|next| is_unspaced_script(*next) || *next == '|') => {}
            '|' if signs => out.push(' '),
            '\n' => out.push_str(" · "),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_says_what_was_found_in_it() {
        let piece = |text: &str, found| Piece {
            text: text.to_owned(),
            found,
        };
        assert_eq!(
            split_snippet("…one \u{1}two\u{2} three\nfour"),
            [
                piece("…one ", false),
                piece("two", true),
                piece(" three · four", false)
            ]
        );
        assert_eq!(
            split_snippet("作 \u{1}数 据 库\u{2} 存 |"),
            [
                piece("作", false),
                piece("数据库", true),
                piece(" 存 ", false),
            ]
        );
    }
}
