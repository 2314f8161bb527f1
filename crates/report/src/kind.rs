//! The documents that a debate can be rendered as.

use std::cell::OnceCell;

use agon_record::state::State;
use agon_verdict::verdict::{self, Verdict};

use self::ReportContent::{Pixels, Text};
use crate::document::{decision_record_md, pull_request_md, readme_md, transcript_md, verdict_md};
use crate::drawing::debate_drawing;
use crate::graph::{dot, mermaid, svg};
use crate::html::html;

/// A kind of document.
#[derive(Clone, Copy, Debug)]
pub struct ReportKind {
    /// Its name on the command line.
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// The file endings that select this kind.
    pub endings: &'static [&'static str],
    /// The name of the kind that replaces it in JSON output; `None` if only people read it.
    pub for_programs: Option<&'static str>,
    /// Renders a debate; `None` if the kind needs a verdict and there is none.
    pub render: fn(&ReportSource<'_>) -> Option<ReportContent>,
}

/// The data from which a document is rendered.
#[derive(Debug)]
pub struct ReportSource<'a> {
    /// The debate.
    pub state: &'a State,
    /// A narrative that was checked with
    /// [`narrative::check_narrative`](agon_rules::narrative::check_narrative).
    pub narrative: Option<&'a str>,
    /// The day of the verdict, such as `2026-11-27`.
    pub day: &'a str,
    verdict: OnceCell<Option<Verdict>>,
}

impl<'a> ReportSource<'a> {
    /// Creates the source of a report on `state`.
    pub fn new(state: &'a State, narrative: Option<&'a str>, day: &'a str) -> Self {
        Self {
            state,
            narrative,
            day,
            verdict: OnceCell::new(),
        }
    }

    /// Returns the verdict, computed on first use.
    pub fn verdict(&self) -> Option<&Verdict> {
        let verdict = self.verdict.get_or_init(|| verdict::verdict(self.state));
        verdict.as_ref()
    }
}

/// A rendered document.
#[derive(Clone, Debug)]
pub enum ReportContent {
    /// Text.
    Text(String),
    /// The verdict, for programs.
    Verdict(Box<Verdict>),
    /// The argument graph as a PNG image, which not every build can render.
    Pixels,
}

/// Every kind, in the order of the help.
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
        about: "The verdict, as a pull request comment: the answer first, the rest collapsed",
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
        about: "The transcript, as Markdown",
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
        about: "The argument graph, as an SVG image",
        endings: &["svg"],
        for_programs: None,
        render: |of| Some(Text(svg(&debate_drawing(of.state)))),
    },
    ReportKind {
        name: "png",
        about: "The argument graph, as a PNG image",
        endings: &["png"],
        for_programs: None,
        render: |_| Some(Pixels),
    },
];

impl ReportKind {
    /// Returns the kind named `name`.
    pub fn find(name: &str) -> Option<&'static Self> {
        REPORT_KINDS.iter().find(|kind| kind.name == name)
    }

    /// Returns the kind that a file ending selects.
    pub fn find_by_file_ending(ending: &str) -> Option<&'static Self> {
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
