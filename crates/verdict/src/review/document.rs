//! The structure of a review's document.

use std::fmt;

use agon_record::authority::Authority;
use agon_record::id::NodeId;
use agon_record::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ReviewedChange;
use super::mark::DefectSeverity;
use crate::verdict::Verdict;

/// The schema name and version of the document.
pub const REVIEW_SCHEMA: &str = "agon.review/1";

/// A review of a change.
///
/// Texts are those of the seats: untrusted, and not shortened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewDoc {
    /// Always `agon.review/1`.
    #[schemars(extend("const" = REVIEW_SCHEMA))]
    pub schema: String,
    /// The debate's folder name.
    pub debate: String,
    /// The full id of the commit before the change.
    pub since: String,
    /// The full id of the last commit of the change, which every citation was looked up in.
    pub commit: String,
    /// Number of changed files that the seats were given.
    pub files: usize,
    /// The paths of changed files that did not fit into the context, so that no seat read them.
    pub not_read: Vec<String>,
    /// The answer to the question; null without a verdict.
    pub answer: Option<String>,
    /// The basis of the answer, in one line; null without a verdict.
    pub headline: Option<String>,
    /// Why there is no verdict; null if there is one.
    pub failure: Option<String>,
    /// How far the answer was tested; null without a verdict.
    pub authority: Option<Authority>,
    /// The reported defects, the most severe first. Code found the words that each one cites.
    pub defects: Vec<Defect>,
    /// Reports that were left out, each with the reason.
    pub left_out: Vec<LeftOut>,
    /// Points that still stand and that are not marked as a defect.
    pub open_points: Vec<OpenPoint>,
    /// Questions that the judge left open.
    pub open: Vec<String>,
    /// What both sides assumed.
    pub assumed: Vec<String>,
}

impl ReviewDoc {
    pub(super) fn new(state: &State, verdict: Option<&Verdict>, change: &ReviewedChange) -> Self {
        let ruling = state.prevailing_ruling().map(|(_, ruling)| ruling);
        let open = ruling.map(|ruling| ruling.open.iter().map(|one| one.question.clone()));
        let open = open.map(Iterator::collect).unwrap_or_default();
        let assumed = ruling.map(|ruling| ruling.assumed_by_both.clone());
        Self {
            schema: REVIEW_SCHEMA.to_owned(),
            debate: state.spec.slug.clone(),
            since: change.since.clone(),
            commit: change.commit.clone(),
            files: change.files.len(),
            not_read: change.not_read.clone(),
            answer: verdict.and_then(|verdict| verdict.answer.clone()),
            headline: verdict.map(|verdict| verdict.headline.clone()),
            failure: None,
            authority: verdict.map(|verdict| verdict.authority),
            defects: Vec::new(),
            left_out: Vec::new(),
            open_points: Vec::new(),
            open,
            assumed: assumed.unwrap_or_default(),
        }
    }

    /// Returns the document of a review that failed before there was anything to report.
    pub fn failed(change: &ReviewedChange, why: String) -> Self {
        Self {
            schema: REVIEW_SCHEMA.to_owned(),
            since: change.since.clone(),
            commit: change.commit.clone(),
            files: change.files.len(),
            not_read: change.not_read.clone(),
            failure: Some(why),
            ..Self::default()
        }
    }

    /// Returns whether a reported defect, or an objection that still stands and whose place code
    /// found, is at least as severe as `least`.
    pub fn has_from(&self, least: DefectSeverity) -> bool {
        let is_severe_objection =
            |point: &OpenPoint| point.severity >= Some(least) && !point.places.is_empty();
        self.defects.iter().any(|one| one.severity >= least)
            || self.open_points.iter().any(is_severe_objection)
    }

    /// Returns why the review does not show that the change is safe although it has a verdict; `None`
    /// if it does.
    pub fn doubt(&self) -> Option<String> {
        let answer = self.answer.as_deref()?.trim_start();
        let word: String = answer.chars().take_while(|c| c.is_alphabetic()).collect();
        let is_full = self.authority == Some(Authority::Full);
        match (self.authority, word.to_ascii_lowercase().as_str()) {
            (Some(authority), _) if !is_full => Some(format!(
                "the verdict has less than full authority: {}",
                authority.name()
            )),
            (_, "yes") => None,
            (_, "no") => Some("the verdict is no".to_owned()),
            _ => Some("the verdict is neither yes nor no".to_owned()),
        }
    }
}

/// A reported defect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Defect {
    /// The point of the debate.
    pub id: NodeId,
    /// How serious it is, according to the tool that reported it.
    pub severity: DefectSeverity,
    /// The defect in a few words.
    pub title: String,
    /// The defect.
    pub text: String,
    /// The tool that reported it.
    pub reported_by: String,
    /// The cited places whose words code found in the commit; at least one.
    pub places: Vec<CodeLines>,
    /// Whether one of the places is in a changed file.
    pub is_in_change: bool,
    /// What became of it in the debate.
    pub standing: DefectStanding,
    /// Who confirmed it; null if the other side did not.
    pub confirmed: Option<Confirmation>,
    /// What was tried against it.
    pub tried: Vec<Attempt>,
    /// Whether the judge's verdict rests on it.
    pub is_decisive: bool,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeLines {
    /// The path in the repository, with `/`.
    pub file: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, from 1.
    pub end_line: u32,
    /// Whether the lines are of the version before the change, which removed them.
    pub is_removed: bool,
}

impl fmt::Display for CodeLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.start_line)?;
        if self.end_line > self.start_line {
            write!(f, "-{}", self.end_line)?;
        }
        match self.is_removed {
            true => f.write_str(" (removed)"),
            false => Ok(()),
        }
    }
}

/// What became of a reported defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DefectStanding {
    /// The other side confirmed it.
    Confirmed,
    /// The other side argued against it, and it was not given up.
    Disputed,
    /// The other side argued against it, and then accepted the answers.
    Upheld,
    /// The other side did not answer it.
    Unanswered,
}

/// The confirmation of a defect by the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confirmation {
    /// The point of the debate.
    pub id: NodeId,
    /// The tool that confirmed it.
    pub by: String,
    /// Whether that tool is of another vendor than the one that reported the defect.
    pub is_other_vendor: bool,
    /// Whether the confirmation cites a place that the report does not cite, and code found its words.
    pub has_own_evidence: bool,
    /// The confirmation.
    pub text: String,
}

impl Confirmation {
    /// Whether a tool of another vendor found evidence of its own for the defect.
    pub fn is_reproduced(&self) -> bool {
        self.is_other_vendor && self.has_own_evidence
    }
}

/// Something that was tried against a reported defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    /// The point of the debate.
    pub id: NodeId,
    /// The tool that tried it.
    pub by: String,
    /// What was tried.
    pub kind: AttemptKind,
    /// The argument against the defect.
    pub text: String,
    /// The fault of its citations, such as `wrong citation`; null without one.
    pub citation_fault: Option<String>,
    /// Whether the tool that tried it gave it up after the reply.
    pub is_withdrawn: bool,
    /// What the side that reported the defect replied; null if nothing.
    pub reply: Option<String>,
}

/// The kind of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptKind {
    /// The defect does not exist.
    Denied,
    /// The defect exists, but does not matter.
    Outweighed,
}

/// A report that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// The point of the debate.
    pub id: NodeId,
    /// The report in a few words.
    pub title: String,
    /// Why it was left out.
    pub reason: LeftOutReason,
}

/// Why a report was left out.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason {
    /// The cited words are not in the file.
    WrongCitation,
    /// The cited file or lines do not exist.
    MissingPlace,
    /// The place exists, but no words of it were quoted.
    NoQuotation,
    /// The cited file is not part of the change, so its words were not looked up.
    NotLookedUp,
    /// No place was cited that code could look up.
    NoPlace,
    /// The side that reported it gave it up.
    Withdrawn,
}

impl LeftOutReason {
    /// Returns the reason in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::WrongCitation => "the quoted words are not in the file",
            Self::MissingPlace => "the cited file or lines do not exist",
            Self::NoQuotation => "no words of the cited place were quoted",
            Self::NotLookedUp => "the cited file is not part of the change and was not looked up",
            Self::NoPlace => "no place in the code was cited",
            Self::Withdrawn => "withdrawn after an answer",
        }
    }
}

/// A point that still stands and that is not marked as a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenPoint {
    /// The point of the debate.
    pub id: NodeId,
    /// The tool that made it.
    pub by: String,
    /// How serious it is, if it is an objection; null for an argument.
    pub severity: Option<DefectSeverity>,
    /// The point.
    pub text: String,
    /// The cited places whose words code found.
    pub places: Vec<CodeLines>,
}
