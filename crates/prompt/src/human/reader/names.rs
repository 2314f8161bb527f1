//! Which place a line names.

use agon_record::grammar::FieldKind;

use super::{FormReader, NamedSlot};
use crate::human::choice;
use crate::human::name::normalize_name;
use crate::human::naming::find_field;

// The longest name, `still favours because`, has three words. A fourth is there for a name that
// gets longer.
/// The most words of a name.
const MAX_NAME_WORDS: usize = 4;

impl FormReader {
    /// The slot that the beginning of `words` names, and the rest of them.
    pub(super) fn split_leading_slot_name<'a>(
        &self,
        words: &'a str,
    ) -> Option<(NamedSlot, &'a str)> {
        (1..=MAX_NAME_WORDS).rev().find_map(|count| {
            let (name, rest) = split_after_words(words, count)?;
            let name = normalize_name(name);
            let mut all = self.slots_named(&name);
            let first = all.next()?;
            let taken = self
                .stack
                .get(first.depth)
                .is_some_and(|frame| frame.has_content_in(first.slot));
            // What names a point or has a number is an entry of a list.
            let entry = begins_with_id_or_number(rest) || taken;
            let list = all.find(|other| entry && matches!(other.slot.kind, FieldKind::List(_)));
            Some((list.unwrap_or(first), rest))
        })
    }

    pub(super) fn slot_named(&self, name: &str) -> Option<NamedSlot> {
        self.slots_named(name).next()
    }

    /// Every slot of this name, the innermost first.
    fn slots_named(&self, name: &str) -> impl Iterator<Item = NamedSlot> {
        let frames = self.stack.iter().enumerate().rev();
        frames.filter_map(move |(depth, frame)| {
            let (slot, one) = find_field(frame.part, name)?;
            Some(NamedSlot { depth, slot, one })
        })
    }
}

/// The first `count` words, and the rest.
fn split_after_words(words: &str, count: usize) -> Option<(&str, &str)> {
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
pub(super) fn begins_with_id_or_number(text: &str) -> bool {
    let text = choice::strip_leading_fillers(text);
    let word = text.split([' ', ',', ':', '(']).next().unwrap_or_default();
    let numbers = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b')' | b'#');
    let is_number = !word.is_empty() && word.bytes().all(numbers);
    is_number || choice::parse_node_id(word).is_some()
}

/// `text` without a number before it.
pub(super) fn strip_leading_number(text: &str) -> &str {
    let rest = text.trim().trim_start_matches('#');
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let after = rest.get(digits..).unwrap_or_default();
    let decimal = after.strip_prefix('.').unwrap_or_default();
    let ends = (after.is_empty() || after.starts_with(['.', ')', ':', ' ']))
        && !decimal.starts_with(|c: char| c.is_ascii_digit());
    if digits > 0 && ends {
        after.trim_start_matches(['.', ')', ':', ' '])
    } else {
        text
    }
}
