//! The results of a debate beyond its answer.

use agon_record::state::State;
use agon_verdict::synthesis::{SynthesisEntry, synthesis_entries};
use agon_verdict::verdict::{name_with_fault, verdict_without_graph};

use super::clamp_width;
use super::line::Line;
use super::rows::{Row, WIDE_LABEL, lay_out_rows};
use super::ruling;
use crate::labels::tool_or_seat_name;
use crate::text::plain_line;

/// Returns at most `limit` entries of the verdict beyond its answer; empty without a verdict.
pub fn synthesis_lines(state: &State, limit: usize, width: usize) -> Vec<Line> {
    let verdict = verdict_without_graph(state);
    let entries = verdict.map(|verdict| synthesis_entries(state, &verdict));
    let entries = entries.unwrap_or_default();
    let mut groups: Vec<(&'static str, Vec<String>)> = Vec::new();
    for entry in entries.iter().take(limit) {
        let (label, texts) = label_and_texts(state, entry);
        match groups.last_mut().filter(|(before, _)| *before == label) {
            Some((_, group)) => group.extend(texts),
            None => groups.push((label, texts)),
        }
    }
    let rows: Vec<_> = groups
        .into_iter()
        .map(|(label, texts)| Row::new(label, texts))
        .collect();
    lay_out_rows(&rows, WIDE_LABEL, clamp_width(width))
}

fn label_and_texts(state: &State, entry: &SynthesisEntry) -> (&'static str, Vec<String>) {
    let name = |seat| tool_or_seat_name(state, seat);
    match entry {
        SynthesisEntry::Agreement(agreed) => (
            "Agreements",
            ruling::agreement_entries(state, std::slice::from_ref(agreed)),
        ),
        SynthesisEntry::Disagreement(differ) => (
            "Disagreements",
            ruling::disagreement_entries(std::slice::from_ref(differ), &name),
        ),
        SynthesisEntry::Conceded(granted) => {
            let text = plain_line(&granted.text);
            let id = name_with_fault(state, granted.id);
            let said = format!("{} {id}: \"{text}\"", name(granted.seat));
            ("Conceded", vec![said])
        }
        SynthesisEntry::Open(open) => (
            "Still open",
            ruling::open_entries(std::slice::from_ref(open)),
        ),
        SynthesisEntry::Assumed { text } => ("Assumed", vec![plain_line(text)]),
        SynthesisEntry::Unsupported(one) => {
            let end = if one.conceded { ", conceded" } else { "" };
            let id = name_with_fault(state, one.id);
            let said = format!("{id} (by {}{end})", one.by);
            ("Unsupported", vec![plain_line(&said)])
        }
        SynthesisEntry::WrongCitation { id, found } => {
            ("Citations", vec![plain_line(&format!("{id}: {found}"))])
        }
        SynthesisEntry::Quality(quality) => ("Quality", vec![ruling::quality_text(quality)]),
        SynthesisEntry::Rigor { text } => ("Rigor", vec![plain_line(text)]),
    }
}
