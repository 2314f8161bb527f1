//! A debate as one page for a browser: the answer first, then everything behind it.
//!
//! The page is one file that asks nothing of the network. Everything that a model
//! wrote is text in it, and a policy in its head lets nothing run and nothing
//! style it but what is embedded here, by hash. Without scripts it reads the same,
//! only less comfortably: parts are `details`, and boxes of the graph are links.

mod answer;
mod cost;
mod explore;
mod found;
mod frame;
mod made;
mod notes;
mod page;
mod point;
mod relation;
mod tug;
mod turns;

use agon_record::state::State;
use agon_verdict::verdict::Verdict;

use page::Page;

/// The whole debate as one HTML file.
///
/// `narrative` is an account that was checked with
/// [`narrative::check_narrative`](agon_rules::narrative::check_narrative); it follows the answer.
/// Nothing in it is more than text. The same debate gives the same bytes.
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
            "How it was made",
            Some(made::seats_and_facts_section(&page)),
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
