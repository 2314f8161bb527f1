//! Claude Code.

use serde_json::{Map, Value, json};

use super::asks::{Asks, state_from_line};
use super::outcomes::{all_fields, model_outcome};
use super::powers::{BY_TOOLS, listed_tools};
use super::server::{ENV_IN_BRACES, command_and_args};
use super::settings::SERVER_KEYS;
use super::{
    AgentForm, CommandForm, EditBound, FrontMatter, Host, HostEnv, HostPaths, HostSign,
    ListingRoom, Package, Scope, ServerForm, SettingsCheck, SettingsFile, Syntax, ToolNames,
    WrittenAgent, tools_named,
};
use crate::content::Agent;
use crate::content::agent::{ModelClass, Power, PowerTools, tools_of};
use crate::edit::ServerFormat;
use crate::field::{FieldOutcome, SourceField};
use crate::hook::{HookEvent, HookForm, HookPlace, PlanHook, PlanSource, ReplyForm};
use crate::json::Dialect;
use crate::permit::abilities::{
    Abilities, Ability, NO_EXCEPTIONS, NOT_OFFERED, ROOT_UNKNOWN, SessionAbilities,
};
use crate::permit::form::{PermissionPlace, PowerRules};
use crate::permit::glob::Glob;
use crate::permit::rules::{Fits, HostRules, Wins, read_settings};
use crate::permit::{
    GlobFault, MemberForm, PermissionEffect, PermissionForm, PermissionScope, PermissionsFault,
};
use crate::shape::{FileKey, TEXT, ValueShape, Words, optional, required};

pub(super) const HOST: Host = Host {
    name: "claude",
    title: "Claude Code",
    program: "claude",
    process_names: &["claude", "claude.exe", "claude-agent-acp"],
    signs: &[HostSign {
        variable: "CLAUDECODE",
        session_variable: Some("CLAUDE_CODE_SESSION_ID"),
        rank: 0,
    }],
    variables: &[
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CONFIG_DIR",
    ],
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    state_folder: Some(".claude"),
    configuration: &[".claude", "CLAUDE.md"],
    folders: &[".claude", ".claude-plugin"],
    commands: CommandForm::Markdown {
        placeholder: "$ARGUMENTS",
        hint_key: Some("argument-hint"),
    },
    offers_skills_as_commands: true,
    built_in_commands: BUILT_IN,
    // A user's file replaces a built-in agent of the same name.
    built_in_agents: Words("claude Explore general-purpose Plan statusline-setup"),
    tool_name: |server, tool| format!("mcp__{server}__{tool}"),
    write_agent,
    offered_tools,
    // It passes the editing agent's type to a hook.
    bound_edits: |_, _| EditBound::ByHook,
    lacks: &[],
    places,
    hooks: HookForm {
        event_name: hook_event,
        next_step: None,
        // Recorded from 2.1.197: it adds the text from the file to the arguments.
        plan: Some(PlanHook {
            tool: "ExitPlanMode",
            source: |call| {
                let text = call.argument("plan").map(PlanSource::Text);
                text.or_else(|| Some(PlanSource::File(call.argument("planFilePath")?.into())))
            },
        }),
        edit_tools: &["Edit", "MultiEdit", "NotebookEdit", "Write"],
        place: HookPlace::Lists {
            also_matched: &[],
            time_unit_ms: 1_000,
        },
        replies: ReplyForm::Nested,
        // Claude Code passes the text to the model that writes the summary, and also displays it.
        takes_text_at_compaction: true,
    },
    permissions: PERMISSIONS,
    server: ServerForm {
        format: ServerFormat::Json {
            dialect: Dialect::Plain,
            key: "mcpServers",
        },
        program: |command| command_and_args(command, json!({"type": "stdio"})),
        address: |url| json!({"type": "http", "url": url}),
        variables: ENV_IN_BRACES,
    },
    settings: SETTINGS,
    package: Package {
        // Claude Code prefixes the servers of a plugin with the name of the plugin.
        server: "plugin_agon_agon",
        marketplace: Some(".claude-plugin/marketplace.json"),
        manifests: |text| {
            vec![
                (".claude-plugin/plugin.json", text.plugin()),
                (".mcp.json", text.servers()),
            ]
        },
    },
    asks: Asks {
        server_args: &["mcp", "list"],
        read_server: state_from_line,
        // Claude Code lists skills only inside a session.
        skill_args: None,
        lists_skill: |_, _| false,
        leftover_files: None,
    },
    next_steps,
    agents: AgentForm::Markdown(AGENT_KEYS),
    command_keys: COMMAND_KEYS,
    has_models_by_provider: false,
    listing_room: Some(ListingRoom {
        window: 200_000,
        percent: 1,
    }),
};

// Copied from version 2.1.197, like the other lists. A user's file hides a built-in command of the
// same name.
const BUILT_IN: Words = Words(
    "add-dir advisor agents autocompact background batch branch brief btw cd claude-api clear \
     code-review color compact config context copy debug deep-research diff effort exit export \
     fast feedback fewer-permission-prompts focus fork goal heapdump help hooks ide init insights \
     install keybindings login logout loop loops mcp memory mobile model permissions plan plugin \
     powerup recap reload-plugins reload-skills remote-control rename resume review run \
     run-skill-generator security-review session simplify skills status statusline stop tasks \
     team-onboarding teleport terminal-setup theme tui ultraplan ultrareview update update-config \
     upgrade usage verify version voice workflows",
);

const TOOLS: &[PowerTools] = &[
    (Power::Read, &["Read", "Grep", "Glob"]),
    (Power::Edit, &["Edit", "Write"]),
    (Power::Run, &["Bash"]),
    (Power::Network, &["WebFetch", "WebSearch"]),
    (Power::Delegate, &["Task"]),
];

fn write_agent(agent: &Agent, names: &ToolNames) -> WrittenAgent {
    let model = match (agent.named_model(), &agent.model_name, agent.model) {
        (Some(name), ..) => name,
        (None, Some(_), _) | (None, None, ModelClass::Standard) => "inherit",
        (None, None, ModelClass::Fast) => "haiku",
        (None, None, ModelClass::Strong) => "opus",
    };
    let front = FrontMatter::default()
        .text("name", &agent.name)
        .text("description", &agent.description)
        .text("tools", &all_tools(agent, names).join(", "))
        .text("model", model)
        .non_empty_list("skills", &agent.skills);
    let own = &[
        model_outcome(
            agent,
            FieldOutcome::Translated("model: haiku, inherit or opus"),
        ),
        // Version 2.1.197 accepts a key `effort` but ignores it and uses the effort of the session.
        (
            SourceField::Effort,
            FieldOutcome::NotEnforced("an agent uses the effort of its session"),
        ),
        (SourceField::Skills, FieldOutcome::Kept),
    ];
    WrittenAgent {
        file: format!("{}.md", agent.name),
        text: front.with_body(&agent.body),
        fields: all_fields(agent, own, BY_TOOLS),
    }
}

// Given to agents with `skills`: those are in the prompt from the start, and the tool also offers
// the other skills of the session. A forked skill does not get tools that the agent lacks.
const SKILL_TOOL: &str = "Skill";

/// Returns the tools for an agent's file.
fn all_tools(agent: &Agent, names: &ToolNames) -> Vec<String> {
    let listed = listed_tools(agent, TOOLS, names).into_iter();
    let skill = (!agent.skills.is_empty()).then(|| SKILL_TOOL.to_owned());
    listed.chain(skill).collect()
}

fn offered_tools(agent: &Agent, names: &ToolNames, _is_joined: bool) -> Vec<String> {
    let as_offered = |tool: String| match tool.as_str() {
        // Claude Code accepts both names but offers the newer one.
        "Task" => "Agent".to_owned(),
        _ => tool,
    };
    let listed = all_tools(agent, names).into_iter();
    // An agent with a shell is not offered search tools, because it searches with commands.
    let runs = agent.may.contains(&Power::Run);
    let is_offered = |tool: &String| !(runs && ["Grep", "Glob"].contains(&tool.as_str()));
    listed.filter(is_offered).map(as_offered).collect()
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    let (folder, servers) = match scope {
        Scope::User => {
            // `.claude.json` is inside the folder if the variable is set, else next to the folder.
            let beside = env.folder_from_variable("CLAUDE_CONFIG_DIR");
            let servers = beside.unwrap_or_else(|| env.home.clone());
            let folder = env.dir("CLAUDE_CONFIG_DIR", ".claude");
            (folder, servers.join(".claude.json"))
        }
        Scope::Project(project) => (project.join(".claude"), project.join(".mcp.json")),
    };
    let settings = folder.join("settings.json");
    HostPaths::below(&folder, true, vec![servers])
        .with_hooks(settings.clone())
        .with_permissions(Some(settings))
}

// Including old names that it still accepts.
const ALL_TOOLS: Words = Words(
    "Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EnterPlanMode \
     EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LS LSP \
     ListMcpResourcesTool Monitor MultiEdit NotebookEdit NotebookRead PowerShell Read \
     ReadMcpResourceTool SendMessage Skill SlashCommand StructuredOutput Task TaskCreate TaskGet \
     TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite ToolSearch \
     WebFetch WebSearch Write",
);

fn tools_fault(value: &Value) -> Option<String> {
    let shape = ValueShape::TextOrTexts.fault(value);
    shape.or_else(|| {
        tools_named::fault(value, HOST.title, ALL_TOOLS, |name| {
            name.starts_with("mcp__")
        })
    })
}

// Taken from Claude Code's own validator and documentation.
const AGENT_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", TEXT),
    optional("tools", ValueShape::Custom(tools_fault)),
    optional("disallowedTools", ValueShape::Custom(tools_fault)),
    optional("model", TEXT),
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
    optional("argument-hint", TEXT),
    optional("allowed-tools", ValueShape::Custom(tools_fault)),
    optional("model", TEXT),
    optional("disable-model-invocation", ValueShape::Bool),
    optional("agent", ValueShape::Slug),
    optional("context", ValueShape::OneOf(&["fork"])),
];

const SETTINGS: &[SettingsFile] = &[
    SettingsFile {
        names: &[".mcp.json", ".claude.json"],
        folder: None,
        is_known_anywhere: true,
        syntax: Syntax::Json(Dialect::Plain),
        checks: &[SettingsCheck::Servers("mcpServers", SERVER_KEYS)],
    },
    SettingsFile {
        names: &["settings.json", "settings.local.json"],
        folder: None,
        is_known_anywhere: false,
        syntax: Syntax::Json(Dialect::Plain),
        checks: &[
            SettingsCheck::NotRead(
                "mcpServers",
                "servers are read from .mcp.json and ~/.claude.json, not from this file",
            ),
            SettingsCheck::Hooks(EVENTS),
        ],
    },
    // In a plugin.
    SettingsFile {
        names: &["hooks.json"],
        folder: Some("hooks"),
        is_known_anywhere: true,
        syntax: Syntax::Json(Dialect::Plain),
        checks: &[SettingsCheck::Hooks(EVENTS)],
    },
];

const EVENTS: Words = Words(
    "ConfigChange CwdChanged Elicitation ElicitationResult FileChanged InstructionsLoaded \
     Notification PermissionDenied PermissionRequest PostCompact PostToolUse PostToolUseFailure \
     PreCompact PreToolUse SessionEnd SessionStart Setup Stop StopFailure SubagentStart \
     SubagentStop TaskCompleted TaskCreated TeammateIdle UserPromptSubmit WorktreeCreate \
     WorktreeRemove",
);

/// Returns the name of an event; Codex uses the same names.
pub(super) const fn hook_event(event: HookEvent) -> &'static str {
    match event {
        HookEvent::PreEdit | HookEvent::PlanEnd => "PreToolUse",
        HookEvent::PostTool => "PostToolUse",
        HookEvent::Stop => "Stop",
        HookEvent::SessionStart => "SessionStart",
        HookEvent::PreCompact => "PreCompact",
        HookEvent::Prompt => "UserPromptSubmit",
    }
}

fn next_steps(scope: &Scope) -> Vec<String> {
    let mut steps = vec!["Restart Claude Code.".to_owned()];
    match scope {
        Scope::User => {}
        Scope::Project(_) => {
            steps.push("When it asks whether to use this project's server, say yes.".to_owned())
        }
    }
    steps.push("It asks before the first call of each tool. Without a terminal, pass `--allowedTools mcp__agon`.".to_owned());
    steps
}

const LISTS: FieldOutcome = FieldOutcome::Translated("permissions.deny and permissions.ask");
const NARROWED: FieldOutcome = FieldOutcome::Translated("permissions.allow, narrowed");

/// Lists of rules: deny wins over ask, and ask over allow.
const PERMISSIONS: PermissionForm = PermissionForm {
    abilities: SessionAbilities {
        user: Abilities::of_paths(
            Ability::new(LISTS, ROOT_UNKNOWN, NO_EXCEPTIONS),
            Ability::new(LISTS, ROOT_UNKNOWN, NO_EXCEPTIONS),
            LISTS,
        ),
        project: Abilities::of_paths(
            Ability::new(LISTS, LISTS, NO_EXCEPTIONS),
            Ability::new(LISTS, LISTS, NO_EXCEPTIONS),
            LISTS,
        ),
        member: Abilities::of_paths(
            Ability::new(LISTS, LISTS, NO_EXCEPTIONS),
            Ability::new(LISTS, LISTS, NARROWED),
            NOT_OFFERED,
        ),
    },
    may_loosen: false,
    tools: &[
        (Power::Read, &["Read", "Grep", "Glob"]),
        (Power::Edit, &["Edit", "Write", "NotebookEdit"]),
        (Power::Run, &["Bash"]),
        (Power::Network, &["WebFetch", "WebSearch"]),
        (Power::Delegate, &["Task"]),
    ],
    can_say,
    can_except: Some(|glob: &Glob, _: &PermissionScope<'_>| glob.can_except()),
    write: write_lists,
    place: PermissionPlace::Lists("permissions"),
    member: MemberForm::Settings,
    member_place: "a file for this member, passed at its start",
    read: read_lists,
    wins: Wins::Strictest,
    seen_path: None,
};

fn can_say(glob: &Glob, scope: &PermissionScope<'_>) -> Result<(), GlobFault> {
    if let PermissionScope::Part(_) = scope {
        return Err(GlobFault(
            "its rules start at the project's folder, but the policy's at the repository's",
        ));
    }
    scope.quotable_root(&['(', ')', '\\', '*', '?', '[', ']', '!', ',', '"'])?;
    glob.as_gitignore_line().map(drop)
}

/// Returns the prefix that anchors a glob at the folder.
fn root_of(scope: &PermissionScope<'_>) -> String {
    match scope {
        // Relative to the session's working directory.
        PermissionScope::User => "./".to_owned(),
        // Relative to the folder of the settings.
        PermissionScope::Project(_) | PermissionScope::Part(_) => "/".to_owned(),
        PermissionScope::Member(root) => {
            let root = root.to_string_lossy();
            format!("//{}/", root.trim_matches('/'))
        }
    }
}

fn write_lists(all: &[PowerRules], scope: &PermissionScope<'_>) -> String {
    let mut lists: Map<String, Value> = Map::new();
    let mut add = |effect: PermissionEffect, rule: String| {
        let list = lists
            .entry(effect.name())
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Some(list) = list.as_array_mut() {
            list.push(Value::String(rule));
        }
    };
    let root = root_of(scope);
    for held in all {
        let has_exceptions = held
            .steps
            .iter()
            .any(|(effect, _)| *effect == PermissionEffect::Allow);
        // With exceptions, the base needs no rule: Claude Code asks about anything that no list
        // covers, and for a member asking means refusing.
        if let Some(base) = held.base
            && !has_exceptions
        {
            for tool in tools_of(PERMISSIONS.tools, held.power) {
                add(base, (*tool).to_owned());
            }
        }
        for (effect, glob) in &held.steps {
            let glob = glob.as_gitignore_line().unwrap_or_default();
            // One rule for `Edit` covers every editing tool, and one for `Read` every reading tool.
            let tool = match held.power {
                Power::Edit => "Edit",
                Power::Read | Power::Run | Power::Network | Power::Delegate => "Read",
            };
            add(*effect, format!("{tool}({root}{glob})"));
        }
    }
    json!({ "permissions": lists }).to_string()
}

fn read_lists(text: &str, scope: &PermissionScope<'_>) -> Result<HostRules, PermissionsFault> {
    let mut read = HostRules::default();
    let settings = read_settings(text)?;
    let lists = settings.get("permissions").and_then(Value::as_object);
    let root = root_of(scope);
    for (list, rules) in lists.into_iter().flatten() {
        let Some(effect) = PermissionEffect::find(list) else {
            continue;
        };
        let rules = rules
            .as_array()
            .ok_or_else(|| PermissionsFault::new("a list of rules is not a list"))?;
        for rule in rules.iter().filter_map(Value::as_str) {
            let (tool, fits) = match rule.split_once('(') {
                None => (rule, Fits::All),
                Some((tool, rest)) => {
                    let glob = rest.strip_suffix(')');
                    match glob.and_then(|glob| glob.strip_prefix(root.as_str())) {
                        Some(glob) => (tool, Fits::ignored(glob)?),
                        // The rule is for another folder.
                        None => continue,
                    }
                }
            };
            read.is_narrowed |=
                scope.is_member() && effect == PermissionEffect::Allow && tool == "Edit";
            read.push(tool, effect, fits);
        }
    }
    Ok(read)
}
