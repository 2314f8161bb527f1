//! Copilot CLI.

use serde_json::{Value, json};

use super::asks::{Asks, ServerState};
use super::outcomes::{NO_CLASSES, all_fields, model_outcome};
use super::powers::{BY_TOOLS, PowerTools, allowed_tools, listed_tools};
use super::{
    AgentForm, CommandForm, FrontMatter, Host, HostEnv, HostPaths, Scope, ToolNames, WrittenAgent,
    command_and_args, in_braces, tools_named, variables, with_bearer,
};
use crate::content::Agent;
use crate::content::agent::Power;
use crate::content::server::Server;
use crate::edit::ServerFormat;
use crate::json::Dialect;
use crate::shape::{ANY_LENGTH, FileKey, ValueShape, optional, required};

pub(super) const HOST: Host = Host {
    name: "copilot",
    title: "Copilot CLI",
    program: "copilot",
    commands: CommandForm::Skill,
    offers_skills_as_commands: true,
    built_in_commands: BUILT_IN,
    built_in_agents: BUILT_IN_AGENTS,
    tool_name: |server, tool| format!("{server}-{tool}"),
    write_agent,
    offered_tools,
    lacks: &[Power::Network],
    places,
    hooks: crate::hook::COPILOT,
    server_format: ServerFormat::Json {
        dialect: Dialect::Comments,
        key: "mcpServers",
    },
    server_entry: |command| command_and_args(command, json!({"type": "local", "tools": ["*"]})),
    other_server,
    asks: Asks {
        server_args: &["mcp", "list"],
        read_server: |list| match list.lines().any(|line| line.trim().starts_with("agon (")) {
            true => ServerState::Listed,
            false => ServerState::Missing,
        },
        skill_args: Some(&["skill", "list"]),
        lists_skill: |list, name| {
            let begin = format!("{name} - ");
            list.lines()
                .any(|line| line.trim_start().starts_with(&begin))
        },
        leavings: |_| Vec::new(),
    },
    next_steps,
    agents: AgentForm::Markdown(AGENT_KEYS),
    command_keys: &[],
};

// Of version 1.0.102. A built-in command wins over a skill of its name.
const BUILT_IN: &[&str] = &[
    "add-dir",
    "after",
    "agent",
    "allow-all",
    "app",
    "ask",
    "autopilot",
    "blame",
    "changelog",
    "chronicle",
    "clear",
    "compact",
    "computer",
    "context",
    "copy",
    "cwd",
    "delegate",
    "diagnose",
    "diff",
    "env",
    "every",
    "exit",
    "experimental",
    "feedback",
    "fleet",
    "footer",
    "fork",
    "help",
    "ide",
    "init",
    "instructions",
    "keep-alive",
    "limits",
    "list-dirs",
    "login",
    "logout",
    "lsp",
    "mcp",
    "memory",
    "model",
    "move",
    "new",
    "permissions",
    "plan",
    "plugin",
    "pr",
    "refine",
    "remote",
    "rename",
    "research",
    "reset-allowed-tools",
    "restart",
    "resume",
    "review",
    "rewind",
    "rubber-duck",
    "sandbox",
    "search",
    "security-review",
    "session",
    "settings",
    "share",
    "skills",
    "statusline",
    "subagents",
    "subconscious",
    "tasks",
    "terminal-setup",
    "theme",
    "update",
    "usage",
    "user",
    "version",
    "vim",
    "voice",
    "worktree",
];

// Of version 1.0.102, which lists a name twice that a file of the user's has too.
const BUILT_IN_AGENTS: &[&str] = &[
    "code-review",
    "explore",
    "general-purpose",
    "research",
    "security-review",
    "task",
];

const TOOLS: &[PowerTools] = &[
    (Power::Read, &["read", "search"]),
    (Power::Edit, &["edit"]),
    (Power::Run, &["execute"]),
    (Power::Network, &["web"]),
    (Power::Delegate, &["agent"]),
];

fn other_server(server: &Server) -> Value {
    if let Some(url) = &server.url {
        return with_bearer(
            json!({"type": "http", "url": url, "tools": ["*"]}),
            server,
            in_braces,
        );
    }
    let mut entry = command_and_args(&server.command, json!({"type": "local", "tools": ["*"]}));
    if !server.env.is_empty() {
        entry["env"] = variables(&server.env, in_braces);
    }
    entry
}

fn write_agent(agent: &Agent, names: &ToolNames) -> WrittenAgent {
    // Here a tool of a server is written otherwise than the model sees it.
    let name_of = |server: &str, tool: &str| format!("{server}/{tool}");
    let front = FrontMatter::default()
        .text("name", &agent.name)
        .text("description", &agent.description)
        .list(
            "tools",
            &allowed_tools(agent, TOOLS, names.server(), name_of),
        );
    let front = match agent.named_model() {
        Some(model) => front.text("model", model),
        None => front,
    };
    WrittenAgent {
        file: format!("{}.agent.md", agent.name),
        text: front.with_body(&agent.body),
        fields: all_fields(agent, &[model_outcome(agent, NO_CLASSES)], BY_TOOLS),
    }
}

// Of version 1.0.102 with a model server of the user's own: what reaches the network is not there.
const OFFERED: &[PowerTools] = &[
    (Power::Read, &["view", "grep", "glob"]),
    (Power::Edit, &["create", "edit"]),
    (Power::Run, &["bash", "read_bash", "stop_bash", "list_bash"]),
    (
        Power::Delegate,
        &["task", "read_agent", "list_agents", "write_agent"],
    ),
];

fn offered_tools(agent: &Agent, names: &ToolNames) -> Vec<String> {
    listed_tools(agent, OFFERED, names)
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    match scope {
        Scope::User => {
            let folder = env.dir("COPILOT_HOME", ".copilot");
            let servers = vec![folder.join("mcp-config.json")];
            let hooks = folder.join("hooks/agon-team.json");
            HostPaths::below(&folder, false, servers).with_hooks(hooks)
        }
        Scope::Project(project) => {
            let folder = project.join(".github");
            let servers = vec![folder.join("mcp.json")];
            let hooks = folder.join("hooks/agon-team.json");
            HostPaths::below(&folder, false, servers).with_hooks(hooks)
        }
    }
}

// Of version 1.0.102, with the names of other tools that it takes for its own, in any case.
const ALL_TOOLS: &[&str] = &[
    "agent",
    "ask_user",
    "bash",
    "create",
    "edit",
    "execute",
    "fetch",
    "glob",
    "grep",
    "multiedit",
    "notebookedit",
    "notebookread",
    "powershell",
    "read",
    "search",
    "shell",
    "skill",
    "task",
    "todo",
    "todowrite",
    "view",
    "web",
    "web_fetch",
    "webfetch",
    "websearch",
    "write",
];

fn tools_fault(value: &Value) -> Option<String> {
    let is_other = |name: &str| {
        let mut known = ALL_TOOLS.iter();
        name.contains(['/', '-']) || known.any(|tool| tool.eq_ignore_ascii_case(name))
    };
    let shape = ValueShape::TextOrTexts.fault(value);
    shape.or_else(|| tools_named::fault(value, HOST.title, ALL_TOOLS, is_other))
}

const AGENT_KEYS: &[FileKey] = &[
    optional("name", ValueShape::Slug),
    required("description", ValueShape::Text(1024)),
    optional("tools", ValueShape::Custom(tools_fault)),
    optional("model", ValueShape::Text(ANY_LENGTH)),
    optional("target", ValueShape::OneOf(&["vscode", "github-copilot"])),
    optional("mcp-servers", ValueShape::Map),
];

fn next_steps(scope: &Scope) -> Vec<String> {
    let mut steps = vec!["Start Copilot CLI again.".to_owned()];
    match scope {
        Scope::User => {}
        Scope::Project(_) => steps.push(
            "It asks whether to trust this folder: without that it reads no server here."
                .to_owned(),
        ),
    }
    steps
        .push("It asks before each call. Without a terminal, give `--allow-tool agon`.".to_owned());
    steps
}
