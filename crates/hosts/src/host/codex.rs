//! Codex.

use serde_json::{Value, json};

use super::asks::{Asks, ServerState};
use super::outcomes::{common_fields, model_outcome};
use super::powers::EVERY;
use super::{
    AgentForm, CommandForm, Host, HostEnv, HostPaths, Scope, ToolNames, WrittenAgent,
    command_and_args,
};
use crate::content::Agent;
use crate::content::agent::{Effort, ModelClass, Power, SERVER_TOOLS};
use crate::content::server::Server;
use crate::edit::ServerFormat;
use crate::field::{FieldOutcome, SourceField};
use crate::shape::{ANY_LENGTH, FileKey, ValueShape, optional, required};

pub(super) const HOST: Host = Host {
    name: "codex",
    title: "Codex",
    program: "codex",
    commands: CommandForm::Skill,
    offers_skills_as_commands: true,
    built_in_commands: BUILT_IN,
    built_in_agents: BUILT_IN_AGENTS,
    // The model sees a name space `mcp__agon` with the bare names in it.
    tool_name: |_server, tool| tool.to_owned(),
    write_agent,
    offered_tools,
    lacks: &[Power::Delegate],
    places,
    hooks: crate::hook::CODEX,
    server_format: ServerFormat::Toml {
        table: "mcp_servers",
    },
    server_entry: |command| {
        let mut entry = command_and_args(command, json!({}));
        entry["env_vars"] = json!(ENV_VARS);
        entry
    },
    other_server,
    asks: Asks {
        // What the model is given, with the skills and the servers that answered.
        server_args: &["debug", "prompt-input"],
        read_server: |list| match list.contains("mcp__agon") {
            true => ServerState::Connected,
            false => ServerState::Missing,
        },
        skill_args: Some(&["debug", "prompt-input"]),
        lists_skill: |list, name| list.contains(&format!("\\n- {name}: ")),
        leavings: |_| Vec::new(),
    },
    next_steps,
    agents: AgentForm::Toml(AGENT_KEYS),
    command_keys: &[],
};

// It starts a server without the variables of the user's but those that are named: without these
// the tools of a debate would seem to be logged out, or look for their files elsewhere.
const ENV_VARS: &[&str] = &[
    "AGON_CONFIG_DIR",
    "AGON_MODELS_DIR",
    "AGON_DEPTH",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_GITHUB_TOKEN",
    "COPILOT_HOME",
    "GEMINI_API_KEY",
    "GEMINI_CLI_HOME",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GOOGLE_API_KEY",
    "GOOGLE_CLOUD_PROJECT",
    "HTTPS_PROXY",
    "NO_PROXY",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

// Of version 0.169.0, with the skills that it brings itself.
const BUILT_IN: &[&str] = &[
    "agents",
    "approve",
    "archive",
    "btw",
    "cd",
    "clear",
    "compact",
    "config",
    "copy",
    "daemon",
    "delete",
    "diff",
    "exit",
    "experimental",
    "export",
    "feedback",
    "fork",
    "goal",
    "hooks",
    "ide",
    "imagegen",
    "import",
    "init",
    "keymap",
    "logout",
    "mcp",
    "memories",
    "mention",
    "model",
    "new",
    "openai-docs",
    "permissions",
    "pets",
    "plan",
    "plugins",
    "presets",
    "ps",
    "pwd",
    "quit",
    "raw",
    "recap",
    "rename",
    "resume",
    "review",
    "review-agent",
    "side",
    "skill-creator",
    "skill-installer",
    "skills",
    "status",
    "statusline",
    "stop",
    "subagents",
    "theme",
    "title",
    "tui",
    "vim",
    "voice",
    "warnings",
    "worktree",
];

// Of version 0.169.0, where a file of the user's replaces one of the same name.
const BUILT_IN_AGENTS: &[&str] = &["default", "explorer", "worker"];

fn other_server(server: &Server) -> Value {
    if let Some(url) = &server.url {
        let mut entry = json!({"url": url});
        if let Some(name) = server.env.first() {
            entry["bearer_token_env_var"] = name.as_str().into();
        }
        return entry;
    }
    let mut entry = command_and_args(&server.command, json!({}));
    if !server.env.is_empty() {
        entry["env_vars"] = json!(server.env);
    }
    entry
}

fn write_agent(agent: &Agent, _names: &ToolNames) -> WrittenAgent {
    let text = |text: &str| toml::Value::from(text).to_string();
    let mut lines = format!(
        "name = {}\ndescription = {}\n",
        text(&agent.name),
        text(&agent.description)
    );
    if let Some(model) = agent.named_model() {
        lines.push_str(&format!("model = {}\n", text(model)));
    }
    let effort = match (agent.effort, agent.model) {
        (Some(Effort::Low), _) | (None, ModelClass::Fast) => Some("low"),
        (Some(Effort::Medium), _) => Some("medium"),
        (Some(Effort::High), _) | (None, ModelClass::Strong) => Some("high"),
        (Some(Effort::Max), _) => Some("xhigh"),
        (None, ModelClass::Standard) => None,
    };
    if let Some(effort) = effort {
        lines.push_str(&format!("model_reasoning_effort = \"{effort}\"\n"));
    }
    // Version 0.169.0 takes the key, and runs the agent in the sandbox of its session all the same.
    if !agent.may.contains(&Power::Edit) {
        lines.push_str("sandbox_mode = \"read-only\"\n");
    }
    lines.push_str(&format!(
        "developer_instructions = {}\n",
        multi_line(&agent.body)
    ));
    let shell = FieldOutcome::NotEnforced("an agent reads and runs commands through one shell");
    let mut fields = common_fields(&[
        (
            SourceField::Body,
            FieldOutcome::Translated("developer_instructions"),
        ),
        model_outcome(agent, FieldOutcome::Translated("model_reasoning_effort")),
        (
            SourceField::Effort,
            FieldOutcome::Translated("model_reasoning_effort"),
        ),
    ]);
    fields.extend([
        (SourceField::Power(Power::Read), shell),
        (
            SourceField::Power(Power::Edit),
            FieldOutcome::NotEnforced("an agent has the sandbox of its session"),
        ),
        (SourceField::Power(Power::Run), shell),
        (
            SourceField::Power(Power::Network),
            FieldOutcome::NotEnforced("the search of the web is set for the session alone"),
        ),
        (
            SourceField::Power(Power::Delegate),
            FieldOutcome::NotEnforced("whether agents start others is set for the session alone"),
        ),
        (
            SourceField::AgonTools,
            FieldOutcome::NotEnforced("an agent has every server of the session"),
        ),
    ]);
    WrittenAgent {
        file: format!("{}.toml", agent.name),
        text: lines,
        fields,
    }
}

/// `text` as a string of TOML over several lines, as it stands; else as one line with escapes.
fn multi_line(text: &str) -> String {
    match text.contains("'''") {
        false => format!("'''\n{text}\n'''"),
        true => toml::Value::from(text).to_string(),
    }
}

// Of version 0.169.0. What starts agents is offered to a session and not to the agents in it.
const OFFERED: &[&str] = &[
    "exec_command",
    "write_stdin",
    "list_mcp_resources",
    "list_mcp_resource_templates",
    "read_mcp_resource",
    "request_user_input",
    "view_image",
    "get_goal",
    "create_goal",
    "update_goal",
    "web_search",
];

/// Whatever an agent may do, it is offered the tools of its session.
fn offered_tools(agent: &Agent, names: &ToolNames) -> Vec<String> {
    let own = OFFERED.iter().map(|tool| (*tool).to_owned());
    let agon = SERVER_TOOLS.iter();
    let agon = agon.map(|tool| format!("mcp__{}/{tool}", names.server()));
    let others = agent.servers.iter();
    let others = others.map(|server| format!("mcp__{server}/{EVERY}"));
    own.chain(agon).chain(others).collect()
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    let folder = match scope {
        Scope::User => env.dir("CODEX_HOME", ".codex"),
        Scope::Project(project) => project.join(".codex"),
    };
    HostPaths::below(&folder, false, vec![folder.join("config.toml")])
}

const AGENT_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", ValueShape::Text(ANY_LENGTH)),
    required("developer_instructions", ValueShape::Text(ANY_LENGTH)),
    optional("model", ValueShape::Text(ANY_LENGTH)),
    optional(
        "model_reasoning_effort",
        ValueShape::OneOf(&["none", "minimal", "low", "medium", "high", "xhigh"]),
    ),
    optional(
        "sandbox_mode",
        ValueShape::OneOf(&["read-only", "workspace-write", "danger-full-access"]),
    ),
    optional("mcp_servers", ValueShape::Map),
];

fn next_steps(scope: &Scope) -> Vec<String> {
    let mut steps = vec!["Start Codex again.".to_owned()];
    match scope {
        Scope::User => {}
        Scope::Project(_) => steps.push(
            "It asks whether to trust this project: without that it reads no server here."
                .to_owned(),
        ),
    }
    steps.push("It asks before each call. Without a terminal, give `-c mcp_servers.agon.default_tools_approval_mode=\"approve\"`.".to_owned());
    steps
}
