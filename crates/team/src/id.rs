//! Names and numbers, parsed once at the edge.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a text is not a name or a number of the team.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Not a name.
    #[error("a {kind} has 1 to 32 of a-z, 0-9 and -, and begins with a letter: not {text:?}")]
    Name {
        /// What it was to name.
        kind: &'static str,
        /// The text, cut to 40 characters.
        text: String,
    },
    /// Not a number.
    #[error("a {kind} is written {letter}1, {letter}2 and so on: not {text:?}")]
    Number {
        /// What it was to number.
        kind: &'static str,
        /// The letter that numbers of this kind begin with.
        letter: char,
        /// The text, cut to 40 characters.
        text: String,
    },
    /// Not the hash of a tree.
    #[error("a tree hash has 40 to 64 of 0-9 and a-f: not {text:?}")]
    Tree {
        /// The text, cut to 40 characters.
        text: String,
    },
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        ///
        /// One to 32 bytes of `a-z`, `0-9` and `-` that begin with a letter: safe as a file name, as
        /// a JSON key and in a line of text.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(Box<str>);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let is_name = text.len() <= 32
                    && text.starts_with(|first: char| first.is_ascii_lowercase())
                    && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
                if is_name {
                    Ok(Self(text.into()))
                } else {
                    Err(IdError::Name { kind: $kind, text: excerpt(text) })
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0.into()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// Names a member of the team, such as `ana` or `worker-2`.
    MemberName,
    "member's name"
);
name!(
    /// Names a role of the roster, such as `worker` or `reviewer`.
    RoleName,
    "role"
);
name!(
    /// Names a gate, such as `tests`.
    GateName,
    "gate's name"
);

macro_rules! number {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(i64);

        impl $name {
            /// The one with this number; the store counts from 1.
            pub const fn new(number: i64) -> Self {
                Self(number)
            }

            /// The number alone, as the store has it.
            pub const fn number(self) -> i64 {
                self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let digits = text.strip_prefix($letter).unwrap_or_default();
                match digits.parse() {
                    Ok(number) if number > 0 && !digits.starts_with(['+', '0']) => Ok(Self(number)),
                    Ok(_) | Err(_) => {
                        Err(IdError::Number { kind: $kind, letter: $letter, text: excerpt(text) })
                    }
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $letter, self.0)
            }
        }
    };
}

number!(
    /// Numbers a task: `t12`.
    TaskId,
    "task",
    't'
);
number!(
    /// Numbers a lock, granted or waiting: `l3`. A smaller number asked earlier.
    LockId,
    "lock",
    'l'
);
number!(
    /// Numbers a message: `m7`. A thread has the number of its first message.
    MessageId,
    "message",
    'm'
);
number!(
    /// Numbers a run, from a goal to what came of it: `r2`.
    RunId,
    "run",
    'r'
);
number!(
    /// Numbers a session of a member, a run of its AI tool: `s4`.
    SessionId,
    "session",
    's'
);
/// How often a task changed hands; it only ever grows.
///
/// A claim gives the number that all writes under its lease carry, so that a holder who slept past
/// the lease is refused instead of undoing the work of the next one.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Epoch(pub i64);

impl Epoch {
    /// The one after this.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The hash of everything that is in a work tree, as the caller computes it: 40 to 64 lower-case
/// hexadecimal digits, compared and never looked into.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct TreeHash(Box<str>);

impl TreeHash {
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TreeHash {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let is_hex = text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_hex && (40..=64).contains(&text.len()) {
            Ok(Self(text.into()))
        } else {
            Err(IdError::Tree {
                text: excerpt(text),
            })
        }
    }
}

impl TryFrom<String> for TreeHash {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<TreeHash> for String {
    fn from(hash: TreeHash) -> Self {
        hash.0.into()
    }
}

impl fmt::Display for TreeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_plain_and_begins_with_a_letter() {
        for good in ["a", "worker-2", &"a".repeat(32)] {
            assert_eq!(good.parse::<MemberName>().unwrap().as_str(), good);
        }
        for bad in ["", "2a", "-a", "Ana", "a b", "a/b", "ä", &"a".repeat(33)] {
            assert!(bad.parse::<MemberName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_number_is_read_as_it_is_written() {
        let task = TaskId::new(12);
        assert_eq!(task.to_string(), "t12");
        assert_eq!("t12".parse(), Ok(task));
        assert_eq!(serde_json::to_string(&task).unwrap(), "\"t12\"");
        for bad in [
            "12",
            "t",
            "t0",
            "t-1",
            "t+1",
            "t01",
            "l12",
            "t99999999999999999999",
        ] {
            assert!(bad.parse::<TaskId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_tree_hash_is_hexadecimal() {
        assert!("a".repeat(40).parse::<TreeHash>().is_ok());
        for bad in [
            "a".repeat(39),
            "a".repeat(65),
            "A".repeat(40),
            "g".repeat(40),
        ] {
            assert!(bad.parse::<TreeHash>().is_err(), "{bad}");
        }
    }
}
