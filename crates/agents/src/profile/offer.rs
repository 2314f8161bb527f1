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
#[serde(deny_unknown_fields, from = "Known")]
pub struct HostTool {
    /// What it can do.
    pub can: Capability,
    /// What holds it all the same, of one that can do harm.
    pub refused: Option<String>,
}

/// A tool of a host's as it is written: its capability alone, or with what refuses it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Known {
    Plain(Capability),
    Whole(Whole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    can: Capability,
    refused: Option<String>,
}

impl From<Known> for HostTool {
    fn from(known: Known) -> Self {
        match known {
            Known::Plain(can) => Self { can, refused: None },
            Known::Whole(Whole { can, refused }) => Self { can, refused },
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
    pub fn of(&self, reads: bool) -> &BTreeMap<String, HostTool> {
        if reads { &self.reads } else { &self.read_only }
    }

    pub(super) fn check(&self, way: Transport) -> Result<(), ProfileError> {
        for (seat, list) in [("read_only", &self.read_only), ("reads", &self.reads)] {
            for (name, tool) in list {
                if !tool.can.is_harmless() && tool.refused.is_none() {
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

impl Profile {
    /// The tools of its host's that its model may be offered, spoken to in this way.
    pub fn offer(&self, way: Transport) -> Option<&Offer> {
        match way {
            Transport::Cli => self.cli.as_ref().map(|cli| &cli.offer),
            Transport::Acp => self.acp.as_ref().map(|acp| &acp.offer),
            Transport::Http | Transport::Local | Transport::Human => None,
        }
    }

    /// Of the tools that were `offered` in a kind of seat, those that stand on no list.
    pub fn unlisted(
        &self,
        (way, reads): (Transport, bool),
        offered: &BTreeSet<String>,
    ) -> Vec<String> {
        let list = self.offer(way).map(|offer| offer.of(reads));
        let known = |name: &String| list.is_some_and(|list| list.contains_key(name));
        offered
            .iter()
            .filter(|name| !known(name))
            .cloned()
            .collect()
    }
}
