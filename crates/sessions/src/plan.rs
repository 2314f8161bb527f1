//! The agent's to-do list.

use serde::{Deserialize, Serialize};

use crate::RawText;

/// A change of the to-do list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanChange {
    /// The list was replaced.
    Replaced(Vec<PlanItem>),
    /// An item was added.
    Added(PlanItem),
    /// The state or text of an item changed.
    Updated {
        /// The item's id.
        id: String,
        /// Its new state, if changed.
        state: Option<PlanState>,
        /// Its new text, if changed.
        text: Option<RawText>,
    },
}

/// An item of the to-do list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanItem {
    /// The host's id, or its position in the list, from 1.
    pub id: String,
    /// The task.
    pub text: RawText,
    /// Its state.
    pub state: PlanState,
}

/// The state of a to-do item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanState {
    /// Not started.
    Pending,
    /// In progress.
    InProgress,
    /// Done.
    Done,
    /// Dropped.
    Dropped,
    /// A state word that Agon does not know.
    Unknown,
}

impl PlanState {
    /// Returns the state for a host's word.
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

/// Reads the items of a list from the call arguments that most hosts use.
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
