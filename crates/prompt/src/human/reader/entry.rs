//! Where parts, their slots and the entries of lists begin.

use agon_record::grammar::FieldKind;

use super::names::strip_leading_number;
use super::{FormReader, NO_LEVEL, NamedSlot};
use crate::human::frame::Frame;
use crate::human::ground::is_none_or_blank;
use crate::human::lines::{FormLine, bold_line_text, parse_heading};
use crate::human::naming::find_field;

impl FormReader {
    /// Reads `name: value` into the slot of that name; false when there is no such slot.
    pub(super) fn try_read_key_value(
        &mut self,
        line: FormLine<'_>,
        entry: bool,
        name: &str,
        value: &str,
    ) -> bool {
        let numbered = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        let bullet = entry.then_some(line.indent);
        // The first words of an entry of the list that was named.
        let listed = self.stack.last().filter(|top| top.open.is_none());
        let listed = listed.and_then(|top| {
            let FieldKind::List(part) = top.list?.0.kind else {
                return None;
            };
            find_field(part, name)
        });
        if listed.is_some() {
            self.open_entry(line, "", bullet);
        }
        let Some(mut named) = self.slot_named(name).or_else(|| self.slot_named(numbered)) else {
            return false;
        };
        let innermost = self.stack.len() - 1;
        let scalar = !matches!(named.slot.kind, FieldKind::List(_) | FieldKind::One(_));
        let has = self
            .stack
            .get(named.depth)
            .is_some_and(|frame| frame.has_content_in(named.slot));
        if named.depth < innermost && scalar && (entry || line.indent > 0 || has) {
            return false;
        }
        let of_list = self.stack.get(named.depth).and_then(|frame| frame.of);
        let again = self
            .stack
            .get(named.depth)
            .is_some_and(|frame| frame.has_slot_named(named.slot, name));
        if has
            && again
            && scalar
            && named.depth > 0
            && of_list.is_some_and(|slot| matches!(slot.kind, FieldKind::List(_)))
        {
            // A second word of the same name: the next entry.
            self.close_frames_above(named.depth - 1);
            self.open_entry(line, "", bullet);
            named.depth = self.stack.len() - 1;
        }
        self.close_frames_above(named.depth);
        if let Some(frame) = self.stack.last_mut().filter(|_| scalar) {
            frame.record_slot_name(named.slot, name);
        }
        self.open_named_slot(line, named, NO_LEVEL, value);
        true
    }

    /// Begins a slot of the part that is read.
    pub(super) fn open_named_slot(
        &mut self,
        line: FormLine<'_>,
        named: NamedSlot,
        level: usize,
        rest: &str,
    ) {
        let rest = strip_leading_comment(rest).trim_start_matches([':', ' ']);
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        match named.slot.kind {
            FieldKind::List(_) => {
                top.close_slot(&mut self.problems);
                top.list = Some((named.slot, level));
                if named.one || !is_none_or_blank(rest) {
                    self.open_entry(line, rest, None);
                }
            }
            FieldKind::One(part) => {
                top.close_slot(&mut self.problems);
                top.list = None;
                self.stack
                    .push(Frame::new(part, Some(named.slot), line.number));
                if !is_none_or_blank(rest) {
                    let message = "these words stand in no part of the form";
                    let hint = "put each under its name";
                    self.problems.push(line.problem(message, hint));
                }
            }
            _ => {
                top.open_slot(named.slot, line, &mut self.problems);
                let (rest, literal) = match rest.strip_prefix('\\') {
                    Some(rest) => (rest, true),
                    None => (rest, false),
                };
                if let Some(open) = top.open.as_mut().filter(|_| !rest.is_empty()) {
                    open.append_line(rest, FormLine { literal, ..line });
                }
            }
        }
    }

    /// Begins an entry of the list that was named; `head` is its heading, or where it is an entry
    /// by its mark, its first words.
    pub(super) fn open_entry(&mut self, line: FormLine<'_>, head: &str, bullet: Option<usize>) {
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        let Some((list, _)) = top.list else { return };
        let FieldKind::List(part) = list.kind else {
            return;
        };
        top.close_slot(&mut self.problems);
        let mut frame = Frame::new(part, Some(list), line.number);
        frame.bullet = bullet;
        let head = if bullet.is_some() {
            head
        } else {
            strip_leading_number(head)
        };
        let rest = frame.parse_part_heading(head);
        let is_heading = parse_heading(line).is_some() || bold_line_text(line.text).is_some();
        let key = if is_heading { part.head } else { part.main };
        if !rest.is_empty()
            && let Some(slot) = key.and_then(|key| part.field(key))
        {
            frame.open_slot(slot, line, &mut self.problems);
            if let Some(open) = &mut frame.open {
                open.append_line(rest, line);
            }
            if is_heading {
                frame.close_slot(&mut self.problems);
            }
        }
        self.stack.push(frame);
    }
}

/// `text` without a comment before it.
fn strip_leading_comment(text: &str) -> &str {
    let text = text.trim();
    let rest = text
        .strip_prefix("<!--")
        .and_then(|rest| rest.split_once("-->"));
    rest.map_or(text, |(_, after)| after.trim())
}
