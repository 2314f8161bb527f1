//! The change that a member submits, and its reviews.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{MemberName, TreeHash};

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Change {
    /// A commit.
    Commit {
        /// Its full id.
        id: String,
    },
    /// An uncommitted diff.
    Diff {
        /// The hash of its text.
        hash: String,
    },
    /// Work that was done before the task was imported.
    Elsewhere {
        /// The list that the task was imported from.
        source: String,
        /// The task's id in that list.
        id: String,
    },
}

/// A member's submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskEvidence {
    /// The change.
    pub change: Change,
    /// The tree that contains the change.
    pub tree: TreeHash,
    /// The member that submitted it.
    pub author: MemberName,
    /// Why nothing had to change; null if something changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_change: Option<String>,
}

/// A reviewer's verdict on a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// The reviewer.
    pub reviewer: MemberName,
    /// The reviewed tree.
    pub tree: TreeHash,
    /// Whether the change may be merged.
    pub approved: bool,
    /// The findings.
    pub note: String,
}
