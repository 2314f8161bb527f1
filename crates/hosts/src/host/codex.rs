//! Codex.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::asks::{Asks, ServerState};
use super::claude::hook_event;
use super::outcomes::{common_fields, model_outcome};
use super::powers::EVERY;
use super::server::{ServerVariables, command_and_args};
use super::{
    AgentForm, CommandForm, EditBound, HOSTS, Host, HostEnv, HostPaths, HostSign, ListingRoom,
    Package, SERVER, Scope, ServerForm, SettingsCheck, SettingsFile, Syntax, ToolNames,
    WrittenAgent,
};
use crate::content::Agent;
use crate::content::agent::{Effort, ModelClass, Power, SERVER_TOOLS, TEAM_TOOLS};
use crate::edit::ServerFormat;
use crate::field::FieldOutcome::{self, NotEnforced, Translated};
use crate::field::SourceField;
use crate::hook::{HookForm, HookPlace, ReplyForm};
use crate::json::Dialect;
use crate::permit::abilities::{Abilities, Ability, NO_NETWORK, NOT_OFFERED, SessionAbilities};
use crate::permit::form::{PermissionPlace, PowerRules};
use crate::permit::glob::Glob;
use crate::permit::rules::{Fits, HostRules, Wins, is_below, read_arguments};
use crate::permit::{
    GlobFault, MemberForm, PermissionEffect, PermissionForm, PermissionScope, PermissionsFault,
};
use crate::shape::{FileKey, TEXT, ValueShape, Words, optional, required};

pub(super) const HOST: Host = Host {
    name: "codex",
    title: "Codex",
    program: "codex",
    process_names: &["codex", "codex.js", "codex-acp"],
    signs: &[
        HostSign {
            variable: "CODEX_THREAD_ID",
            session_variable: Some("CODEX_THREAD_ID"),
            rank: 4,
        },
        HostSign {
            variable: "CODEX_SANDBOX",
            session_variable: None,
            rank: 4,
        },
    ],
    variables: &["CODEX_HOME", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
    project_variable: None,
    state_folder: Some(".codex"),
    configuration: &[".codex", "AGENTS.md"],
    folders: &[".codex", ".codex-plugin"],
    commands: CommandForm::Skill,
    offers_skills_as_commands: true,
    built_in_commands: BUILT_IN,
    // Names to avoid, because a user's file replaces a built-in agent of the same name.
    built_in_agents: Words("default explorer worker"),
    // The model sees plain tool names, because Codex puts them into the namespace `mcp__agon`.
    tool_name: |_server, tool| tool.to_owned(),
    write_agent,
    offered_tools,
    bound_edits: |_, _| {
        EditBound::Nothing(
            "its hooks run only after the user trusts them, and it has no rules for files",
        )
    },
    lacks: &[Power::Delegate],
    places,
    hooks: HookForm {
        event_name: hook_event,
        next_step: Some("Type /hooks and trust Agon's hooks: they do not run before that."),
        // Its plan mode ends with an answer, and no tool of the model ends it.
        plan: None,
        edit_tools: &["Edit", "Write", "apply_patch"],
        place: HookPlace::Lists {
            // The model also applies patches with a shell command, which a hook sees as `Bash`.
            also_matched: &["Bash"],
            time_unit_ms: 1_000,
        },
        replies: ReplyForm::Nested,
        takes_text_at_compaction: false,
    },
    permissions: PERMISSIONS,
    server: ServerForm {
        format: ServerFormat::Toml {
            table: "mcp_servers",
        },
        program: |command| command_and_args(command, json!({})),
        address: |url| json!({"url": url}),
        variables: ServerVariables::Names {
            key: "env_vars",
            token_key: "bearer_token_env_var",
            own: own_variables,
        },
    },
    settings: SETTINGS,
    package: Package {
        server: SERVER,
        marketplace: Some(".agents/plugins/marketplace.json"),
        manifests: |text| {
            let mut plugin = text.plugin();
            plugin["skills"] = "./skills/".into();
            plugin["mcpServers"] = "./.mcp.json".into();
            vec![
                (".codex-plugin/plugin.json", plugin),
                (".mcp.json", text.servers()),
            ]
        },
    },
    asks: Asks {
        // This command prints the input of the model, with the skills and the servers that
        // answered.
        server_args: &["debug", "prompt-input"],
        read_server: |list| match list.contains("mcp__agon") {
            true => ServerState::Connected,
            false => ServerState::Missing,
        },
        skill_args: Some(&["debug", "prompt-input"]),
        lists_skill: |list, name| list.contains(&format!("\\n- {name}: ")),
        leftover_files: None,
    },
    next_steps,
    agents: AgentForm::Toml(AGENT_KEYS),
    command_keys: &[],
    has_models_by_provider: false,
    listing_room: Some(ListingRoom {
        window: 272_000,
        percent: 2,
    }),
};

/// Returns the variables to pass to Agon's server. Codex passes on only named variables; without these
/// the tools of a debate would seem logged out or look for their files elsewhere.
fn own_variables() -> Vec<&'static str> {
    const OF_ALL: [&str; 6] = [
        "HTTPS_PROXY",
        "NO_PROXY",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
    ];
    let of_hosts = HOSTS.iter().flat_map(|host| host.variables).copied();
    let sorted: BTreeSet<_> = of_hosts.chain(OF_ALL).collect();
    let of_agon = ["AGON_CONFIG_DIR", "AGON_MODELS_DIR", "AGON_DEPTH"];
    of_agon.into_iter().chain(sorted).collect()
}

// Copied from version 0.169.0, like the other lists. It includes built-in skills.
const BUILT_IN: Words = Words(
    "agents approve archive btw cd clear compact config copy daemon delete diff exit experimental \
     export feedback fork goal hooks ide imagegen import init keymap logout mcp memories mention \
     model new openai-docs permissions pets plan plugins presets ps pwd quit raw recap rename \
     resume review review-agent side skill-creator skill-installer skills status statusline stop \
     subagents theme title tui vim voice warnings worktree",
);

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
    // Written although version 0.169.0 ignores it and runs the agent in the sandbox of its session.
    if !agent.may.contains(&Power::Edit) {
        lines.push_str("sandbox_mode = \"read-only\"\n");
    }
    lines.push_str(&format!(
        "developer_instructions = {}\n",
        multi_line_string(&agent.body)
    ));
    let shell = NotEnforced("an agent reads files and runs commands through the same shell");
    let mut fields = common_fields(&[
        (SourceField::Body, Translated("developer_instructions")),
        model_outcome(agent, Translated("model_reasoning_effort")),
        (SourceField::Effort, Translated("model_reasoning_effort")),
        (SourceField::Skills, Translated("the skills of its session")),
    ]);
    fields.extend([
        (SourceField::Power(Power::Read), shell),
        (
            SourceField::Power(Power::Edit),
            NotEnforced("an agent runs in the sandbox of its session"),
        ),
        (SourceField::Power(Power::Run), shell),
        (
            SourceField::Power(Power::Network),
            NotEnforced("web search can be set only for the session"),
        ),
        (
            SourceField::Power(Power::Delegate),
            NotEnforced("delegation can be set only for the session"),
        ),
        (
            SourceField::AgonTools,
            NotEnforced("an agent gets every server of its session"),
        ),
    ]);
    WrittenAgent {
        file: format!("{}.toml", agent.name),
        text: lines,
        fields,
    }
}

/// Returns `text` as a multi-line TOML string, or as one line with escapes if it contains `'''`.
fn multi_line_string(text: &str) -> String {
    match text.contains("'''") {
        false => format!("'''\n{text}\n'''"),
        true => toml::Value::from(text).to_string(),
    }
}

// Without tools that start agents: a session is offered those, but its agents are not.
const OFFERED: Words = Words(
    "exec_command write_stdin list_mcp_resources list_mcp_resource_templates read_mcp_resource \
     request_user_input view_image get_goal create_goal update_goal web_search",
);

/// Returns the tools of the session, which an agent is offered whatever its permissions.
fn offered_tools(agent: &Agent, names: &ToolNames, is_joined: bool) -> Vec<String> {
    let own = OFFERED.iter().map(str::to_owned);
    let team = if is_joined { TEAM_TOOLS } else { &[] };
    let agon = SERVER_TOOLS.iter().chain(team);
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
    required("description", TEXT),
    required("developer_instructions", TEXT),
    optional("model", TEXT),
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

const SERVER_KEYS: &[FileKey] = &[
    optional("command", TEXT),
    optional("args", ValueShape::Texts),
    optional("env", ValueShape::TextMap),
    optional("env_vars", ValueShape::Any),
    optional("cwd", TEXT),
    optional("url", TEXT),
    optional("bearer_token_env_var", TEXT),
    optional("http_headers", ValueShape::TextMap),
    optional("env_http_headers", ValueShape::TextMap),
    optional("startup_timeout_sec", ValueShape::Number(0.0, 86_400.0)),
    optional("startup_timeout_ms", ValueShape::Count),
    optional("tool_timeout_sec", ValueShape::Number(0.0, 86_400.0)),
    optional("enabled", ValueShape::Bool),
    optional("required", ValueShape::Bool),
    optional("supports_parallel_tool_calls", ValueShape::Bool),
    optional(
        "default_tools_approval_mode",
        ValueShape::OneOf(&["auto", "prompt", "approve"]),
    ),
    optional("enabled_tools", ValueShape::Texts),
    optional("disabled_tools", ValueShape::Texts),
    optional("scopes", ValueShape::Texts),
    optional("oauth_resource", TEXT),
    optional("tools", ValueShape::Map),
];

const SETTINGS: &[SettingsFile] = &[
    SettingsFile {
        names: &["config.toml"],
        folder: None,
        is_known_anywhere: false,
        syntax: Syntax::Toml,
        checks: &[SettingsCheck::Servers("mcp_servers", SERVER_KEYS)],
    },
    // The server file of a plugin.
    SettingsFile {
        names: &[".mcp.json"],
        folder: None,
        is_known_anywhere: false,
        syntax: Syntax::Json(Dialect::Plain),
        checks: &[SettingsCheck::Servers("mcpServers", SERVER_KEYS)],
    },
];

fn next_steps(scope: &Scope) -> Vec<String> {
    let mut steps = vec!["Restart Codex.".to_owned()];
    match scope {
        Scope::User => {}
        Scope::Project(_) => steps.push(
            "When it asks whether to trust this project, say yes: otherwise it uses no server here."
                .to_owned(),
        ),
    }
    steps.push("It asks before each call. Without a terminal, pass `-c mcp_servers.agon.default_tools_approval_mode=\"approve\"`.".to_owned());
    steps
}

const PROFILE: FieldOutcome = Translated("a permission profile");
const SANDBOX: FieldOutcome =
    NotEnforced("its sandbox is a choice for the whole session, which a policy must not override");
const HAS_TO_READ: FieldOutcome =
    NotEnforced("it runs system programs, which it must be able to read");

/// A permission profile, which the system's sandbox enforces for programs and patches. The longest
/// path above a file decides.
const PERMISSIONS: PermissionForm = PermissionForm {
    abilities: SessionAbilities {
        user: Abilities::all(SANDBOX),
        project: Abilities::all(SANDBOX),
        member: Abilities {
            read: Ability::new(HAS_TO_READ, PROFILE, HAS_TO_READ),
            edit: Ability::all(PROFILE),
            run: NotEnforced("it reads and edits through a shell"),
            network: NO_NETWORK,
            delegate: NOT_OFFERED,
        },
    },
    may_loosen: false,
    tools: &[(Power::Read, &["read"]), (Power::Edit, &["write"])],
    can_say: |glob: &Glob, _: &PermissionScope<'_>| glob.as_literal().map(drop),
    can_except: Some(can_except),
    write: write_profile,
    place: PermissionPlace::Nowhere,
    member: MemberForm::Arguments,
    member_place: "arguments passed to the member at its start",
    read: read_profile,
    wins: Wins::Longest,
    seen_path: None,
};

// Only folders can be exceptions: Codex protects `.git` and similar folders below a writable path,
// and it does not start if that path is a file (measured).
fn can_except(glob: &Glob, scope: &PermissionScope<'_>) -> Result<(), GlobFault> {
    let path = glob.as_literal()?;
    match scope.root().is_some_and(|root| root.join(path).is_dir()) {
        true => Ok(()),
        false => Err(GlobFault(
            "it can make exceptions only for existing folders",
        )),
    }
}

/// The name of the profile.
const PROFILE_NAME: &str = "team";

/// Access to a file, from most to least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    Write,
    Read,
    Deny,
}

impl Access {
    const fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Read => "read",
            Self::Deny => "deny",
        }
    }
}

fn write_profile(all: &[PowerRules], _: &PermissionScope<'_>) -> String {
    let of = |power| all.iter().find(move |held| held.power == power);
    let mut paths: BTreeMap<&str, Access> = BTreeMap::new();
    let mut restrict = |path, access: Access| {
        let known = paths.entry(path).or_insert(access);
        *known = access.max(*known);
    };
    let mut exceptions: Vec<&str> = Vec::new();
    for (effect, glob) in of(Power::Edit).into_iter().flat_map(|held| &held.steps) {
        match (effect, glob.as_literal()) {
            (PermissionEffect::Allow, Ok(path)) => exceptions.push(path),
            (_, Ok(path)) => restrict(path, Access::Read),
            (_, Err(_)) => {}
        }
    }
    for (_, glob) in of(Power::Read).into_iter().flat_map(|held| &held.steps) {
        if let Ok(path) = glob.as_literal() {
            restrict(path, Access::Deny);
        }
    }
    // The longest path decides, so drop a path that allows more than a path above it.
    let strict = paths.clone();
    let least_above = |path: &str| {
        let above = strict.iter().filter(|(other, _)| is_below(path, other));
        above.map(|(_, access)| *access).max()
    };
    paths.retain(|path, access| least_above(path).is_none_or(|least| *access >= least));
    for path in exceptions {
        if least_above(path).is_none() && !paths.contains_key(path) {
            paths.insert(path, Access::Write);
        }
    }
    let base = of(Power::Edit).and_then(|held| held.base);
    let whole = match base {
        Some(_) => Access::Read,
        None => Access::Write,
    };
    let mut roots = serde_json::Map::new();
    roots.insert(".".to_owned(), whole.name().into());
    for (path, access) in paths {
        roots.insert(path.to_owned(), access.name().into());
    }
    arguments(&Value::Object(roots))
}

/// Returns the arguments that set the profile, as a JSON list.
fn arguments(roots: &Value) -> String {
    let inline = |value: &Value| -> String {
        let pairs = value.as_object().into_iter().flatten();
        let pairs = pairs.map(|(path, access)| format!("{}={access}", Value::from(path.as_str())));
        pairs.collect::<Vec<_>>().join(",")
    };
    let profile = format!(
        "permissions.{PROFILE_NAME}={{filesystem={{\":root\"=\"read\",\":workspace_roots\"={{{}}}}},network={{enabled=false}}}}",
        inline(roots)
    );
    json!([
        "-c",
        profile,
        "-c",
        format!("default_permissions={PROFILE_NAME}")
    ])
    .to_string()
}

fn read_profile(text: &str, _: &PermissionScope<'_>) -> Result<HostRules, PermissionsFault> {
    let args = read_arguments(text)?;
    let settings: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|arg| *arg != "-c")
        .collect();
    let bare = format!("default_permissions={PROFILE_NAME}");
    let quoted = format!("default_permissions=\"{PROFILE_NAME}\"");
    let whole: toml::Table = toml::from_str(&settings.join("\n").replace(&bare, &quoted))
        .map_err(PermissionsFault::new)?;
    let name = whole
        .get("default_permissions")
        .and_then(toml::Value::as_str);
    let profile = whole.get("permissions").and_then(|all| all.get(name?));
    let files = profile.and_then(|profile| profile.get("filesystem"));
    let roots = files.and_then(|files| files.get(":workspace_roots"));
    let roots = roots.and_then(toml::Value::as_table);
    let mut rules = HostRules::default();
    for (path, access) in roots.into_iter().flatten() {
        let (read, write) = match access.as_str().unwrap_or_default() {
            "write" => (PermissionEffect::Allow, PermissionEffect::Allow),
            "read" => (PermissionEffect::Allow, PermissionEffect::Deny),
            _ => (PermissionEffect::Deny, PermissionEffect::Deny),
        };
        for (tool, effect) in [("read", read), ("write", write)] {
            let fits = match path.as_str() {
                "." => Fits::All,
                path => Fits::Below(path.to_owned()),
            };
            rules.push(tool, effect, fits);
        }
    }
    Ok(rules)
}
