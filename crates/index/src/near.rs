//! Decisions near a topic.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use agon_record::likeness::{likeness_percent, subject_words};
use rusqlite::{Connection, params};

use crate::entry::Summary;
use crate::query::{any_word_expression, word_expression};
use crate::refresh::folder_path;
use crate::search::parse_summary_column;
use crate::{Index, IndexError};

// Two and a half times what is told at the most (`MOST_NEAR`), since SQLite's order is by words and
// ours by nearness.
/// Debates that are looked at more closely.
const LOOKED_AT: i64 = 50;
// Half of the topic's telling words (`ELSEWHERE`) are just enough. Held by
// `near_is_what_shares_the_matter`: nothing far comes up to it.
/// The least nearness that counts as near, in percent.
pub const NEAR: usize = 40;
// Below 100, so that the same topic comes before the same words in passing; half of it is `NEAR`.
/// The most that a debate on another topic can have, in percent.
const ELSEWHERE: f64 = 80.0;
// Chosen, not measured: a longer list is not read to its end, and `agon list --search` finds the
// rest.
/// The most decisions that anybody needs.
pub const MAX_NEAR: usize = 20;

/// An earlier decision near a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// Its folder.
    pub path: PathBuf,
    /// What is known of it.
    pub summary: Summary,
    /// How near, in percent: 100 for the same topic in any words' order.
    pub near: usize,
}

impl Index {
    /// Debates with an answer whose matter is near `topic`, the nearest first, at most `most`;
    /// none where nothing is near.
    ///
    /// Near is what shares its words with the topic, or has most of the topic's telling words in
    /// its own topic, answer and points; rare words count for more.
    ///
    /// # Errors
    ///
    /// If the index fails.
    pub fn find_near(&mut self, topic: &str, most: usize) -> Result<Vec<Near>, IndexError> {
        let words = subject_words(topic);
        let Some(any) = any_word_expression(&words) else {
            return Ok(Vec::new());
        };
        let dir = self.dir.clone();
        self.run_with_repair(|db| {
            let found = query_candidates(db, &any)?;
            let share = word_shares(db, &words, &found)?;
            let mut near: Vec<Near> = Vec::new();
            for (id, folder, summary) in found {
                let elsewhere = share.get(&id).copied().unwrap_or(0.0) * ELSEWHERE;
                let alike = likeness_percent(topic, &summary.topic);
                near.push(Near {
                    path: folder_path(&dir, folder),
                    near: alike.max(elsewhere.round() as usize),
                    summary,
                });
            }
            near.retain(|one| one.near >= NEAR);
            // Of equal ones the later decision.
            near.sort_by_key(|one| std::cmp::Reverse((one.near, one.summary.at_last)));
            near.truncate(most.min(MAX_NEAR));
            Ok(near)
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
    let rows = found.query_map(params![any, LOOKED_AT], |row| {
        Ok((row.get(0)?, row.get(1)?, parse_summary_column(row, 2)?))
    })?;
    rows.collect()
}

/// How much of `words` each candidate has, between 0 and 1; the rarer a word, the more it counts.
fn word_shares(
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
            word_expression(word)
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
