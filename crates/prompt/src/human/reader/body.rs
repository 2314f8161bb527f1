//! Lines below headings.

use agon_record::grammar::FieldKind;

use super::FormReader;
use super::names::begins_with_id_or_number;
use crate::human::ground::{self, is_none_or_blank};
use crate::human::lines::{FormLine, list_item_text, split_key_value};
use crate::human::open::OpenSlot;

/// The parts of a ground that an entry of a list may begin with.
const BEGINS_GROUND: [&str; 5] = ["source", "file", "url", "document", "command"];

impl FormReader {
    /// Takes in a line that is not a heading.
    pub(super) fn read_body_line(&mut self, line: FormLine<'_>) {
        if line.literal {
            return self.read_plain_line(line);
        }
        if line.text.is_empty() {
            if let Some(open) = self.stack.last_mut().and_then(|top| top.open.as_mut()) {
                open.add_blank_line();
            }
            return;
        }
        let entry = list_item_text(line.text);
        let said = entry.unwrap_or(line.text);
        if entry.is_some() && self.try_read_next_entry(line, said) {
            return;
        }
        if let Some((name, value)) = split_key_value(said) {
            if self.try_read_ground_part(line, &name, value, entry) {
                return;
            }
            if self.try_read_key_value(line, entry.is_some(), &name, value) {
                return;
            }
        }
        match entry {
            Some(said) => self.read_bullet(line, said),
            None => self.read_plain_line(line),
        }
    }

    /// If the line is the next entry of a bulleted list of parts, reads it and returns true.
    fn try_read_next_entry(&mut self, line: FormLine<'_>, said: &str) -> bool {
        while self.stack.len() > 1
            && let Some(top) = self.stack.last()
            && top.bullet.is_some_and(|at| line.indent < at)
        {
            self.close_frames_above(self.stack.len() - 2);
        }
        let Some(top) = self.stack.last() else {
            return false;
        };
        if top.bullet.is_none_or(|at| line.indent > at) {
            return false;
        }
        let inner = top.open.as_ref();
        let inner = inner.is_some_and(|open| open.is_list() && line.indent >= open.indent);
        if inner
            && !(begins_with_id_or_number(said)
                && top
                    .part
                    .fields
                    .iter()
                    .any(|slot| matches!(slot.kind, FieldKind::Id)))
        {
            return false;
        }
        self.close_frames_above(self.stack.len() - 2);
        match split_key_value(said) {
            Some((name, value)) if self.try_read_key_value(line, true, &name, value) => {}
            Some(_) | None => self.open_entry(line, said, Some(line.indent)),
        }
        true
    }

    /// Takes what stands under a name in a ground; false where it is none.
    fn try_read_ground_part(
        &mut self,
        line: FormLine<'_>,
        name: &str,
        value: &str,
        entry: Option<&str>,
    ) -> bool {
        let open = self.stack.last_mut().and_then(|top| top.open.as_mut());
        let Some(open) = open.filter(|open| matches!(open.slot.kind, FieldKind::Grounds(_))) else {
            return false;
        };
        let Some(part) = ground::canonical_ground_key(name) else {
            return false;
        };
        if let Some(said) = entry {
            let begins = BEGINS_GROUND.contains(&part);
            if begins {
                open.add_entry(said, line);
            }
            return begins;
        }
        match open.last_ground_missing(part) {
            Some(ground) => {
                ground.set_part(part, value);
                true
            }
            None => false,
        }
    }

    /// An entry of a list that has no name.
    fn read_bullet(&mut self, line: FormLine<'_>, said: &str) {
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        match &mut top.open {
            Some(open) if open.is_list() => open.add_entry(said, line),
            Some(_) => self.read_plain_line(line),
            None if top.list.is_some() => {
                if !is_none_or_blank(said) {
                    self.open_entry(line, said, Some(line.indent));
                }
            }
            None => self.read_plain_line(FormLine { text: said, ..line }),
        }
    }

    /// Words without a name.
    fn read_plain_line(&mut self, line: FormLine<'_>) {
        let depth = self.stack.len() - 1;
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        if depth > 0
            && !line.literal
            && line.text.starts_with('(')
            && top.try_take_bracketed_line(line.text)
        {
            return;
        }
        if top.open.as_ref().is_some_and(OpenSlot::is_full) {
            top.close_slot(&mut self.problems);
        }
        if let Some(open) = &mut top.open {
            open.append_line(line.text, line);
            return;
        }
        if top.list.is_some() {
            if !is_none_or_blank(line.text) {
                self.open_entry(line, line.text, None);
            }
            return;
        }
        let main = top.part.main.and_then(|key| top.part.field(key));
        match main.filter(|_| depth > 0) {
            Some(slot) => {
                top.open_slot(slot, line, &mut self.problems);
                if let Some(open) = &mut top.open {
                    open.append_line(line.text, line);
                }
            }
            None => {
                self.lost = true;
                self.problems.push(line.problem(
                    "these words stand under no heading",
                    "put them under the heading they belong to, or make them a comment: <!-- … -->",
                ));
            }
        }
    }
}
