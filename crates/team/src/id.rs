//! Names and ids of a team, checked when they are parsed.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a text is not a valid name, id or hash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// It is not a valid name.
    #[error("invalid {kind} {text:?}: use 1 to 32 of a-z, 0-9 and -, starting with a letter")]
    Name {
        /// The kind of name that was expected.
        kind: &'static str,
        /// The text, cut to 40 characters.
        text: String,
    },
    /// It is not a valid id.
    #[error("invalid {kind} {text:?}: write it as {letter}1, {letter}2 and so on")]
    Number {
        /// The kind of id that was expected.
        kind: &'static str,
        /// The letter that ids of this kind start with.
        letter: char,
        /// The text, cut to 40 characters.
        text: String,
    },
    /// It is not a tree hash.
    #[error("invalid tree hash {text:?}: it must have 40 to 64 of 0-9 and a-f")]
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
        /// It has 1 to 32 bytes of `a-z`, `0-9` and `-` and starts with a letter, so that it is
        /// safe as a file name, as a JSON key and in a line of text.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(Box<str>);

        impl $name {
            /// Returns the name as text.
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
            /// Creates the id with this number; the store counts from 1.
            pub const fn new(number: i64) -> Self {
                Self(number)
            }

            /// Returns the number, as the store has it.
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
    /// The id of a task, such as `t12`.
    TaskId,
    "task",
    't'
);
number!(
    /// The id of a lock, granted or waiting, such as `l3`. Ids grow in the order of requests.
    LockId,
    "lock",
    'l'
);
number!(
    /// The id of a message, such as `m7`. A thread has the id of its first message.
    MessageId,
    "message",
    'm'
);
number!(
    /// The id of a run, from a goal to its result, such as `r2`.
    RunId,
    "run",
    'r'
);
number!(
    /// The id of a member's session, which is one run of its AI tool, such as `s4`.
    SessionId,
    "session",
    's'
);
/// The number of times a task changed hands; it only grows.
///
/// A claim returns the epoch that every write under its lease must name. A holder that slept past
/// its lease is therefore refused and cannot undo its successor's work.
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
    /// Returns the next epoch.
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

/// The hash of everything in a work tree, computed by the caller: 40 to 64 lower-case hexadecimal
/// digits, which are only compared.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct TreeHash(Box<str>);

impl TreeHash {
    /// Returns the digits.
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
