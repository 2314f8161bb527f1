//! Lines below headings.

use agon_record::grammar::FieldKind;

use super::FormReader;
use super::names::begins_entry;
use crate::human::ground::{self, is_nothing};
use crate::human::lines::{FormLine, bullet, keyed};
use crate::human::open::OpenSlot;

/// The parts of a ground that an entry of a list may begin with.
const BEGINS_GROUND: [&str; 5] = ["source", "file", "url", "document", "command"];

impl FormReader {
    /// Takes in a line that is not a heading.
    pub(super) fn take_line(&mut self, line: FormLine<'_>) {
        if line.literal {
            return self.plain(line);
        }
        if line.text.is_empty() {
            if let Some(open) = self.stack.last_mut().and_then(|top| top.open.as_mut()) {
                open.gap();
            }
            return;
        }
        let entry = bullet(line.text);
        let said = entry.unwrap_or(line.text);
        if entry.is_some() && self.another(line, said) {
            return;
        }
        if let Some((name, value)) = keyed(said) {
            if self.take_ground_part(line, &name, value, entry) {
                return;
            }
            if self.key(line, entry.is_some(), &name, value) {
                return;
            }
        }
        match entry {
            Some(said) => self.bulleted(line, said),
            None => self.plain(line),
        }
    }

    /// Whether an entry of a list is the next one after the part that is read; it is taken then.
    fn another(&mut self, line: FormLine<'_>, said: &str) -> bool {
        while self.stack.len() > 1
            && let Some(top) = self.stack.last()
            && top.bullet.is_some_and(|at| line.indent < at)
        {
            self.close_to(self.stack.len() - 2);
        }
        let Some(top) = self.stack.last() else {
            return false;
        };
        if top.bullet.is_none_or(|at| line.indent > at) {
            return false;
        }
        let inner = top.open.as_ref();
        let inner = inner.is_some_and(|open| open.lists() && line.indent >= open.indent);
        if inner
            && !(begins_entry(said)
                && top
                    .part
                    .fields
                    .iter()
                    .any(|slot| matches!(slot.kind, FieldKind::Id)))
        {
            return false;
        }
        self.close_to(self.stack.len() - 2);
        match keyed(said) {
            Some((name, value)) if self.key(line, true, &name, value) => {}
            Some(_) | None => self.entry(line, said, Some(line.indent)),
        }
        true
    }

    /// Takes what stands under a name in a ground; false where it is none.
    fn take_ground_part(
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
        let Some(part) = ground::part(name) else {
            return false;
        };
        if let Some(said) = entry {
            let begins = BEGINS_GROUND.contains(&part);
            if begins {
                open.entry(said, line);
            }
            return begins;
        }
        match open.ground_taking(part) {
            Some(ground) => {
                ground.set(part, value);
                true
            }
            None => false,
        }
    }

    /// An entry of a list that has no name.
    fn bulleted(&mut self, line: FormLine<'_>, said: &str) {
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        match &mut top.open {
            Some(open) if open.lists() => open.entry(said, line),
            Some(_) => self.plain(line),
            None if top.list.is_some() => {
                if !is_nothing(said) {
                    self.entry(line, said, Some(line.indent));
                }
            }
            None => self.plain(FormLine { text: said, ..line }),
        }
    }

    /// Words without a name.
    fn plain(&mut self, line: FormLine<'_>) {
        let depth = self.stack.len() - 1;
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        if depth > 0 && !line.literal && line.text.starts_with('(') && top.brackets(line.text) {
            return;
        }
        if top.open.as_ref().is_some_and(OpenSlot::full) {
            top.end(&mut self.problems);
        }
        if let Some(open) = &mut top.open {
            open.more(line.text, line);
            return;
        }
        if top.list.is_some() {
            if !is_nothing(line.text) {
                self.entry(line, line.text, None);
            }
            return;
        }
        let main = top.part.main.and_then(|key| top.part.field(key));
        match main.filter(|_| depth > 0) {
            Some(slot) => {
                top.begin(slot, line, &mut self.problems);
                if let Some(open) = &mut top.open {
                    open.more(line.text, line);
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
