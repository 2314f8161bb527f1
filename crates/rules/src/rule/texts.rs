//! Collects the texts in a turn's moves, with their places and word limits.

use agon_record::grammar::{ARGUMENT, Bounds, CONTENTION, Field, Filled, Value};
use agon_record::moves::Ground;

use crate::rule::Scene;
use crate::rule::scene::join_path;

// A title of 4 or 9 words reads as well as one of 5 or 7, and sending it back costs a call.
/// The number of words by which a title may miss its limit without being sent back.
const TITLE_SLACK: usize = 2;

/// A text in the moves.
pub(super) struct LimitedText<'a> {
    /// The place, such as `objections[1].content`.
    pub(super) at: String,
    /// The text.
    pub(super) text: &'a str,
    /// Minimum and maximum number of words.
    pub(super) words: Option<(usize, usize)>,
    /// The number of words by which it may miss the limit with only a warning.
    pub(super) slack: usize,
}

/// Returns every text of the scene's moves that must not be empty, in order.
///
/// In a duel the moves' own texts come first, then those of the arguments, then those of the
/// grounds. Findings are recorded in this order.
pub(super) fn limited_texts<'a>(scene: &Scene<'a>) -> Vec<LimitedText<'a>> {
    let mut list = Texts::default();
    list.collect_part("", &Filled::from(scene.moves));
    list.into_ordered_texts()
}

/// Returns every text of the scene's moves, including optional ones, in the same order.
pub(super) fn all_texts<'a>(scene: &Scene<'a>) -> Vec<LimitedText<'a>> {
    let mut list = Texts {
        has_optional: true,
        ..Texts::default()
    };
    list.collect_part("", &Filled::from(scene.moves));
    list.into_ordered_texts()
}

/// The texts collected so far.
#[derive(Default)]
struct Texts<'a> {
    /// Whether to include optional texts.
    has_optional: bool,
    own: Vec<LimitedText<'a>>,
    of_arguments: Vec<LimitedText<'a>>,
    of_grounds: Vec<LimitedText<'a>>,
}

impl<'a> Texts<'a> {
    fn into_ordered_texts(self) -> Vec<LimitedText<'a>> {
        let Self {
            own,
            of_arguments,
            of_grounds,
            ..
        } = self;
        let arguments = own.into_iter().chain(of_arguments);
        arguments.chain(of_grounds).collect()
    }

    /// Collects the texts of a part: its own, then the texts of its grounds, then the texts of its
    /// lists.
    fn collect_part(&mut self, at: &str, part: &Filled<'a>) {
        for (field, value) in part.fields_with_values() {
            let at = join_path(at, field.key);
            if let Value::Text(text) = value {
                self.push_text(part, at, field, text);
            } else if let Value::Texts(texts) = value {
                for (nth, text) in texts.iter().enumerate() {
                    self.push_text(part, format!("{at}[{nth}]"), field, text);
                }
            } else if let Value::One(inner) = value {
                self.collect_part(&at, inner);
            }
        }
        for (field, value) in part.fields_with_values() {
            if let Value::Grounds(grounds) = value {
                self.collect_grounds(part, &join_path(at, field.key), grounds);
            }
        }
        for (field, value) in part.fields_with_values() {
            if let Value::List(entries) = value {
                for (nth, entry) in entries.iter().enumerate() {
                    self.collect_part(&format!("{}[{nth}]", join_path(at, field.key)), entry);
                }
            }
        }
    }

    fn collect_grounds(&mut self, owner: &Filled<'a>, at: &str, grounds: &'a [Ground]) {
        let mut found = Texts {
            has_optional: self.has_optional,
            ..Texts::default()
        };
        for (nth, ground) in grounds.iter().enumerate() {
            found.collect_part(&format!("{at}[{nth}]"), &Filled::from(ground));
        }
        // A formal argument's grounds come before its attacks in the moves, so keep that order.
        match std::ptr::eq(owner.part, &CONTENTION) {
            true => self.own.extend(found.own),
            false => self.of_grounds.extend(found.own),
        }
    }

    fn push_text(&mut self, part: &Filled<'a>, at: String, field: &Field, text: &'a str) {
        if field.may_be_blank && !self.has_optional {
            return;
        }
        let words = field.words.map(|Bounds { least, most }| {
            let most = most.map_or(usize::MAX, |most| most as usize);
            (least as usize, most)
        });
        let slack = if field.key == "title" { TITLE_SLACK } else { 0 };
        let text = LimitedText {
            at,
            text,
            words,
            slack,
        };
        match std::ptr::eq(part.part, &ARGUMENT) {
            true => self.of_arguments.push(text),
            false => self.own.push(text),
        }
    }
}
