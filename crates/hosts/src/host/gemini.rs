//! Gemini CLI.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::asks::{Asks, ServerState, state_by_line};
use super::outcomes::{NO_CLASSES, all_fields, model_outcome};
use super::powers::{BY_TOOLS, PowerTools, listed_tools};
use super::{
    AgentForm, CommandForm, FrontMatter, Host, HostEnv, HostPaths, Scope, ToolNames, WrittenAgent,
    command_and_args, in_braces, tools_named, variables, with_bearer,
};
use crate::content::Agent;
use crate::content::agent::Power;
use crate::content::server::Server;
use crate::edit::ServerFormat;
use crate::field::{FieldOutcome, SourceField};
use crate::json::Dialect;
use crate::shape::{ANY_LENGTH, FileKey, ValueShape, optional, required};

pub(super) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    commands: CommandForm::Toml {
        placeholder: "{{args}}",
    },
    offers_skills_as_commands: false,
    built_in_commands: BUILT_IN,
    built_in_agents: BUILT_IN_AGENTS,
    tool_name: |server, tool| format!("mcp_{server}_{tool}"),
    write_agent,
    offered_tools,
    lacks: &[Power::Delegate],
    places,
    hooks: crate::hook::GEMINI,
    server_format: ServerFormat::Json {
        dialect: Dialect::Comments,
        key: "mcpServers",
    },
    server_entry: |command| command_and_args(command, json!({})),
    other_server,
    asks: Asks {
        server_args: &["mcp", "list"],
        read_server,
        skill_args: Some(&["skills", "list"]),
        lists_skill: |list, name| {
            let line = format!("{name} [Enabled]");
            list.lines().any(|found| found.trim() == line)
        },
        leavings,
    },
    next_steps,
    agents: AgentForm::Markdown(AGENT_KEYS),
    command_keys: COMMAND_KEYS,
};

// Of version 0.61.0. A built-in command wins over a file of its name.
const BUILT_IN: &[&str] = &[
    "about",
    "agents",
    "auth",
    "bug",
    "chat",
    "clear",
    "commands",
    "compress",
    "copy",
    "corgi",
    "directory",
    "docs",
    "editor",
    "extensions",
    "footer",
    "help",
    "hooks",
    "ide",
    "init",
    "mcp",
    "memory",
    "model",
    "permissions",
    "plan",
    "policies",
    "privacy",
    "quit",
    "restore",
    "resume",
    "rewind",
    "settings",
    "setup-github",
    "shortcuts",
    "skills",
    "stats",
    "tasks",
    "terminal-setup",
    "theme",
    "tools",
    "upgrade",
    "vim",
    "voice",
];

// Of version 0.61.0.
const BUILT_IN_AGENTS: &[&str] = &["cli_help", "codebase_investigator", "generalist"];

// Its agents cannot start others.
const TOOLS: &[PowerTools] = &[
    (
        Power::Read,
        &["read_file", "grep_search", "glob", "list_directory"],
    ),
    (Power::Edit, &["replace", "write_file"]),
    (Power::Run, &["run_shell_command"]),
    (Power::Network, &["web_fetch", "google_web_search"]),
];

fn other_server(server: &Server) -> Value {
    if let Some(url) = &server.url {
        return with_bearer(json!({"httpUrl": url}), server, in_braces);
    }
    let mut entry = command_and_args(&server.command, json!({}));
    if !server.env.is_empty() {
        entry["env"] = variables(&server.env, in_braces);
    }
    entry
}

fn write_agent(agent: &Agent, names: &ToolNames) -> WrittenAgent {
    let front = FrontMatter::default()
        .text("name", &agent.name)
        .text("description", &agent.description)
        .text("kind", "local")
        .list("tools", &listed_tools(agent, TOOLS, names));
    let front = match agent.named_model() {
        Some(model) => front.text("model", model),
        None => front,
    };
    let front = match agent.temperature {
        Some(temperature) => front.bare("temperature", &temperature.to_string()),
        None => front,
    };
    let own = &[
        model_outcome(agent, NO_CLASSES),
        (SourceField::Temperature, FieldOutcome::Kept),
    ];
    WrittenAgent {
        file: format!("{}.md", agent.name),
        text: front.with_body(&agent.body),
        fields: all_fields(agent, own, BY_TOOLS),
    }
}

fn offered_tools(agent: &Agent, names: &ToolNames) -> Vec<String> {
    let listed = listed_tools(agent, TOOLS, names);
    // With it an agent hands in its result.
    listed
        .into_iter()
        .chain(["complete_task".to_owned()])
        .collect()
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    let folder = match scope {
        // The variable stands for the home, not for the folder in it.
        Scope::User => env.dir("GEMINI_CLI_HOME", "").join(".gemini"),
        Scope::Project(project) => project.join(".gemini"),
    };
    let settings = folder.join("settings.json");
    // It reads no policies of a project.
    let policies = match scope {
        Scope::User => Some(folder.join("policies/agon-team.toml")),
        Scope::Project(_) => None,
    };
    HostPaths::below(&folder, true, vec![settings.clone()])
        .with_hooks(settings)
        .with_permissions(policies)
}

// Of version 0.61.0, with the names that it had before and still takes.
const ALL_TOOLS: &[&str] = &[
    "activate_skill",
    "ask_user",
    "complete_task",
    "enter_plan_mode",
    "exit_plan_mode",
    "get_internal_docs",
    "glob",
    "google_web_search",
    "grep_search",
    "list_directory",
    "read_file",
    "read_many_files",
    "replace",
    "run_shell_command",
    "save_memory",
    "search_file_content",
    "web_fetch",
    "write_file",
    "write_todos",
];

fn tools_fault(value: &Value) -> Option<String> {
    let is_other = |name: &str| {
        let begins = ["mcp_", "discovered_tool_"];
        name.contains("__") || begins.iter().any(|begin| name.starts_with(begin))
    };
    let shape = ValueShape::Texts.fault(value);
    shape.or_else(|| tools_named::fault(value, HOST.title, ALL_TOOLS, is_other))
}

// It refuses an agent with any other key.
const AGENT_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", ValueShape::Text(ANY_LENGTH)),
    optional("kind", ValueShape::OneOf(&["local", "remote"])),
    optional("display_name", ValueShape::Text(ANY_LENGTH)),
    optional("tools", ValueShape::Custom(tools_fault)),
    optional("mcp_servers", ValueShape::Map),
    optional("model", ValueShape::Text(ANY_LENGTH)),
    optional("temperature", ValueShape::Number(0.0, 2.0)),
    optional("max_turns", ValueShape::Count),
    optional("timeout_mins", ValueShape::Count),
    optional("agent_card_url", ValueShape::Text(ANY_LENGTH)),
    optional("agent_card_json", ValueShape::Text(ANY_LENGTH)),
    optional("auth", ValueShape::Map),
];

const COMMAND_KEYS: &[FileKey] = &[
    required("description", ValueShape::Text(1024)),
    required("prompt", ValueShape::Text(ANY_LENGTH)),
];

/// In a folder that is not trusted it starts no server, those of its user neither.
fn read_server(list: &str) -> ServerState {
    match state_by_line(list) {
        ServerState::Off(_) if list.contains("this folder is untrusted") => ServerState::Off(
            "it does not trust this folder: run `gemini` here and choose to trust it".to_owned(),
        ),
        state => state,
    }
}

/// `gemini skills list` of version 0.61.0 begins a session each time, called `skills-list`. What is
/// behind a link is left out: it may be anybody's.
fn leavings(home: &Path) -> Vec<PathBuf> {
    let settings = home.join(".gemini");
    if !is_own_folder(&settings) {
        return Vec::new();
    }
    let chats = paths_in(&settings.join("tmp"))
        .into_iter()
        .filter(|project| is_own_folder(project))
        .map(|project| project.join("chats"));
    let paths = chats.flat_map(|chats| paths_in(&chats));
    let is_own_file = |path: &PathBuf| path.symlink_metadata().is_ok_and(|meta| meta.is_file());
    let is_of_list = |path: &PathBuf| path.to_string_lossy().ends_with("-skills-l.jsonl");
    paths.filter(is_of_list).filter(is_own_file).collect()
}

/// What is in the folder at `path`, unless it is a link.
fn paths_in(path: &Path) -> Vec<PathBuf> {
    let entries = match is_own_folder(path) {
        true => fs::read_dir(path).ok(),
        false => None,
    };
    let entries = entries.into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn is_own_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_dir())
}

fn next_steps(_scope: &Scope) -> Vec<String> {
    vec![
        "Start Gemini CLI again, in a folder that you trust: elsewhere it starts no server.".to_owned(),
        "It asks before each call. Without a terminal, give `--skip-trust --approval-mode yolo`, which allows every tool, not only these.".to_owned(),
    ]
}
