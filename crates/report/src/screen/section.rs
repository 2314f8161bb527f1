//! Sections of a debate: what was said, and which points were made.

use agon_record::point::Node;
use agon_record::state::State;
use agon_record::tally;
use agon_rules::format;

use super::formal::{exchange_lines, theses_lines};
use super::line::{Line, Style};
use super::turn::{blind_line, turn_lines};
use crate::text::{first_cited_place, plain_line};

/// What was said, at most `limit` turns of it, or exchanges of a formal debate.
pub fn transcript_lines(state: &State, limit: usize, width: usize) -> Vec<Line> {
    let parts: Vec<Vec<Line>> = match state.is_scored() {
        true => {
            let exchanges = (0..=format::first_unjudged_exchange(state))
                .map(|exchange| exchange_lines(state, exchange, width));
            std::iter::once(theses_lines(state, width))
                .chain(exchanges)
                .collect()
        }
        false => {
            let blind = blind_line(state, width).map(|line| vec![line]);
            let turns = state.turns.keys();
            let turns = turns.map(|&turn| turn_lines(state, turn, width));
            blind.into_iter().chain(turns).collect()
        }
    };
    let parts = parts.into_iter().filter(|lines| !lines.is_empty());
    parts.take(limit).flatten().collect()
}

/// The points that were made, a line each, at most `limit` of them.
pub fn point_lines(state: &State, limit: usize, width: usize) -> Vec<Line> {
    let nodes = state.nodes();
    let nodes = nodes.iter().take(limit);
    nodes
        .map(|node| point_line(state, node).fit_to_width(width))
        .collect()
}

fn point_line(state: &State, node: &Node<'_>) -> Line {
    let target = node.point.target().map(|target| format!(" on {target}"));
    // In a formal debate every point is an argument, and what tells them apart is the score.
    let relation = match (state.is_scored(), tally::current_score(state, node.id)) {
        (true, Some(score)) => format!("{:<10}", score.to_string()),
        (true, None) => format!("{:<10}", "waits"),
        (false, _) => {
            let relation = node.point.kind().to_owned() + &target.unwrap_or_default();
            format!("{relation:<24}")
        }
    };
    let text = plain_line(node.point.title().unwrap_or(node.point.main_text()));
    let place = first_cited_place(node.point.grounds()).map(|place| format!("  {place}"));
    Line::default()
        .with(Style::Name, format!("{:<10}", node.id.to_string()))
        .with(Style::Dim, relation)
        .with(Style::Plain, text)
        .with(Style::Dim, place.unwrap_or_default())
}
