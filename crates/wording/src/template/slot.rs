//! The values of a template.

use agon_record::id::{Seat, TurnId};
use minijinja::Value;

use super::Wording;
use crate::{OwnWords, WordingPiece};

/// Marks the number of a fence while a template is rendered. It is removed from all other text, so
/// that no text can imitate a fence.
const MARK: char = '\0';

/// A value of a template.
#[derive(Clone, Debug)]
pub enum Slot {
    /// No value.
    Nothing,
    /// A flag for an `if` in the template.
    Flag(bool),
    /// A number.
    Number(u64),
    /// A text.
    Words(Wording),
    /// Several values.
    List(Vec<Slot>),
    /// Values by name.
    Table(Values),
}

/// The named values that fill in a template.
#[derive(Clone, Debug, Default)]
pub struct Values(Vec<(&'static str, Slot)>);

/// The fences in the values of a template, in order.
///
/// The template sees only their numbers, so that their positions in the result are known.
#[derive(Debug, Default)]
pub(super) struct Fences(Vec<(String, String)>);

/// Builds [`Values`] by name: `values! { seat, text => quoted }`.
#[macro_export]
macro_rules! values {
    (@ $name:ident) => { $name };
    (@ $name:ident $value:expr) => { $value };
    ($($name:ident $(=> $value:expr)?),* $(,)?) => {
        $crate::Values::default()
            $(.with_value(
                stringify!($name),
                $crate::values!(@ $name $($value)?),
            ))*
    };
}

impl Values {
    /// Adds `value` under `name`.
    #[must_use]
    pub fn with_value(mut self, name: &'static str, value: impl Into<Slot>) -> Self {
        self.0.push((name, value.into()));
        self
    }

    pub(super) fn into_template_values(self) -> (Value, Fences) {
        let mut fences = Fences::default();
        let values = fences.table_to_value(self);
        (values, fences)
    }
}

impl Fences {
    fn table_to_value(&mut self, values: Values) -> Value {
        let values = values.0.into_iter();
        let values = values.map(|(name, slot)| (name, self.slot_to_value(slot)));
        Value::from_pairs(values)
    }

    fn slot_to_value(&mut self, slot: Slot) -> Value {
        match slot {
            Slot::Nothing => Value::from(()),
            Slot::Flag(flag) => Value::from(flag),
            Slot::Number(number) => Value::from(number),
            Slot::Words(words) => Value::from(self.replace_fences_with_marks(&words)),
            Slot::List(slots) => slots
                .into_iter()
                .map(|slot| self.slot_to_value(slot))
                .collect(),
            Slot::Table(values) => self.table_to_value(values),
        }
    }

    fn replace_fences_with_marks(&mut self, words: &Wording) -> String {
        let mut out = String::new();
        for piece in words.pieces() {
            match piece {
                WordingPiece::OwnWords(words) => out.extend(words.chars().filter(|&c| c != MARK)),
                WordingPiece::Fenced(whole, inside) => {
                    out.push_str(&format!("{MARK}{}{MARK}", self.0.len()));
                    self.0.push((whole.to_owned(), inside.to_owned()));
                }
            }
        }
        out
    }

    /// Replaces the numbers of fences in the rendered `text` with the fences.
    pub(super) fn restore_fences(&self, text: &str) -> Wording {
        let mut out = Wording::default();
        for (nth, piece) in text.split(MARK).enumerate() {
            let number = (nth % 2 == 1).then(|| piece.parse::<usize>().ok());
            match number.flatten().and_then(|number| self.0.get(number)) {
                Some((whole, inside)) => out.push_fence(whole, inside),
                None => out.push_own_words(piece),
            }
        }
        out
    }
}

macro_rules! numbers {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Slot {
            fn from(number: $kind) -> Self {
                Self::Number(u64::from(number))
            }
        }
    )*};
}
numbers! { u8, u16, u32, u64 }

macro_rules! words {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Slot {
            fn from(words: $kind) -> Self {
                Self::Words(words.wording())
            }
        }
    )*};
}
words! { &'static str, Wording, Seat, TurnId }

impl From<usize> for Slot {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<bool> for Slot {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<Values> for Slot {
    fn from(values: Values) -> Self {
        Self::Table(values)
    }
}

impl<T: Into<Self>> From<Option<T>> for Slot {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Slot {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}
