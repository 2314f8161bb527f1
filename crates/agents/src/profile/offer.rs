//! Which tools of its host's a model may be offered, and what each of them can do.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Profile, ProfileError, Transport};

/// What a tool of a host's can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Nothing outside the conversation.
    Think,
    /// It asks the user something.
    Ask,
    /// It reads a file.
    Read,
    /// It lists names of files.
    List,
    /// It searches in files.
    Search,
    /// It writes, moves or deletes.
    Write,
    /// It runs a program or a script.
    Run,
    /// It asks something of another machine.
    Fetch,
    /// It starts another agent.
    Spawn,
    /// It changes what the agent may do.
    Mode,
}

impl Capability {
    /// The name used in profiles.
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

    /// Whether a debater may use it.
    pub fn is_harmless(self) -> bool {
        match self {
            Self::Think | Self::Ask | Self::Read | Self::List | Self::Search => true,
            Self::Write | Self::Run | Self::Fetch | Self::Spawn | Self::Mode => false,
        }
    }
}

/// What is known of a tool of a host's.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, from = "WrittenTool")]
pub struct HostTool {
    /// What it can do.
    pub can: Capability,
    /// What holds it all the same, of one that can do harm.
    pub refused: Option<String>,
}

/// A tool of a host's as it is written: its capability alone, or with what refuses it.
#[derive(Deserialize)]
// The words of an error, as they have always been.
#[serde(
    untagged,
    expecting = "data did not match any variant of untagged enum Known"
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

/// The tools of its host's that a model may be offered, by kind of seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Offer {
    /// In a seat that reads nothing.
    pub read_only: BTreeMap<String, HostTool>,
    /// In a seat that reads a folder.
    pub reads: BTreeMap<String, HostTool>,
}

impl Offer {
    /// The list of a kind of seat.
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

/// A tool of its host's that stands on no list, and the kind of seat in which it was offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedTool {
    /// How the host was spoken to.
    pub way: Transport,
    /// Whether it had a folder to read in.
    pub reads: bool,
    /// The name of the tool, as it came.
    pub name: String,
}

impl UnlistedTool {
    /// The key of the profile under which it would be listed.
    pub fn profile_key(&self) -> String {
        let kind = if self.reads { "reads" } else { "read_only" };
        format!("{}.offer.{kind}.{}", self.way.name(), toml_key(&self.name))
    }
}

/// A name as a key of a TOML file: bare where it can be, else in quotes, with everything escaped
/// that a terminal or a reader could take for something else.
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
    /// The tools of its host's that its model may be offered, spoken to in this way.
    pub fn host_tool_offer(&self, way: Transport) -> Option<&Offer> {
        match way {
            Transport::Cli => self.cli.as_ref().map(|cli| &cli.offer),
            Transport::Acp => self.acp.as_ref().map(|acp| &acp.offer),
            Transport::Http | Transport::Local | Transport::Human => None,
        }
    }

    /// Of the tools that were `offered` in a kind of seat, those that stand on no list.
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
