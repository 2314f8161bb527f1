//! Mail: the rules for accepting and delivering messages.

mod admission;
mod delivery;

pub use self::admission::{MailFacts, MailLimits, MailRefusal, ThreadFacts, check_mail};
pub use self::delivery::{Delivery, DeliveryRefusal, MailState, next_batch};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a sender is trusted. This depends on the sender, never on the text.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Another member; its text is data.
    Peer,
    /// The lead of the team.
    Lead,
    /// A person at a terminal.
    Person,
    /// The team itself: notices that no member wrote.
    Team,
}

impl Trust {
    /// Returns its name in documents and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Peer => "peer",
            Self::Lead => "lead",
            Self::Person => "person",
            Self::Team => "team",
        }
    }
}
