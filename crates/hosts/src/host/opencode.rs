//! OpenCode.

use serde_json::{Value, json};

use super::asks::{Asks, ServerState};
use super::outcomes::{NO_CLASSES, all_fields, model_outcome};
use super::powers::{BY_PERMISSION, PowerTools, listed_tools};
use super::{
    AgentForm, CommandForm, FrontMatter, Host, HostEnv, HostPaths, Scope, ToolNames, WrittenAgent,
    variables, with_bearer,
};
use crate::content::Agent;
use crate::content::agent::Power;
use crate::content::server::Server;
use crate::edit::ServerFormat;
use crate::field::{FieldOutcome, SourceField};
use crate::json::Dialect;
use crate::shape::{ANY_LENGTH, FileKey, ValueShape, optional, required};

pub(super) const HOST: Host = Host {
    name: "opencode",
    title: "OpenCode",
    program: "opencode",
    commands: CommandForm::Markdown {
        placeholder: "$ARGUMENTS",
        hint_key: None,
    },
    offers_skills_as_commands: false,
    built_in_commands: BUILT_IN,
    built_in_agents: BUILT_IN_AGENTS,
    tool_name: |server, tool| format!("{server}_{tool}"),
    write_agent,
    offered_tools,
    // A sub-agent's call of `task` is refused, unless its user sets `subagent_depth`.
    lacks: &[Power::Delegate],
    places,
    hooks: crate::hook::OPENCODE,
    server_format: ServerFormat::Json {
        dialect: Dialect::CommentsAndCommas,
        key: "mcp",
    },
    server_entry: |command| json!({"type": "local", "command": command}),
    other_server,
    asks: Asks {
        server_args: &["mcp", "list"],
        read_server: read_server_list,
        skill_args: Some(&["debug", "skill"]),
        lists_skill: |list, name| list.contains(&format!("\"name\": \"{name}\"")),
        leavings: |_| Vec::new(),
    },
    next_steps,
    agents: AgentForm::Markdown(AGENT_KEYS),
    command_keys: COMMAND_KEYS,
};

// Of version 1.18.33.
const BUILT_IN: &[&str] = &[
    "agents",
    "clear",
    "compact",
    "connect",
    "continue",
    "copy",
    "customize-opencode",
    "debug",
    "diff",
    "editor",
    "exit",
    "export",
    "fork",
    "help",
    "init",
    "mcps",
    "models",
    "move",
    "new",
    "org",
    "quit",
    "redo",
    "rename",
    "resume",
    "review",
    "sessions",
    "share",
    "skills",
    "status",
    "summarize",
    "themes",
    "thinking",
    "timeline",
    "timestamps",
    "undo",
    "unshare",
    "variants",
    "warp",
    "workspaces",
];

// Of version 1.18.33, where a file of the user's is merged over one of the same name.
const BUILT_IN_AGENTS: &[&str] = &[
    "build",
    "compaction",
    "explore",
    "general",
    "plan",
    "summary",
    "title",
];

const TOOLS: &[PowerTools] = &[
    (Power::Read, &["read", "grep", "glob", "list"]),
    (Power::Edit, &["edit"]),
    (Power::Run, &["bash"]),
    (Power::Network, &["webfetch", "websearch"]),
    (Power::Delegate, &["task"]),
];

/// What stands for the value of a variable in its configuration.
fn value_of(name: &str) -> String {
    format!("{{env:{name}}}")
}

fn other_server(server: &Server) -> Value {
    if let Some(url) = &server.url {
        return with_bearer(json!({"type": "remote", "url": url}), server, value_of);
    }
    let mut entry = json!({"type": "local", "command": server.command});
    if !server.env.is_empty() {
        entry["environment"] = variables(&server.env, value_of);
    }
    entry
}

fn write_agent(agent: &Agent, names: &ToolNames) -> WrittenAgent {
    // The last rule that matches wins: all is denied first.
    let mut permission = vec![("*".to_owned(), "deny".to_owned())];
    let allowed = listed_tools(agent, TOOLS, names).into_iter();
    let is_bound = |tool: &str| tool == "edit" && !agent.edit_only.is_empty();
    permission.extend(
        allowed
            .filter(|tool| !is_bound(tool))
            .map(|tool| (tool, "allow".to_owned())),
    );
    let front = FrontMatter::default()
        .text("description", &agent.description)
        .text("mode", "subagent");
    let front = match agent.named_model() {
        Some(model) => front.text("model", model),
        None => front,
    };
    let front = match agent.temperature {
        Some(temperature) => front.bare("temperature", &temperature.to_string()),
        None => front,
    };
    let front = front.map("permission", &permission);
    let front = match agent.edit_only.is_empty() {
        true => front,
        false => {
            // The last that matches wins here too.
            let all = [("*".to_owned(), "deny".to_owned())].into_iter();
            let own = agent.edit_only.iter();
            let own = own.map(|glob| (glob.clone(), "allow".to_owned()));
            front.map_below("edit", &all.chain(own).collect::<Vec<_>>())
        }
    };
    let own = &[
        (
            SourceField::Name,
            FieldOutcome::Translated("the name of its file"),
        ),
        (
            SourceField::EditOnly,
            FieldOutcome::Translated("permission: edit, by file"),
        ),
        (SourceField::Temperature, FieldOutcome::Kept),
        model_outcome(agent, NO_CLASSES),
    ];
    WrittenAgent {
        file: format!("{}.md", agent.name),
        text: front.with_body(&agent.body),
        fields: all_fields(agent, own, BY_PERMISSION),
    }
}

// By the names of the tools, not of the permissions.
const OFFERED: &[PowerTools] = &[
    (Power::Read, &["read", "grep", "glob"]),
    (Power::Edit, &["edit", "write"]),
    (Power::Run, &["bash"]),
    (Power::Network, &["webfetch"]),
    (Power::Delegate, &["task"]),
];

fn offered_tools(agent: &Agent, names: &ToolNames) -> Vec<String> {
    listed_tools(agent, OFFERED, names)
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    let (folder, files) = match scope {
        Scope::User => {
            let folder = env.dir("XDG_CONFIG_HOME", ".config").join("opencode");
            (folder.clone(), folder)
        }
        Scope::Project(project) => (project.join(".opencode"), project.clone()),
    };
    // It reads all of them, one over the other.
    let names = ["opencode.json", "opencode.jsonc", "config.json"];
    let names = match scope {
        Scope::User => names.as_slice(),
        Scope::Project(_) => &names[..2],
    };
    let servers = names.iter().map(|name| files.join(name)).collect();
    let hooks = folder.join("plugins/agon-team.js");
    let mut paths = HostPaths::below(&folder, true, servers).with_hooks(hooks);
    paths.merged_permissions = merged_files(env, scope);
    // The one that has its servers.
    let settings = paths.server_file().map(std::path::Path::to_owned);
    paths.with_permissions(settings)
}

/// The user's files, and those of the project and of the folders above it.
fn merged_files(env: &HostEnv, scope: &Scope) -> Vec<std::path::PathBuf> {
    let user = env.dir("XDG_CONFIG_HOME", ".config").join("opencode");
    let mut folders = vec![user, env.home.join(".opencode")];
    if let Scope::Project(project) = scope {
        let above = project.ancestors();
        folders.extend(above.flat_map(|folder| [folder.to_owned(), folder.join(".opencode")]));
    }
    let names = ["config.json", "opencode.json", "opencode.jsonc"];
    let files = folders
        .iter()
        .flat_map(|folder| names.map(|name| folder.join(name)));
    files.collect()
}

// A value that does not fit ends the whole program; an unknown key becomes an option of the model.
const AGENT_KEYS: &[FileKey] = &[
    required("description", ValueShape::Text(1024)),
    // A file without a mode is an agent that a person can choose, with every tool.
    required("mode", ValueShape::OneOf(&["primary", "subagent", "all"])),
    optional("model", ValueShape::ProviderModel),
    optional("variant", ValueShape::Text(ANY_LENGTH)),
    optional("temperature", ValueShape::Number(0.0, 2.0)),
    optional("top_p", ValueShape::Number(0.0, 1.0)),
    optional("steps", ValueShape::Count),
    optional("permission", ValueShape::Custom(permission_fault)),
    optional("color", ValueShape::Color(THEME_COLORS)),
    optional("hidden", ValueShape::Bool),
    optional("disable", ValueShape::Bool),
    optional("options", ValueShape::Map),
];

const COMMAND_KEYS: &[FileKey] = &[
    required("description", ValueShape::Text(1024)),
    optional("agent", ValueShape::Text(ANY_LENGTH)),
    optional("model", ValueShape::ProviderModel),
    optional("variant", ValueShape::Text(ANY_LENGTH)),
    optional("subtask", ValueShape::Bool),
];

const THEME_COLORS: &[&str] = &[
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "info",
];

/// What has permissions of its own here; a tool of a server is `SERVER_TOOL`.
const PERMISSIONS: &[&str] = &[
    "*",
    "read",
    "edit",
    "glob",
    "grep",
    "list",
    "bash",
    "task",
    "external_directory",
    "todowrite",
    "question",
    "webfetch",
    "websearch",
    "lsp",
    "doom_loop",
    "skill",
];

fn permission_fault(value: &Value) -> Option<String> {
    const ACTIONS: [&str; 3] = ["allow", "ask", "deny"];
    let is_action = |value: &Value| value.as_str().is_some_and(|text| ACTIONS.contains(&text));
    if is_action(value) {
        return None;
    }
    let Some(rules) = value.as_object() else {
        return Some("is neither allow, ask, deny nor a map of them".to_owned());
    };
    for (name, rule) in rules {
        let is_known = PERMISSIONS.contains(&name.as_str()) || name.contains(['_', '*']);
        if !is_known {
            return Some(format!("has `{name}`, which is no tool here"));
        }
        let patterns = rule.as_object();
        let fits =
            is_action(rule) || patterns.is_some_and(|patterns| patterns.values().all(is_action));
        if !fits {
            return Some(format!("has `{name}` that is neither allow, ask nor deny"));
        }
    }
    None
}

fn read_server_list(list: &str) -> ServerState {
    let line = list
        .lines()
        .find(|line| line.split_whitespace().any(|word| word == "agon"));
    let line = line.map(|line| line.trim_start_matches(['●', ' ']).trim());
    match line {
        None => ServerState::Missing,
        Some(line) if line.ends_with("agon connected") => ServerState::Connected,
        Some(line) => ServerState::Off(line.to_owned()),
    }
}

fn next_steps(_scope: &Scope) -> Vec<String> {
    vec!["Start OpenCode again.".to_owned()]
}
