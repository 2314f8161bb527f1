//! An agent: a sub-agent of a host, with a task and limits.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::front_matter;

// By `agon mcp`; a test of the program compares the two.
/// The tools of Agon's server.
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

// By `agon mcp` too.
/// The tools of Agon's server that it offers where a team was joined.
pub const TEAM_TOOLS: &[&str] = &["task", "mail", "lock", "gate"];

/// Whether Agon's server has a tool of this name.
pub fn is_server_tool(name: &str) -> bool {
    SERVER_TOOLS.contains(&name) || TEAM_TOOLS.contains(&name)
}

/// A sub-agent with a task and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// When to hand it something.
    pub description: String,
    /// Its version.
    pub version: String,
    /// How strong a model it wants.
    pub model: ModelClass,
    /// The model by its name in the host that it is for, or `session`, the one that the user chose
    /// there; where none is named, what the host makes of the class.
    pub model_name: Option<String>,
    /// How hard it thinks; as its host does where nothing is set.
    pub effort: Option<Effort>,
    /// How varied its answers are to be.
    pub temperature: Option<f64>,
    /// What it may do; it may do nothing else.
    pub may: BTreeSet<Power>,
    /// The only files that it may change, as globs; empty where it may edit any, or none.
    pub edit_only: Vec<String>,
    /// The tools of Agon's server that it may call; it may call no other.
    pub agon: Vec<String>,
    /// The other servers whose tools it may call, all of them.
    pub servers: Vec<String>,
    /// The skills that it is given, by their names in the host that it is for.
    pub skills: Vec<String>,
    /// Its instructions.
    pub body: String,
}

/// How strong a model an agent wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModelClass {
    /// A small one.
    Fast,
    /// That of the session.
    Standard,
    /// The strongest.
    Strong,
}

/// How hard an agent thinks.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// At once.
    Low,
    /// As its tool does by default.
    Medium,
    /// Longer.
    High,
    /// As long as its tool can.
    Max,
}

/// A power, and the tools of a host that it takes; a tool of a power that is not given is not there.
pub(crate) type PowerTools = (Power, &'static [&'static str]);

/// The tools of `power` in `table`.
pub(crate) fn tools_of(table: &[PowerTools], power: Power) -> &'static [&'static str] {
    let row = table.iter().find(|(of, _)| *of == power);
    row.map_or(&[], |(_, tools)| *tools)
}

/// What an agent may be allowed.
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
    /// Reach the network.
    Network,
    /// Hand work to other agents.
    Delegate,
}

impl Power {
    /// Every one.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Edit,
        Self::Run,
        Self::Network,
        Self::Delegate,
    ];

    /// What it is called.
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

/// Stands for the model that the user chose in a host.
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
    /// The name of its model in the host that it is for; none where that is the session's, or where
    /// only its class is known.
    pub fn named_model(&self) -> Option<&str> {
        self.model_name.as_deref().filter(|name| *name != SESSION)
    }

    /// The agent as it is where no team was joined: without the tools that a team brings.
    pub(crate) fn without_team_tools(&self) -> Self {
        let mut alone = self.clone();
        alone
            .agon
            .retain(|tool| !TEAM_TOOLS.contains(&tool.as_str()));
        alone
    }

    /// The agent in the file called `stem`.
    ///
    /// # Errors
    ///
    /// If the file is not one.
    pub fn parse(stem: &str, text: &str) -> Result<Self, String> {
        let parts = front_matter::divide(text, "+++").map_err(|error| error.to_string())?;
        let front: AgentFront = toml::from_str(parts.front).map_err(|error| error.to_string())?;
        if front.name != stem {
            return Err(format!(
                "its name is `{}`, not that of its file",
                front.name
            ));
        }
        // Of an empty list of tools most hosts make all of them.
        if front.may.is_empty() && front.agon.is_empty() {
            return Err("it may do nothing at all: give it `may` or `agon`".to_owned());
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
        assert_eq!(refused, "it may do nothing at all: give it `may` or `agon`");
    }
}
