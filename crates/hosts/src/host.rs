//! Hosts: AI tools that a person works in. To add one, add a file in `host/` and a line in [`HOSTS`].

mod asks;
mod bound;
mod claude;
mod codex;
mod copilot;
mod gemini;
mod opencode;
mod outcomes;
mod package;
mod places;
mod powers;
mod server;
mod settings;
mod sign;
mod tools_named;
mod yaml;

use crate::content::Agent;
use crate::content::agent::Power;
use crate::field::{FieldOutcome, SourceField};
use crate::hook::HookForm;
use crate::permit::PermissionForm;
use crate::shape::{FileKey, Words};

pub use self::asks::{Asks, LeftoverFiles, ServerState};
pub(crate) use self::bound::EditBound;
pub(crate) use self::package::{ABOUT, Package, PackageText};
pub use self::places::{HostEnv, HostPaths, Scope};
pub(crate) use self::powers::limits_to_enforce;
pub use self::server::ServerForm;
pub(crate) use self::settings::{SHARED, SettingsCheck, SettingsFile, Syntax};
pub use self::sign::{HostSign, host_signs};
pub(crate) use self::yaml::FrontMatter;

/// The name of Agon's server in every host.
pub const SERVER: &str = "agon";

/// All hosts, in the order of lists.
pub const HOSTS: &[Host] = &[
    claude::HOST,
    codex::HOST,
    gemini::HOST,
    opencode::HOST,
    copilot::HOST,
];

/// An AI tool that a person works in.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name as its vendor writes it.
    pub title: &'static str,
    /// Its program.
    pub program: &'static str,
    /// Names of the program and its helpers in a process list.
    pub process_names: &'static [&'static str],
    /// Variables that tell a started program that it runs in this host.
    pub(crate) signs: &'static [HostSign],
    /// Variables for the location of its files, the login, and the model server.
    pub variables: &'static [&'static str],
    /// Variable with the project's folder, if the host passes it to servers.
    pub project_variable: Option<&'static str>,
    /// Its state folder in a project, if it has one.
    pub state_folder: Option<&'static str>,
    /// Files and folders of a project that configure it or instruct its model.
    pub configuration: &'static [&'static str],
    /// Names of folders that belong to it or its packages.
    pub(crate) folders: &'static [&'static str],
    /// Its format for commands.
    pub commands: CommandForm,
    /// Whether a skill can be typed as a command, which makes a command of the same name redundant.
    pub offers_skills_as_commands: bool,
    /// Built-in commands; one of ours with the same name would hide it or be hidden.
    pub built_in_commands: Words,
    /// Built-in agents; one of ours with the same name would replace it.
    pub built_in_agents: Words,
    /// Returns the name by which its model sees a server's tool.
    pub tool_name: fn(server: &str, tool: &str) -> String,
    /// Writes the file of an agent.
    pub write_agent: fn(&Agent, &ToolNames) -> WrittenAgent,
    /// Returns the tools that an agent's model is offered, by the names it sees. If `is_joined`, Agon's
    /// server offers the team's tools too.
    pub(crate) offered_tools: fn(&Agent, &ToolNames, is_joined: bool) -> Vec<String>,
    /// Returns how the agent's limit on edited files is enforced, for an installation in one project if
    /// `is_for_project`.
    pub(crate) bound_edits: fn(&Agent, is_for_project: bool) -> EditBound,
    /// Permissions that its agents cannot use, because it does not give them the tool, or refuses
    /// the call.
    pub lacks: &'static [Power],
    /// Returns the paths of its files.
    pub places: fn(&HostEnv, &Scope) -> HostPaths,
    /// Its format for hooks.
    pub hooks: HookForm,
    /// Its format for permissions.
    pub permissions: PermissionForm,
    /// Its format for servers.
    pub server: ServerForm,
    /// Settings files and manifests that it reads.
    pub(crate) settings: &'static [SettingsFile],
    /// Its package.
    pub(crate) package: Package,
    /// How to ask it for its servers and skills.
    pub asks: Asks,
    /// Returns what the user must do after the installation.
    pub next_steps: fn(&Scope) -> Vec<String>,
    /// Its format for agents, with the allowed keys.
    pub agents: AgentForm,
    /// Allowed keys of a command's file.
    pub command_keys: &'static [FileKey],
    /// Whether a model's name must include its provider, as `PROVIDER/MODEL`.
    pub(crate) has_models_by_provider: bool,
    /// Its limit on the size of the skill list, if it has one.
    pub listing_room: Option<ListingRoom>,
}

/// Share of the context window for the names and descriptions of all skills. Beyond it, the host
/// silently drops descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListingRoom {
    /// Context window, in tokens, of the smallest model that it uses by default.
    pub window: u64,
    /// Share for the list, in percent.
    pub percent: u64,
}

impl ListingRoom {
    /// Returns the maximum tokens of the list.
    pub fn limit(&self) -> u64 {
        self.window * self.percent / 100
    }
}

/// Format of an agent's file.
#[derive(Clone, Copy, Debug)]
pub enum AgentForm {
    /// Markdown, with these keys in its front matter.
    Markdown(&'static [FileKey]),
    /// TOML with these keys.
    Toml(&'static [FileKey]),
}

/// Format of commands in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandForm {
    /// A Markdown file with front matter.
    Markdown {
        /// Placeholder for the typed arguments.
        placeholder: &'static str,
        /// Front matter key of the argument hint.
        hint_key: Option<&'static str>,
    },
    /// A TOML file.
    Toml {
        /// Placeholder for the typed arguments.
        placeholder: &'static str,
    },
    /// The host has no commands; a skill of the same name replaces them.
    Skill,
}

/// Names by which a host's model sees the tools of servers.
#[derive(Clone, Copy, Debug)]
pub struct ToolNames {
    name: fn(&str, &str) -> String,
    server: &'static str,
}

impl ToolNames {
    /// Returns the name of `tool` on Agon's server.
    pub fn name_of(&self, tool: &str) -> String {
        self.tool_name_on(self.server, tool)
    }

    /// Returns the name of `tool` on `server`.
    pub fn tool_name_on(&self, server: &str, tool: &str) -> String {
        (self.name)(server, tool)
    }

    /// Returns the name of Agon's server.
    pub fn server(&self) -> &'static str {
        self.server
    }
}

/// An agent in a host's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAgent {
    /// File name.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Outcome of each field.
    pub fields: Vec<(SourceField, FieldOutcome)>,
}

impl Host {
    /// Returns the names of server tools, with Agon's server called `server`.
    pub fn tool_names(&self, server: &'static str) -> ToolNames {
        ToolNames {
            name: self.tool_name,
            server,
        }
    }

    /// Returns the name of our command or skill `name` here: with a prefix if it is taken.
    pub fn free_name(&self, name: &str) -> String {
        match self.built_in_commands.contains(name) {
            true => format!("agon-{name}"),
            false => name.to_owned(),
        }
    }

    /// Returns the name of our skill `name` here.
    pub fn free_skill_name(&self, name: &str) -> String {
        match self.offers_skills_as_commands {
            true => self.free_name(name),
            false => name.to_owned(),
        }
    }

    /// Returns the name of our agent `name` here.
    pub fn free_agent_name(&self, name: &str) -> String {
        match self.built_in_agents.contains(name) {
            true => format!("agon-{name}"),
            false => name.to_owned(),
        }
    }
}

/// Returns the host called `name`.
pub fn find_host(name: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.name == name)
}

/// Returns whether a host has an editing tool of this name.
pub fn is_edit_tool(name: &str) -> bool {
    let mut tools = HOSTS.iter().flat_map(|host| host.hooks.edit_tools);
    tools.any(|tool| *tool == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_host_has_itself_gets_a_prefix() {
        let names: Vec<_> = HOSTS.iter().map(|host| host.free_name("plan")).collect();
        assert_eq!(
            names,
            ["agon-plan", "agon-plan", "agon-plan", "plan", "agon-plan"]
        );
        for host in HOSTS {
            assert_eq!(host.free_name("debate"), "debate");
        }
    }

    #[test]
    fn each_host_has_its_own_name_for_a_tool() {
        let names: Vec<_> = HOSTS
            .iter()
            .map(|host| host.tool_names(SERVER).name_of("debate_start"))
            .collect();
        assert_eq!(
            names,
            [
                "mcp__agon__debate_start",
                "debate_start",
                "mcp_agon_debate_start",
                "agon_debate_start",
                "agon-debate_start",
            ]
        );
    }
}
