//! The AI tools whose sessions are read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! hosts {
    ($($(#[$doc:meta])* $host:ident = $word:literal,)*) => {
        /// An AI tool that leaves records of its sessions; Agon itself is one of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum SessionHost {
            $($(#[$doc])* #[serde(rename = $word)] $host,)*
        }

        impl SessionHost {
            /// All of them.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$host),*];

            /// The word for it on the command line and in documents.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$host => $word,)*
                }
            }
        }
    };
}

// In the order of every list.
hosts! {
    /// Claude Code.
    Claude = "claude",
    /// Codex.
    Codex = "codex",
    /// Gemini CLI.
    Gemini = "gemini",
    /// OpenCode.
    Opencode = "opencode",
    /// Copilot CLI.
    Copilot = "copilot",
    /// A seat of a debate of Agon's.
    Agon = "agon",
}

/// A word that names no host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no sessions of {0:?} are read")]
pub struct UnknownHost(String);

impl fmt::Display for SessionHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SessionHost {
    type Err = UnknownHost;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|host| host.as_str() == word)
            .ok_or_else(|| UnknownHost(word.to_owned()))
    }
}
