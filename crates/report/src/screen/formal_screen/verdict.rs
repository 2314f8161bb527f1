//! The verdict on a formal debate, short and complete.

use agon_record::id::{NodeId, Seat};
use agon_record::point::Node;
use agon_record::score::Score;
use agon_record::state::State;
use agon_record::tally::current_score;
use agon_verdict::verdict::{Verdict, verdict_without_graph};

use super::standing::accounting_lines;
use super::{formal_overview_lines, totals_lines};
use crate::screen::clamp_width;
use crate::screen::detail::Detail;
use crate::screen::line::{Line, Style, seat_style};
use crate::screen::rows::{NARROW_LABEL, Row, lay_out_rows};
use crate::screen::verdict::{cost_row, evidence_row, head_lines, more_row};
use crate::text::plain_line;

/// Returns the short verdict: the leading side and its lead, the reason, the strongest argument of
/// each side, evidence faults, the cost and the next commands.
///
/// Before the first judged exchange: the totals, the cost and the next commands.
pub fn formal_verdict_lines(state: &State, folder: &str, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let Some(verdict) = verdict_without_graph(state) else {
        let mut lines = totals_lines(state, width);
        lines.extend(accounting_lines(state, folder, width));
        return lines;
    };
    let mut lines = head_lines(state, &verdict, width);
    lines.extend(lay_out_rows(
        &formal_verdict_rows(state, &verdict, folder),
        NARROW_LABEL,
        width,
    ));
    lines
}

/// Returns the short verdict, the current state of the debate and the details of its totals.
pub fn full_formal_verdict_lines(state: &State, folder: &str, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let mut lines = formal_verdict_lines(state, folder, width);
    lines.push(Line::default());
    lines.extend(formal_overview_lines(state, folder, Detail::Whole, width));
    lines.extend(accounting_lines(state, folder, width));
    lines
}

fn formal_verdict_rows(state: &State, verdict: &Verdict, folder: &str) -> Vec<Row> {
    let strongest = strongest_arguments(state, verdict.winner);
    let ids: Vec<_> = strongest.iter().map(|(node, _)| node.id).collect();
    let why = verdict.winner.and_then(|_| strongest.first());
    let why = why.and_then(|(node, _)| last_reason(state, node.id));
    let arguments = strongest.iter().map(|(node, score)| {
        let title = plain_line(node.point.title().unwrap_or_default());
        Line::default()
            .with(seat_style(node.id.seat), node.id.to_string())
            .with(Style::Strong, format!(" {score}"))
            .with(Style::Plain, format!("  {title}"))
    });
    let run = format!("agon run {} 3", state.command_name());
    vec![
        Row::new("Why", why.into_iter().collect()),
        Row::from_lines("Decisive", arguments.collect()),
        evidence_row(state, verdict, &ids),
        cost_row(state, verdict),
        more_row(state, folder, &[run]),
    ]
}

/// Returns the argument of each side with the highest score, the leading side's first.
fn strongest_arguments(state: &State, leader: Option<Seat>) -> Vec<(Node<'_>, Score)> {
    let mut sides = state.spec.format().sides();
    if leader == Some(sides[1]) {
        sides.reverse();
    }
    let nodes = state.nodes();
    let strongest = sides.into_iter().filter_map(|side| {
        let of_side = nodes.iter().filter(|node| node.id.seat == side);
        let scored = of_side.filter_map(|node| Some((*node, current_score(state, node.id)?)));
        // Of equal scores choose the earliest argument: the judge scored the later ones against it.
        scored.rev().max_by_key(|(_, score)| *score)
    });
    strongest.collect()
}

/// Returns the judge's reason for the current score of an argument.
fn last_reason(state: &State, id: NodeId) -> Option<String> {
    let entry = state.score_histories().get(&id)?.last()?;
    let reason = plain_line(&entry.reasoning);
    (!reason.is_empty()).then(|| format!("{id}: {reason}"))
}
