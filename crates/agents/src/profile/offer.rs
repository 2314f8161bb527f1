//! The host's tools that a model may be offered, and what each of them can do.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Profile, ProfileError, Transport};

/// What a tool of the host can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Does nothing outside the conversation.
    Think,
    /// Asks the user something.
    Ask,
    /// Reads a file.
    Read,
    /// Lists names of files.
    List,
    /// Searches in files.
    Search,
    /// Writes, moves or deletes files.
    Write,
    /// Runs a program or a script.
    Run,
    /// Sends a request to another machine.
    Fetch,
    /// Starts another agent.
    Spawn,
    /// Changes what the agent may do.
    Mode,
}

impl Capability {
    /// Returns the name used in profiles.
    pub fn name(self) -> &'static str {
        match self {
            Self::Think => "think",
            Self::Ask => "ask",
            Self::Read => "read",
            Self::List => "list",
            Self::Search => "search",
            Self::Write => "write",
            Self::Run => "run",
            Self::Fetch => "fetch",
            Self::Spawn => "spawn",
            Self::Mode => "mode",
        }
    }

    /// Returns whether a tool with this capability is allowed in a debate.
    pub fn is_harmless(self) -> bool {
        match self {
            Self::Think | Self::Ask | Self::Read | Self::List | Self::Search => true,
            Self::Write | Self::Run | Self::Fetch | Self::Spawn | Self::Mode => false,
        }
    }
}

/// What is known about a tool of the host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, from = "WrittenTool")]
pub struct HostTool {
    /// What the tool can do.
    pub can: Capability,
    /// What prevents harm, if the tool could do harm.
    pub refused: Option<String>,
}

/// A tool of the host as written in a profile: only its capability, or also what prevents its use.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a capability such as \"read\", or a table with `can` and `refused`"
)]
enum WrittenTool {
    Plain(Capability),
    Whole(ToolWithRefusal),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolWithRefusal {
    can: Capability,
    refused: Option<String>,
}

impl From<WrittenTool> for HostTool {
    fn from(known: WrittenTool) -> Self {
        match known {
            WrittenTool::Plain(can) => Self { can, refused: None },
            WrittenTool::Whole(ToolWithRefusal { can, refused }) => Self { can, refused },
        }
    }
}

/// The host's tools that a model may be offered, with and without a folder to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Offer {
    /// The tools offered without a folder to read.
    pub read_only: BTreeMap<String, HostTool>,
    /// The tools offered with a folder to read.
    pub reads: BTreeMap<String, HostTool>,
}

impl Offer {
    /// Returns the tools offered with or without a folder to read.
    pub fn host_tools(&self, reads: bool) -> &BTreeMap<String, HostTool> {
        if reads { &self.reads } else { &self.read_only }
    }

    pub(super) fn check(&self, way: Transport) -> Result<(), ProfileError> {
        for (seat, list) in [("read_only", &self.read_only), ("reads", &self.reads)] {
            for (name, tool) in list {
                let refused = tool.refused.as_deref().unwrap_or_default();
                if !tool.can.is_harmless() && refused.trim().is_empty() {
                    let place = format!("{}.offer.{seat}.{name}", way.name());
                    return Err(ProfileError::Offer {
                        place,
                        can: tool.can.name(),
                    });
                }
            }
        }
        Ok(())
    }
}

/// A tool of the host that the profile does not list, and how it was offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedTool {
    /// The transport.
    pub way: Transport,
    /// Whether the host had a folder to read.
    pub reads: bool,
    /// The name of the tool, as in the request.
    pub name: String,
}

impl UnlistedTool {
    /// Returns the profile key that would list this tool.
    pub fn profile_key(&self) -> String {
        let kind = if self.reads { "reads" } else { "read_only" };
        format!("{}.offer.{kind}.{}", self.way.name(), toml_key(&self.name))
    }
}

/// Converts a name to a TOML key: bare if possible, otherwise quoted, with all special and
/// non-ASCII characters escaped.
pub fn toml_key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) {
        return name.to_owned();
    }
    let mut key = String::from('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => key.extend(['\\', c]),
            ' '..='~' => key.push(c),
            _ => key.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    key.push('"');
    key
}

impl Profile {
    /// Returns the host's tools that the model may be offered over this transport.
    pub fn host_tool_offer(&self, way: Transport) -> Option<&Offer> {
        match way {
            Transport::Cli => self.cli.as_ref().map(|cli| &cli.offer),
            Transport::Acp => self.acp.as_ref().map(|acp| &acp.offer),
            Transport::Http | Transport::Local | Transport::Human => None,
        }
    }

    /// Returns the `offered` tools that the profile does not list.
    pub fn unlisted_tools(
        &self,
        way: Transport,
        reads: bool,
        offered: &BTreeSet<String>,
    ) -> Vec<String> {
        let list = self
            .host_tool_offer(way)
            .map(|offer| offer.host_tools(reads));
        let known = |name: &String| list.is_some_and(|list| list.contains_key(name));
        offered
            .iter()
            .filter(|name| !known(name))
            .cloned()
            .collect()
    }
}
