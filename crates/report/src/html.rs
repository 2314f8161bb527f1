//! Renders a debate as one HTML page: the answer first, then the details.
//!
//! The page is one file that makes no network requests. Text from models is escaped. A content
//! security policy allows only the embedded script and style sheet, by hash. The page also works
//! without scripts: sections are `details`, and boxes of the graph are links.

mod answer;
mod citation_results;
mod cost;
mod debate_facts;
mod exchange;
mod explore;
mod frame;
mod notes;
mod page;
mod point;
mod relation;
mod tug;
mod turns;

use agon_record::state::State;
use agon_verdict::verdict::Verdict;
use maud::{Markup, html as markup};

pub use frame::{csp_hash, file_head, point_panel};
use page::Page;

/// The style sheet of the page; it has no reference to anything outside.
pub const PAGE_STYLE: &str = include_str!("html/report.css");
/// The script of the page, which needs no other one.
pub const PAGE_SCRIPT: &str = concat!(
    include_str!("html/strike.js"),
    include_str!("html/report.js")
);

/// The parts of a debate's page, for every front end that shows one in a browser.
///
/// The parts need [`PAGE_STYLE`], and work without [`PAGE_SCRIPT`]. Every text of the debate in
/// them is escaped.
#[derive(Clone, Debug)]
pub struct DebatePage {
    /// The topic, shortened to the length of a heading.
    pub title: String,
    /// The format, the number of rounds and the day, such as `A duel of 2 rounds · 2026-11-27`.
    pub kind: String,
    /// The topic as a heading, with the definitions and theses of a formal debate.
    pub masthead: Markup,
    /// The answer and its basis, or why there is none.
    pub answer: Markup,
    /// Which side is ahead, as words that continue a sentence; `None` before the first point.
    pub lead: Option<String>,
    /// The sections with content, in the order of [`PAGE_SECTIONS`].
    pub sections: Vec<PageSection>,
}

/// The id and the heading of every section, in their order.
pub const PAGE_SECTIONS: [(&str, &str); 7] = [
    ("exchanges", "Point by point"),
    ("scores", "Tug of war"),
    ("explore", "The arguments"),
    ("transcript", "Transcript"),
    ("findings", "Broken rules"),
    ("cost", "Cost"),
    ("made", "About this debate"),
];

/// A section of a debate's page.
#[derive(Clone, Debug)]
pub struct PageSection {
    /// Its id in the page.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Its content below the heading.
    pub body: Markup,
}

impl PageSection {
    /// Returns the section with its heading.
    pub fn markup(&self) -> Markup {
        let is_wide = matches!(self.id, "explore" | "exchanges");
        markup! {
            section.part.wide[is_wide] id=(self.id) aria-labelledby={ "h-" (self.id) } {
                h2 id={ "h-" (self.id) } { (self.title) }
                (self.body)
            }
        }
    }
}

/// Returns the parts of the debate's page.
///
/// `narrative` must have been checked with
/// [`narrative::check_narrative`](agon_rules::narrative::check_narrative); it follows the answer as
/// plain text. Takes about as long as the argument graph, so a second for 5,000 points.
pub fn debate_page(
    state: &State,
    verdict: Option<&Verdict>,
    narrative: Option<&str>,
) -> DebatePage {
    let page = Page::new(state, verdict);
    let bodies = [
        exchange::exchanges_section(&page),
        tug::tug_of_war_section(&page),
        explore::graph_section(&page),
        turns::transcript_section(&page),
        notes::findings_section(&page),
        cost::section(&page),
        Some(debate_facts::seats_and_facts_section(&page)),
    ];
    let sections = PAGE_SECTIONS.into_iter().zip(bodies);
    let there = sections.filter_map(|((id, title), body)| {
        Some(PageSection {
            id,
            title,
            body: body?,
        })
    });
    DebatePage {
        title: page::shorten_to_heading(&state.spec.topic),
        kind: answer::format_and_day(&page),
        masthead: answer::masthead(&page),
        answer: answer::answer_section(&page, narrative),
        lead: tug::lead_in_words(&page),
        sections: there.collect(),
    }
}

/// Returns the complete debate as one HTML file.
///
/// `narrative` is as for [`debate_page`]. The same debate renders to the same bytes.
pub fn html(state: &State, verdict: Option<&Verdict>, narrative: Option<&str>) -> String {
    frame::render_html_file(&debate_page(state, verdict, narrative))
}
