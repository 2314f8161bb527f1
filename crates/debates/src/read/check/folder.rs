//! What is wrong with a debate's folder itself.

use std::path::Path;

use agon_folder::{CheckReport, Problem, Trouble, foreign};
use agon_record::finding::Severity;
use agon_record::tally;
use agon_store::{RealDisk, RelPath};
use schemars::JsonSchema;
use serde::Serialize;

/// Something wrong with the folder itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FolderProblem {
    /// How bad it is.
    pub severity: Severity,
    /// Its code.
    pub code: &'static str,
    /// The file, within the folder.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl FolderProblem {
    /// Whether it is more than a warning.
    pub fn is_error(&self) -> bool {
        self.severity > Severity::Warning
    }
}

/// All that is wrong with the folder in `path`, of which `report` was made.
pub(super) fn folder_problems(path: &Path, report: &CheckReport) -> Vec<FolderProblem> {
    let name = report.state.command_name();
    let problems = report
        .problems
        .iter()
        .map(|problem| wrong_from_problem(problem, name));
    let files = report
        .files
        .iter()
        .map(|(path, trouble)| wrong_from_file_trouble(path, *trouble, name));
    let files = problems.chain(files);
    files.chain(stated_totals_mismatch(path, report)).collect()
}

fn wrong_from_problem(problem: &Problem, name: &str) -> FolderProblem {
    let journal = ".agon/journal.jsonl".to_owned();
    let blob = |hash: &str| format!(".agon/blobs/{hash}");
    let (severity, code, path, hint) = match problem {
        Problem::Journal(_) => {
            let hint = "what stands before it can be read; a whole copy may be in version control";
            (Severity::Error, "journal", journal, hint.to_owned())
        }
        Problem::Torn { .. } => {
            let hint =
                format!("agon resume {name} sets it aside, unless another agon is at it now");
            (Severity::Warning, "journal", journal, hint)
        }
        Problem::BlobMissing { hash } | Problem::BlobDamaged { hash } => {
            let hint = "a whole copy may be in version control".to_owned();
            (Severity::Error, "blob", blob(hash), hint)
        }
        Problem::Manifest => {
            let hint = format!("agon resume {name} writes it again");
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

fn wrong_from_file_trouble(path: &RelPath, trouble: Trouble, name: &str) -> FolderProblem {
    let path = path.to_string();
    let (severity, hint) = match trouble {
        Trouble::Missing | Trouble::Stale | Trouble::Broken => (
            Severity::Warning,
            format!("agon resume {name} writes it again"),
        ),
        Trouble::ForeignEdit => {
            let hint =
                "it is never overwritten: move it out of the way, or put back what was there";
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

/// What is wrong with the totals that another tool states.
///
/// Those of a folder of ours are checked with the rest of `debate.md`.
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
            "it states {} of {} for the {seat}, but the scores come to {} of {}",
            says.total, says.count, is.total, is.count
        ),
        hint: "the scores count; the next step written by agon states them right".to_owned(),
    })
}
