//! The list of things to do, as the agent keeps it.

use serde::{Deserialize, Serialize};

use crate::RawText;

/// How the list changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanChange {
    /// The list is now this.
    Replaced(Vec<PlanItem>),
    /// One more.
    Added(PlanItem),
    /// The item with this id has another state or another text.
    Updated {
        /// The item's id.
        id: String,
        /// Its state, if that changed.
        state: Option<PlanState>,
        /// Its text, if that changed.
        text: Option<RawText>,
    },
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanItem {
    /// The host's id, or its place in the list, from 1.
    pub id: String,
    /// What is to be done.
    pub text: RawText,
    /// How far it is.
    pub state: PlanState,
}

/// How far a thing to do is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanState {
    /// Not begun.
    Pending,
    /// Begun.
    InProgress,
    /// Done.
    Done,
    /// Given up.
    Dropped,
    /// A word that is not known.
    Unknown,
}

impl PlanState {
    /// The state that a host's word stands for.
    pub fn from_word(word: &str) -> Self {
        match word {
            "pending" | "open" | "todo" | "not_started" => Self::Pending,
            "in_progress" | "in-progress" | "active" => Self::InProgress,
            "completed" | "done" => Self::Done,
            "cancelled" | "canceled" | "deleted" => Self::Dropped,
            _ => Self::Unknown,
        }
    }
}

/// The items of a list as most hosts' tools write it, in arguments of a call.
pub(crate) fn items_of(items: &[serde_json::Value]) -> Vec<PlanItem> {
    use crate::json::{owned_at, str_at};
    let item = |(at, item): (usize, &serde_json::Value)| PlanItem {
        id: owned_at(item, "id").unwrap_or_else(|| (at + 1).to_string()),
        text: ["content", "step", "title", "description", "subject", "text"]
            .iter()
            .find_map(|key| owned_at(item, key))
            .map(RawText::from)
            .unwrap_or_default(),
        state: PlanState::from_word(str_at(item, "status")),
    };
    items.iter().enumerate().map(item).collect()
}
