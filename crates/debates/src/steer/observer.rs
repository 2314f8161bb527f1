//! What watches a debate while it runs, and what the person behind it says.

pub use agon_engine::observer::{Listener, Observer, Unwatched};
pub use agon_record::event::Event;
pub use agon_record::id::AskKey;
pub use agon_record::state::State;
pub use agon_record::user::{Item, MAX_NOTE_BYTES};
use agon_record::user::{Order, UserRequest};
pub use agon_rules::plan::PersonQuestion;
pub use agon_rules::steer::CommandRefusal;

use crate::steer;

/// What a person says to a debate that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserCommand {
    /// A note for every seat.
    Note {
        /// What it says, without secrets.
        text: String,
        /// Secrets that were taken out of it.
        redacted: u32,
    },
    /// Straight to the judge.
    Judge,
    /// More rounds.
    Rounds {
        /// How many.
        more: u16,
    },
}

impl UserCommand {
    /// A note that says `text`, but for its secrets.
    pub fn note(text: &str) -> Self {
        let (text, redacted) = steer::clean_note(text);
        Self::Note { text, redacted }
    }

    /// The command as a debate takes it in, under a name of its own.
    pub fn into_item(self) -> Item {
        steer::new_item(match self {
            Self::Note { text, redacted } => UserRequest::Note { text, redacted },
            Self::Judge => UserRequest::Order(Order::Judge),
            Self::Rounds { more } => UserRequest::Order(Order::Rounds { more }),
        })
    }
}
