//! Where in a record something stands.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where in a session's file an entry stands, so that it can be cited and found again.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// A line of a file of lines.
    Line {
        /// Counted from 1.
        line: u64,
        /// Byte at which the line begins.
        byte: u64,
    },
    /// A row of a database.
    Row {
        /// The table.
        table: String,
        /// The value of its key.
        id: String,
    },
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line, .. } => write!(f, "line {line}"),
            Self::Row { table, id } => write!(f, "{table} {id}"),
        }
    }
}
