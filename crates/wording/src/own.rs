//! Words of this program: what may stand in a prompt as it is.

use std::fmt::Display;

use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::moves::{ObjectionSeverity, ReplyKind, RulingKind};
use agon_record::piece::variant_name;
use agon_record::score::Score;
use agon_record::user::WordId;

use super::Wording;

/// A word of this program: a literal, a number, an id, a word of a fixed list, or a [`Wording`].
///
/// It is implemented here and nowhere else, and for no text that is read from anywhere.
pub trait OwnWords: sealed::Sealed {
    /// The word as it stands in a prompt.
    #[doc(hidden)]
    fn wording(&self) -> Wording;
}

mod sealed {
    /// Keeps the list of own words in one place.
    pub trait Sealed {}
}

/// What is shown of `word`, which comes from a type that shows words of its own alone.
fn wording_from_display(word: &dyn Display) -> Wording {
    Wording {
        text: word.to_string(),
        fences: Vec::new(),
    }
}

macro_rules! own {
    ($($kind:ty),* $(,)?) => {$(
        impl sealed::Sealed for $kind {}

        impl OwnWords for $kind {
            fn wording(&self) -> Wording {
                wording_from_display(self)
            }
        }
    )*};
}

macro_rules! own_words {
    ($($kind:ty),* $(,)?) => {$(
        impl sealed::Sealed for $kind {}

        impl OwnWords for $kind {
            fn wording(&self) -> Wording {
                wording_from_display(&variant_name(self))
            }
        }
    )*};
}

own! { &'static str, u8, u16, u32, u64, usize, i32, i64, NodeId, TurnId, Seat, WordId, Score }
own_words! { ObjectionSeverity, ReplyKind, RulingKind }

impl sealed::Sealed for Wording {}

impl OwnWords for Wording {
    fn wording(&self) -> Wording {
        self.clone()
    }
}
