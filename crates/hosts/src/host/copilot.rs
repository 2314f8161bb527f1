//! Copilot CLI.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::asks::{Asks, ServerState};
use super::outcomes::{NO_CLASSES, all_fields, model_outcome};
use super::powers::{BY_TOOLS, EVERY, allowed_tools, listed_tools};
use super::server::{ENV_IN_BRACES, command_and_args};
use super::settings::SERVER_KEYS;
use super::{
    AgentForm, CommandForm, EditBound, FrontMatter, Host, HostEnv, HostPaths, HostSign, Package,
    SERVER, Scope, ServerForm, SettingsCheck, SettingsFile, Syntax, ToolNames, WrittenAgent,
    tools_named,
};
use crate::content::Agent;
use crate::content::agent::{Power, PowerTools};
use crate::edit::ServerFormat;
use crate::field::FieldOutcome::{self, NotEnforced, Translated};
use crate::field::SourceField;
use crate::hook::{
    HookEvent, HookForm, HookPlace, PlanCall, PlanHook, PlanSource, ReplyForm, command_line,
};
use crate::json::Dialect;
use crate::permit::abilities::{
    Abilities, Ability, NO_EXCEPTIONS, NOT_OFFERED, SEARCH, SessionAbilities,
};
use crate::permit::form::{PermissionPlace, PowerRules};
use crate::permit::glob::Glob;
use crate::permit::rules::{Fits, HostRules, Wins, read_arguments};
use crate::permit::{
    GlobFault, MemberForm, PermissionEffect, PermissionForm, PermissionScope, PermissionsFault,
};
use crate::shape::{FileKey, TEXT, ValueShape, Words, optional, required};

pub(super) const HOST: Host = Host {
    name: "copilot",
    title: "Copilot CLI",
    program: "copilot",
    process_names: &["copilot"],
    signs: &[HostSign {
        variable: "COPILOT_AGENT_SESSION_ID",
        session_variable: Some("COPILOT_AGENT_SESSION_ID"),
        rank: 1,
    }],
    variables: &[
        "COPILOT_GITHUB_TOKEN",
        "COPILOT_HOME",
        "GH_TOKEN",
        "GITHUB_TOKEN",
    ],
    project_variable: None,
    state_folder: None,
    configuration: &[".copilot", ".github/copilot-instructions.md"],
    folders: &[".github", ".copilot"],
    commands: CommandForm::Skill,
    offers_skills_as_commands: true,
    built_in_commands: BUILT_IN,
    // Names to avoid, because a user's file of the same name would be listed as a second agent.
    built_in_agents: Words("code-review explore general-purpose research security-review task"),
    tool_name: |server, tool| format!("{server}-{tool}"),
    write_agent,
    offered_tools,
    // Copilot passes the type of the editing agent to a hook, so the hook can check the limit.
    bound_edits: |_, _| EditBound::ByHook,
    lacks: &[Power::Network],
    places,
    hooks: HookForm {
        event_name: |event| match event {
            HookEvent::PreEdit | HookEvent::PlanEnd => "preToolUse",
            HookEvent::PostTool => "postToolUse",
            HookEvent::Stop => "agentStop",
            HookEvent::SessionStart => "sessionStart",
            HookEvent::PreCompact => "preCompact",
            HookEvent::Prompt => "userPromptSubmitted",
        },
        next_step: None,
        plan: Some(PlanHook {
            tool: "exit_plan_mode",
            source: plan_source,
        }),
        edit_tools: &["create", "edit", "insert", "str_replace"],
        place: HookPlace::OwnFile(hook_file),
        replies: ReplyForm::Flat,
        takes_text_at_compaction: false,
    },
    permissions: PERMISSIONS,
    server: ServerForm {
        format: ServerFormat::Json {
            dialect: Dialect::Comments,
            key: "mcpServers",
        },
        program: |command| command_and_args(command, json!({"type": "local", "tools": ["*"]})),
        address: |url| json!({"type": "http", "url": url, "tools": ["*"]}),
        variables: ENV_IN_BRACES,
    },
    settings: SETTINGS,
    package: Package {
        server: SERVER,
        marketplace: Some(".github/plugin/marketplace.json"),
        manifests: |text| {
            vec![
                ("plugin.json", text.plugin()),
                (".mcp.json", text.servers()),
            ]
        },
    },
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
        leftover_files: None,
    },
    next_steps,
    agents: AgentForm::Markdown(AGENT_KEYS),
    command_keys: &[],
    has_models_by_provider: false,
    listing_room: None,
};

// Copied from version 1.0.102, like the other lists. A built-in command hides a skill of the same
// name.
const BUILT_IN: Words = Words(
    "add-dir after agent allow-all app ask autopilot blame changelog chronicle clear compact \
     computer context copy cwd delegate diagnose diff env every exit experimental feedback fleet \
     footer fork help ide init instructions keep-alive limits list-dirs login logout lsp mcp \
     memory model move new permissions plan plugin pr refine remote rename research \
     reset-allowed-tools restart resume review rewind rubber-duck sandbox search security-review \
     session settings share skills statusline subagents subconscious tasks terminal-setup theme \
     update usage user version vim voice worktree",
);

const TOOLS: &[PowerTools] = &[
    (Power::Read, &["read", "search"]),
    (Power::Edit, &["edit"]),
    (Power::Run, &["execute"]),
    (Power::Network, &["web"]),
    (Power::Delegate, &["agent"]),
];

fn write_agent(agent: &Agent, names: &ToolNames) -> WrittenAgent {
    // Uses `agon-task`, the name that the model sees. Copilot reads `agon/task` as its own tool
    // `task` while the server does not offer `task`, and the agent could then start other agents.
    let name_of = |server: &str, tool: &str| match tool {
        EVERY => format!("{server}/{tool}"),
        _ => names.tool_name_on(server, tool),
    };
    let tools = allowed_tools(agent, TOOLS, names.server(), name_of);
    let skill = (!agent.skills.is_empty()).then(|| SKILL_TOOL.to_owned());
    let tools: Vec<_> = tools.into_iter().chain(skill).collect();
    let front = FrontMatter::default()
        .text("name", &agent.name)
        .text("description", &agent.description)
        .list("tools", &tools)
        .optional_text("model", agent.named_model())
        .non_empty_list("skills", &agent.skills);
    let own = &[
        model_outcome(agent, NO_CLASSES),
        (SourceField::Skills, FieldOutcome::Kept),
    ];
    WrittenAgent {
        file: format!("{}.agent.md", agent.name),
        text: front.with_body(&agent.body),
        fields: all_fields(agent, own, BY_TOOLS),
    }
}

// Given to agents with `skills`: those are in the prompt from the start, and the tool offers all
// skills of the session.
const SKILL_TOOL: &str = "skill";

// No network tools, because a session with the user's own model server does not offer them.
const OFFERED: &[PowerTools] = &[
    (Power::Read, &["view", "grep", "glob"]),
    (Power::Edit, &["create", "edit"]),
    (Power::Run, &["bash", "read_bash", "stop_bash", "list_bash"]),
    (
        Power::Delegate,
        &["task", "read_agent", "list_agents", "write_agent"],
    ),
];

fn offered_tools(agent: &Agent, names: &ToolNames, _is_joined: bool) -> Vec<String> {
    let listed = listed_tools(agent, OFFERED, names).into_iter();
    let skill = (!agent.skills.is_empty()).then(|| SKILL_TOOL.to_owned());
    listed.chain(skill).collect()
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    let (folder, servers) = match scope {
        Scope::User => (env.dir("COPILOT_HOME", ".copilot"), "mcp-config.json"),
        Scope::Project(project) => (project.join(".github"), "mcp.json"),
    };
    HostPaths::below(&folder, false, vec![folder.join(servers)])
        .with_hooks(folder.join("hooks/agon-team.json"))
}

// Includes names from other AI tools, which Copilot accepts in any case.
const ALL_TOOLS: Words = Words(
    "agent ask_user bash create edit execute fetch glob grep multiedit notebookedit notebookread \
     powershell read search shell skill task todo todowrite view web web_fetch webfetch websearch \
     write",
);

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
    optional("model", TEXT),
    optional("target", ValueShape::OneOf(&["vscode", "github-copilot"])),
    optional("mcp-servers", ValueShape::Map),
    optional("skills", ValueShape::TextOrTexts),
];

const SETTINGS: &[SettingsFile] = &[
    SettingsFile {
        names: &["mcp-config.json"],
        folder: None,
        is_known_anywhere: true,
        syntax: Syntax::Json(Dialect::Comments),
        checks: &[SettingsCheck::Servers("mcpServers", SERVER_KEYS)],
    },
    SettingsFile {
        names: &["mcp.json"],
        folder: None,
        is_known_anywhere: false,
        syntax: Syntax::Json(Dialect::Comments),
        checks: &[SettingsCheck::Servers("mcpServers", SERVER_KEYS)],
    },
];

/// Returns the plan of a session. Recorded from 1.0.102: the arguments have only a summary of it.
fn plan_source(call: &PlanCall<'_>) -> Option<PlanSource> {
    let file = || {
        let is_plain = |id: &&str| id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let session = call.session_id().filter(is_plain)?;
        let home = call.variable("COPILOT_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(Path::new(call.variable("HOME")?).join(".copilot")))?;
        let file = home.join("session-state").join(session).join("plan.md");
        file.is_file().then_some(PlanSource::File(file))
    };
    file().or_else(|| call.argument("summary").map(PlanSource::Text))
}

fn hook_file(program: &str, events: &[HookEvent]) -> String {
    let mut hooks = serde_json::Map::new();
    for &event in events {
        let mut hook = json!({
            "type": "command",
            "bash": command_line(program, HOST.name, event),
            "timeoutSec": event.timeout_ms() / 1_000,
        });
        if event == HookEvent::PlanEnd {
            hook["matcher"] = "exit_plan_mode".into();
        }
        let list = hooks
            .entry((HOST.hooks.event_name)(event))
            .or_insert_with(|| json!([]));
        if let Some(list) = list.as_array_mut() {
            list.push(hook);
        }
    }
    let file = json!({"version": 1, "hooks": hooks});
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

fn next_steps(scope: &Scope) -> Vec<String> {
    let mut steps = vec!["Restart Copilot CLI.".to_owned()];
    match scope {
        Scope::User => {}
        Scope::Project(_) => steps.push(
            "When it asks whether to trust this folder, say yes: otherwise it uses no server here."
                .to_owned(),
        ),
    }
    steps
        .push("It asks before each call. Without a terminal, pass `--allow-tool agon`.".to_owned());
    steps
}

const NO_FILE: FieldOutcome = NotEnforced("it takes permissions only as arguments at its start");
const SWITCHES: FieldOutcome = Translated("--deny-tool");

/// Arguments at its start. A denial wins over everything allowed.
const PERMISSIONS: PermissionForm = PermissionForm {
    abilities: SessionAbilities {
        user: Abilities::all(NO_FILE),
        project: Abilities::all(NO_FILE),
        member: Abilities::of_paths(
            Ability::new(NotEnforced("it reads without asking"), SEARCH, SEARCH),
            Ability::new(SWITCHES, SWITCHES, NO_EXCEPTIONS),
            NOT_OFFERED,
        ),
    },
    may_loosen: false,
    tools: &[(Power::Edit, &["write"])],
    can_say,
    can_except: None,
    write: write_switches,
    place: PermissionPlace::Nowhere,
    member: MemberForm::Arguments,
    member_place: "arguments passed to the member at its start",
    read: read_switches,
    wins: Wins::Strictest,
    seen_path: None,
};

/// Argument that denies a tool.
const DENY: &str = "--deny-tool";

fn can_say(glob: &Glob, scope: &PermissionScope<'_>) -> Result<(), GlobFault> {
    let path = glob.as_literal()?;
    scope.quotable_root(&['(', ')', ',', ':', '"', '\'', '\\'])?;
    if path.contains(['(', ')', ',', ':', '"', '\'']) {
        return Err(GlobFault("its arguments cannot quote the path"));
    }
    match glob.covers_below() {
        true => Err(GlobFault("its rules can name files but not folders")),
        false => Ok(()),
    }
}

fn write_switches(all: &[PowerRules], scope: &PermissionScope<'_>) -> String {
    let root = scope.root().map(|root| root.to_string_lossy());
    let root = root.unwrap_or_default();
    let mut args: Vec<Value> = Vec::new();
    let mut deny = |what: String| args.extend([DENY.into(), what.into()]);
    for held in all.iter().filter(|held| held.power == Power::Edit) {
        if held.base.is_some() {
            deny("write".to_owned());
        }
        for (_, glob) in &held.steps {
            let path = glob.as_literal().unwrap_or_default();
            deny(format!("write({root}/{path})"));
        }
    }
    Value::Array(args).to_string()
}

fn read_switches(text: &str, scope: &PermissionScope<'_>) -> Result<HostRules, PermissionsFault> {
    let args = read_arguments(text)?;
    let root = scope.root().map(|root| format!("{}/", root.display()));
    let root = root.unwrap_or_default();
    let mut read = HostRules::default();
    for pair in args.chunks(2) {
        let [switch, what] = pair else { continue };
        if switch != DENY {
            continue;
        }
        let path = what
            .strip_prefix("write(")
            .and_then(|rest| rest.strip_suffix(')'));
        let fits = match path.map(|path| path.strip_prefix(root.as_str())) {
            None => Fits::All,
            Some(Some(path)) => Fits::Path(path.to_owned()),
            Some(None) => continue,
        };
        read.push("write", PermissionEffect::Deny, fits);
    }
    Ok(read)
}
