//! Goes through the lines of a form and puts each where it belongs.

mod body;
mod entry;
mod names;

use std::collections::BTreeMap;

use agon_record::grammar::{Field, MovePart};
use serde_json::{Map, Value};

use super::frame::Frame;
use super::lines::{FormLine, bold_line_text, parse_heading};
use super::problem::Problem;

// Markdown has six levels of headings, <https://spec.commonmark.org/0.31.2/#atx-headings>: a line
// in bold counts as the deepest.
/// The level of a line that is not a heading.
const NO_LEVEL: usize = 6;

/// Reads a form line by line.
pub(super) struct FormReader {
    /// The part that is read, above those it stands in; the first is the whole.
    stack: Vec<Frame>,
    problems: Vec<Problem>,
    /// Whether the lines stand where it was told already that nothing can.
    lost: bool,
}

/// A slot that was named.
#[derive(Clone, Copy)]
struct NamedSlot {
    /// Which part it is of.
    depth: usize,
    slot: &'static Field,
    /// Whether one entry of it is meant.
    one: bool,
}

impl FormReader {
    pub(super) fn new(part: &'static MovePart) -> Self {
        Self {
            stack: vec![Frame::new(part, None, 1)],
            problems: Vec::new(),
            lost: false,
        }
    }

    /// The moves, where each part of them stands, and what cannot be understood.
    pub(super) fn finish(mut self) -> (Map<String, Value>, BTreeMap<String, u32>, Vec<Problem>) {
        self.close_frames_above(0);
        let Some(mut whole) = self.stack.pop() else {
            return (Map::new(), BTreeMap::new(), self.problems);
        };
        whole.close_slot(&mut self.problems);
        (
            whole.object,
            whole.places.into_iter().collect(),
            self.problems,
        )
    }

    /// Takes the next line.
    pub(super) fn read_line(&mut self, line: FormLine<'_>) {
        if let Some((level, words)) = parse_heading(line) {
            self.read_heading(line, level, words);
            return;
        }
        let words = bold_line_text(line.text).filter(|_| !line.literal);
        match words.filter(|words| self.split_leading_slot_name(words).is_some()) {
            Some(words) => self.read_heading(line, NO_LEVEL, words),
            None if self.lost => {}
            None => self.read_body_line(line),
        }
    }

    fn read_heading(&mut self, line: FormLine<'_>, level: usize, words: &str) {
        if words.is_empty() {
            return;
        }
        if let Some((named, rest)) = self.split_leading_slot_name(words) {
            self.lost = false;
            self.close_frames_above(named.depth);
            self.open_named_slot(line, named, level, rest);
            return;
        }
        let lists = |frame: &Frame| frame.list.is_some_and(|(_, of)| level > of);
        if let Some(depth) = self.stack.iter().rposition(lists) {
            self.lost = false;
            self.close_frames_above(depth);
            self.open_entry(line, words, None);
            return;
        }
        self.close_frames_above(0);
        self.close_root_slots();
        self.lost = true;
        let top = self
            .stack
            .first()
            .map_or(&[][..], |whole| whole.part.fields);
        let names: Vec<_> = top.iter().map(|slot| slot.label).collect();
        self.problems.push(line.problem(
            "this heading names no part of the form",
            &format!("the headings are: {}", names.join(", ")),
        ));
    }

    /// Closes the open slot and list of the root part, so that nothing more is added to them.
    fn close_root_slots(&mut self) {
        if let Some(whole) = self.stack.first_mut() {
            whole.close_slot(&mut self.problems);
            whole.list = None;
        }
    }

    /// Ends the parts above `depth`.
    fn close_frames_above(&mut self, depth: usize) {
        while self.stack.len() > depth + 1 {
            let Some(mut frame) = self.stack.pop() else {
                return;
            };
            frame.close_slot(&mut self.problems);
            if let (Some(under), Some(slot)) = (self.stack.last_mut(), frame.of) {
                under.insert_child_part(slot, frame, &mut self.problems);
            }
        }
    }
}
