//! What a debate came to beyond its answer.

use agon_record::moves::Choose;
use agon_record::state::State;
use agon_verdict::synthesis::{SynthesisEntry, synthesis_entries};
use agon_verdict::verdict::verdict_without_graph;

use super::clamp_width;
use super::line::{Line, Style};
use crate::labels::tool_or_seat_name;
use crate::text::{plain_line, wrap_whole};

// The longest, `Agreements`, with as much again as stands before the rows of a verdict.
/// Columns of a label, with the space after it.
const LABEL: usize = 15;

/// What the verdict says beyond its answer, whole, at most `limit` entries of it; nothing without a
/// verdict.
pub fn synthesis_lines(state: &State, limit: usize, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let verdict = verdict_without_graph(state);
    let entries = verdict.map(|verdict| synthesis_entries(state, &verdict));
    let entries = entries.unwrap_or_default();
    let mut before = "";
    let mut lines = Vec::new();
    for entry in entries.iter().take(limit) {
        let (label, text) = label_and_text(state, entry);
        for text in wrap_whole(&plain_line(&text), width.saturating_sub(LABEL)) {
            let shown = if label == before { "" } else { label };
            before = label;
            let line = Line::default().with(Style::Name, format!("{shown:<LABEL$}"));
            lines.push(line.with(Style::Plain, text));
        }
    }
    lines
}

fn label_and_text(state: &State, entry: &SynthesisEntry) -> (&'static str, String) {
    match entry {
        SynthesisEntry::Agreement(agreed) => {
            let ids: Vec<_> = agreed.evidence.iter().map(ToString::to_string).collect();
            let ids = match ids.is_empty() {
                true => String::new(),
                false => format!(" ({})", ids.join(", ")),
            };
            ("Agreements", format!("{}{ids}", agreed.point))
        }
        SynthesisEntry::Disagreement(differ) => (
            "Disagreements",
            format!(
                "{} · proposer: {} · challenger: {}",
                differ.point, differ.proposer, differ.challenger
            ),
        ),
        SynthesisEntry::Conceded(granted) => {
            let who = tool_or_seat_name(state, granted.seat);
            (
                "Conceded",
                format!("{who} {}: {}", granted.id, granted.text),
            )
        }
        SynthesisEntry::Open(open) => (
            "Still open",
            format!("{} To settle: {}", open.question, open.to_settle),
        ),
        SynthesisEntry::Assumed { text } => ("Assumed", text.clone()),
        SynthesisEntry::Unsupported(one) => {
            let end = if one.conceded { ", conceded" } else { "" };
            ("Unsupported", format!("{} (by {}{end})", one.id, one.by))
        }
        SynthesisEntry::WrongCitation { id, found } => ("Citations", format!("{id}: {found}")),
        SynthesisEntry::Quality(quality) => (
            "Quality",
            format!(
                "genuine disagreement: {} · evidence: {} · depth of the challenge: {}",
                quality.genuine_disagreement.label(),
                quality.evidence.label(),
                quality.challenge_depth.label()
            ),
        ),
        SynthesisEntry::Rigor { text } => ("Rigor", text.clone()),
    }
}
