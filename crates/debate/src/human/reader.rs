//! Goes through the lines of a form and puts each where it belongs.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::choice;
use super::frame::Frame;
use super::ground::{self, is_nothing};
use super::lines::{Line, bullet, emphasised, heading, keyed};
use super::read::Problem;
use super::slots::{Field, Shape, Slot, plain};

/// The most words of a name.
const MOST_WORDS: usize = 4;
/// The level of what is no heading.
const NO_LEVEL: usize = 6;
/// The parts of a ground that an entry of a list may begin with.
const BEGINS_GROUND: [&str; 5] = ["source", "file", "url", "document", "command"];

/// Reads a form line by line.
pub(super) struct Reader {
    /// The part that is read, above those it stands in; the first is the whole.
    stack: Vec<Frame>,
    problems: Vec<Problem>,
    /// Whether the lines stand where it was told already that nothing can.
    lost: bool,
}

/// A slot that was named.
#[derive(Clone, Copy)]
struct Named {
    /// Which part it is of.
    depth: usize,
    slot: &'static Slot,
    /// Whether one entry of it is meant.
    one: bool,
}

impl Reader {
    pub(super) fn new(shape: &'static Shape) -> Self {
        Self {
            stack: vec![Frame::new(shape, None, 1)],
            problems: Vec::new(),
            lost: false,
        }
    }

    /// The moves, where each part of them stands, and what cannot be understood.
    pub(super) fn finish(mut self) -> (Map<String, Value>, BTreeMap<String, u32>, Vec<Problem>) {
        self.close_to(0);
        let Some(mut whole) = self.stack.pop() else {
            return (Map::new(), BTreeMap::new(), self.problems);
        };
        whole.end(&mut self.problems);
        (
            whole.object,
            whole.places.into_iter().collect(),
            self.problems,
        )
    }

    /// Takes the next line.
    pub(super) fn line(&mut self, line: Line<'_>) {
        if let Some((level, words)) = heading(line) {
            self.heading(line, level, words);
            return;
        }
        let words = emphasised(line.text).filter(|_| !line.literal);
        match words.filter(|words| self.names(words).is_some()) {
            Some(words) => self.heading(line, NO_LEVEL, words),
            None if self.lost => {}
            None => self.said(line),
        }
    }

    fn heading(&mut self, line: Line<'_>, level: usize, words: &str) {
        if words.is_empty() {
            return;
        }
        if let Some((named, rest)) = self.names(words) {
            self.lost = false;
            self.close_to(named.depth);
            self.begin(line, (named, level), rest);
            return;
        }
        let lists = |frame: &Frame| frame.list.is_some_and(|(_, of)| level > of);
        if let Some(depth) = self.stack.iter().rposition(lists) {
            self.lost = false;
            self.close_to(depth);
            self.entry(line, words, None);
            return;
        }
        self.close_to(0);
        self.stop();
        self.lost = true;
        let top = self
            .stack
            .first()
            .map_or(&[][..], |whole| whole.shape.slots);
        let names: Vec<_> = top.iter().map(|slot| slot.label).collect();
        self.problems.push(Problem {
            length: u32::try_from(line.text.chars().count()).unwrap_or(1),
            ..Problem::at(
                line.number,
                "this heading names no part of the form",
                &format!("the headings are: {}", names.join(", ")),
            )
        });
    }

    /// A line that is no heading.
    fn said(&mut self, line: Line<'_>) {
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
        if let Some((name, value)) = keyed(said)
            && (self.of_ground(entry.is_some(), (&name, value), said)
                || self.key(line, entry.is_some(), (&name, value)))
        {
            return;
        }
        match entry {
            Some(said) => self.bulleted(line, said),
            None => self.plain(line),
        }
    }

    /// Whether an entry of a list is the next one after the part that is read; it is taken then.
    fn another(&mut self, line: Line<'_>, said: &str) -> bool {
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
                    .shape
                    .slots
                    .iter()
                    .any(|slot| matches!(slot.field, Field::Id)))
        {
            return false;
        }
        self.close_to(self.stack.len() - 2);
        match keyed(said) {
            Some((name, value)) if self.key(line, true, (&name, value)) => {}
            Some(_) | None => self.entry(line, said, Some(line.indent)),
        }
        true
    }

    /// Takes what stands under a name in a ground; false where it is none.
    fn of_ground(&mut self, entry: bool, (name, value): (&str, &str), said: &str) -> bool {
        let open = self.stack.last_mut().and_then(|top| top.open.as_mut());
        let Some(open) = open.filter(|open| matches!(open.slot.field, Field::Grounds)) else {
            return false;
        };
        let Some(part) = ground::part(name) else {
            return false;
        };
        if entry {
            let begins = BEGINS_GROUND.contains(&part);
            if begins {
                open.entry(said, false);
            }
            return begins;
        }
        match open.ground_taking(part) {
            Some(ground) => {
                ground.put(part, value);
                true
            }
            None => false,
        }
    }

    /// Takes what stands under a name; false where there is none of that name.
    fn key(&mut self, line: Line<'_>, entry: bool, (name, value): (&str, &str)) -> bool {
        let numbered = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        let bullet = entry.then_some(line.indent);
        // The first words of an entry of the list that was named.
        let listed = self.stack.last().filter(|top| top.open.is_none());
        let listed = listed.and_then(|top| {
            let Field::List(shape) = top.list?.0.field else {
                return None;
            };
            shape.named(name)
        });
        if listed.is_some() {
            self.entry(line, "", bullet);
        }
        let Some(mut named) = self.slot_named(name).or_else(|| self.slot_named(numbered)) else {
            return false;
        };
        let innermost = self.stack.len() - 1;
        let scalar = !matches!(named.slot.field, Field::List(_) | Field::One(_));
        let has = self
            .stack
            .get(named.depth)
            .is_some_and(|frame| frame.has(named.slot));
        if named.depth < innermost && scalar && (entry || line.indent > 0 || has) {
            return false;
        }
        let of_list = self.stack.get(named.depth).and_then(|frame| frame.of);
        if has
            && scalar
            && named.depth > 0
            && of_list.is_some_and(|slot| matches!(slot.field, Field::List(_)))
        {
            // A second word of the same name: the next entry.
            self.close_to(named.depth - 1);
            self.entry(line, "", bullet);
            named.depth = self.stack.len() - 1;
        }
        self.close_to(named.depth);
        self.begin(line, (named, NO_LEVEL), value);
        true
    }

    /// An entry of a list that has no name.
    fn bulleted(&mut self, line: Line<'_>, said: &str) {
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        match &mut top.open {
            Some(open) if open.lists() => open.entry(said, false),
            Some(_) => self.plain(line),
            None if top.list.is_some() => {
                if !is_nothing(said) {
                    self.entry(line, said, Some(line.indent));
                }
            }
            None => self.plain(Line { text: said, ..line }),
        }
    }

    /// Words without a name.
    fn plain(&mut self, line: Line<'_>) {
        let depth = self.stack.len() - 1;
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        if depth > 0 && !line.literal && line.text.starts_with('(') && top.brackets(line.text) {
            return;
        }
        if top.open.as_ref().is_some_and(super::frame::Open::full) {
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
        let main = top.shape.main.and_then(|key| top.shape.slot(key));
        match main.filter(|_| depth > 0) {
            Some(slot) => {
                top.begin(slot, line, &mut self.problems);
                if let Some(open) = &mut top.open {
                    open.more(line.text, line);
                }
            }
            None => {
                self.lost = true;
                self.problems.push(Problem {
                    length: u32::try_from(line.text.chars().count()).unwrap_or(1),
                    ..Problem::at(
                        line.number,
                        "these words stand under no heading",
                        "put them under the heading they belong to, or make them a comment: <!-- … -->",
                    )
                });
            }
        }
    }

    /// Begins a slot of the part that is read.
    fn begin(&mut self, line: Line<'_>, (named, level): (Named, usize), rest: &str) {
        let rest = after_hint(rest).trim_start_matches([':', ' ']);
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        match named.slot.field {
            Field::List(_) => {
                top.end(&mut self.problems);
                top.list = Some((named.slot, level));
                if named.one || !is_nothing(rest) {
                    self.entry(line, rest, None);
                }
            }
            Field::One(shape) => {
                top.end(&mut self.problems);
                self.stack
                    .push(Frame::new(shape, Some(named.slot), line.number));
            }
            Field::Text
            | Field::Texts
            | Field::Choice(_)
            | Field::Id
            | Field::Ids
            | Field::Score
            | Field::Grounds => {
                top.begin(named.slot, line, &mut self.problems);
                let (rest, literal) = match rest.strip_prefix('\\') {
                    Some(rest) => (rest, true),
                    None => (rest, false),
                };
                if let Some(open) = top.open.as_mut().filter(|_| !rest.is_empty()) {
                    open.more(rest, Line { literal, ..line });
                }
            }
        }
    }

    /// Begins an entry of the list that was named; `head` is its heading, or where it is an entry
    /// by its mark, its first words.
    fn entry(&mut self, line: Line<'_>, head: &str, bullet: Option<usize>) {
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        let Some((list, _)) = top.list else { return };
        let Field::List(shape) = list.field else {
            return;
        };
        top.end(&mut self.problems);
        let mut frame = Frame::new(shape, Some(list), line.number);
        frame.bullet = bullet;
        let head = if bullet.is_some() {
            head
        } else {
            without_number(head)
        };
        let rest = frame.head(head);
        let is_heading = heading(line).is_some() || emphasised(line.text).is_some();
        let key = if is_heading { shape.head } else { shape.main };
        if !rest.is_empty()
            && let Some(slot) = key.and_then(|key| shape.slot(key))
        {
            frame.begin(slot, line, &mut self.problems);
            if let Some(open) = &mut frame.open {
                open.more(rest, line);
            }
            if is_heading {
                frame.end(&mut self.problems);
            }
        }
        self.stack.push(frame);
    }

    /// Nothing is added to any list or slot of the whole any more.
    fn stop(&mut self) {
        if let Some(whole) = self.stack.first_mut() {
            whole.end(&mut self.problems);
            whole.list = None;
        }
    }

    /// Ends the parts above `depth`.
    fn close_to(&mut self, depth: usize) {
        while self.stack.len() > depth + 1 {
            let Some(mut frame) = self.stack.pop() else {
                return;
            };
            frame.end(&mut self.problems);
            if let (Some(under), Some(slot), true) = (self.stack.last_mut(), frame.of, frame.said) {
                under.take(slot, frame);
            }
        }
    }

    /// The slot that the beginning of `words` names, and the rest of them.
    fn names<'a>(&self, words: &'a str) -> Option<(Named, &'a str)> {
        (1..=MOST_WORDS).rev().find_map(|count| {
            let (name, rest) = split_words(words, count)?;
            let name = plain(name);
            let mut all = self.slots_named(&name);
            let first = all.next()?;
            let taken = self
                .stack
                .get(first.depth)
                .is_some_and(|frame| frame.has(first.slot));
            // What names a point or has a number is an entry of a list.
            let entry = begins_entry(rest) || taken;
            let list = all.find(|other| entry && matches!(other.slot.field, Field::List(_)));
            Some((list.unwrap_or(first), rest))
        })
    }

    fn slot_named(&self, name: &str) -> Option<Named> {
        self.slots_named(name).next()
    }

    /// Every slot of this name, the innermost first.
    fn slots_named(&self, name: &str) -> impl Iterator<Item = Named> {
        let frames = self.stack.iter().enumerate().rev();
        frames.filter_map(move |(depth, frame)| {
            let (slot, one) = frame.shape.named(name)?;
            Some(Named { depth, slot, one })
        })
    }
}

/// The first `count` words, and the rest.
fn split_words(words: &str, count: usize) -> Option<(&str, &str)> {
    let mut seen = 0;
    let mut in_space = true;
    for (at, c) in words.char_indices() {
        if c.is_whitespace() {
            if !in_space {
                seen += 1;
                if seen == count {
                    return Some((words.get(..at)?, words.get(at..)?.trim_start()));
                }
            }
            in_space = true;
        } else {
            in_space = false;
        }
    }
    (seen + usize::from(!in_space) == count).then_some((words, ""))
}

/// Whether `text` begins as what an entry of a list is called by: an id or a number.
fn begins_entry(text: &str) -> bool {
    let text = choice::without_fillers(text);
    let word = text.split([' ', ',', ':', '(']).next().unwrap_or_default();
    choice::id(word).is_some()
        || (!word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b')' | b'#')))
}

/// `text` without a number before it.
fn without_number(text: &str) -> &str {
    let rest = text.trim().trim_start_matches('#');
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let after = rest.get(digits..).unwrap_or_default();
    let ends = after.is_empty() || after.starts_with(['.', ')', ':', ' ']);
    if digits > 0 && ends {
        after.trim_start_matches(['.', ')', ':', ' '])
    } else {
        text
    }
}

/// `text` without a comment before it.
fn after_hint(text: &str) -> &str {
    let text = text.trim();
    let rest = text
        .strip_prefix("<!--")
        .and_then(|rest| rest.split_once("-->"));
    rest.map_or(text, |(_, after)| after.trim())
}
