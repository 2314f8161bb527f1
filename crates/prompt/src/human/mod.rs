//! What a person is shown for a turn, and how their words become moves.
//!
//! A person gets a [form](render_form): Markdown with a heading for each kind of move, empty places to fill
//! in, and the debate so far below a line with scissors. What they wrote is [read](parse_answer) with as much
//! indulgence as can be had without guessing: headings in any case, order and level, lists of any
//! kind, what is left empty left out. What cannot be understood is told with its line; no word is
//! passed over. JSON is understood as well. What comes of it is a reply like any tool's, held to
//! the same rules.
//!
//! A form is submitted by taking out the line that says it is [`UNFINISHED`].

mod choice;
mod form;
mod frame;
mod ground;
mod head;
mod lines;
mod mark;
mod name;
mod naming;
mod open;
mod place;
mod problem;
mod read;
mod reader;
#[cfg(test)]
mod tests;
mod value;
mod write;

#[cfg(test)]
pub(crate) use form::{empty_form, moves_to_object as object_of};
pub use form::{is_untouched, refresh_debate_so_far, render_form};
pub use mark::{UNFINISHED, mark_finished, mark_unfinished};
pub use problem::Problem;
pub use read::{Unread, WrittenAnswer, parse_answer};

use agon_record::finding::{Finding, Severity};
use agon_record::id::{AskKey, NodeId};
use agon_record::moves::MovesKind;
use agon_record::state::State;
use agon_rules::format;

// Sixteen times the longest reply of a tool: no typed answer comes near it, a wrong file is
// refused.
/// The most bytes that are read of what a person wrote.
pub const MAX_BYTES: usize = 1 << 20;

/// Where the part of a form begins that is not read.
pub const SCISSORS: &str = "-------------------- >8 -------------------- nothing below is read";

/// Where the answer to `key` is kept while it is written, in the debate's folder.
pub fn answer_file_path(key: AskKey) -> String {
    format!(".agon/answer/{key}.md")
}

/// The kind of moves that `key` asks for.
pub fn requested_moves_kind(state: &State, key: AskKey) -> MovesKind {
    format::format_by_name(state.spec.format()).moves_kind(key.turn)
}

/// What was wrong with the answer before; empty when there was none.
pub fn previous_findings(state: &State, key: AskKey) -> &[Finding] {
    let before = key.again.checked_sub(1).and_then(|before| {
        let turn = state.turns.get(&key.turn)?;
        turn.asks.get(usize::from(before))?.sent_back.as_deref()
    });
    before.unwrap_or_default()
}

/// `problems` as findings of `key`, in the file `path`.
pub fn findings_from_problems(key: AskKey, path: &str, problems: &[Problem]) -> Vec<Finding> {
    let finding = |problem: &Problem| Finding {
        code: "reply-parse".to_owned(),
        severity: Severity::Fatal,
        turn: key.turn,
        at: String::new(),
        path: Some(path.to_owned()),
        span: Some([problem.line, 1, problem.length]),
        message: problem.message.clone(),
        hint: problem.hint.clone(),
    };
    problems.iter().map(finding).collect()
}

/// `ids` in a line.
fn join_ids(ids: &[NodeId]) -> String {
    let ids: Vec<_> = ids.iter().map(NodeId::to_string).collect();
    ids.join(", ")
}
