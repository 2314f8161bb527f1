//! Where a task comes from, and which commit its work starts from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::MemberName;

/// Where an imported task comes from, with all of its fields there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskOrigin {
    /// The list, such as `beads` or `markdown:TODO.md`.
    pub source: String,
    /// Its id in the list, where every id is unique.
    pub id: String,
    /// Every field that it has in the list.
    pub fields: serde_json::Value,
}

/// The commit from which a member started to work on a task; a change has to differ from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskBase {
    /// The member.
    pub member: MemberName,
    /// The full id of the commit.
    pub commit: String,
}
