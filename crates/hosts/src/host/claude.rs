//! Claude Code.

use serde_json::{Value, json};

use super::asks::{Asks, state_by_line};
use super::outcomes::{all_fields, model_outcome};
use super::powers::{BY_TOOLS, PowerTools, listed_tools};
use super::{
    AgentForm, CommandForm, FrontMatter, Host, HostEnv, HostPaths, Scope, ToolNames, WrittenAgent,
    command_and_args, in_braces, tools_named, variables, with_bearer,
};
use crate::content::Agent;
use crate::content::agent::{ModelClass, Power};
use crate::content::server::Server;
use crate::edit::ServerFormat;
use crate::field::{FieldOutcome, SourceField};
use crate::json::Dialect;
use crate::shape::{ANY_LENGTH, FileKey, ValueShape, optional, required};

pub(super) const HOST: Host = Host {
    name: "claude",
    title: "Claude Code",
    program: "claude",
    commands: CommandForm::Markdown {
        placeholder: "$ARGUMENTS",
        hint_key: Some("argument-hint"),
    },
    offers_skills_as_commands: true,
    built_in_commands: BUILT_IN,
    built_in_agents: BUILT_IN_AGENTS,
    tool_name: |server, tool| format!("mcp__{server}__{tool}"),
    write_agent,
    offered_tools,
    lacks: &[],
    places,
    hooks: crate::hook::CLAUDE,
    server_format: ServerFormat::Json {
        dialect: Dialect::Plain,
        key: "mcpServers",
    },
    server_entry: |command| command_and_args(command, json!({"type": "stdio"})),
    other_server,
    asks: Asks {
        server_args: &["mcp", "list"],
        read_server: state_by_line,
        // It shows its skills in a session only.
        skill_args: None,
        lists_skill: |_, _| false,
        leavings: |_| Vec::new(),
    },
    next_steps,
    agents: AgentForm::Markdown(AGENT_KEYS),
    command_keys: COMMAND_KEYS,
};

// Of version 2.1.197. A file of the user's wins over a built-in one of its name, and hides it.
const BUILT_IN: &[&str] = &[
    "add-dir",
    "advisor",
    "agents",
    "autocompact",
    "background",
    "batch",
    "branch",
    "brief",
    "btw",
    "cd",
    "claude-api",
    "clear",
    "code-review",
    "color",
    "compact",
    "config",
    "context",
    "copy",
    "debug",
    "deep-research",
    "diff",
    "effort",
    "exit",
    "export",
    "fast",
    "feedback",
    "fewer-permission-prompts",
    "focus",
    "fork",
    "goal",
    "heapdump",
    "help",
    "hooks",
    "ide",
    "init",
    "insights",
    "install",
    "keybindings",
    "login",
    "logout",
    "loop",
    "loops",
    "mcp",
    "memory",
    "mobile",
    "model",
    "permissions",
    "plan",
    "plugin",
    "powerup",
    "recap",
    "reload-plugins",
    "reload-skills",
    "remote-control",
    "rename",
    "resume",
    "review",
    "run",
    "run-skill-generator",
    "security-review",
    "session",
    "simplify",
    "skills",
    "status",
    "statusline",
    "stop",
    "tasks",
    "team-onboarding",
    "teleport",
    "terminal-setup",
    "theme",
    "tui",
    "ultraplan",
    "ultrareview",
    "update",
    "update-config",
    "upgrade",
    "usage",
    "verify",
    "version",
    "voice",
    "workflows",
];

// Of version 2.1.197, where a file of the user's replaces one of the same name.
const BUILT_IN_AGENTS: &[&str] = &[
    "claude",
    "Explore",
    "general-purpose",
    "Plan",
    "statusline-setup",
];

const TOOLS: &[PowerTools] = &[
    (Power::Read, &["Read", "Grep", "Glob"]),
    (Power::Edit, &["Edit", "Write"]),
    (Power::Run, &["Bash"]),
    (Power::Network, &["WebFetch", "WebSearch"]),
    (Power::Delegate, &["Task"]),
];

fn other_server(server: &Server) -> Value {
    if let Some(url) = &server.url {
        return with_bearer(json!({"type": "http", "url": url}), server, in_braces);
    }
    let mut entry = command_and_args(&server.command, json!({"type": "stdio"}));
    if !server.env.is_empty() {
        entry["env"] = variables(&server.env, in_braces);
    }
    entry
}

fn write_agent(agent: &Agent, names: &ToolNames) -> WrittenAgent {
    let tools = listed_tools(agent, TOOLS, names);
    let tools = tools.join(", ");
    let front = FrontMatter::default()
        .text("name", &agent.name)
        .text("description", &agent.description)
        .text("tools", &tools);
    let model = match (agent.named_model(), &agent.model_name, agent.model) {
        (Some(name), ..) => name,
        (None, Some(_), _) | (None, None, ModelClass::Standard) => "inherit",
        (None, None, ModelClass::Fast) => "haiku",
        (None, None, ModelClass::Strong) => "opus",
    };
    let front = front.text("model", model);
    let own = &[
        model_outcome(
            agent,
            FieldOutcome::Translated("model: haiku, inherit or opus"),
        ),
        // Version 2.1.197 takes a key `effort`, and asks its model with that of the session.
        (
            SourceField::Effort,
            FieldOutcome::NotEnforced("an agent thinks as hard as its session"),
        ),
    ];
    WrittenAgent {
        file: format!("{}.md", agent.name),
        text: front.with_body(&agent.body),
        fields: all_fields(agent, own, BY_TOOLS),
    }
}

fn offered_tools(agent: &Agent, names: &ToolNames) -> Vec<String> {
    let as_offered = |tool: String| match tool.as_str() {
        // It takes both names and offers the later one.
        "Task" => "Agent".to_owned(),
        _ => tool,
    };
    let listed = listed_tools(agent, TOOLS, names);
    let listed = listed.into_iter();
    // One who runs commands searches by them.
    let runs = agent.may.contains(&Power::Run);
    let is_offered = |tool: &String| !(runs && ["Grep", "Glob"].contains(&tool.as_str()));
    listed.filter(is_offered).map(as_offered).collect()
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    match scope {
        Scope::User => {
            let folder = env.dir("CLAUDE_CONFIG_DIR", ".claude");
            // Named, the folder has this file in it; else it stands beside the folder.
            let servers = match env.named_dir("CLAUDE_CONFIG_DIR") {
                Some(dir) => dir.join(".claude.json"),
                None => env.home.join(".claude.json"),
            };
            let paths = HostPaths::below(&folder, true, vec![servers]);
            let settings = folder.join("settings.json");
            paths
                .with_hooks(settings.clone())
                .with_permissions(Some(settings))
        }
        Scope::Project(project) => {
            let servers = vec![project.join(".mcp.json")];
            let folder = project.join(".claude");
            let paths = HostPaths::below(&folder, true, servers);
            let settings = folder.join("settings.json");
            paths
                .with_hooks(settings.clone())
                .with_permissions(Some(settings))
        }
    }
}

// Of version 2.1.197, with the names that it had before and still takes.
const ALL_TOOLS: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "KillBash",
    "KillShell",
    "LS",
    "LSP",
    "ListMcpResourcesTool",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "PowerShell",
    "Read",
    "ReadMcpResourceTool",
    "SendMessage",
    "Skill",
    "SlashCommand",
    "StructuredOutput",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TeamCreate",
    "TeamDelete",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Write",
];

fn tools_fault(value: &Value) -> Option<String> {
    let shape = ValueShape::TextOrTexts.fault(value);
    shape.or_else(|| {
        tools_named::fault(value, HOST.title, ALL_TOOLS, |name| {
            name.starts_with("mcp__")
        })
    })
}

// From its validator and its documentation.
const AGENT_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", ValueShape::Text(ANY_LENGTH)),
    optional("tools", ValueShape::Custom(tools_fault)),
    optional("disallowedTools", ValueShape::Custom(tools_fault)),
    optional("model", ValueShape::Text(ANY_LENGTH)),
    optional(
        "permissionMode",
        ValueShape::OneOf(&[
            "default",
            "acceptEdits",
            "auto",
            "dontAsk",
            "bypassPermissions",
            "plan",
        ]),
    ),
    optional("maxTurns", ValueShape::Count),
    optional("skills", ValueShape::TextOrTexts),
    optional("mcpServers", ValueShape::Any),
    optional("hooks", ValueShape::Map),
    optional("memory", ValueShape::OneOf(&["user", "project", "local"])),
    optional("background", ValueShape::Bool),
    optional("isolation", ValueShape::OneOf(&["worktree"])),
    optional("effort", ValueShape::Any),
    optional(
        "color",
        ValueShape::OneOf(&[
            "red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan",
        ]),
    ),
];

const COMMAND_KEYS: &[FileKey] = &[
    required("description", ValueShape::Text(1024)),
    optional("argument-hint", ValueShape::Text(ANY_LENGTH)),
    optional("allowed-tools", ValueShape::Custom(tools_fault)),
    optional("model", ValueShape::Text(ANY_LENGTH)),
    optional("disable-model-invocation", ValueShape::Bool),
    optional("agent", ValueShape::Slug),
    optional("context", ValueShape::OneOf(&["fork"])),
];

fn next_steps(scope: &Scope) -> Vec<String> {
    let mut steps = vec!["Start Claude Code again.".to_owned()];
    match scope {
        Scope::User => {}
        Scope::Project(_) => {
            steps.push("It asks whether to use the server of this project: say yes.".to_owned())
        }
    }
    steps.push("It asks before the first call of a tool. Without a terminal, give `--allowedTools mcp__agon`.".to_owned());
    steps
}
