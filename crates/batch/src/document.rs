//! The document of a batch: what `agon batch --json` prints.

use std::collections::BTreeMap;

use agon_record::document::Document;
use agon_record::documents;
use schemars::JsonSchema;
use serde::Serialize;

use crate::estimate::{ESTIMATE_SCHEMA, Estimate};
use crate::folder::BatchFolder;
use crate::results::{BatchResult, RESULT_SCHEMA, ResultStatus};
use crate::run::{PROGRESS_SCHEMA, Progress};

/// Every document that this crate prints.
pub const DOCUMENTS: &[Document] = documents! {
    "batch" BatchDoc = BATCH_SCHEMA, "the progress of a batch: agon batch --json";
    "batch_result" BatchResult = RESULT_SCHEMA, "one result of a batch: a line of results.jsonl";
    "batch_estimate" Estimate = ESTIMATE_SCHEMA,
        "what a batch will take: agon batch --dry-run --json";
    "batch_progress" Progress = PROGRESS_SCHEMA, "the progress of a running batch: progress.json";
};

/// The schema of the document.
pub const BATCH_SCHEMA: &str = "agon.batch/1";

/// A batch, with its failures by error code.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BatchDoc {
    /// Always `agon.batch/1`.
    #[schemars(extend("const" = BATCH_SCHEMA))]
    pub schema: &'static str,
    /// The folder of the batch.
    pub folder: String,
    /// Whether a process is running it.
    pub running: bool,
    /// All chosen requests, with repetitions; for `--status`, those of the last run.
    pub requests: usize,
    /// Debates with a verdict.
    pub done: usize,
    /// Debates without one.
    pub failed: usize,
    /// The tokens that were used.
    pub tokens: u64,
    /// The cost in US dollars, as far as tools report it.
    pub cost_usd: f64,
    /// The expected seconds until the end of a running batch.
    pub left_s: Option<u64>,
    /// The failures, by error code.
    pub failures: BTreeMap<String, FailuresDoc>,
}

/// The failures with one error code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailuresDoc {
    /// How many there are.
    pub count: usize,
    /// The message of one of them.
    pub example: String,
    /// The lines of the requests, at most 20.
    pub lines: Vec<u64>,
}

/// Maximum number of lines of the file that are listed for one error code.
const MAX_LINES: usize = 20;

impl BatchDoc {
    /// Returns the document of a batch that was just started in the background.
    pub fn started(folder: &str, estimate: &Estimate) -> Self {
        Self {
            running: true,
            requests: estimate.requests,
            done: estimate.done,
            failed: estimate.failed,
            ..Self::of_run(folder, &Progress::default(), &[])
        }
    }

    /// Returns the document of a run, with the debates that failed in it.
    pub fn of_run(folder: &str, progress: &Progress, failed: &[BatchResult]) -> Self {
        Self {
            schema: BATCH_SCHEMA,
            folder: folder.to_owned(),
            running: false,
            requests: progress.requests,
            done: progress.done,
            failed: progress.failed,
            tokens: progress.tokens,
            cost_usd: progress.cost_usd,
            left_s: None,
            failures: by_code(failed),
        }
    }

    /// Returns the document of a batch from its files.
    pub fn of_results(folder: &str, files: &BatchFolder, results: &[BatchResult]) -> Self {
        let text = std::fs::read(files.progress()).unwrap_or_default();
        let progress: Progress = serde_json::from_slice(&text).unwrap_or_default();
        let running = files.is_running();
        let failed: Vec<_> = results
            .iter()
            .filter(|result| result.status == ResultStatus::Failed)
            .cloned()
            .collect();
        Self {
            running,
            requests: progress.requests.max(results.len()),
            done: results.len() - failed.len(),
            failed: failed.len(),
            left_s: progress.left_s.filter(|_| running),
            ..Self::of_run(folder, &progress, &failed)
        }
    }
}

fn by_code(failed: &[BatchResult]) -> BTreeMap<String, FailuresDoc> {
    let mut all: BTreeMap<String, FailuresDoc> = BTreeMap::new();
    for result in failed {
        let code = result.error.clone().unwrap_or_default();
        let failures = all.entry(code).or_default();
        if failures.count == 0 {
            failures.example = result.message.clone().unwrap_or_default();
        }
        failures.count += 1;
        if failures.lines.len() < MAX_LINES {
            failures.lines.push(result.line);
        }
    }
    all
}
