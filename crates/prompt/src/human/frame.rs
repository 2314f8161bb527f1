//! A part of the moves while it is being read.

use agon_record::grammar::{Field, FieldKind, MovePart};
use serde_json::{Map, Value, json};

use super::lines::FormLine;
use super::open::OpenSlot;
use super::problem::Problem;
use super::value::parse_slot_value;

/// A part of the moves while it is being read.
#[derive(Debug)]
pub(super) struct Frame {
    /// What may stand in it.
    pub(super) part: &'static MovePart,
    /// What stood in it so far.
    pub(super) object: Map<String, Value>,
    /// Whether anything but its heading says something.
    said: bool,
    /// The names under which something stood in it, each with the key of its slot.
    names: Vec<(&'static str, String)>,
    /// The slot that lines go to.
    pub(super) open: Option<OpenSlot>,
    /// The list whose entries come next, and the level of its heading.
    pub(super) list: Option<(&'static Field, usize)>,
    /// The slot of the part above that it belongs to.
    pub(super) of: Option<&'static Field>,
    /// Where it began, if as an entry of a list: how far in.
    pub(super) bullet: Option<usize>,
    /// Where each of its slots stands.
    pub(super) places: Vec<(String, u32)>,
    /// The line it begins with.
    pub(super) line: u32,
}

impl Frame {
    pub(super) fn new(part: &'static MovePart, of: Option<&'static Field>, line: u32) -> Self {
        Self {
            part,
            object: Map::new(),
            said: false,
            names: Vec::new(),
            open: None,
            list: None,
            of,
            bullet: None,
            places: Vec::new(),
            line,
        }
    }

    /// Whether something stands in `slot` already.
    pub(super) fn has_content_in(&self, slot: &Field) -> bool {
        let holds = |open: &OpenSlot| open.slot.key == slot.key && !open.entries.is_empty();
        self.object.contains_key(slot.key) || self.open.as_ref().is_some_and(holds)
    }

    /// Opens `slot`: the lines that follow belong to it.
    pub(super) fn open_slot(
        &mut self,
        slot: &'static Field,
        line: FormLine<'_>,
        problems: &mut Vec<Problem>,
    ) {
        self.close_slot(problems);
        self.list = None;
        self.open = Some(OpenSlot::new(slot, line));
    }

    /// Remembers that `slot` was filled in under `name`.
    pub(super) fn record_slot_name(&mut self, slot: &Field, name: &str) {
        self.names.push((slot.key, name.to_owned()));
    }

    /// Whether something stood in `slot` under this very name.
    pub(super) fn has_slot_named(&self, slot: &Field, name: &str) -> bool {
        let mut names = self.names.iter();
        names.any(|(key, known)| *key == slot.key && known == name)
    }

    /// Marks the part as filled in, although only words in brackets say something.
    pub(super) fn mark_filled_in(&mut self) {
        self.said = true;
    }

    /// Whether it is a part of the moves, not an empty place of the form.
    ///
    /// A form calls the entries of some lists by their id or category before anything is said of
    /// them; an entry of a person's own, or one with an id and a choice, says something.
    fn is_filled_in(&self) -> bool {
        let has = |is: fn(&FieldKind) -> bool| {
            let mut slots = self.part.fields.iter();
            slots.any(|slot| is(&slot.kind) && self.object.contains_key(slot.key))
        };
        let laid = self.of.is_some_and(|slot| slot.laid) && self.bullet.is_none();
        let both = || {
            has(|kind| matches!(kind, FieldKind::Id))
                && has(|kind| matches!(kind, FieldKind::Choice(_) | FieldKind::Score))
        };
        self.said || (!self.object.is_empty() && (!laid || both()))
    }

    /// Closes the open slot and stores its value.
    pub(super) fn close_slot(&mut self, problems: &mut Vec<Problem>) {
        let Some(open) = self.open.take() else { return };
        let key = open.slot.key;
        match parse_slot_value(&open, problems) {
            Some(value) => {
                self.said = true;
                self.places.push((key.to_owned(), open.line));
                match (self.object.get_mut(key), value) {
                    (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
                    (Some(Value::String(known)), Value::String(more))
                        if matches!(open.slot.kind, FieldKind::Text) =>
                    {
                        known.push_str("\n\n");
                        known.push_str(&more);
                    }
                    (Some(known), value) if *known != value => {
                        let message = format!("this is another {}", open.slot.label);
                        let hint = "say which of them holds, and take the other out";
                        problems.push(Problem::at(open.words, &message, hint));
                    }
                    (_, value) => {
                        self.object.insert(key.to_owned(), value);
                    }
                }
            }
            None if !open.entries.is_empty() => {
                self.said |= !matches!(open.slot.kind, FieldKind::Text | FieldKind::Texts);
            }
            None => {}
        }
    }

    /// Inserts a finished child part under `slot`, unless it was left empty.
    pub(super) fn insert_child_part(
        &mut self,
        slot: &'static Field,
        part: Self,
        problems: &mut Vec<Problem>,
    ) {
        if !part.is_filled_in() {
            return;
        }
        let key = slot.key;
        let value = Value::Object(part.object);
        let at = if matches!(slot.kind, FieldKind::List(_)) {
            let list = self.object.entry(key).or_insert_with(|| json!([]));
            let Some(list) = list.as_array_mut() else {
                return;
            };
            list.push(value);
            format!("{key}[{}]", list.len() - 1)
        } else {
            if self.object.contains_key(key) {
                let message = format!("this is another {}", slot.label);
                let hint = "put all of it under one heading";
                problems.push(Problem::at(part.line, &message, hint));
            }
            self.object.insert(key.to_owned(), value);
            key.to_owned()
        };
        let inner = part.places.into_iter();
        self.places
            .extend(inner.map(|(place, line)| (format!("{at}.{place}"), line)));
        self.places.push((at, part.line));
        self.said = true;
    }
}
