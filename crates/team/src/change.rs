//! What a member submits, and what others say of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{MemberName, TreeHash};

/// What was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Change {
    /// A commit.
    Commit {
        /// Its whole id.
        id: String,
    },
    /// A difference that is not committed.
    Diff {
        /// The hash of its text.
        hash: String,
    },
    /// Work that was done before the task was imported.
    Elsewhere {
        /// The list that says so.
        source: String,
        /// Its id there.
        id: String,
    },
}

/// What a member submits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskEvidence {
    /// The change.
    pub change: Change,
    /// The tree with the change in it.
    pub tree: TreeHash,
    /// Who submitted it.
    pub author: MemberName,
    /// Why nothing had to change; null where something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_change: Option<String>,
}

/// What a reviewer said of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// Who.
    pub reviewer: MemberName,
    /// The tree that was looked at.
    pub tree: TreeHash,
    /// Whether it may be taken.
    pub approved: bool,
    /// What was found.
    pub note: String,
}
