//! What of a record could not be read.

use serde::{Deserialize, Serialize};

use crate::Location;

/// Something in a record that could not be read or is not known. Reading goes on after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordProblem {
    /// What it is.
    pub kind: ProblemKind,
    /// Where it was first met.
    pub location: Option<Location>,
    /// A name of the record's own that says more, such as that of an unknown kind of line.
    pub detail: Option<String>,
    /// How often it was met.
    pub count: u64,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A line that is not JSON, or of no shape that is known.
    Damaged,
    /// A line too long to be read.
    TooLong,
    /// A kind of line that is not known.
    UnknownKind,
    /// The host is newer than the versions whose records were tried.
    NewerVersion,
    /// A count that is missing or cannot be right.
    Tokens,
    /// A file that the record names is not there.
    MissingFile,
}

/// Kinds of problems held apart by their detail; more of them are counted under the last.
const MAX_PROBLEMS: usize = 64;

/// Adds to `problems` one of this kind and detail, or counts it.
pub(crate) fn note(
    problems: &mut Vec<RecordProblem>,
    kind: ProblemKind,
    location: Option<Location>,
    detail: Option<&str>,
) {
    // A name of the record's own can be anything, also very long.
    let detail = detail.map(|it| it.chars().take(60).collect::<String>());
    let full = problems.len() >= MAX_PROBLEMS;
    let same = problems
        .iter_mut()
        .find(|it| it.kind == kind && (full || it.detail == detail));
    match same {
        Some(problem) => problem.count = problem.count.saturating_add(1),
        None => problems.push(RecordProblem {
            kind,
            location,
            detail,
            count: 1,
        }),
    }
}
