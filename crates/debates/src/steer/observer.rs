//! The observer of a running debate and the commands of its user.

pub use agon_engine::observer::{Listener, Observer, Unwatched};
pub use agon_record::event::Event;
pub use agon_record::id::AskKey;
pub use agon_record::state::State;
pub use agon_record::user::{Item, MAX_NOTE_BYTES};
use agon_record::user::{Order, UserRequest};
pub use agon_rules::plan::PersonQuestion;
pub use agon_rules::steer::CommandRefusal;

use crate::steer;

/// A user's command to a running debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserCommand {
    /// A note for every seat.
    Note {
        /// The text, without secrets.
        text: String,
        /// Secrets that were removed from it.
        redacted: u32,
    },
    /// Go straight to the judge.
    Judge,
    /// Add rounds.
    Rounds {
        /// The number of rounds.
        more: u16,
    },
}

impl UserCommand {
    /// Returns a note that says `text` without its secrets.
    pub fn note(text: &str) -> Self {
        let (text, redacted) = steer::clean_note(text);
        Self::Note { text, redacted }
    }

    /// Returns the command as a request with a new id.
    pub fn into_item(self) -> Item {
        steer::new_item(match self {
            Self::Note { text, redacted } => UserRequest::Note { text, redacted },
            Self::Judge => UserRequest::Order(Order::Judge),
            Self::Rounds { more } => UserRequest::Order(Order::Rounds { more }),
        })
    }
}
