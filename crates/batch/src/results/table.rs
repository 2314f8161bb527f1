//! `results.csv`: the results as a table for a spreadsheet.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::{BatchResult, ResultStatus};

const HEADER: [&str; 17] = [
    "id",
    "line",
    "repeat",
    "status",
    "error",
    "topic",
    "answer",
    "winner",
    "winner_tool",
    "authority",
    "calls",
    "tokens",
    "cost_usd",
    "seconds",
    "tags",
    "folder",
    "identity",
];

/// The table, open for writing. It is written again from `results.jsonl` at each start, so it is not
/// synced.
#[derive(Debug)]
pub(super) struct ResultsCsv(csv::Writer<File>);

impl ResultsCsv {
    /// Creates the table with these results. A failure leaves an earlier table as it was.
    pub(super) fn create<'a>(
        path: &Path,
        results: impl Iterator<Item = &'a BatchResult>,
    ) -> io::Result<Self> {
        let new = path.with_extension("csv.new");
        let mut table = Self(csv::Writer::from_writer(File::create(&new)?));
        table.0.write_record(HEADER)?;
        for result in results {
            table.write(result)?;
        }
        table.0.flush()?;
        fs::rename(new, path)?;
        Ok(table)
    }

    pub(super) fn append(&mut self, result: &BatchResult) -> io::Result<()> {
        self.write(result)?;
        self.0.flush()
    }

    fn write(&mut self, result: &BatchResult) -> io::Result<()> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let status = match result.status {
            ResultStatus::Done => "done",
            ResultStatus::Failed => "failed",
        };
        let cells = [
            result.id.clone(),
            result.line.to_string(),
            result.repeat.to_string(),
            status.to_owned(),
            text(&result.error),
            result.topic.clone(),
            text(&result.answer),
            text(&result.winner),
            text(&result.winner_tool),
            text(&result.authority),
            result.calls.to_string(),
            result.tokens.to_string(),
            result.cost_usd.to_string(),
            result.seconds.to_string(),
            result.tags.join(" "),
            text(&result.folder),
            result.identity.clone(),
        ];
        // A spreadsheet would run a text that begins like this as a formula.
        let cells = cells.map(
            |cell| match cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
                true => format!("'{cell}"),
                false => cell,
            },
        );
        self.0.write_record(cells)?;
        Ok(())
    }
}
