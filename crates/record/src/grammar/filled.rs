//! Parts of the grammar filled with values.

use super::field::{Captions, Field, MovePart};
use crate::id::NodeId;
use crate::moves::{ChoiceWord, Ground};
use crate::score::Score;

/// The value of a field.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// No value: the field was omitted.
    Absent,
    /// A text.
    Text(&'a str),
    /// A list of texts.
    Texts(&'a [String]),
    /// A word of a fixed list.
    Word(&'static ChoiceWord),
    /// The id of a point.
    Id(NodeId),
    /// The ids of points.
    Ids(&'a [NodeId]),
    /// A number.
    Score(Score),
    /// The first and the last line of a place.
    Lines([u32; 2]),
    /// The grounds of a point.
    Grounds(&'a [Ground]),
    /// A nested part.
    One(Filled<'a>),
    /// A list of nested parts.
    List(Vec<Filled<'a>>),
}

/// A part of the moves with a value for each of its fields.
#[derive(Clone, Debug)]
pub struct Filled<'a> {
    /// The part.
    pub part: &'static MovePart,
    values: Vec<Value<'a>>,
}

impl<'a> Value<'a> {
    /// Returns the value of an optional text.
    pub(super) fn from_optional(text: Option<&'a String>) -> Self {
        text.map_or(Self::Absent, |text| Self::Text(text))
    }

    /// Its texts and words; empty for a part, an id, and an empty text.
    pub fn texts(&self) -> Vec<&'a str> {
        if let Self::Text(text) = self {
            match text.trim().is_empty() {
                true => Vec::new(),
                false => vec![text],
            }
        } else if let Self::Texts(texts) = self {
            texts.iter().map(String::as_str).collect()
        } else if let Self::Word(choice) = self {
            vec![choice.word]
        } else {
            Vec::new()
        }
    }

    /// Returns the value of a list of parts.
    pub(super) fn from_list<T>(list: &'a [T]) -> Self
    where
        Filled<'a>: From<&'a T>,
    {
        Self::List(list.iter().map(Filled::from).collect())
    }
}

impl<'a> Filled<'a> {
    /// Fills `part` with `values` in the order of its fields.
    pub(super) fn new(part: &'static MovePart, values: Vec<Value<'a>>) -> Self {
        Self { part, values }
    }

    /// Returns the texts that one kind of document shows with a caption, each with its caption.
    pub fn captioned_texts(&self, column: fn(&Captions) -> &'static str) -> Vec<(String, &'a str)> {
        let mut found = Vec::new();
        for (field, value) in self.fields_with_values() {
            if let Some(label) = field.caption(column) {
                // Skip empty texts, because an interviewed model is not asked for every field.
                let texts = value.texts().into_iter().filter(|text| !text.is_empty());
                found.extend(texts.map(|text| (label.clone(), text)));
            }
        }
        found
    }

    /// Each field with its value, in the order of the table.
    pub fn fields_with_values(&self) -> impl Iterator<Item = (&'static Field, &Value<'a>)> {
        self.part.fields.iter().zip(&self.values)
    }
}
