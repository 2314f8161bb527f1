//! The answer, with the winner and the confidence below it.

use agon_record::authority::Authority;
use agon_record::state::State;
use agon_verdict::verdict::{Verdict, decisive_faults, headline, headline_parts, name_side};

use super::evidence::citation_doubt;
use crate::screen::line::{Line, Style};
use crate::text::plain_line;

// Chosen, not measured: `Yes` and `Plain files` say little without their question, but most answers
// of three words name their subject.
/// Answers with fewer words are shown with their question.
const CLEAR_ANSWER: usize = 3;

/// The indentation of further lines, in columns.
const HANG: usize = 3;

/// Returns the answer, the winner and the confidence. The evidence row names the faulty citations.
pub(in crate::screen) fn head_lines(state: &State, verdict: &Verdict, width: usize) -> Vec<Line> {
    let mut parts = headline_parts(state, verdict);
    parts.extend(verdict_doubts(state, verdict));
    head_lines_with_basis(state, verdict, &parts.join(" · "), width)
}

/// Like [`head_lines`], with the wrong citations of decisive points.
pub(super) fn full_head_lines(state: &State, verdict: &Verdict, width: usize) -> Vec<Line> {
    let mut parts = vec![headline(state, verdict)];
    parts.extend(verdict_doubts(state, verdict));
    head_lines_with_basis(state, verdict, &parts.join(" · "), width)
}

/// Returns what the citations and the argument graph say against the verdict.
fn verdict_doubts(state: &State, verdict: &Verdict) -> impl Iterator<Item = String> {
    let doubts = [citation_doubt(state), graph_doubt(state, verdict)];
    doubts.into_iter().flatten()
}

fn head_lines_with_basis(state: &State, verdict: &Verdict, basis: &str, width: usize) -> Vec<Line> {
    let answer = verdict.answer.as_deref().map(plain_line);
    let answer = answer.unwrap_or_else(|| "No answer: neither side leads".to_owned());
    let is_clear = answer.split_whitespace().count() >= CLEAR_ANSWER;
    let question = match is_clear {
        true => String::new(),
        false => format!("  {}", plain_line(&state.spec.topic)),
    };
    let answer = Line::default()
        .with(Style::Dim, "━━ ")
        .with(Style::Strong, answer)
        .with(Style::Dim, question);
    let basis = Line::default().with(
        basis_style(state, verdict),
        format!("{:HANG$}{}", "", plain_line(basis)),
    );
    let mut lines = answer.wrap_to_width(HANG, width);
    lines.extend(basis.wrap_to_width(HANG, width));
    lines
}

/// Returns a note if the argument graph favors a different side than the judge.
fn graph_doubt(state: &State, verdict: &Verdict) -> Option<String> {
    let graph = verdict.readings.graph.as_ref()?;
    let ahead = graph.scored.winner.filter(|_| verdict.winner.is_some())?;
    (Some(ahead) != verdict.winner).then(|| {
        let ahead = name_side(state, ahead);
        format!("but all arguments weighed together favor {ahead}")
    })
}

/// Returns green for a verdict of full authority without doubts, else amber.
fn basis_style(state: &State, verdict: &Verdict) -> Style {
    let swap = verdict.readings.swap.as_ref();
    let is_doubtful = !decisive_faults(state, verdict).is_empty()
        || citation_doubt(state).is_some()
        || graph_doubt(state, verdict).is_some()
        || swap.is_some_and(|swap| swap.answer.is_some());
    match verdict.authority {
        Authority::Full if !is_doubtful => Style::Good,
        Authority::Full
        | Authority::Unstable
        | Authority::BuiltInModel
        | Authority::Partial
        | Authority::Uncontested => Style::Warn,
    }
}
