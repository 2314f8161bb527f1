//! What a person is asked in a turn, and how their answers become moves.
//!
//! A turn asks for a few things in a fixed order: a [`Form`] of [sections](Section), each with a
//! heading, what it answers, and its [questions](Question). A person fills it in as Markdown, or is
//! asked one question after the other; both are the same form. What it does not ask has a default.
//!
//! A form has one shape. Each section stands below `# Heading`; words of one line stand as
//! `Label: word` right below it, then what the heading asks, then each further question below
//! `## Label`. Comments are not read, nor is anything below the [line with scissors](SCISSORS). What
//! cannot be understood or is missing is told with its line, in the words of the form.
//!
//! What comes of it is a reply like any tool's. A program may hand in JSON instead. A form is
//! submitted by taking out the line that says it is [`UNFINISHED`].

mod about;
mod answer;
mod ask;
mod explain;
mod form;
mod mark;
mod moves;
mod place;
mod problem;
mod read;
mod render;
mod sheet;
#[cfg(test)]
mod tests;
mod value;

pub use answer::{Unread, WrittenAnswer, parse_answer};
pub use ask::AnswerKind;
pub use explain::finding_in_words_of_form;
pub use form::{Form, Question, Section};
pub use mark::{UNFINISHED, mark_finished, mark_unfinished};
pub use moves::FormPlace;
pub use problem::Problem;
pub use sheet::{describe_sent_back, describe_turn};

use agon_record::finding::{Finding, Severity};
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;

/// Where the part of a form begins that is not read.
pub const SCISSORS: &str = "-------------------- >8 -------------------- nothing below is read";

/// What was wrong with the answer before; empty when there was none.
pub fn previous_findings(state: &State, key: AskKey) -> &[Finding] {
    let before = key.again.checked_sub(1).and_then(|before| {
        let turn = state.turns.get(&key.turn)?;
        turn.asks.get(usize::from(before))?.sent_back.as_deref()
    });
    before.unwrap_or_default()
}

/// The form for `key` before a person has written in it: what was sent back stands in it.
pub fn first_form(state: &State, key: AskKey) -> Form {
    explain::previous_form(state, key).unwrap_or_else(|| Form::blank(state, key))
}

/// The text of the form for `key`, with nothing written into it.
///
/// The same state gives the same text.
pub fn render_form(state: &State, key: AskKey) -> String {
    render_filled_form(state, key, &first_form(state, key))
}

/// The text of `form`, which is for `key`: it says that it is unfinished.
pub fn render_filled_form(state: &State, key: AskKey, form: &Form) -> String {
    sheet::render_form_text(state, key, form)
}

/// The form for `key` with what is written in `text`, and what of it cannot be understood.
pub fn read_form(state: &State, key: AskKey, text: &str) -> (Form, Vec<Problem>) {
    let text = strip_invisible_characters(text);
    read::read_form(&first_form(state, key), &text)
}

/// `text` with the part below the scissors line replaced by the current debate; none when it has no
/// such line or is already current.
pub fn refresh_debate_so_far(state: &State, key: AskKey, text: &str) -> Option<String> {
    let above = text
        .split_inclusive('\n')
        .take_while(|line| line.trim() != SCISSORS);
    let above: usize = above.map(str::len).sum();
    let (above, below) = text.split_at_checked(above)?;
    let shown = sheet::debate_so_far(state, key);
    (!below.is_empty() && below != shown).then(|| format!("{above}{shown}"))
}

/// Whether nothing is written in `text` that the form of `key` does not have of itself.
pub fn is_untouched(state: &State, key: AskKey, text: &str) -> bool {
    if text.trim().is_empty() {
        return true;
    }
    let (form, problems) = read_form(state, key, text);
    problems.is_empty()
        && !answer::is_json(&form, text)
        && form.says_the_same(&first_form(state, key))
}

/// `problems` as findings of `key`, in the file `path`.
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

/// The form of moves of `kind` as plain JSON: without the words that say of which kind they are.
#[cfg(test)]
pub(crate) fn object_of(
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
