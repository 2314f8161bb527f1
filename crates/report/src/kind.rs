//! What a debate can be rendered as, a row for each kind.

use std::cell::OnceCell;

use agon_record::state::State;
use agon_verdict::verdict::{self, Verdict};

use self::ReportContent::{Pixels, Text};
use crate::document::{decision_record_md, pull_request_md, readme_md, transcript_md, verdict_md};
use crate::drawing::debate_drawing;
use crate::graph::{dot, mermaid, svg};
use crate::html::html;

/// A document that a debate can be rendered as.
#[derive(Clone, Copy, Debug)]
pub struct ReportKind {
    /// The name by which it is asked for.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The endings of files that hold it, where nothing else says what a file is to hold.
    pub endings: &'static [&'static str],
    /// The kind that a program is given in its place, by name; `None` where only people read it.
    pub for_programs: Option<&'static str>,
    /// Renders a debate; `None` where that takes a verdict and there is none.
    pub render: fn(&ReportSource<'_>) -> Option<ReportContent>,
}

/// What a kind is rendered from.
#[derive(Debug)]
pub struct ReportSource<'a> {
    /// The debate.
    pub state: &'a State,
    /// An account of it, checked with
    /// [`narrative::check_narrative`](agon_rules::narrative::check_narrative).
    pub narrative: Option<&'a str>,
    /// The day on which something was recorded last, such as `2026-11-27`.
    pub day: &'a str,
    verdict: OnceCell<Option<Verdict>>,
}

impl<'a> ReportSource<'a> {
    /// The source of a report on `state`.
    pub fn new(state: &'a State, narrative: Option<&'a str>, day: &'a str) -> Self {
        Self {
            state,
            narrative,
            day,
            verdict: OnceCell::new(),
        }
    }

    /// The verdict, which is worked out when it is first asked for.
    pub fn verdict(&self) -> Option<&Verdict> {
        let verdict = self.verdict.get_or_init(|| verdict::verdict(self.state));
        verdict.as_ref()
    }
}

/// A rendered kind.
#[derive(Clone, Debug)]
pub enum ReportContent {
    /// A text.
    Text(String),
    /// The verdict, for programs.
    Verdict(Box<Verdict>),
    /// The argument graph in pixels, which not every build can paint.
    Pixels,
}

/// Every kind, in the order in which help lists them.
pub const REPORT_KINDS: &[ReportKind] = &[
    ReportKind {
        name: "verdict",
        about: "The verdict, as Markdown",
        endings: &[],
        for_programs: Some("json"),
        render: |of| Some(Text(verdict_md(of.state, of.verdict()?))),
    },
    ReportKind {
        name: "json",
        about: "The verdict, as JSON",
        endings: &["json"],
        for_programs: Some("json"),
        render: |of| Some(ReportContent::Verdict(Box::new(of.verdict()?.clone()))),
    },
    ReportKind {
        name: "pr",
        about: "The verdict, as a comment on a pull request: the answer first, the rest folded away",
        endings: &[],
        for_programs: None,
        render: |of| Some(Text(pull_request_md(of.state, of.verdict()?))),
    },
    ReportKind {
        name: "adr",
        about: "The verdict, as a decision record",
        endings: &[],
        for_programs: None,
        render: |of| Some(Text(decision_record_md(of.state, of.verdict()?, of.day))),
    },
    ReportKind {
        name: "transcript",
        about: "What was said, as Markdown",
        endings: &[],
        for_programs: None,
        render: |of| Some(Text(transcript_md(of.state))),
    },
    ReportKind {
        name: "md",
        about: "The report, as Markdown",
        endings: &["md"],
        for_programs: None,
        render: |of| Some(Text(readme_md(of.state, of.verdict(), of.narrative))),
    },
    ReportKind {
        name: "html",
        about: "The report, as one page for a browser",
        endings: &["html"],
        for_programs: None,
        render: |of| Some(Text(html(of.state, of.verdict(), of.narrative))),
    },
    ReportKind {
        name: "mermaid",
        about: "The argument graph, as a Mermaid flowchart",
        endings: &["mmd"],
        for_programs: None,
        render: |of| Some(Text(mermaid(&debate_drawing(of.state)))),
    },
    ReportKind {
        name: "dot",
        about: "The argument graph, for Graphviz",
        endings: &["dot", "gv"],
        for_programs: None,
        render: |of| Some(Text(dot(&debate_drawing(of.state)))),
    },
    ReportKind {
        name: "svg",
        about: "The argument graph, as a picture",
        endings: &["svg"],
        for_programs: None,
        render: |of| Some(Text(svg(&debate_drawing(of.state)))),
    },
    ReportKind {
        name: "png",
        about: "The argument graph, as a picture in pixels",
        endings: &["png"],
        for_programs: None,
        render: |_| Some(Pixels),
    },
];

impl ReportKind {
    /// The kind named `name`.
    pub fn find(name: &str) -> Option<&'static Self> {
        REPORT_KINDS.iter().find(|kind| kind.name == name)
    }

    /// The kind that a file with this ending holds.
    pub fn by_ending(ending: &str) -> Option<&'static Self> {
        let holds = |kind: &&Self| kind.endings.contains(&ending);
        REPORT_KINDS.iter().find(holds)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_endings_are_each_of_one_kind_and_a_program_is_given_a_kind_there_is() {
        let names: BTreeSet<_> = REPORT_KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), REPORT_KINDS.len());
        let endings: Vec<_> = REPORT_KINDS.iter().flat_map(|kind| kind.endings).collect();
        assert_eq!(BTreeSet::from_iter(&endings).len(), endings.len());
        for kind in REPORT_KINDS {
            let given = kind.for_programs.map(ReportKind::find);
            assert!(given.is_none_or(|kind| kind.is_some()), "{}", kind.name);
        }
    }
}
