//! Sections of a debate: the transcript and the list of points.

use agon_record::evidence::citation_fault;
use agon_record::format::Judging;
use agon_record::id::{Seat, TurnId};
use agon_record::point::Node;
use agon_record::state::State;
use agon_record::tally;

use super::detail::Detail;
use super::line::{Line, Style, seat_style};
use super::ruling::ruling_lines;
use super::turn::{first_answer_lines, turn_lines};
use crate::labels::with_own_names;
use crate::text::{first_cited_place, plain_line};

/// Returns the complete transcript of a duel, one entry per turn.
pub(super) fn transcript_parts(state: &State, width: usize) -> Vec<Vec<Line>> {
    let first = first_answer_lines(state, Detail::Whole, width);
    let turns = state.turns.keys();
    let turns = turns.map(|&turn| turn_with_ruling_lines(state, turn, width));
    std::iter::once(first).chain(turns).collect()
}

/// Returns a turn; for the first judge with both of its rulings.
fn turn_with_ruling_lines(state: &State, turn: TurnId, width: usize) -> Vec<Line> {
    let mut lines = turn_lines(state, turn, Detail::Whole, width);
    if turn == TurnId::SWAP && state.swap_ruling().is_some() {
        lines.push(Line::default().with(Style::Name, "judge, sides swapped"));
    }
    if turn == TurnId::SWAP || turn == TurnId::verdict(Seat::JUDGE) {
        let said = state.admitted(turn);
        let said = said.map(|said| with_own_names(state, turn, said));
        let ruling = said.as_ref().and_then(|said| said.moves.ruling());
        lines.extend(
            ruling
                .into_iter()
                .flat_map(|one| ruling_lines(state, one, width)),
        );
    }
    lines
}

/// Returns at most `limit` points, each on one line that is cut to `width`.
pub fn point_lines(state: &State, limit: usize, width: usize) -> Vec<Line> {
    let nodes = state.nodes();
    let nodes = nodes.iter().take(limit);
    nodes
        .map(|node| point_line(state, node).fit_to_width(width))
        .collect()
}

fn point_line(state: &State, node: &Node<'_>) -> Line {
    let target = node.point.target().map(|target| format!(" on {target}"));
    // In a formal debate every point is an argument, so show its score instead of its kind.
    let score = tally::current_score(state, node.id);
    let relation = match state.format_rules().judging {
        Judging::EachRound => {
            let score = score.map_or("waits".to_owned(), |score| score.to_string());
            format!("{score:<10}")
        }
        Judging::AtTheEnd => {
            let relation = node.point.kind().to_owned() + &target.unwrap_or_default();
            format!("{relation:<24}")
        }
    };
    let text = plain_line(node.point.title().unwrap_or(node.point.main_text()));
    let fault = citation_fault(state, node.id).map(|fault| format!("({fault}) "));
    let place = first_cited_place(node.point.grounds()).map(|place| format!("  {place}"));
    Line::default()
        .with(
            seat_style(node.seat()),
            format!("{:<10}", node.id.to_string()),
        )
        .with(Style::Dim, relation)
        .with(Style::Bad, fault.unwrap_or_default())
        .with(Style::Plain, text)
        .with(Style::Dim, place.unwrap_or_default())
}
