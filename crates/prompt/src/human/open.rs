//! A slot while lines go to it.

use agon_record::grammar::{Field, FieldKind};

use super::ground::WrittenGround;
use super::lines::FormLine;

/// A slot that lines go to.
#[derive(Debug)]
pub(super) struct OpenSlot {
    /// The slot.
    pub(super) slot: &'static Field,
    /// How far in its name stands.
    pub(super) indent: usize,
    /// The line of its name.
    pub(super) line: u32,
    /// The words of each entry; a single entry where the slot is not a list.
    pub(super) entries: Vec<String>,
    pub(super) grounds: Vec<WrittenGround>,
    /// Whether the next words are a new entry.
    fresh: bool,
    /// The line of the words.
    pub(super) words: u32,
}

impl OpenSlot {
    pub(super) fn new(slot: &'static Field, line: FormLine<'_>) -> Self {
        Self {
            slot,
            indent: line.indent,
            line: line.number,
            entries: Vec::new(),
            grounds: Vec::new(),
            fresh: true,
            words: line.number,
        }
    }

    /// Whether entries of a list may stand in it.
    pub(super) fn is_list(&self) -> bool {
        matches!(
            self.slot.kind,
            FieldKind::Texts | FieldKind::Ids | FieldKind::Grounds(_)
        )
    }

    /// Whether one word is all that stands in it, and it is there.
    pub(super) fn is_full(&self) -> bool {
        let one = matches!(
            self.slot.kind,
            FieldKind::Choice(_) | FieldKind::Id | FieldKind::Score
        );
        one && !self.entries.is_empty()
    }

    /// The last ground, if it is written as named parts and `part` is missing.
    pub(super) fn last_ground_missing(&mut self, part: &str) -> Option<&mut WrittenGround> {
        self.grounds
            .last_mut()
            .filter(|ground| ground.can_take_part(part))
    }

    /// A new entry of a list.
    pub(super) fn add_entry(&mut self, text: &str, line: FormLine<'_>) {
        if self.entries.is_empty() && self.grounds.is_empty() {
            self.words = line.number;
        }
        if text.is_empty() {
            self.fresh = true;
        } else if matches!(self.slot.kind, FieldKind::Grounds(_)) {
            self.grounds.push(WrittenGround::new(text, line));
            self.fresh = false;
        } else {
            self.entries.push(text.to_owned());
            self.fresh = false;
        }
    }

    /// A further line.
    pub(super) fn append_line(&mut self, text: &str, line: FormLine<'_>) {
        if self.entries.is_empty() {
            self.words = line.number;
        }
        match self.slot.kind {
            FieldKind::Grounds(_) => match self.grounds.last_mut().filter(|_| !self.fresh) {
                Some(ground) => ground.append_line(text),
                None => self.add_entry(text, line),
            },
            FieldKind::Texts | FieldKind::Ids => {
                match self.entries.last_mut().filter(|_| !self.fresh) {
                    Some(last) => {
                        last.push('\n');
                        last.push_str(text);
                    }
                    None => self.add_entry(text, line),
                }
            }
            _ => match self.entries.first_mut() {
                Some(first) => {
                    first.push('\n');
                    first.push_str(text);
                }
                None => self.entries.push(text.to_owned()),
            },
        }
    }

    /// An empty line: it stands in a text, and ends an entry of a list.
    pub(super) fn add_blank_line(&mut self) {
        if !matches!(self.slot.kind, FieldKind::Text) {
            self.fresh = true;
        } else if let Some(first) = self.entries.first_mut() {
            first.push('\n');
        }
    }
}
