//! Whether a debate's folder is whole and keeps the rules.

mod again;
mod folder;
mod found;
mod locate;
mod summary;

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_caller::hint::command;
use agon_caller::{Caller, Failure, Hint, Notes, find};
use agon_folder::published_files;
use agon_prompt::PROMPT_VERSION;
use agon_record::finding::{Finding, Severity};
use agon_record::state::State;
use agon_report::text::plain_line;
use agon_store::RealDisk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::folder::FolderProblem;
use crate::standing::choose;
use crate::standing::choose::Likely;

/// A debate's folder is to be checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckRequest {
    /// The debate: a folder, a name or an id; the only one where none is named.
    pub debate: Option<String>,
    /// The code of the only rule that is looked at.
    pub rule: Option<String>,
    /// Whether every citation is looked up again in what is kept of the source.
    pub evidence: bool,
}

/// What came of a check, for programs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckDoc {
    schema: &'static str,
    debate: String,
    sound: bool,
    /// Findings that are errors, and what is as bad in the folder.
    pub errors: usize,
    warnings: usize,
    findings: Vec<Finding>,
    /// What is wrong with the folder itself.
    pub folder: Vec<FolderProblem>,
    lines: u64,
    events: u64,
    files: u64,
    /// Places that were looked up again; left out where the request does not ask for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<usize>,
}

/// What came of a check.
#[derive(Clone, Debug)]
pub struct CheckedDebate {
    /// The debate.
    pub state: State,
    /// Its folder.
    pub path: PathBuf,
    /// What came of it, for programs.
    pub document: CheckDoc,
    /// The findings, those of a rule that has many told in one.
    pub findings: Vec<Finding>,
    /// What came of it, in a line.
    pub summary: String,
}

impl CheckedDebate {
    /// The documents in the debate's folder, as they are made of its record.
    pub fn document_texts(&self) -> BTreeMap<String, String> {
        let files = published_files(&self.state).into_iter();
        let text = |(name, bytes): (_, Vec<u8>)| {
            Some((ToString::to_string(&name), String::from_utf8(bytes).ok()?))
        };
        files.filter_map(text).collect()
    }
}

/// Checks a debate.
///
/// # Errors
///
/// If nothing of it can be read.
pub fn check(
    caller: &Caller,
    request: &CheckRequest,
    notes: &mut dyn Notes,
) -> Result<CheckedDebate, Failure> {
    let path = choose::find_or_choose(caller, request.debate.as_deref(), Likely::Latest, notes)?;
    let mut report = agon_folder::check(&RealDisk, &path, PROMPT_VERSION, &published_files)
        .map_err(|error| find::view_failure(&error))?;
    report.state.typed = Some(find::name_to_type(caller, &path));
    let mut findings = found::recorded_and_new_findings(&report.state);
    let mut folder = folder::folder_problems(&path, &report);
    if let Some(only) = &request.rule {
        findings.retain(|finding| finding.code == *only);
        folder.clear();
    }
    let mut places = None;
    if request.evidence {
        match again::recheck_citations(&path, &report.state)? {
            Some(looked) => {
                places = Some(looked.places);
                folder.extend(looked.wrong);
            }
            None => {
                caller.advise(&nothing_pinned_note(&report.state), notes);
                places = Some(0);
            }
        }
    }
    locate::locate(&report.state, &mut findings);
    let errors = count_by_severity(&findings, &folder, |severity| severity > Severity::Warning);
    let warnings = count_by_severity(&findings, &folder, |severity| severity == Severity::Warning);
    let off = |wrong: &FolderProblem| matches!(wrong.path.as_str(), "debate.md" | "scores.json");
    let agree = !folder.iter().any(off);
    Ok(CheckedDebate {
        summary: summary::summary(&report, &findings, errors, warnings, agree),
        findings: match request.rule {
            Some(_) => findings.clone(),
            None => found::collapse_repeated_findings(&report.state, &findings),
        },
        document: CheckDoc {
            schema: "agon.check/1",
            debate: report.state.spec.slug.clone(),
            sound: report.is_sound() && !folder.iter().any(|it| it.code == again::CHANGED),
            errors,
            warnings,
            findings,
            folder,
            lines: report.counts.lines,
            events: report.counts.events,
            files: report.counts.files,
            places,
        },
        state: report.state,
        path,
    })
}

fn nothing_pinned_note(state: &State) -> Hint {
    Hint::new(format!(
        "note: nothing was pinned when {} opened, so no citation can be looked up again",
        plain_line(&state.spec.slug)
    ))
    .then(command("debate --context file=PATH").text(", diff or repo pins what is cited"))
}

fn count_by_severity(
    findings: &[Finding],
    folder: &[FolderProblem],
    wanted: fn(Severity) -> bool,
) -> usize {
    let findings = findings.iter().map(|finding| finding.severity);
    let all = findings.chain(folder.iter().map(|wrong| wrong.severity));
    all.filter(|&severity| wanted(severity)).count()
}
