//! What a person sees on a terminal, as lines of styled text.
//!
//! No line is wider than the width that is asked for, and nothing that a tool
//! wrote can move the cursor or turn a line around. Colour is left to the front
//! end: every line reads the same without it.

mod cited;
mod evidence;
mod expected;
mod finding;
mod findings;
mod formal;
mod graph;
mod head;
mod line;
mod list;
mod live;
mod progress;
mod rows;
mod ruling;
mod section;
mod status;
mod turn;
mod verdict;

pub use crate::labels::user_words;
pub use evidence::{evidence_lines, evidence_summary};
pub use expected::expected;
pub use findings::findings_text;
pub use formal::{ending, exchange_lines, formal_overview, theses_lines, totals_lines};
pub use graph::graph_lines;
pub use head::{header, keys_line, recorded_line, stop_line};
pub use line::{Line, Span, Style};
pub use list::{listed_state, recorded_state};
pub use live::{LiveLines, call_label, call_purpose, ended_call};
pub use progress::{NextStep, progress_lines};
pub use section::{point_lines, transcript_lines};
pub use status::{next_line, status_line};
pub use turn::{blind_line, turn_lines};
pub use verdict::{MAX_LINES, verdict};

use agon_record::state::State;
use agon_verdict::verdict::Verdict;

// A verdict is to fit 24 lines, which takes long ones; `a_verdict_never_outgrows_its_screen` holds
// every verdict to it.
/// The widest line that is made.
pub const WIDEST: usize = 110;

// Half of a terminal of 80 columns, and 29 beside the labels; `a_verdict_never_outgrows_its_screen`
// holds every verdict to it.
/// The narrowest width that lines are made for.
pub const NARROWEST: usize = 40;

fn usable(width: usize) -> usize {
    width.clamp(NARROWEST, WIDEST)
}

/// What a debate came to; nothing for a duel without a verdict.
///
/// `find_verdict` gives the verdict on it, where that is shown; `folder` is the debate's folder
/// as the user would write it.
pub fn conclusion<'a>(
    state: &State,
    find_verdict: impl FnOnce() -> Option<&'a Verdict>,
    folder: &str,
    width: usize,
) -> Vec<Line> {
    match state.is_scored() {
        true => ending(state, folder, width),
        false => find_verdict()
            .map(|found| verdict(state, found, folder, width))
            .unwrap_or_default(),
    }
}
