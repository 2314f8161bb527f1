//! Prepares the record for a tool that answers questions about it.

use std::collections::BTreeSet;

use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::point::Node;
use agon_record::state::State;
use agon_record::tally;
use agon_record::text::sanitise_line;
use agon_tokens::count_tokens;

use crate::summary::summarize_rounds;

// Three quarters of the 64,000 tokens that an unknown model is assumed to read reliably
// (`agents/src/profile/model.rs`). The rest is for the verdict, the question and the answer.
/// Maximum o200k tokens of a record in the prompt.
pub const MAX_TOKENS: usize = 48_000;

// Enough for every point in the debate of `agon demo`, where a title and its claim together have
// at most 187 characters.
/// Maximum characters of a point in brief.
const BRIEF: usize = 240;

/// The excerpt of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordExcerpt {
    /// The text.
    pub text: String,
    /// Whether it is the complete record.
    pub whole: bool,
}

/// Returns the complete `transcript` of a record. If it has more than `most` tokens, returns a
/// summary and the points in brief; the decisive and the latest points have priority.
pub fn excerpt_record(state: &State, transcript: String, most: usize) -> RecordExcerpt {
    // A text has no more tokens than bytes, so a short one need not be counted.
    if transcript.len() <= most || count_tokens(&transcript) <= most {
        return RecordExcerpt {
            text: transcript,
            whole: true,
        };
    }
    let mut text = String::new();
    if state.format_rules().judging == Judging::AtTheEnd {
        let end = TurnId {
            stage: Stage::Verdict,
            seat: Seat::JUDGE,
        };
        text.push_str(&summarize_rounds(state, state.planned_rounds(), end));
        text.push_str("\n\n");
    }
    let nodes = state.nodes();
    let first = decisive_points(state);
    let mut order: Vec<usize> = (0..nodes.len()).rev().collect();
    order.sort_by_key(|&at| !nodes.get(at).is_some_and(|node| first.contains(&node.id)));
    let mut left = most.saturating_sub(count_tokens(&text));
    let mut kept = BTreeSet::new();
    let lines: Vec<String> = nodes.iter().map(|node| point_line(state, node)).collect();
    for at in order {
        let cost = lines.get(at).map_or(0, |line| count_tokens(line) + 1);
        if cost > left {
            break;
        }
        left -= cost;
        kept.insert(at);
    }
    if kept.len() < nodes.len() {
        let out = nodes.len() - kept.len();
        text.push_str(&format!("{out} more points are left out.\n"));
    }
    for at in kept {
        text.extend(lines.get(at).map(String::as_str));
        text.push('\n');
    }
    RecordExcerpt { text, whole: false }
}

/// Returns the points that a verdict named.
fn decisive_points(state: &State) -> BTreeSet<NodeId> {
    let rulings = state.rulings();
    rulings
        .flat_map(|(_, ruling)| ruling.decisive.iter().copied())
        .collect()
}

/// Returns a point on one line.
fn point_line(state: &State, node: &Node<'_>) -> String {
    let on = node.point.target();
    let on = on.map_or_else(String::new, |target| format!(" on {target}"));
    let score = tally::current_score(state, node.id);
    let score = score.map_or_else(String::new, |score| format!(", score {score}"));
    let said = match node.point.title() {
        Some(title) => format!("{title}: {}", node.point.main_text()),
        None => node.point.main_text().to_owned(),
    };
    let said = sanitise_line(&said, BRIEF);
    format!("{} {}{on}{score}: {said}", node.id, node.seat())
}
