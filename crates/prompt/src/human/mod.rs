//! Forms for a person in a seat, and their conversion to moves.
//!
//! A turn has a [`Form`] of [sections](Section). Each section has a heading, the point it answers,
//! and its [questions](Question). A person fills in the form as Markdown, or answers one question
//! after the other; both use the same form. Everything that it does not ask has a default.
//!
//! In Markdown, each section starts with `# Heading`. One-line answers follow as `Label: word`,
//! then the answer to the heading, then further questions below `## Label`. Comments and everything
//! below the [scissors line](SCISSORS) are ignored. Problems are reported with their line, in terms
//! of the form.
//!
//! The result is a reply like a tool's. A program may submit JSON instead. To submit a form, delete
//! its [`UNFINISHED`] line.

mod about;
mod answer;
mod explain;
mod form;
mod mark;
mod moves;
mod place;
mod problem;
mod questions;
mod read;
mod render;
mod sheet;
#[cfg(test)]
mod tests;
mod value;

pub use answer::{Unread, WrittenAnswer, parse_answer};
pub use explain::reword_finding_for_form;
pub use form::{Form, Question, Section};
pub use mark::{UNFINISHED, mark_finished, mark_unfinished};
pub use moves::FormPlace;
pub use problem::Problem;
pub use questions::AnswerKind;
pub use sheet::{describe_sent_back, describe_turn};

use agon_record::finding::{Finding, Severity};
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;

/// The line below which a form is ignored.
pub const SCISSORS: &str = "-------------------- >8 -------------------- nothing below is read";

/// Returns the findings on the previous answer; empty if there was none.
pub fn previous_findings(state: &State, key: AskKey) -> &[Finding] {
    let before = key.again.checked_sub(1).and_then(|before| {
        let turn = state.turns.get(&key.turn)?;
        turn.asks.get(usize::from(before))?.sent_back.as_deref()
    });
    before.unwrap_or_default()
}

/// Returns the initial form for `key`, with the answers that were sent back.
pub fn first_form(state: &State, key: AskKey) -> Form {
    explain::previous_form(state, key).unwrap_or_else(|| Form::blank(state, key))
}

/// Returns the text of the blank form for `key`, a pure function of the state.
pub fn render_form(state: &State, key: AskKey) -> String {
    render_filled_form(state, key, &first_form(state, key))
}

/// Returns the text of `form` for `key`, marked as unfinished.
pub fn render_filled_form(state: &State, key: AskKey, form: &Form) -> String {
    sheet::render_form_text(state, key, form)
}

/// Parses `text` as the form for `key`; returns the form and the problems.
pub fn read_form(state: &State, key: AskKey, text: &str) -> (Form, Vec<Problem>) {
    let text = strip_invisible_characters(text);
    read::read_form(&first_form(state, key), &text)
}

/// Replaces the part of `text` below the scissors line with the current debate; `None` if it has no
/// such line or is current.
pub fn refresh_debate_so_far(state: &State, key: AskKey, text: &str) -> Option<String> {
    let above = text
        .split_inclusive('\n')
        .take_while(|line| line.trim() != SCISSORS);
    let above: usize = above.map(str::len).sum();
    let (above, below) = text.split_at_checked(above)?;
    let shown = sheet::debate_so_far(state, key);
    (!below.is_empty() && below != shown).then(|| format!("{above}{shown}"))
}

/// Returns whether `text` is the unchanged form of `key`.
pub fn is_untouched(state: &State, key: AskKey, text: &str) -> bool {
    if text.trim().is_empty() {
        return true;
    }
    let (form, problems) = read_form(state, key, text);
    problems.is_empty()
        && !answer::is_json(&form, text)
        && form.has_same_content(&first_form(state, key))
}

/// Converts `problems` to findings of `key` in the file `path`.
pub fn findings_from_problems(key: AskKey, path: &str, problems: &[Problem]) -> Vec<Finding> {
    let finding = |problem: &Problem| Finding {
        code: "reply-parse".to_owned(),
        severity: Severity::Fatal,
        turn: key.turn,
        at: String::new(),
        path: Some(path.to_owned()),
        span: Some([problem.line, 1, 1]),
        message: problem.message.clone(),
        hint: problem.hint.clone(),
    };
    problems.iter().map(finding).collect()
}

/// Returns moves of `kind` as plain JSON without the names of their kind.
#[cfg(test)]
pub(crate) fn moves_without_kind_names(
    moves: &agon_record::moves::Moves,
) -> serde_json::Map<String, serde_json::Value> {
    let Ok(serde_json::Value::Object(mut object)) = serde_json::to_value(moves) else {
        return serde_json::Map::new();
    };
    if matches!(moves, agon_record::moves::Moves::Formal(_)) {
        object.remove("said");
    }
    object.remove("kind");
    object
}
