//! The AI tools whose sessions are read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! hosts {
    ($($(#[$doc:meta])* $host:ident = $word:literal,)*) => {
        /// An AI tool that records its sessions, including Agon itself.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum SessionHost {
            $($(#[$doc])* #[serde(rename = $word)] $host,)*
        }

        impl SessionHost {
            /// Every host.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$host),*];

            /// Returns its name on the command line and in documents.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$host => $word,)*
                }
            }
        }
    };
}

// Every list of hosts has this order.
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
    /// A seat of one of Agon's debates.
    Agon = "agon",
}

/// An unknown host name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Agon cannot read sessions of {0:?}")]
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
