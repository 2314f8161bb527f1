//! The results of a batch: a line in `results.jsonl` for each debate that ended, and a table.

mod table;

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use agon_caller::{Code, Failure, write_failure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::folder::{BatchFolder, failed_write};
use table::ResultsCsv;

/// The schema of a result.
pub const RESULT_SCHEMA: &str = "agon.batch_result/1";

// 100,000 results of 2 KB each have 200 MB.
/// Maximum size of the results, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// How a debate of a batch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultStatus {
    /// It has a verdict.
    Done,
    /// It ended without a verdict, or could not be started.
    Failed,
}

/// The result of one debate of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BatchResult {
    /// Always `agon.batch_result/1`.
    #[schemars(extend("const" = RESULT_SCHEMA))]
    pub schema: String,
    /// The identity of the request: a hash of every setting that changes its meaning.
    pub identity: String,
    /// The user's name for the request; may be empty.
    pub id: String,
    /// The user's tags.
    pub tags: Vec<String>,
    /// The line of the request in the file, from 1.
    pub line: u64,
    /// The number of the repetition, from 1.
    pub repeat: u32,
    /// How often the debate was started, because earlier attempts failed.
    pub attempt: u32,
    /// How it ended.
    pub status: ResultStatus,
    /// The code of the failure, such as `limit`.
    pub error: Option<String>,
    /// The message of the failure.
    pub message: Option<String>,
    /// The topic.
    pub topic: String,
    /// The answer.
    pub answer: Option<String>,
    /// The seat that argued the better case.
    pub winner: Option<String>,
    /// The tool in that seat.
    pub winner_tool: Option<String>,
    /// The authority of the verdict, such as `full`.
    pub authority: Option<String>,
    /// The calls that were made, by all attempts.
    pub calls: u32,
    /// The tokens that all attempts used, in and out.
    pub tokens: u64,
    /// The cost of all attempts in US dollars, as far as tools report it.
    pub cost_usd: f64,
    /// The running time of all attempts in seconds.
    pub seconds: f64,
    /// The debate's folder, relative to the folder of the batch; null if it was not started.
    pub folder: Option<String>,
}

/// The results file, open for writing.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    folder: BatchFolder,
    file: File,
    /// The length of the whole lines in the file.
    length: u64,
    by_identity: BTreeMap<String, BatchResult>,
    table: ResultsCsv,
}

impl Results {
    /// Opens the results of a batch. Removes a line that a killed process did not complete, and
    /// earlier results of a debate that has a newer one.
    ///
    /// # Errors
    ///
    /// If they cannot be read or written, or contain something else.
    pub fn open(folder: &BatchFolder) -> Result<Self, Failure> {
        let path = folder.results();
        let lines = read_lines(&path)?;
        let count = lines.results.len();
        let mut order = Vec::new();
        let mut by_identity = BTreeMap::new();
        for result in lines.results {
            let identity = result.identity.clone();
            if by_identity.insert(identity.clone(), result).is_none() {
                order.push(identity);
            }
        }
        if by_identity.len() < count {
            let mut text = Vec::new();
            for result in order
                .iter()
                .filter_map(|identity| by_identity.get(identity))
            {
                text.extend(encode(result)?);
            }
            agon_files::replace(&path, &text, 0o644, agon_files::Durable::Yes)
                .map_err(|error| write_failure(&error))?;
        }
        let mut open = OpenOptions::new();
        let file = open.create(true).append(true).open(&path);
        let file = file.map_err(|error| failed_write(&path, &error))?;
        let whole = || {
            if by_identity.len() == count {
                // Cut off the incomplete line.
                file.set_len(lines.whole)?;
            }
            Ok(file.metadata()?.len())
        };
        let length = whole().map_err(|error: io::Error| failed_write(&path, &error))?;
        let known = order
            .iter()
            .filter_map(|identity| by_identity.get(identity));
        let table = ResultsCsv::create(&folder.table(), known)
            .map_err(|error| failed_write(&folder.table(), &error))?;
        Ok(Self {
            path,
            folder: folder.clone(),
            file,
            length,
            by_identity,
            table,
        })
    }

    /// Returns the result of a request.
    pub fn find(&self, identity: &str) -> Option<&BatchResult> {
        self.by_identity.get(identity)
    }

    /// Returns all results.
    pub fn all(&self) -> impl Iterator<Item = &BatchResult> {
        self.by_identity.values()
    }

    /// Appends a result, syncs it and returns it.
    ///
    /// # Errors
    ///
    /// If it cannot be written, for example to a full disk. `results.jsonl` then stays as it was,
    /// unless only the table could not be written; the next [`Results::open`] writes it again.
    pub fn append(&mut self, result: BatchResult) -> Result<&BatchResult, Failure> {
        self.append_line(&encode(&result)?, |file, line| {
            file.write_all(line)?;
            file.sync_data()
        })?;
        let written = self.table.append(&result);
        let stored = self.by_identity.entry(result.identity.clone());
        let stored = stored.insert_entry(result).into_mut();
        written.map_err(|error| failed_write(&self.folder.table(), &error))?;
        Ok(stored)
    }

    /// Appends a line with `write`. If that fails, removes the part that was written.
    fn append_line(
        &mut self,
        line: &[u8],
        write: impl FnOnce(&mut File, &[u8]) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if let Err(error) = write(&mut self.file, line) {
            // If that fails too, the next run does it.
            drop(self.file.set_len(self.length));
            return Err(failed_write(&self.path, &error));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

/// Reads the results of a batch without changing them; an identity has only its latest.
///
/// # Errors
///
/// If they cannot be read.
pub fn read(folder: &BatchFolder) -> Result<Vec<BatchResult>, Failure> {
    let lines = read_lines(&folder.results())?;
    let latest: BTreeMap<_, _> = lines
        .results
        .into_iter()
        .map(|result| (result.identity.clone(), result))
        .collect();
    Ok(latest.into_values().collect())
}

struct Lines {
    results: Vec<BatchResult>,
    /// The length of the complete lines, in bytes.
    whole: u64,
}

fn read_lines(path: &Path) -> Result<Lines, Failure> {
    let bytes = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Ok(_) | Err(_) => agon_files::read(path, MAX_BYTES).map_err(|error| {
            Failure::new(
                Code::Store,
                format!("cannot read {}: {error}", path.display()),
            )
        })?,
    };
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    let whole = end.map_or(0, |at| at + 1);
    let mut results = Vec::new();
    let lines = bytes
        .get(..whole)
        .unwrap_or_default()
        .split(|byte| *byte == b'\n');
    for (number, line) in (1..).zip(lines) {
        if line.is_empty() {
            continue;
        }
        results.push(serde_json::from_slice(line).map_err(|error| {
            let message = format!("{}:{number} is not a result: {error}", path.display());
            Failure::new(Code::Damaged, message)
                .hint("remove that line; Agon writes it again from the debate's folder")
        })?);
    }
    let whole = whole as u64;
    Ok(Lines { results, whole })
}

fn encode(result: &BatchResult) -> Result<Vec<u8>, Failure> {
    let mut line =
        serde_json::to_vec(result).map_err(|error| Failure::from_error(Code::Json, &error))?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests;
