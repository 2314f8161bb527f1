//! From what a person wrote to a reply.

use agon_record::answer_file::MAX_BYTES;
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;
use serde_json::Value;

use super::form::Form;
use super::mark;
use super::moves::{FormPlace, FormPlaces, moves_of_form};
use super::problem::Problem;
use super::read::{has_heading, read_form};
use super::render::{Hints, render_sections};

/// What a person wrote, as a reply like any tool's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAnswer {
    /// Their words, and their moves in one fenced block.
    pub reply: String,
    places: FormPlaces,
}

/// Why there is no reply in what a person wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Nothing is written yet.
    Blank,
    /// Something is written, and a line says that it is not done.
    Unfinished {
        /// That line, from 1.
        line: u32,
    },
    /// Something cannot be understood, or is missing.
    Problems(Vec<Problem>),
}

// About a screen of them.
/// The most problems that are told at once.
const MAX_PROBLEMS: usize = 20;

/// What comes between a person's words and their moves.
const BEFORE_MOVES: &str = "\n\n```json\n";

impl WrittenAnswer {
    /// Where the part `at` of the moves stands, or what it is a part of; none for JSON.
    pub fn place_of_part(&self, at: &str) -> Option<&FormPlace> {
        place_of_part(&self.places, at)
    }
}

/// Where the part `at` stands, or what it is a part of.
pub(super) fn place_of_part<'a>(places: &'a FormPlaces, at: &str) -> Option<&'a FormPlace> {
    let mut at = at;
    loop {
        if let Some(place) = places.get(at) {
            return Some(place);
        }
        at = at.get(..at.rfind(['.', '['])?)?;
    }
}

/// Reads what a person wrote in answer to `key`: the form, filled in, or moves as a program writes
/// them.
///
/// Takes time linear in the text; nothing in it can make this fail other than by an error.
///
/// # Errors
///
/// If nothing is written, it is said to be unfinished, or something cannot be understood.
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
            "this has {} bytes, at most {MAX_BYTES} are read",
            text.len()
        );
        let problem = Problem::at(1, &message, "make it shorter");
        return Err(Unread::Problems(vec![problem]));
    }
    let text = strip_invisible_characters(text);
    if is_json(blank, &text) {
        let reply = mark::mark_finished(&text).trim().to_owned();
        let places = FormPlaces::new();
        return Ok(WrittenAnswer { reply, places });
    }
    let (form, mut problems) = read_form(blank, &text);
    if problems.is_empty() && form.says_the_same(blank) {
        return Err(Unread::Blank);
    }
    let (moves, places) = moves_of_form(&form, &mut problems);
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

/// The words of a reply that was made of a form.
pub(super) fn split_reply(reply: &str) -> Option<&str> {
    reply.rsplit_once(BEFORE_MOVES).map(|(words, _)| words)
}

/// `words` without lines that would open or end a fenced block.
fn escape_code_fences(words: &str) -> String {
    let line = |line: &str| match line.trim_start() {
        fence if fence.starts_with("```") || fence.starts_with("~~~") => format!("\\{line}"),
        _ => line.to_owned(),
    };
    let lines: Vec<_> = words.lines().map(line).collect();
    lines.join("\n")
}

/// Whether `text` is a reply as a program writes it: one object, or a fenced one, and no form.
pub(super) fn is_json(blank: &Form, text: &str) -> bool {
    let is_object = text.trim_start().starts_with(['{', '[']);
    (is_object || text.contains("```json")) && !has_heading(blank, text)
}
