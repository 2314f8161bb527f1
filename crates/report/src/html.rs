//! Renders a debate as one HTML page: the answer first, then the details.
//!
//! The page is one file that makes no network requests. Text from models is escaped. A content
//! security policy allows only the embedded script and style sheet, by hash. The page also works
//! without scripts: sections are `details`, and boxes of the graph are links.

mod answer;
mod citation_results;
mod cost;
mod debate_facts;
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

use page::Page;

/// Returns the complete debate as one HTML file.
///
/// `narrative` must have been checked with
/// [`narrative::check_narrative`](agon_rules::narrative::check_narrative); it follows the answer as
/// plain text. The same debate renders to the same bytes.
pub fn html(state: &State, verdict: Option<&Verdict>, narrative: Option<&str>) -> String {
    let page = Page::new(state, verdict);
    let sections = [
        ("scores", "Tug of war", tug::tug_of_war_section(&page)),
        ("explore", "The arguments", explore::graph_section(&page)),
        ("transcript", "Transcript", turns::transcript_section(&page)),
        ("findings", "Broken rules", notes::findings_section(&page)),
        ("cost", "Cost", cost::section(&page)),
        (
            "made",
            "About this debate",
            Some(debate_facts::seats_and_facts_section(&page)),
        ),
    ];
    let there = sections.into_iter().filter_map(|(id, title, body)| {
        Some(frame::PageSection {
            id,
            title,
            body: body?,
        })
    });
    let sections: Vec<_> = there.collect();
    frame::render_html_file(
        &page,
        &answer::masthead_and_answer(&page, narrative),
        &sections,
    )
}
