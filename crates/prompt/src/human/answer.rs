//! Converts a person's text to a reply.

use agon_record::answer_file::MAX_BYTES;
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;
use serde_json::Value;

use super::form::Form;
use super::mark;
use super::moves::{FormPlace, FormPlaces, form_to_moves};
use super::problem::Problem;
use super::read::{has_heading, read_form};
use super::render::{Hints, render_sections};

/// A person's text, converted to a reply like a tool's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAnswer {
    /// The person's words, and the moves in one fenced block.
    pub reply: String,
    places: FormPlaces,
}

/// Why a person's text is not a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The text is blank.
    Blank,
    /// The form is still marked as unfinished.
    Unfinished {
        /// The line of the mark, from 1.
        line: u32,
    },
    /// Something is invalid or missing.
    Problems(Vec<Problem>),
}

// As many as fit on one screen.
/// Maximum number of problems reported at once.
const MAX_PROBLEMS: usize = 20;

/// The text between a person's words and the moves.
const BEFORE_MOVES: &str = "\n\n```json\n";

impl WrittenAnswer {
    /// Returns the place in the form of the part `at` of the moves, or of its parent; `None` for
    /// JSON.
    pub fn place_of_part(&self, at: &str) -> Option<&FormPlace> {
        place_of_part(&self.places, at)
    }
}

/// Returns the place of the part `at`, or of its parent.
pub(super) fn place_of_part<'a>(places: &'a FormPlaces, at: &str) -> Option<&'a FormPlace> {
    let mut at = at;
    loop {
        if let Some(place) = places.get(at) {
            return Some(place);
        }
        at = at.get(..at.rfind(['.', '['])?)?;
    }
}

/// Parses a person's answer to `key`: a filled-in form, or moves as JSON.
///
/// Takes time linear in the text and never panics.
///
/// # Errors
///
/// If nothing is written, the form is marked as unfinished, or something is invalid.
pub fn parse_answer(state: &State, key: AskKey, text: &str) -> Result<WrittenAnswer, Unread> {
    let read = parse_filled_form(&Form::blank(state, key), text);
    if read == Err(Unread::Blank) {
        return read;
    }
    match mark::unfinished_mark_line(text) {
        Some(line) => Err(Unread::Unfinished { line }),
        None => read,
    }
}

pub(super) fn parse_filled_form(blank: &Form, text: &str) -> Result<WrittenAnswer, Unread> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "this has {} bytes, but at most {MAX_BYTES} are allowed",
            text.len()
        );
        let problem = Problem::in_line(1, &message, "shorten it");
        return Err(Unread::Problems(vec![problem]));
    }
    let text = strip_invisible_characters(text);
    if is_json(blank, &text) {
        let reply = mark::mark_finished(&text).trim().to_owned();
        let places = FormPlaces::new();
        return Ok(WrittenAnswer { reply, places });
    }
    let (form, mut problems) = read_form(blank, &text);
    if problems.is_empty() && form.has_same_content(blank) {
        return Err(Unread::Blank);
    }
    let (moves, places) = form_to_moves(&form, &mut problems);
    if !problems.is_empty() {
        problems.sort_by_key(|problem| problem.line);
        problems.truncate(MAX_PROBLEMS);
        return Err(Unread::Problems(problems));
    }
    let words = render_sections(&form, Hints::Hidden);
    let moves = serde_json::to_string_pretty(&Value::Object(moves)).unwrap_or_default();
    let words = escape_code_fences(words.trim());
    Ok(WrittenAnswer {
        reply: format!("{words}{BEFORE_MOVES}{moves}\n```\n"),
        places,
    })
}

/// Returns the person's words in a reply that was made from a form.
pub(super) fn split_reply(reply: &str) -> Option<&str> {
    reply.rsplit_once(BEFORE_MOVES).map(|(words, _)| words)
}

/// Escapes lines of `words` that would open or close a fenced block.
fn escape_code_fences(words: &str) -> String {
    let line = |line: &str| match line.trim_start() {
        fence if fence.starts_with("```") || fence.starts_with("~~~") => format!("\\{line}"),
        _ => line.to_owned(),
    };
    let lines: Vec<_> = words.lines().map(line).collect();
    lines.join("\n")
}

/// Returns whether `text` is JSON, plain or fenced, and not a form.
pub(super) fn is_json(blank: &Form, text: &str) -> bool {
    let is_object = text.trim_start().starts_with(['{', '[']);
    (is_object || text.contains("```json")) && !has_heading(blank, text)
}
