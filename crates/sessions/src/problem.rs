//! Parts of a record that could not be read.

use serde::{Deserialize, Serialize};

use crate::Location;

/// An unreadable or unknown part of a record. Reading continues after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordProblem {
    /// Its kind.
    pub kind: ProblemKind,
    /// The place of its first occurrence.
    pub location: Option<Location>,
    /// A detail from the record, such as the name of an unknown line kind.
    pub detail: Option<String>,
    /// The number of occurrences.
    pub count: u64,
}

/// The kind of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A line that is not JSON or has an unknown structure.
    Damaged,
    /// A line that is too long.
    TooLong,
    /// An unknown kind of line.
    UnknownKind,
    /// The host is newer than the tested versions.
    NewerVersion,
    /// A count that is missing or impossible.
    Tokens,
    /// A file named in the record is missing.
    MissingFile,
}

/// Most distinct problems listed. Further ones count toward the last.
const MAX_PROBLEMS: usize = 64;

/// Adds a problem of this kind and detail to `problems`, or increments its count.
pub(crate) fn note(
    problems: &mut Vec<RecordProblem>,
    kind: ProblemKind,
    location: Option<Location>,
    detail: Option<&str>,
) {
    // The detail comes from the record and can be very long, so keep 60 characters.
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
