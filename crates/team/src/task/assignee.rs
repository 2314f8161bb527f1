//! The assignee of a task.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{MemberName, RoleName};

/// The member or role that a task is assigned to; no other member can claim it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Assignee {
    /// One member.
    Member(MemberName),
    /// Every member of a role.
    Role(RoleName),
}

impl Assignee {
    /// Returns whether this member may claim the task.
    pub fn admits(&self, name: &MemberName, role: &RoleName) -> bool {
        match self {
            Self::Member(member) => member == name,
            Self::Role(wanted) => wanted == role,
        }
    }

    /// Returns the name of the member or role.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Member(name) => name.as_str(),
            Self::Role(role) => role.as_str(),
        }
    }
}

impl fmt::Display for Assignee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(name) => name.fmt(f),
            Self::Role(role) => write!(f, "the role {role}"),
        }
    }
}
