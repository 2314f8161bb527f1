//! How a tool is spoken to over the Agent Client Protocol, as data.

use std::collections::BTreeMap;

use agon_record::spec::Effort;
use serde::Deserialize;
use serde_json::Value;

use super::overlay::overlay_json;
use super::user_file::read_table_keys;
use super::{ArgsPerTableKey, Offer, ProfileError};
use crate::environment::Environment;

/// How to start an agent that speaks the Agent Client Protocol, and how to hold it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acp {
    /// The programs that speak it, the first found winning; empty: the tool's own.
    #[serde(default)]
    pub programs: Vec<String>,
    /// The command that installs them; none: the tool's own.
    pub install: Option<String>,
    /// The arguments. A whole argument may be `{model}`, `{read_only}` or `{no_mcp}`, as in
    /// [`Cli::args`](super::Cli::args).
    #[serde(default)]
    pub args: Vec<String>,
    /// How a model is chosen by argument, with `{name}` in it.
    #[serde(default)]
    pub model: Vec<String>,
    /// The variable that chooses the model. Without it and without arguments for it, the model
    /// is chosen among what the agent offers.
    pub model_env: Option<String>,
    /// The same, in a JSON object.
    pub model_setting: Option<InVariable>,
    /// What keeps it from starting MCP servers.
    #[serde(default)]
    pub no_mcp: Vec<String>,
    /// MCP servers that can only be switched off by name.
    pub no_mcp_each: Option<ArgsPerTableKey>,
    /// MCP servers of the user's that nothing switches off: where there are any, the tool is not
    /// spoken to in this way.
    pub servers: Option<Servers>,
    /// What the agent calls each effort; a missing step is asked for by our own name.
    #[serde(default)]
    pub effort: BTreeMap<Effort, String>,
    /// Whether it offers a choice of efforts; where nothing is said, that is seen when a
    /// conversation opens.
    pub takes_effort: Option<bool>,
    /// What keeps it from writing and running anything, and from reading files.
    #[serde(default)]
    pub read_only: Confinement,
    /// The same, but that it reads files in the folder it runs in; none: it cannot be given one.
    pub reads: Option<Confinement>,
    /// Whether the tokens it reports are those of the whole conversation.
    #[serde(default)]
    pub cumulative: bool,
    /// What it says in place of its model.
    #[serde(default)]
    pub notices: Notices,
    /// The title that a conversation is given, of an agent that would else ask a model for one.
    pub title: Option<String>,
    /// The keys of the `_meta` that lead to the most turns of its own for one answer; empty: it
    /// takes no such bound.
    #[serde(default)]
    pub turns_in_meta: Vec<String>,
    /// The tools of its own that it may offer its model.
    #[serde(default)]
    pub offer: Offer,
}

/// Where an agent reads its model: a JSON object in a variable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InVariable {
    /// The variable.
    pub variable: String,
    /// The key.
    pub key: String,
}

/// Where a tool keeps the user's own MCP servers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Servers {
    /// The file.
    pub file: String,
    /// The table.
    pub table: String,
}

/// What confines an agent for a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Confinement {
    /// Arguments, in the place of `{read_only}`.
    pub args: Vec<String>,
    /// Modes in which it writes and runs nothing unasked, the best first: the ids, or what
    /// follows the last `#` or `/` in them. An agent that offers modes is put into one of these,
    /// or is not spoken to.
    pub modes: Vec<String>,
    /// Set to these values in its environment.
    pub set: BTreeMap<String, String>,
    /// JSON objects laid over those the user has in these variables.
    pub merge: BTreeMap<String, String>,
    /// The `_meta` of the request for a conversation, a JSON object; empty: none.
    pub meta: String,
    /// The most turns of its own that it takes for one answer, by effort.
    pub turns: BTreeMap<Effort, u32>,
    /// Options of the conversation that must have these values, where the agent offers them.
    pub options: BTreeMap<String, String>,
    /// Whether it is allowed, once each time, to read what it asks for inside its folder.
    pub grant: bool,
    /// Whether it runs programs without asking, in a sandbox of the system's that keeps them from
    /// writing.
    pub sandboxed: bool,
}

/// What an agent says in place of its model, by how it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Notices {
    /// Said before the answer and no part of it.
    pub aside: Vec<String>,
    /// In the place of an answer: it failed.
    pub fault: Vec<String>,
    /// What was said until here is said again.
    pub again: Vec<String>,
}

impl Acp {
    pub(super) fn check(&self) -> Result<(), ProfileError> {
        let in_use = |list: &str| self.args.iter().any(|arg| arg == list);
        let confined = |(_, held): (&str, &Confinement)| !held.args.is_empty();
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
        for (place, held) in self.confinements() {
            if held.meta().is_err() {
                return Err(ProfileError::Meta(place));
            }
            if !held.turns.is_empty() && self.turns_in_meta.is_empty() {
                return Err(ProfileError::Unused("turns"));
            }
        }
        Ok(())
    }

    /// Whether the user has servers that it would start whatever we say.
    pub(crate) fn starts_user_mcp_servers(&self, here: &Environment) -> bool {
        let servers = self.servers.as_ref();
        servers.is_some_and(|it| !read_table_keys(&it.file, &it.table, here).is_empty())
    }

    /// The `_meta` of the request for a conversation that `held` confines, at this effort.
    pub(crate) fn meta(
        &self,
        held: &Confinement,
        effort: Effort,
    ) -> Result<Option<serde_json::Map<String, Value>>, ()> {
        let meta = held.meta()?;
        let Some(&turns) = held.turns.get(&effort) else {
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

    /// What holds it in a conversation with a folder to read in, or without.
    pub(crate) fn confinement(&self, reads: bool) -> Option<&Confinement> {
        if reads {
            self.reads.as_ref()
        } else {
            Some(&self.read_only)
        }
    }

    /// Every kind of conversation.
    pub(crate) fn confinements(&self) -> impl Iterator<Item = (&'static str, &Confinement)> {
        let reads = self.reads.as_ref().map(|reads| ("acp.reads", reads));
        [("acp.read_only", &self.read_only)]
            .into_iter()
            .chain(reads)
    }
}

impl Confinement {
    /// The object in `meta`; none when there is none.
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
            let held = claude.confinement(reads).unwrap();
            let meta = Value::Object(claude.meta(held, effort).unwrap().unwrap());
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
            for (_, held) in acp.confinements() {
                let meta = acp.meta(held, Effort::High).unwrap();
                assert_eq!(meta, held.meta().unwrap(), "{tool}");
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
