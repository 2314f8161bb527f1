//! Finds decisions similar to a topic.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use agon_record::similarity::{similarity_percent, subject_words};
use rusqlite::{Connection, params};

use crate::entry::Summary;
use crate::query::{match_any_expression, match_word_expression};
use crate::refresh::folder_path;
use crate::search::parse_summary_column;
use crate::{Index, IndexError};

// Two and a half times the maximum result (`MAX_SIMILAR`), because SQLite ranks by words and Agon
// ranks again by similarity.
/// Maximum number of debates that are compared in detail.
const MAX_CANDIDATES: i64 = 50;
// A debate with exactly half of the topic's distinctive words reaches this value (half of
// `MAX_OTHER_TOPIC`); nothing unrelated does. Tested by `near_is_what_shares_the_matter`.
/// Minimum similarity of a result, in percent.
pub const MIN_SIMILARITY: usize = 40;
// Below 100, so that the same topic ranks before a debate that contains all the words in another
// context.
/// Maximum similarity of a debate on another topic, in percent.
const MAX_OTHER_TOPIC: f64 = 80.0;
// Chosen, not measured: less than the difference between a topic's words in another order and half of
// them.
/// How much less similar a debate may be, in percent, to rank before one whose answer was neither
/// taken nor rejected.
const DECIDED_AHEAD: usize = 15;
// Chosen, not measured: a longer list is rarely read, and `agon list --search` finds the rest.
/// Maximum number of results.
pub const MAX_SIMILAR: usize = 20;

/// An earlier debate with an answer, similar to a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarDecision {
    /// Its folder.
    pub path: PathBuf,
    /// The summary of the debate.
    pub summary: Summary,
    /// The similarity in percent; 100 for the same topic with its words in any order.
    pub similarity: usize,
}

impl Index {
    /// Returns answered debates that are similar to `topic`, the most similar first, at most
    /// `most`. A debate with a recorded decision ranks before one that is slightly more similar.
    ///
    /// A debate is similar if its topic has the same words, or if its topic, answer and points
    /// contain most of the topic's distinctive words. Rare words count more.
    ///
    /// # Errors
    ///
    /// If the index fails.
    pub fn find_similar(
        &mut self,
        topic: &str,
        most: usize,
    ) -> Result<Vec<SimilarDecision>, IndexError> {
        let words = subject_words(topic);
        let Some(any) = match_any_expression(&words) else {
            return Ok(Vec::new());
        };
        let dir = self.dir.clone();
        self.run_with_repair(|db| {
            let found = query_candidates(db, &any)?;
            let share = weighted_word_coverage(db, &words, &found)?;
            let mut similar: Vec<SimilarDecision> = Vec::new();
            for (id, folder, summary) in found {
                let elsewhere = share.get(&id).copied().unwrap_or(0.0) * MAX_OTHER_TOPIC;
                let alike = similarity_percent(topic, &summary.topic);
                similar.push(SimilarDecision {
                    path: folder_path(&dir, folder),
                    similarity: alike.max(elsewhere.round() as usize),
                    summary,
                });
            }
            similar.retain(|one| one.similarity >= MIN_SIMILARITY);
            // Of equally similar debates, put the later one first.
            similar.sort_by_key(|one| {
                let ahead = usize::from(one.summary.decided.is_some()) * DECIDED_AHEAD;
                let rank = one.similarity + ahead;
                // The same topic always comes first.
                std::cmp::Reverse((one.similarity == 100, rank, one.summary.at_answer))
            });
            similar.truncate(most.min(MAX_SIMILAR));
            Ok(similar)
        })
    }
}

type Candidate = (i64, Vec<u8>, Summary);

fn query_candidates(db: &Connection, any: &str) -> Result<Vec<Candidate>, rusqlite::Error> {
    let mut found = db.prepare_cached(
        "SELECT debate.id, folder, summary FROM said JOIN debate ON debate.id = said.rowid \
         WHERE said MATCH ?1 AND rank MATCH 'bm25(10.0, 6.0, 1.0, 1.0, 0.0, 2.0)' \
         AND answered ORDER BY rank LIMIT ?2",
    )?;
    let rows = found.query_map(params![any, MAX_CANDIDATES], |row| {
        Ok((row.get(0)?, row.get(1)?, parse_summary_column(row, 2)?))
    })?;
    rows.collect()
}

/// Returns for each candidate the share of `words` that it contains, from 0 to 1; rare words count
/// more.
fn weighted_word_coverage(
    db: &Connection,
    words: &[String],
    found: &[Candidate],
) -> Result<HashMap<i64, f64>, rusqlite::Error> {
    let ids: HashSet<i64> = found.iter().map(|(id, ..)| *id).collect();
    let all: i64 = db.query_row("SELECT count(*) FROM debate", (), |row| row.get(0))?;
    let mut having = db.prepare_cached("SELECT rowid FROM said WHERE said MATCH ?1")?;
    let mut share: HashMap<i64, f64> = HashMap::new();
    let mut total = 0.0;
    for word in words {
        let expression = format!(
            "{{topic answer points signs}} : ({})",
            match_word_expression(word)
        );
        let rows = having.query_map([expression], |row| row.get::<_, i64>(0))?;
        let have: HashSet<i64> = rows.collect::<Result<_, _>>()?;
        let rare = (1.0 + (all as f64 + 1.0) / (have.len() as f64 + 1.0)).ln();
        total += rare;
        for id in have.intersection(&ids) {
            *share.entry(*id).or_default() += rare;
        }
    }
    share.values_mut().for_each(|part| *part /= total);
    Ok(share)
}
