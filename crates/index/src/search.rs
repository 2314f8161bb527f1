//! Searching: which debates have these words, the best first.

use std::path::PathBuf;

use rusqlite::{Connection, Row, params};

use crate::entry::{Summary, is_unspaced_script};
use crate::query::all_terms_expression;
use crate::refresh::folder_path;
use crate::{Index, IndexError};

/// What a match in the topic, the answer, a point, a reason, a name and a sign weighs.
const WEIGHTS: &str = "10.0, 6.0, 2.0, 3.0, 4.0, 2.0";
/// Around a match in a snippet; no text of the index has them.
const MARKS: [char; 2] = ['\u{1}', '\u{2}'];
// About 100 characters, one line of 110 columns.
/// Words of a snippet.
const AROUND: u32 = 16;

/// A debate that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its folder.
    pub path: PathBuf,
    /// What is known of it.
    pub summary: Summary,
    /// Where the words stand, with some text around them.
    pub snippet: Vec<Piece>,
    /// How well it fits; more is better, and comparable only within one search.
    pub score: f64,
}

/// A part of a snippet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text, fit to be shown.
    pub text: String,
    /// Whether it is what was looked for.
    pub found: bool,
}

impl Index {
    /// The debates in which all that is `asked` for stands, the best first, at most `most`.
    ///
    /// Words in quotation marks stand beside each other, `migrat*` is a word that begins so, and
    /// any other sign is a part of a word. Word endings and accents do not count.
    ///
    /// # Errors
    ///
    /// If there is no word in `asked`, or the index fails.
    pub fn search(&mut self, asked: &str, most: usize) -> Result<Vec<Hit>, IndexError> {
        let expression = all_terms_expression(asked).ok_or(IndexError::NoWords)?;
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
    // A snippet is made for what is shown, not for all that is found.
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

/// The summary that stands as JSON in one column.
pub(super) fn parse_summary_column(
    row: &Row<'_>,
    column: usize,
) -> Result<Summary, rusqlite::Error> {
    let json: String = row.get(column)?;
    let text = rusqlite::types::Type::Text;
    serde_json::from_str(&json)
        .map_err(|cause| rusqlite::Error::FromSqlConversionFailure(column, text, cause.into()))
}

/// The parts of a snippet with marks around what was found.
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

/// The text on one line, undoing the spaces that indexing put between characters of scripts without
/// spaces.
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
