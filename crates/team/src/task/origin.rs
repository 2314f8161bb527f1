//! Where a task comes from, and where its work begins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::MemberName;

/// Where an imported task comes from, with all that was written there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskOrigin {
    /// Which list, such as `beads` or `markdown:TODO.md`.
    pub source: String,
    /// Its id there. One source has each id once.
    pub id: String,
    /// Every field that it has there.
    pub fields: serde_json::Value,
}

/// The commit that a member began to work on a task from: a change has to differ from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskBase {
    /// Who works from it.
    pub member: MemberName,
    /// The whole id of the commit.
    pub commit: String,
}
