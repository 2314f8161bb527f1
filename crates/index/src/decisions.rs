//! Lists the answered debates.

use std::path::PathBuf;

use crate::entry::Summary;
use crate::refresh::folder_path;
use crate::search::parse_summary_column;
use crate::{Index, IndexError};

impl Index {
    /// Returns every answered debate and its folder, the latest first.
    ///
    /// # Errors
    ///
    /// If the index fails.
    pub fn decisions(&mut self) -> Result<Vec<(PathBuf, Summary)>, IndexError> {
        let dir = self.dir.clone();
        self.run_with_repair(|db| {
            let mut all = db.prepare_cached(
                "SELECT folder, summary FROM debate WHERE answered ORDER BY at_last DESC, folder",
            )?;
            let rows = all.query_map((), |row| {
                let folder = row.get::<_, Vec<u8>>(0)?;
                Ok((folder_path(&dir, folder), parse_summary_column(row, 1)?))
            })?;
            let mut found: Vec<(PathBuf, Summary)> = rows.collect::<Result<_, _>>()?;
            // `at_last` is later if a decision about the answer was recorded.
            found.sort_by_key(|(_, summary)| std::cmp::Reverse(summary.at_answer));
            Ok(found)
        })
    }
}
