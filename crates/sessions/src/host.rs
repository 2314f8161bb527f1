//! The AI tools whose sessions are read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An AI tool that leaves records of its sessions; Agon itself is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionHost {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// OpenCode.
    Opencode,
    /// Copilot CLI.
    Copilot,
    /// A seat of a debate of Agon's.
    Agon,
}

/// A word that names no host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no sessions of {0:?} are read")]
pub struct UnknownHost(String);

impl SessionHost {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::Copilot,
        Self::Agon,
    ];

    /// The word for it on the command line and in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Copilot => "copilot",
            Self::Agon => "agon",
        }
    }
}

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
