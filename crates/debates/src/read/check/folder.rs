//! Problems of a debate's folder itself.

use std::path::Path;

use agon_folder::{CheckReport, FileProblem, Problem, foreign};
use agon_record::finding::Severity;
use agon_record::tally;
use agon_store::{RealDisk, RelPath};
use schemars::JsonSchema;
use serde::Serialize;

/// A problem of the folder itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FolderProblem {
    /// The severity.
    pub severity: Severity,
    /// Its code.
    pub code: &'static str,
    /// The path of the file in the folder.
    pub path: String,
    /// The problem.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl FolderProblem {
    /// Returns whether it is worse than a warning.
    pub fn is_error(&self) -> bool {
        self.severity > Severity::Warning
    }
}

/// Returns all problems of the folder in `path`, for which `report` was made.
pub(super) fn folder_problems(path: &Path, report: &CheckReport) -> Vec<FolderProblem> {
    let name = report.state.command_name();
    let problems = report
        .problems
        .iter()
        .map(|problem| record_problem(problem, name));
    let files = report
        .files
        .iter()
        .map(|(path, trouble)| file_problem(path, *trouble, name));
    let files = problems.chain(files);
    files.chain(stated_totals_mismatch(path, report)).collect()
}

fn record_problem(problem: &Problem, name: &str) -> FolderProblem {
    let journal = ".agon/journal.jsonl".to_owned();
    let blob = |hash: &str| format!(".agon/blobs/{hash}");
    let (severity, code, path, hint) = match problem {
        Problem::Journal(_) => {
            let hint = "the preceding lines can be read; restore a complete copy, for example from version control";
            (Severity::Error, "journal", journal, hint.to_owned())
        }
        Problem::Torn { .. } => {
            let hint = format!(
                "run `agon resume {name}` to set it aside, unless another agon is writing now"
            );
            (Severity::Warning, "journal", journal, hint)
        }
        Problem::BlobMissing { hash } | Problem::BlobDamaged { hash } => {
            let hint = "restore a complete copy, for example from version control".to_owned();
            (Severity::Error, "blob", blob(hash), hint)
        }
        Problem::Manifest => {
            let hint = format!("run `agon resume {name}` to rewrite it");
            (
                Severity::Warning,
                "projection",
                ".agon/projections.json".to_owned(),
                hint,
            )
        }
    };
    FolderProblem {
        severity,
        code,
        path,
        message: problem.to_string(),
        hint,
    }
}

fn file_problem(path: &RelPath, trouble: FileProblem, name: &str) -> FolderProblem {
    let path = path.to_string();
    let (severity, hint) = match trouble {
        FileProblem::Missing | FileProblem::Stale | FileProblem::Broken => (
            Severity::Warning,
            format!("run `agon resume {name}` to rewrite it"),
        ),
        FileProblem::ForeignEdit => {
            let hint = "Agon never overwrites it: move it away, or restore the original";
            (Severity::Error, hint.to_owned())
        }
    };
    let message = format!("{path} {trouble}");
    FolderProblem {
        severity,
        code: "projection",
        path,
        message,
        hint,
    }
}

/// Returns a problem if the totals stated by another tool are wrong.
///
/// In Agon's own folders, the totals are checked with the rest of `debate.md`.
fn stated_totals_mismatch(path: &Path, report: &CheckReport) -> Option<FolderProblem> {
    if !report.foreign {
        return None;
    }
    let stated = foreign::read(&RealDisk, path).ok()?.stated?;
    let computed = tally::side_totals(&report.state);
    let (seat, is, says) = computed.iter().find_map(|(seat, is)| {
        let says = stated.get(seat).copied().unwrap_or_default();
        let agree = says.count == is.count && (says.total - is.total).is_zero_within_tolerance();
        (!agree).then_some((seat, is, says))
    })?;
    Some(FolderProblem {
        severity: Severity::Error,
        code: "totals",
        path: "debate.md".to_owned(),
        message: format!(
            "it states a total of {} (scores: {}) for the {seat}, but the scores add up to {} \
             (scores: {})",
            says.total, says.count, is.total, is.count
        ),
        hint: "the scores take precedence; the next step that Agon writes corrects the totals"
            .to_owned(),
    })
}
