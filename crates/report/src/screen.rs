//! Terminal screens, as lines of styled text.
//!
//! No line is wider than the requested width. Text from tools cannot move the cursor or change the
//! direction of writing. The front end adds the colours; every line reads the same without them.

mod body;
mod by_judging;
mod citation_notes;
mod claim;
mod demonstration;
mod detail;
mod evidence;
mod expected;
mod finding;
mod findings;
mod formal_screen;
mod graph;
mod head;
mod line;
mod list;
mod live;
mod point;
mod progress;
mod rows;
mod ruling;
mod section;
mod status;
mod synthesis;
mod turn;
mod verdict;
mod wrap;

pub use crate::labels::user_input_lines;
pub use by_judging::{conclusion_lines, full_conclusion_lines, transcript_lines, turn_lines};
pub use detail::Detail;
pub use evidence::{evidence_lines, evidence_summary};
pub use expected::describe_expected;
pub use findings::findings_text;
pub use formal_screen::{
    exchange_lines, formal_overview_lines, formal_verdict_lines, full_formal_verdict_lines,
    theses_lines, totals_lines,
};
pub use graph::graph_lines;
pub use head::{header_lines, key_help_lines, playback_header_lines, stop_help_lines};
pub use line::{Line, Span, Style};
pub use list::{
    ListedState, describe_recorded_state, describe_state_in_list, run_state_words,
    tool_or_side_name,
};
pub use live::{LiveLines, call_label, call_purpose, ended_call_key};
pub use point::whole_point_lines;
pub use progress::{NextStep, progress_lines};
pub use section::point_lines;
pub use status::{next_step_line, status_line, status_without_name};
pub use synthesis::synthesis_lines;
pub use turn::first_answer_lines;
pub use verdict::{answer_lines, full_verdict_lines, verdict_lines};

// Longer lines are hard to read; 110 columns are about 18 words.
/// Maximum width of prose, even on a wider terminal, in columns.
pub const WIDEST: usize = 110;

// Half of a terminal of 80 columns.
/// The narrowest supported width.
pub const NARROWEST: usize = 40;

// Wider than any line: a reply has at most 64 KiB (`engine/src/call.rs`), and no line shows two.
/// The width for output that is not a terminal: no line is wrapped.
pub const UNLIMITED: usize = 1 << 20;

fn clamp_width(width: usize) -> usize {
    width.clamp(NARROWEST, UNLIMITED)
}
