//! Values that may appear in a prompt without a fence, because this program wrote them.

use std::fmt::Display;

use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::moves::{ObjectionSeverity, ReplyKind, RulingKind};
use agon_record::piece::variant_name;
use agon_record::score::Score;
use agon_record::user::WordId;

use super::Wording;

/// A word of this program: a literal, a number, an id, a word of a fixed list, or a [`Wording`].
///
/// Implemented only here, and never for text that was read from anywhere.
pub trait OwnWords: sealed::Sealed {
    /// Returns the value as prompt text.
    #[doc(hidden)]
    fn wording(&self) -> Wording;
}

mod sealed {
    /// Seals [`OwnWords`](super::OwnWords), so that no other crate can implement it.
    pub trait Sealed {}
}

/// Formats `word`, whose `Display` prints only this program's own words.
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
