//! The short verdict: what a reader needs in ten seconds.

mod cost;
mod evidence;
mod full;
mod head;
mod open;

use agon_record::format::Judging;
use agon_record::state::State;
use agon_verdict::verdict::{Verdict, verdict_without_graph};

pub use full::full_verdict_lines;

use super::clamp_width;
use super::demonstration::{self, is_demonstration};
use super::line::{Line, Style};
use super::rows::{NARROW_LABEL, Row, lay_out_rows};
use crate::text::plain_line;

pub(super) use cost::cost_row;
pub(super) use evidence::evidence_row;
pub(super) use head::head_lines;
use open::open_row;

/// Returns the short verdict: the answer, the winner, the reason, the next step, evidence faults,
/// unanswered serious objections, the cost and the command for the rest.
///
/// Texts are never cut. A `width` below 40 counts as 40. `folder` is the debate's folder as the
/// user would write it.
pub fn verdict_lines(state: &State, verdict: &Verdict, folder: &str, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    if is_demonstration(state) {
        let saved = (folder != NOT_KEPT).then_some(folder);
        return demonstration::verdict_lines(state, verdict, saved, width);
    }
    let mut lines = head_lines(state, verdict, width);
    let mut rows = reason_rows(verdict);
    rows.push(evidence_row(state, verdict, &verdict.decisive));
    rows.push(open_row(state));
    rows.push(cost_row(state, verdict));
    // A one-sided debate can ask its silent side again, so suggest `agon continue`.
    let again = verdict.one_sided.as_ref();
    let again = again.map(|_| format!("agon continue {}", state.command_name()));
    rows.push(more_row(state, folder, again.as_slice()));
    lines.extend(lay_out_rows(&rows, NARROW_LABEL, width));
    lines
}

/// Returns the answer of a duel and its basis, with the decisive points whose citations are wrong;
/// empty without a verdict.
pub fn answer_lines(state: &State, width: usize) -> Vec<Line> {
    if state.format_rules().judging == Judging::EachRound {
        return Vec::new();
    }
    let verdict = verdict_without_graph(state);
    let width = clamp_width(width);
    let head = |verdict| match is_demonstration(state) {
        true => demonstration::answer_lines(state, &verdict, width),
        false => head::full_head_lines(state, &verdict, width),
    };
    verdict.map(head).unwrap_or_default()
}

/// Returns the rows with the reason, the next step, what would change the answer, and whether it was
/// taken.
fn reason_rows(verdict: &Verdict) -> Vec<Row> {
    let text = |text: &Option<String>| vec![text.as_deref().map(plain_line).unwrap_or_default()];
    let decided = verdict.decided.as_ref();
    let decided = decided.map(|decided| plain_line(&decided.in_words()));
    vec![
        Row::new("Why", text(&verdict.why)),
        Row::styled("Do next", Style::Strong, text(&verdict.do_next)),
        Row::new("Unless", text(&verdict.unless)),
        Row::new("Decided", decided.into_iter().collect()),
    ]
}

/// The folder name for a debate that is only played back and has no folder.
const NOT_KEPT: &str = "(recorded)";

/// Returns the row with the commands in `first`, the command for the complete verdict, and the
/// folder; empty for a debate without a folder.
pub(super) fn more_row(state: &State, folder: &str, first: &[String]) -> Row {
    let mut next = first.to_vec();
    next.push(format!("agon show {} --full", state.command_name()));
    next.push(folder_with_slash(folder));
    let next = (folder != NOT_KEPT).then(|| next.join(" · "));
    Row::new("More", next.into_iter().collect())
}

/// Returns the folder with a slash at its end.
fn folder_with_slash(folder: &str) -> String {
    format!("{}/", plain_line(folder).trim_end_matches('/'))
}
