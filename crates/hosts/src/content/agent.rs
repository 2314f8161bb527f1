//! Agents: sub-agents of a host, each with a task and limits.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::front_matter;

// A test compares this list with the tools of `agon mcp`.
/// The tools of Agon's server outside a team.
pub const SERVER_TOOLS: &[&str] = &[
    "debate_start",
    "debate_wait",
    "debate_result",
    "debate_steer",
    "debate_ask",
    "consult",
    "recall",
    "status",
];

// The same test compares this list.
/// The tools that Agon's server offers once a team was joined.
pub const TEAM_TOOLS: &[&str] = &["task", "mail", "lock", "gate"];

/// Returns whether Agon's server has a tool of this name.
pub fn is_server_tool(name: &str) -> bool {
    SERVER_TOOLS.contains(&name) || TEAM_TOOLS.contains(&name)
}

/// A sub-agent with a task and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// When to call it.
    pub description: String,
    /// Its version.
    pub version: String,
    /// The model class it needs.
    pub model: ModelClass,
    /// The model by its name in the host, or `session` for the model that the user chose there. If
    /// `None`, the host maps the class to a model.
    pub model_name: Option<String>,
    /// Reasoning effort; the host's default if `None`.
    pub effort: Option<Effort>,
    /// Sampling temperature.
    pub temperature: Option<f64>,
    /// Everything it may do.
    pub may: BTreeSet<Power>,
    /// The only files that it may edit, as globs; if empty, `may` alone decides.
    pub edit_only: Vec<String>,
    /// The only tools of Agon's server that it may call.
    pub agon: Vec<String>,
    /// Other servers; it may call all of their tools.
    pub servers: Vec<String>,
    /// Its skills, by their names in the host.
    pub skills: Vec<String>,
    /// Its instructions.
    pub body: String,
}

/// Class of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModelClass {
    /// A small, fast model.
    Fast,
    /// The session's model.
    Standard,
    /// The strongest model.
    Strong,
}

/// Reasoning effort of an agent.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// As little as possible.
    Low,
    /// The tool's default.
    Medium,
    /// More than the default.
    High,
    /// As much as the tool allows.
    Max,
}

/// A permission and the host's tools that it needs. Without the permission, the agent gets none of them.
pub(crate) type PowerTools = (Power, &'static [&'static str]);

/// Returns the tools of `power` in `table`.
pub(crate) fn tools_of(table: &[PowerTools], power: Power) -> &'static [&'static str] {
    let row = table.iter().find(|(of, _)| *of == power);
    row.map_or(&[], |(_, tools)| *tools)
}

/// A permission of an agent.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Power {
    /// Read files of the project.
    Read,
    /// Change files.
    Edit,
    /// Run commands.
    Run,
    /// Use the network.
    Network,
    /// Delegate work to other agents.
    Delegate,
}

impl Power {
    /// All permissions.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Edit,
        Self::Run,
        Self::Network,
        Self::Delegate,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Edit => "edit",
            Self::Run => "run",
            Self::Network => "network",
            Self::Delegate => "delegate",
        }
    }
}

/// Name for the model that the user chose in a host.
pub const SESSION: &str = "session";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentFront {
    name: String,
    description: String,
    version: String,
    model: ModelClass,
    effort: Option<Effort>,
    temperature: Option<f64>,
    may: BTreeSet<Power>,
    #[serde(default)]
    edit_only: Vec<String>,
    agon: Vec<String>,
}

impl Agent {
    /// Returns the name of its model in the host, or `None` if it uses the session's model or only the
    /// class is known.
    pub fn named_model(&self) -> Option<&str> {
        self.model_name.as_deref().filter(|name| *name != SESSION)
    }

    /// Returns the agent without the tools that exist only in a team.
    pub(crate) fn without_team_tools(&self) -> Self {
        let mut alone = self.clone();
        alone
            .agon
            .retain(|tool| !TEAM_TOOLS.contains(&tool.as_str()));
        alone
    }

    /// Parses the agent in the file `stem`.md.
    ///
    /// # Errors
    ///
    /// If the file is not an agent.
    pub fn parse(stem: &str, text: &str) -> Result<Self, String> {
        let parts = front_matter::divide(text, "+++").map_err(|error| error.to_string())?;
        let front: AgentFront = toml::from_str(parts.front).map_err(|error| error.to_string())?;
        if front.name != stem {
            return Err(format!(
                "its name `{}` does not match its file name",
                front.name
            ));
        }
        // Rejected, because most hosts read an empty list of tools as "all tools".
        if front.may.is_empty() && front.agon.is_empty() {
            return Err("it has no permissions: add `may` or `agon`".to_owned());
        }
        Ok(Self {
            name: front.name,
            description: front.description,
            version: front.version,
            model: front.model,
            model_name: None,
            effort: front.effort,
            temperature: front.temperature,
            may: front.may,
            edit_only: front.edit_only,
            agon: front.agon,
            servers: Vec::new(),
            skills: Vec::new(),
            body: parts.body.trim().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_without_any_tool_is_refused() {
        let text = "+++\nname = \"a\"\ndescription = \"b\"\nversion = \"1.0.0\"\n\
                    model = \"fast\"\nmay = []\nagon = []\n+++\nDo it.\n";
        let refused = Agent::parse("a", text).unwrap_err();
        assert_eq!(refused, "it has no permissions: add `may` or `agon`");
    }
}
