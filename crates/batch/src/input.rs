//! Reads the requests of a batch, and reports every error in them at once.

mod objects;
mod tables;
mod template;

use std::path::Path;

use agon_caller::{Code, Failure, Hint};
use agon_debates::request::{StartRequest, topic};
use serde_json::Value;

use crate::request::BatchRequest;
pub use crate::row::{Row, RowKind};

// A file of 100,000 rows with a page of text each has 300 MB.
/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// Maximum number of errors that are printed.
const MAX_ERRORS: usize = 50;

/// An error in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InputError {
    line: u64,
    /// The column: a number of characters in JSON, or the name of a column of a table.
    column: Option<String>,
    what: String,
}

impl InputError {
    fn describe(&self, file: &str) -> String {
        let Self { line, column, what } = self;
        match column {
            Some(column) => format!("{file}:{line}:{column}: {what}"),
            None => format!("{file}:{line}: {what}"),
        }
    }
}

/// Reads the requests in the file of `batch`, relative to `cwd`.
///
/// # Errors
///
/// If the file cannot be read or has no rows; or with all errors in it, each with line and column.
pub fn read(batch: &BatchRequest, cwd: &Path) -> Result<Vec<Row>, Failure> {
    let file = batch.file.display().to_string();
    let text = agon_files::read_to_string(&cwd.join(&batch.file), MAX_BYTES).map_err(|error| {
        Failure::new(Code::NoFile, format!("cannot read {file}: {error}")).parameter("file")
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let is_csv = batch
        .file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let base = serde_json::to_value(&batch.base)
        .map_err(|error| Failure::from_error(Code::Json, &error))?;
    let is_table = batch.template.is_some() || !batch.columns.is_empty();
    let (rows, errors) = if is_csv {
        tables::read_csv(text, batch)
    } else if is_table {
        tables::read_json_lines(text, batch)
    } else {
        objects::read(text, &base, &batch.base)
    };
    if errors.is_empty() && rows.is_empty() {
        return Err(
            Failure::new(Code::InvalidParameter, format!("{file} has no requests"))
                .parameter("file")
                .hint(
                    "write one JSON object on each line, such as {\"topic\": \"Tabs or spaces?\"}",
                ),
        );
    }
    match errors.is_empty() {
        true => Ok(rows),
        false => Err(failure(&file, errors)),
    }
}

fn failure(file: &str, mut errors: Vec<InputError>) -> Failure {
    errors.sort_by_key(|error| error.line);
    let count = errors.len();
    let shown = errors.iter().take(MAX_ERRORS);
    let mut lines: Vec<_> = shown.map(|error| error.describe(file)).collect();
    if count > MAX_ERRORS {
        lines.push(format!("and {} more", count - MAX_ERRORS));
    }
    let noun = if count == 1 { "error" } else { "errors" };
    let message = format!(
        "{file} has {count} {noun}; nothing was started\n{}",
        lines.join("\n")
    );
    Failure::new(Code::InvalidParameter, message)
        .parameter("file")
        .hint(Hint::new(
            "correct these lines, then run the same command again",
        ))
}

/// Checks a complete request. Returns the field and the error.
fn check(request: &StartRequest) -> Result<(), (&'static str, String)> {
    topic::read(&request.topic, &[]).map_err(|failure| ("topic", failure.message))?;
    if request
        .rounds
        .is_some_and(|rounds| !(1..=5).contains(&rounds))
    {
        return Err(("rounds", "a duel has 1 to 5 rounds".to_owned()));
    }
    if request.quick && request.deep {
        return Err(("quick", "a debate is either quick or deep".to_owned()));
    }
    let seats = &request.seats;
    let sides = seats.sides.iter().filter_map(|side| side.tool.as_ref());
    let mut tools = sides.chain(&seats.judges.tools);
    if tools.any(|tool| tool == "human") {
        let what = "a person cannot take a seat in a batch; name a tool";
        return Err(("seats", what.to_owned()));
    }
    Ok(())
}

/// Overlays `over` on `base`: objects are merged, other values replaced.
fn overlay(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                overlay(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}

#[cfg(test)]
mod tests;
