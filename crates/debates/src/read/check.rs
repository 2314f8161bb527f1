//! Checks whether a debate's folder is intact and follows the rules.

mod folder;
mod locate;
mod recheck;
mod rule_findings;
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
use crate::status::choose;
use crate::status::choose::LikelyDebate;

/// A request to check a debate's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckRequest {
    /// The debate: a folder, a name or an id; `None` means the only one.
    pub debate: Option<String>,
    /// The code of the only rule to check.
    pub rule: Option<String>,
    /// Whether to look up every citation again in the stored sources.
    pub evidence: bool,
}

/// The result of a check.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckDoc {
    schema: &'static str,
    debate: String,
    sound: bool,
    /// The number of errors, in findings and in the folder.
    pub errors: usize,
    warnings: usize,
    findings: Vec<Finding>,
    /// The problems of the folder itself.
    pub folder: Vec<FolderProblem>,
    lines: u64,
    events: u64,
    files: u64,
    /// The number of places looked up again; left out if not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<usize>,
}

/// The result of a check, for a person and for programs.
#[derive(Clone, Debug)]
pub struct CheckedDebate {
    /// The debate.
    pub state: State,
    /// Its folder.
    pub path: PathBuf,
    /// The machine-readable result.
    pub document: CheckDoc,
    /// The findings. The findings of a rule that is broken often are collapsed into one.
    pub findings: Vec<Finding>,
    /// The result in one line.
    pub summary: String,
}

impl CheckedDebate {
    /// Returns the documents of the debate's folder, rendered from its record.
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
/// If nothing can be read.
pub fn check(
    caller: &Caller,
    request: &CheckRequest,
    notes: &mut dyn Notes,
) -> Result<CheckedDebate, Failure> {
    let path = choose::find_or_choose(
        caller,
        request.debate.as_deref(),
        LikelyDebate::Latest,
        notes,
    )?;
    let mut report = agon_folder::check(&RealDisk, &path, PROMPT_VERSION, &published_files)
        .map_err(|error| find::view_failure(&error))?;
    report.state.typed = Some(find::typeable_debate_name(caller, &path));
    let mut findings = rule_findings::recorded_and_new_findings(&report.state);
    let mut folder = folder::folder_problems(&path, &report);
    if let Some(only) = &request.rule {
        findings.retain(|finding| finding.code == *only);
        folder.clear();
    }
    let mut places = None;
    if request.evidence {
        match recheck::recheck_citations(&path, &report.state)? {
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
            None => rule_findings::collapse_repeated_findings(&report.state, &findings),
        },
        document: CheckDoc {
            schema: "agon.check/1",
            debate: report.state.spec.slug.clone(),
            sound: report.is_sound() && !folder.iter().any(|it| it.code == recheck::CHANGED),
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
        "note: {} started without a stored source, so its citations cannot be looked up again",
        plain_line(&state.spec.slug)
    ))
    .then(
        command("debate --context file=PATH")
            .text(", diff or repo stores the sources that are cited"),
    )
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
