//! A place in a session record.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The place of an entry in a session's file, for citing it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// A line of a line-based file.
    Line {
        /// Its number, from 1.
        line: u64,
        /// Byte offset of the line.
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
