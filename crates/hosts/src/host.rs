//! A host: an AI tool that a person works in. A new one is a file in `host/` and a line in [`HOSTS`].

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

pub use self::asks::{Asks, Leavings, ServerState};
pub(crate) use self::bound::EditBound;
pub(crate) use self::package::{ABOUT, Package, PackageText};
pub use self::places::{HostEnv, HostPaths, Scope};
pub(crate) use self::powers::needed;
pub use self::server::ServerForm;
pub(crate) use self::settings::{SHARED, SettingsCheck, SettingsFile, Syntax};
pub use self::sign::{HostSign, host_signs};
pub(crate) use self::yaml::FrontMatter;

/// The name of Agon's server in every host.
pub const SERVER: &str = "agon";

/// Every host, in the order in which they are listed.
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
    /// Its name, as it is typed.
    pub name: &'static str,
    /// Its name, as its maker writes it.
    pub title: &'static str,
    /// Its program.
    pub program: &'static str,
    /// What that and its helpers are called in a list of processes.
    pub process_names: &'static [&'static str],
    /// The variables by which what it starts knows that it runs in it.
    pub(crate) signs: &'static [HostSign],
    /// The variables that say where its files are, who is logged in, and which server it asks.
    pub variables: &'static [&'static str],
    /// The variable by which it tells a server the folder of the project, where it does.
    pub project_variable: Option<&'static str>,
    /// The folder of a project that has its state, where it is one of its own.
    pub state_folder: Option<&'static str>,
    /// The files and folders of a project that configure it, or that its model is told to follow.
    pub configuration: &'static [&'static str],
    /// The names of folders that are its own, or those of its packages.
    pub(crate) folders: &'static [&'static str],
    /// What commands are in it.
    pub commands: CommandForm,
    /// Whether a skill can be typed as a command, so that a command of its name is one too many.
    pub offers_skills_as_commands: bool,
    /// The commands that it has itself: one of ours with such a name would hide it or be hidden.
    pub built_in_commands: Words,
    /// The agents that it has itself: one of ours with such a name would replace it.
    pub built_in_agents: Words,
    /// How its model sees a tool of a server.
    pub tool_name: fn(server: &str, tool: &str) -> String,
    /// The file of an agent.
    pub write_agent: fn(&Agent, &ToolNames) -> WrittenAgent,
    /// The tools that the model is offered when an agent runs, by the names that it sees. Its server
    /// offers those of a team where `is_joined`.
    pub(crate) offered_tools: fn(&Agent, &ToolNames, is_joined: bool) -> Vec<String>,
    /// How an agent is kept from editing other files than its own; what is installed for one project
    /// where `is_for_project`.
    pub(crate) bound_edits: fn(&Agent, is_for_project: bool) -> EditBound,
    /// What its agents cannot do, also where they may: it gives them no tool, or refuses the call.
    pub lacks: &'static [Power],
    /// Where its files are.
    pub places: fn(&HostEnv, &Scope) -> HostPaths,
    /// How it is brought to ask before and after its model's acts.
    pub hooks: HookForm,
    /// Its own permissions.
    pub permissions: PermissionForm,
    /// How it writes its servers down.
    pub server: ServerForm,
    /// The settings and manifests that it reads.
    pub(crate) settings: &'static [SettingsFile],
    /// Its package.
    pub(crate) package: Package,
    /// How it is asked what it has.
    pub asks: Asks,
    /// What its user does before Agon is there.
    pub next_steps: fn(&Scope) -> Vec<String>,
    /// What an agent's file is, and the keys that it may have.
    pub agents: AgentForm,
    /// The keys that a command's file may have.
    pub command_keys: &'static [FileKey],
    /// Whether it knows a model by its provider only, as `PROVIDER/MODEL`.
    pub(crate) has_models_by_provider: bool,
    /// How much of its model's window the list of skills may take, where it bounds that.
    pub listing_room: Option<ListingRoom>,
}

/// How much of its model's window a host gives the names and descriptions of all skills. It drops
/// descriptions beyond this without a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListingRoom {
    /// The tokens of the window of the smallest model that it runs by default.
    pub window: u64,
    /// The part of it that the list may take, in hundredths.
    pub percent: u64,
}

impl ListingRoom {
    /// The most tokens of the list.
    pub fn limit(&self) -> u64 {
        self.window * self.percent / 100
    }
}

/// What an agent's file is.
#[derive(Clone, Copy, Debug)]
pub enum AgentForm {
    /// Markdown, with these keys in its front matter.
    Markdown(&'static [FileKey]),
    /// TOML with these keys.
    Toml(&'static [FileKey]),
}

/// What commands are in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandForm {
    /// A Markdown file with front matter.
    Markdown {
        /// Stands for what was typed after the name.
        placeholder: &'static str,
        /// The key of its front matter that shows what can be typed.
        hint_key: Option<&'static str>,
    },
    /// A file in TOML.
    Toml {
        /// Stands for what was typed after the name.
        placeholder: &'static str,
    },
    /// The host has none: a skill of the name does the same.
    Skill,
}

/// How a host's model sees the tools of servers.
#[derive(Clone, Copy, Debug)]
pub struct ToolNames {
    name: fn(&str, &str) -> String,
    server: &'static str,
}

impl ToolNames {
    /// The name of `tool` of Agon's server.
    pub fn name_of(&self, tool: &str) -> String {
        self.name_on(self.server, tool)
    }

    /// The name of `tool` of `server`.
    pub fn name_on(&self, server: &str, tool: &str) -> String {
        (self.name)(server, tool)
    }

    /// The name of Agon's server.
    pub fn server(&self) -> &'static str {
        self.server
    }
}

/// An agent in a host's form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAgent {
    /// Its file's name.
    pub file: String,
    /// Its text.
    pub text: String,
    /// What became of each field.
    pub fields: Vec<(SourceField, FieldOutcome)>,
}

impl Host {
    /// How its model sees the tools of the server that is called `server` there.
    pub fn tool_names(&self, server: &'static str) -> ToolNames {
        ToolNames {
            name: self.tool_name,
            server,
        }
    }

    /// What a command or skill called `name` is called here.
    pub fn free_name(&self, name: &str) -> String {
        match self.built_in_commands.contains(name) {
            true => format!("agon-{name}"),
            false => name.to_owned(),
        }
    }

    /// What a skill called `name` is called here.
    pub fn free_skill_name(&self, name: &str) -> String {
        match self.offers_skills_as_commands {
            true => self.free_name(name),
            false => name.to_owned(),
        }
    }

    /// What an agent called `name` is called here.
    pub fn free_agent_name(&self, name: &str) -> String {
        match self.built_in_agents.contains(name) {
            true => format!("agon-{name}"),
            false => name.to_owned(),
        }
    }
}

/// The host that is called `name`.
pub fn find_host(name: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.name == name)
}

/// Whether a host has a tool of this name that edits files.
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
