//! The profile table for the Agent Client Protocol.

use std::collections::BTreeMap;

use agon_record::spec::Effort;
use serde::Deserialize;
use serde_json::Value;

use super::overlay::overlay_json;
use super::user_file::read_table_keys;
use super::{ArgsPerTableKey, Offer, ProfileError};
use crate::environment::Environment;

/// How to start and restrict an agent that supports the Agent Client Protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acp {
    /// The programs that support the protocol; the first one found is used. If empty, the tool's
    /// own program is used.
    #[serde(default)]
    pub programs: Vec<String>,
    /// The command that installs these programs; `None`: the tool's own install command.
    pub install: Option<String>,
    /// The arguments. A whole argument may be `{model}`, `{read_only}` or `{no_mcp}`, as in
    /// [`Cli::args`](super::Cli::args).
    #[serde(default)]
    pub args: Vec<String>,
    /// Arguments that choose a model, with `{name}` in them.
    #[serde(default)]
    pub model: Vec<String>,
    /// The variable that chooses the model. Without it and without arguments, the model is chosen
    /// from those that the agent offers.
    pub model_env: Option<String>,
    /// The key of a JSON object that chooses the model, instead of `model_env`.
    pub model_setting: Option<InVariable>,
    /// Arguments that prevent it from starting MCP servers.
    #[serde(default)]
    pub no_mcp: Vec<String>,
    /// Arguments for MCP servers that can only be turned off by name.
    pub no_mcp_each: Option<ArgsPerTableKey>,
    /// The user's MCP servers that cannot be turned off. If there are any, this transport is not
    /// used.
    pub servers: Option<Servers>,
    /// The agent's name for each effort; if an entry is missing, Agon's own name is used.
    #[serde(default)]
    pub effort: BTreeMap<Effort, String>,
    /// Whether the agent offers a choice of efforts; `None`: only known once a conversation is
    /// open.
    pub takes_effort: Option<bool>,
    /// Restrictions that prevent the agent from writing, running programs and reading files.
    #[serde(default)]
    pub read_only: Confinement,
    /// Like `read_only`, but the agent may read files in its working folder; `None`: it cannot be
    /// given a folder.
    pub reads: Option<Confinement>,
    /// Whether the agent reports the tokens of the whole conversation.
    #[serde(default)]
    pub cumulative: bool,
    /// Messages that come from the agent itself instead of its model.
    #[serde(default)]
    pub notices: Notices,
    /// The title to give to a conversation, because the agent would otherwise ask a model for one.
    pub title: Option<String>,
    /// The path of keys in `_meta` for the agent's turn limit per answer; empty: it has no such
    /// limit.
    #[serde(default)]
    pub turns_in_meta: Vec<String>,
    /// The built-in tools that it may offer to its model.
    #[serde(default)]
    pub offer: Offer,
}

/// Where an agent reads its model from: a JSON object in a variable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InVariable {
    /// The variable.
    pub variable: String,
    /// The key in the JSON object.
    pub key: String,
}

/// Where a tool stores the user's MCP servers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Servers {
    /// The file.
    pub file: String,
    /// The table.
    pub table: String,
}

/// Restrictions on an agent during a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Confinement {
    /// Arguments that replace `{read_only}` in the profile's `args`.
    pub args: Vec<String>,
    /// Modes in which the agent writes and runs nothing without asking, the best first: the IDs, or
    /// the part after the last `#` or `/`. If an agent offers modes, Agon switches it to one of
    /// these or does not use it.
    pub modes: Vec<String>,
    /// Variables to set in its environment.
    pub set: BTreeMap<String, String>,
    /// JSON objects that are merged into the user's values of these variables.
    pub merge: BTreeMap<String, String>,
    /// The `_meta` of the `session/new` request, a JSON object; empty: none.
    pub meta: String,
    /// The agent's turn limit per answer, by effort.
    pub turns: BTreeMap<Effort, u32>,
    /// Session options that must have these values, if the agent offers them.
    pub options: BTreeMap<String, String>,
    /// Whether each of the agent's requests to read inside its folder is granted.
    pub grant: bool,
    /// Whether the agent runs programs without asking, in an operating-system sandbox that prevents
    /// writing.
    pub sandboxed: bool,
}

/// Messages of the agent itself, by how they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Notices {
    /// Messages before the answer that are not part of it.
    pub aside: Vec<String>,
    /// Messages instead of an answer, which mean that the call failed.
    pub fault: Vec<String>,
    /// Messages after which the agent repeats its previous output.
    pub again: Vec<String>,
}

impl Acp {
    pub(super) fn check(&self) -> Result<(), ProfileError> {
        let in_use = |list: &str| self.args.iter().any(|arg| arg == list);
        let confined = |(_, confinement): (&str, &Confinement)| !confinement.args.is_empty();
        let lists = [
            ("{model}", !self.model.is_empty()),
            (
                "{no_mcp}",
                !self.no_mcp.is_empty() || self.no_mcp_each.is_some(),
            ),
            ("{read_only}", self.confinements().any(confined)),
        ];
        for (list, filled) in lists {
            if filled && !in_use(list) {
                return Err(ProfileError::Unused(list));
            }
        }
        for (place, confinement) in self.confinements() {
            if confinement.meta().is_err() {
                return Err(ProfileError::Meta(place));
            }
            if !confinement.turns.is_empty() && self.turns_in_meta.is_empty() {
                return Err(ProfileError::Unused("turns"));
            }
        }
        Ok(())
    }

    /// Returns whether the user has MCP servers that the agent would always start.
    pub(crate) fn starts_user_mcp_servers(&self, here: &Environment) -> bool {
        let servers = self.servers.as_ref();
        servers.is_some_and(|it| !read_table_keys(&it.file, &it.table, here).is_empty())
    }

    /// Returns the `_meta` of the request for a conversation, with these restrictions and the turn
    /// limit of this effort.
    pub(crate) fn meta(
        &self,
        confinement: &Confinement,
        effort: Effort,
    ) -> Result<Option<serde_json::Map<String, Value>>, ()> {
        let meta = confinement.meta()?;
        let Some(&turns) = confinement.turns.get(&effort) else {
            return Ok(meta);
        };
        let path = self.turns_in_meta.iter().rev();
        let bound = path.fold(Value::from(turns), |inner, key| {
            Value::Object(serde_json::Map::from_iter([(key.clone(), inner)]))
        });
        let mut whole = Value::Object(meta.unwrap_or_default());
        overlay_json(&mut whole, bound);
        Ok(whole.as_object().cloned())
    }

    /// Returns the restrictions for a conversation with or without a folder to read.
    pub(crate) fn confinement(&self, reads: bool) -> Option<&Confinement> {
        if reads {
            self.reads.as_ref()
        } else {
            Some(&self.read_only)
        }
    }

    /// Returns all restrictions, with their profile keys.
    pub(crate) fn confinements(&self) -> impl Iterator<Item = (&'static str, &Confinement)> {
        let reads = self.reads.as_ref().map(|reads| ("acp.reads", reads));
        [("acp.read_only", &self.read_only)]
            .into_iter()
            .chain(reads)
    }
}

impl Confinement {
    /// Parses the JSON object in `meta`; `None` if it is empty.
    pub(crate) fn meta(&self) -> Result<Option<serde_json::Map<String, Value>>, ()> {
        if self.meta.trim().is_empty() {
            return Ok(None);
        }
        match serde_json::from_str(&self.meta) {
            Ok(Value::Object(object)) => Ok(Some(object)),
            Ok(_) | Err(_) => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::profile::Profiles;

    use super::*;

    fn acp(tool: &str) -> Option<Acp> {
        let profiles = Profiles::builtin().unwrap();
        profiles.find(&tool.parse().unwrap()).unwrap().acp.clone()
    }

    #[test]
    fn a_conversation_with_claude_bounds_its_turns_by_effort_with_a_folder_and_without() {
        let claude = acp("claude").unwrap();
        let turns = |reads, effort| {
            let confinement = claude.confinement(reads).unwrap();
            let meta = Value::Object(claude.meta(confinement, effort).unwrap().unwrap());
            // The rest of it stays.
            assert!(meta.pointer("/claudeCode/options/tools").is_some());
            meta.pointer("/claudeCode/options/maxTurns").cloned()
        };
        for (effort, bare, reading) in [
            (Effort::Low, 2, 20),
            (Effort::Medium, 3, 40),
            (Effort::High, 4, 80),
            (Effort::Max, 6, 160),
        ] {
            assert_eq!(turns(false, effort), Some(bare.into()), "{effort}");
            assert_eq!(turns(true, effort), Some(reading.into()), "{effort}");
        }
    }

    #[test]
    fn a_tool_that_takes_no_such_bound_is_given_none() {
        for tool in ["codex", "gemini", "opencode", "copilot", "kiro"] {
            let acp = acp(tool).unwrap();
            for (_, confinement) in acp.confinements() {
                let meta = acp.meta(confinement, Effort::High).unwrap();
                assert_eq!(meta, confinement.meta().unwrap(), "{tool}");
            }
        }
    }

    #[test]
    fn turns_that_would_be_passed_nowhere_are_refused() {
        let mut claude = acp("claude").unwrap();
        claude.turns_in_meta.clear();
        assert!(matches!(claude.check(), Err(ProfileError::Unused("turns"))));
    }
}
