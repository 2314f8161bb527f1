//! A part of the moves while it is being read.

use serde_json::{Map, Value, json};

use super::choice;
use super::ground::Ground;
use super::lines::Line;
use super::read::Problem;
use super::slots::{Field, Shape, Slot};

/// A part of the moves while it is being read.
#[derive(Debug)]
pub(super) struct Frame {
    /// What may stand in it.
    pub(super) shape: &'static Shape,
    /// What stood in it so far.
    pub(super) object: Map<String, Value>,
    /// Whether anything but its heading says something.
    pub(super) said: bool,
    /// The slot that lines go to.
    pub(super) open: Option<Open>,
    /// The list whose entries come next, and the level of its heading.
    pub(super) list: Option<(&'static Slot, usize)>,
    /// The slot of the part above that it belongs to.
    pub(super) of: Option<&'static Slot>,
    /// Where it began, if as an entry of a list: how far in.
    pub(super) bullet: Option<usize>,
    /// Where each of its slots stands.
    pub(super) places: Vec<(String, u32)>,
    /// The line it begins with.
    pub(super) line: u32,
}

/// A slot that lines go to.
#[derive(Debug)]
pub(super) struct Open {
    /// The slot.
    pub(super) slot: &'static Slot,
    /// How far in its name stands.
    pub(super) indent: usize,
    /// The line of its name.
    line: u32,
    /// The words of each entry; one entry where it is no list.
    entries: Vec<String>,
    grounds: Vec<Ground>,
    /// Whether the next words are a new entry.
    fresh: bool,
    /// The line of the words.
    words: u32,
}

impl Open {
    fn new(slot: &'static Slot, line: Line<'_>) -> Self {
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
    pub(super) fn lists(&self) -> bool {
        matches!(self.slot.field, Field::Texts | Field::Ids | Field::Grounds)
    }

    /// Whether one word is all that stands in it, and it is there.
    pub(super) fn full(&self) -> bool {
        let one = matches!(self.slot.field, Field::Choice(_) | Field::Id | Field::Score);
        one && !self.entries.is_empty()
    }

    /// The last ground, where it is told by names and `part` is still to come.
    pub(super) fn ground_taking(&mut self, part: &str) -> Option<&mut Ground> {
        self.grounds.last_mut().filter(|ground| ground.takes(part))
    }

    /// A new entry of a list.
    pub(super) fn entry(&mut self, text: &str, literal: bool) {
        if text.is_empty() {
            self.fresh = true;
        } else if matches!(self.slot.field, Field::Grounds) {
            self.grounds.push(Ground::new(text, literal));
            self.fresh = false;
        } else {
            self.entries.push(text.to_owned());
            self.fresh = false;
        }
    }

    /// A further line.
    pub(super) fn more(&mut self, text: &str, line: Line<'_>) {
        if self.entries.is_empty() {
            self.words = line.number;
        }
        match self.slot.field {
            Field::Grounds => match self.grounds.last_mut().filter(|_| !self.fresh) {
                Some(ground) => ground.more(text),
                None => self.entry(text, line.literal),
            },
            Field::Texts | Field::Ids => match self.entries.last_mut().filter(|_| !self.fresh) {
                Some(last) => {
                    last.push('\n');
                    last.push_str(text);
                }
                None => self.entry(text, line.literal),
            },
            Field::Text
            | Field::Choice(_)
            | Field::Id
            | Field::Score
            | Field::One(_)
            | Field::List(_) => match self.entries.first_mut() {
                Some(first) => {
                    first.push('\n');
                    first.push_str(text);
                }
                None => self.entries.push(text.to_owned()),
            },
        }
    }

    /// An empty line: it stands in a text, and ends an entry of a list.
    pub(super) fn gap(&mut self) {
        if !matches!(self.slot.field, Field::Text) {
            self.fresh = true;
        } else if let Some(first) = self.entries.first_mut() {
            first.push('\n');
        }
    }
}

impl Frame {
    pub(super) fn new(shape: &'static Shape, of: Option<&'static Slot>, line: u32) -> Self {
        Self {
            shape,
            object: Map::new(),
            said: false,
            open: None,
            list: None,
            of,
            bullet: None,
            places: Vec::new(),
            line,
        }
    }

    /// Whether something stands in `slot` already.
    pub(super) fn has(&self, slot: &Slot) -> bool {
        let open = self.open.as_ref();
        self.object.contains_key(slot.key)
            || open.is_some_and(|open| open.slot.key == slot.key && !open.entries.is_empty())
    }

    /// Lines go to `slot` from here on.
    pub(super) fn begin(
        &mut self,
        slot: &'static Slot,
        line: Line<'_>,
        problems: &mut Vec<Problem>,
    ) {
        self.end(problems);
        self.open = Some(Open::new(slot, line));
    }

    /// Takes what stood in the open slot.
    pub(super) fn end(&mut self, problems: &mut Vec<Problem>) {
        let Some(open) = self.open.take() else { return };
        let key = open.slot.key;
        match value(&open, problems) {
            Some(value) => {
                self.said = true;
                self.places.push((key.to_owned(), open.line));
                match (self.object.get_mut(key), value) {
                    (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
                    (Some(Value::String(known)), Value::String(more))
                        if matches!(open.slot.field, Field::Text) =>
                    {
                        known.push_str("\n\n");
                        known.push_str(&more);
                    }
                    (_, value) => {
                        self.object.insert(key.to_owned(), value);
                    }
                }
            }
            None if !open.entries.is_empty() => {
                self.said |= !matches!(open.slot.field, Field::Text | Field::Texts)
            }
            None => {}
        }
    }

    /// Takes a part that ended.
    pub(super) fn take(&mut self, slot: &'static Slot, part: Self) {
        let key = slot.key;
        let value = Value::Object(part.object);
        let at = if matches!(slot.field, Field::List(_)) {
            let list = self.object.entry(key).or_insert_with(|| json!([]));
            let Some(list) = list.as_array_mut() else {
                return;
            };
            list.push(value);
            format!("{key}[{}]", list.len() - 1)
        } else {
            self.object.insert(key.to_owned(), value);
            key.to_owned()
        };
        let inner = part.places.into_iter();
        self.places
            .extend(inner.map(|(place, line)| (format!("{at}.{place}"), line)));
        self.places.push((at, part.line));
        self.said = true;
    }

    /// Takes what a heading says of it; what is left of the heading is given back.
    pub(super) fn head<'a>(&mut self, text: &'a str) -> &'a str {
        let mut rest = text.trim();
        loop {
            rest = choice::without_fillers(rest);
            let word = rest.split_whitespace().next().unwrap_or_default();
            let (word, after) = match word.find([',', ':', '(']) {
                Some(at) => rest.split_at(at),
                None => rest.split_at(word.len()),
            };
            let ends = after.trim_start().is_empty() || after.starts_with([',', ':', '(']);
            let next = after.trim_start();
            // A choice may have several words.
            let (phrase, beyond) = rest.split_at(rest.find([',', ':', '(']).unwrap_or(rest.len()));
            if let Some(inside) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'))
                && self.words_in(inside.0)
            {
                rest = inside.1;
            } else if self.takes_id(word) || (ends && self.takes_choice(word)) {
                rest = next;
            } else if self.takes_choice(phrase) {
                rest = beyond;
            } else if let Some(cut) = self.group_at_end(rest) {
                rest = cut;
            } else {
                return rest.trim();
            }
        }
    }

    /// Takes words in brackets at the end of `text`; what stands before them is given back.
    fn group_at_end<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let (before, inside) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        self.words_in(inside).then_some(before)
    }

    /// Takes a line that is words in brackets and nothing else.
    pub(super) fn brackets(&mut self, text: &str) -> bool {
        let inside = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let taken = inside.is_some_and(|inside| self.words_in(inside));
        self.said |= taken;
        taken
    }

    /// Takes every one of the words, or none.
    fn words_in(&mut self, inside: &str) -> bool {
        let before = self.object.clone();
        let words = inside.split([',', ';', '/']);
        let all = words
            .map(str::trim)
            .all(|word| self.takes_id(word) || self.takes_choice(word));
        if !all {
            self.object = before;
        }
        all
    }

    fn takes_id(&mut self, word: &str) -> bool {
        let free =
            |slot: &&Slot| matches!(slot.field, Field::Id) && !self.object.contains_key(slot.key);
        let (Some(slot), Some(id)) = (self.shape.slots.iter().find(free), choice::id(word)) else {
            return false;
        };
        self.object.insert(slot.key.to_owned(), json!(id));
        true
    }

    fn takes_choice(&mut self, word: &str) -> bool {
        let free = |slot: &&Slot| !self.object.contains_key(slot.key);
        let slots = self.shape.slots.iter().filter(free);
        let mut found = slots.filter_map(|slot| {
            let Field::Choice(choices) = slot.field else {
                return None;
            };
            Some((slot.key, choice::exact(word, choices)?))
        });
        let Some((key, word)) = found.next() else {
            return false;
        };
        self.object.insert(key.to_owned(), json!(word));
        true
    }
}

/// What stands in a slot; none where nothing does, or nothing that is understood.
fn value(open: &Open, problems: &mut Vec<Problem>) -> Option<Value> {
    let first = open
        .entries
        .first()
        .map(|entry| entry.trim())
        .unwrap_or_default();
    let mut wrong = |message: String, hint: String| {
        problems.push(Problem::at(open.words, &message, &hint));
        None
    };
    match open.slot.field {
        Field::Text => (!first.is_empty()).then(|| json!(first)),
        Field::Texts => {
            let entries = open.entries.iter().map(|entry| entry.trim());
            let entries: Vec<_> = entries.filter(|entry| !entry.is_empty()).collect();
            (!entries.is_empty()).then(|| json!(entries))
        }
        Field::Grounds => {
            let grounds = open.grounds.iter().cloned();
            let grounds: Vec<_> = grounds.filter_map(Ground::value).collect();
            (!grounds.is_empty()).then(|| json!(grounds))
        }
        _ if first.is_empty() => None,
        Field::Choice(choices) => match choice::meant(first, choices) {
            Some(choice) => Some(json!(choice)),
            None => wrong(
                format!(
                    "`{}` is none of the words for {}",
                    short(first),
                    open.slot.label
                ),
                format!("one of: {}", choices.join(", ")),
            ),
        },
        Field::Id => match choice::ids(first) {
            (ids, None) if ids.len() == 1 => Some(json!(ids.first())),
            _ => wrong(
                format!("`{}` is not the id of a point", short(first)),
                "name one point by its id, such as pro_001a".to_owned(),
            ),
        },
        Field::Ids => {
            let mut all = Vec::new();
            for entry in &open.entries {
                let (ids, other) = choice::ids(entry);
                if let Some(other) = other {
                    return wrong(
                        format!("`{}` is not the id of a point", short(other)),
                        "name points by their ids, such as pro_001a, cha_001b".to_owned(),
                    );
                }
                all.extend(ids);
            }
            Some(json!(all))
        }
        Field::Score => match choice::number(first) {
            Some(number) => Some(number),
            None => wrong(
                format!("`{}` is not a number", short(first)),
                "a number from -1 to 1, such as 0.35".to_owned(),
            ),
        },
        Field::One(_) | Field::List(_) => None,
    }
}

fn short(text: &str) -> String {
    crate::text::sanitise(text, 40)
}
