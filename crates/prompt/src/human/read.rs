//! From what a person wrote to a reply.

use std::collections::BTreeMap;

use agon_record::grammar::root_part;
use agon_record::id::AskKey;
use agon_record::moves::MovesKind;
use agon_record::state::State;
use agon_record::text::strip_invisible_characters;
use serde_json::Value;

use super::lines::{FormLine, parse_form_lines, parse_heading};
use super::name::normalize_name;
use super::naming::find_field;
use super::problem::Problem;
use super::reader::FormReader;
use super::{MAX_BYTES, join_ids, mark, requested_moves_kind};
use agon_record::grammar::{Field, FieldKind, MovePart};

/// What a person wrote, as a reply like any tool's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAnswer {
    /// Their words, and their moves in one fenced block.
    pub reply: String,
    /// The line of each part of the moves, such as `objections[0].target`.
    pub places: BTreeMap<String, u32>,
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
    /// Something cannot be understood.
    Problems(Vec<Problem>),
}

// As many findings as the parser gives of a reply, and about a screen of them.
/// The most problems that are told at once.
const MAX_PROBLEMS: usize = 20;

impl WrittenAnswer {
    /// The line of the part `at`, or of what it is a part of; none for JSON.
    pub fn line_of_part(&self, at: &str) -> Option<u32> {
        let mut at = at;
        loop {
            if let Some(line) = self.places.get(at) {
                return Some(*line);
            }
            at = at.get(..at.rfind(['.', '['])?)?;
        }
    }
}

/// Reads what a person wrote in answer to `key`.
///
/// Takes time linear in the text; nothing in it can make this fail other than by an error.
///
/// # Errors
///
/// If nothing is written, it is said to be unfinished, or something cannot be understood.
pub fn parse_answer(state: &State, key: AskKey, text: &str) -> Result<WrittenAnswer, Unread> {
    let mut read = parse_answer_of_kind(requested_moves_kind(state, key), text);
    if read == Err(Unread::Blank) {
        return read;
    }
    if let Some(line) = mark::unfinished_mark_line(text) {
        return Err(Unread::Unfinished { line });
    }
    if let Err(Unread::Problems(problems)) = &mut read {
        let known: Vec<_> = state.nodes().iter().map(|node| node.id).collect();
        for problem in problems.iter_mut().filter(|one| one.ids) {
            if !known.is_empty() {
                problem.hint = format!("there are {}", join_ids(&known));
            }
        }
    }
    read
}

pub(super) fn parse_answer_of_kind(kind: MovesKind, text: &str) -> Result<WrittenAnswer, Unread> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "this has {} bytes, at most {MAX_BYTES} are read",
            text.len()
        );
        let problem = Problem::at(1, &message, "say it shorter");
        return Err(Unread::Problems(vec![problem]));
    }
    let text = strip_invisible_characters(text);
    let lines = parse_form_lines(&text).map_err(|problem| Unread::Problems(vec![problem]))?;
    let words = original_text_of_lines(&text, &lines);
    if words.is_empty() {
        return Err(Unread::Blank);
    }
    if is_json(&words, &lines, root_part(kind)) {
        return Ok(WrittenAnswer {
            reply: words,
            places: BTreeMap::new(),
        });
    }
    let mut reader = FormReader::new(root_part(kind));
    for line in lines {
        reader.read_line(line);
    }
    let (object, places, mut problems) = reader.finish();
    if !problems.is_empty() {
        problems.sort_by_key(|problem| problem.line);
        problems.truncate(MAX_PROBLEMS);
        return Err(Unread::Problems(problems));
    }
    if object.is_empty() {
        return Err(Unread::Blank);
    }
    let moves = serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default();
    Ok(WrittenAnswer {
        reply: format!("{}\n\n```json\n{moves}\n```\n", escape_code_fences(&words)),
        places,
    })
}

/// The lines that count, as they were written.
fn original_text_of_lines(text: &str, lines: &[FormLine<'_>]) -> String {
    let all: Vec<&str> = text.lines().collect();
    let whole = |line: &FormLine<'_>| {
        let at = usize::try_from(line.number).ok()?.checked_sub(1)?;
        all.get(at).map(|line| line.trim_end())
    };
    let words: Vec<&str> = lines.iter().filter_map(whole).collect();
    words.join("\n").trim().to_owned()
}

/// `words` without lines that would open or end a fenced block.
fn escape_code_fences(words: &str) -> String {
    let line = |line: &str| match line.trim_start() {
        fence if fence.starts_with("```") || fence.starts_with("~~~") => format!("\\{fence}"),
        _ => line.to_owned(),
    };
    let lines: Vec<_> = words.lines().map(line).collect();
    lines.join("\n")
}

/// Whether the moves are written as JSON: nothing else, or at the end of words that fill in no
/// part of the form.
fn is_json(words: &str, lines: &[FormLine<'_>], part: &'static MovePart) -> bool {
    let object = |text: &str| {
        let text = text.trim();
        text.starts_with(['{', '['])
            && (text.ends_with(['}', ']']) || serde_json::from_str::<Value>(text).is_ok())
    };
    if object(words) {
        return true;
    }
    let names_part = |line: &FormLine<'_>| {
        parse_heading(*line).is_some_and(|(_, words)| {
            let name = words.split([':', '(']).next().unwrap_or_default();
            find_field(part, &normalize_name(name)).is_some()
        })
    };
    if lines.iter().any(names_part) {
        return false;
    }
    let last = words.split("```").skip(1).step_by(2).last();
    last.is_some_and(|block| {
        let (_, body) = block.split_once('\n').unwrap_or(("", block));
        let body = body.trim();
        let says = |part: &MovePart| {
            let mut slots = part.fields.iter();
            slots.any(|slot| body.contains(&format!("\"{}\"", slot.key)))
        };
        let says_entry = |slot: &Field| {
            let FieldKind::List(entry) = slot.kind else {
                return false;
            };
            says(entry)
        };
        // The entries of a list may stand without its name.
        match body.as_bytes().first() {
            Some(b'{') => says(part),
            Some(b'[') => says(part) || part.fields.iter().any(says_entry),
            Some(_) | None => false,
        }
    })
}
