//! OpenCode.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::asks::{Asks, ServerState};
use super::outcomes::{NO_CLASSES, all_fields, model_outcome};
use super::powers::{BY_PERMISSION, listed_tools};
use super::server::ServerVariables;
use super::{
    AgentForm, CommandForm, EditBound, FrontMatter, Host, HostEnv, HostPaths, HostSign, Package,
    SERVER, Scope, ServerForm, SettingsCheck, SettingsFile, Syntax, ToolNames, WrittenAgent,
};
use crate::content::Agent;
use crate::content::agent::{Power, PowerTools, tools_of};
use crate::edit::ServerFormat;
use crate::field::{FieldOutcome, SourceField};
use crate::hook::{HookEvent, HookForm, HookPlace, ReplyForm, TIMEOUT_MS};
use crate::json::Dialect;
use crate::permit::abilities::{Abilities, Ability, NOT_OFFERED, SEARCH, SessionAbilities};
use crate::permit::form::{PermissionPlace, PowerRules};
use crate::permit::glob::Glob;
use crate::permit::rules::{Fits, HostRules, Wins, read_settings};
use crate::permit::{
    MemberForm, PermissionEffect, PermissionForm, PermissionScope, PermissionsFault,
};
use crate::shape::{FileKey, TEXT, ValueShape, Words, optional, required};

pub(super) const HOST: Host = Host {
    name: "opencode",
    title: "OpenCode",
    program: "opencode",
    process_names: &["opencode", "opencode.exe"],
    signs: &[HostSign {
        variable: "OPENCODE",
        session_variable: None,
        rank: 2,
    }],
    variables: &[],
    project_variable: None,
    state_folder: Some(".opencode"),
    configuration: &[".opencode", "AGENTS.md"],
    folders: &[".opencode", "opencode"],
    commands: CommandForm::Markdown {
        placeholder: "$ARGUMENTS",
        hint_key: None,
    },
    offers_skills_as_commands: false,
    built_in_commands: BUILT_IN,
    // Names to avoid, because a user's file is merged over a built-in agent of the same name.
    built_in_agents: Words("build compaction explore general plan summary title"),
    tool_name: |server, tool| format!("{server}_{tool}"),
    write_agent,
    offered_tools,
    bound_edits: |_, _| EditBound::InFile("permission: edit, by file"),
    // OpenCode refuses a sub-agent's call of `task` unless the user sets `subagent_depth`.
    lacks: &[Power::Delegate],
    places,
    hooks: HookForm {
        event_name: |event| match event {
            HookEvent::PreEdit => "tool.execute.before",
            HookEvent::PostTool => "tool.execute.after",
            HookEvent::PreCompact => "experimental.session.compacting",
            HookEvent::Prompt => "chat.message",
            // Plugins cannot refuse or extend these events, so no hook is installed for them.
            HookEvent::Stop | HookEvent::SessionStart | HookEvent::PlanEnd => "",
        },
        next_step: None,
        // The user ends plan mode by choosing another agent. The tool `plan_exit` is offered only
        // with OPENCODE_EXPERIMENTAL_PLAN_MODE.
        plan: None,
        edit_tools: &["apply_patch", "edit", "multiedit", "patch", "write"],
        place: HookPlace::OwnFile(plugin),
        replies: ReplyForm::Plugin,
        takes_text_at_compaction: false,
    },
    permissions: PERMISSIONS,
    server: ServerForm {
        format: ServerFormat::Json {
            dialect: Dialect::CommentsAndCommas,
            key: "mcp",
        },
        program: |command| json!({"type": "local", "command": command}),
        address: |url| json!({"type": "remote", "url": url}),
        variables: ServerVariables::Map {
            key: "environment",
            value: |name| format!("{{env:{name}}}"),
        },
    },
    settings: SETTINGS,
    package: Package {
        server: SERVER,
        marketplace: None,
        manifests: |text| vec![("opencode.json", json!({"mcp": {SERVER: text.entry}}))],
    },
    asks: Asks {
        server_args: &["mcp", "list"],
        read_server: read_server_list,
        skill_args: Some(&["debug", "skill"]),
        lists_skill: |list, name| list.contains(&format!("\"name\": \"{name}\"")),
        leftover_files: None,
    },
    next_steps: |_| vec!["Restart OpenCode.".to_owned()],
    agents: AgentForm::Markdown(AGENT_KEYS),
    command_keys: COMMAND_KEYS,
    has_models_by_provider: true,
    listing_room: None,
};

// Copied from version 1.18.33, like the other lists.
const BUILT_IN: Words = Words(
    "agents clear compact connect continue copy customize-opencode debug diff editor exit export \
     fork help init mcps models move new org quit redo rename resume review sessions share skills \
     status summarize themes thinking timeline timestamps undo unshare variants warp workspaces",
);

const TOOLS: &[PowerTools] = &[
    (Power::Read, &["read", "grep", "glob", "list"]),
    (Power::Edit, &["edit"]),
    (Power::Run, &["bash"]),
    (Power::Network, &["webfetch", "websearch"]),
    (Power::Delegate, &["task"]),
];

fn write_agent(agent: &Agent, names: &ToolNames) -> WrittenAgent {
    // The last matching rule wins, so everything is denied first.
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
        .text("mode", "subagent")
        .optional_text("model", agent.named_model())
        .temperature(agent.temperature)
        .map("permission", &permission);
    let allowed_below = |front: FrontMatter, key: &str, own: &[String]| {
        if own.is_empty() {
            return front;
        }
        // The last match wins here too, so deny everything first.
        let all = [("*".to_owned(), "deny".to_owned())].into_iter();
        let own = own.iter().map(|name| (name.clone(), "allow".to_owned()));
        front.nested_map(key, &all.chain(own).collect::<Vec<_>>())
    };
    let front = allowed_below(front, "edit", &agent.edit_only);
    let front = allowed_below(front, "skill", &agent.skills);
    let own = &[
        (SourceField::Name, FieldOutcome::Translated("its file name")),
        (
            SourceField::Skills,
            FieldOutcome::Translated("permission: skill, by name"),
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

// These are names of tools. `TOOLS` has the names of permissions, which differ.
const OFFERED: &[PowerTools] = &[
    (Power::Read, &["read", "grep", "glob"]),
    (Power::Edit, &["edit", "write"]),
    (Power::Run, &["bash"]),
    (Power::Network, &["webfetch"]),
    (Power::Delegate, &["task"]),
];

fn offered_tools(agent: &Agent, names: &ToolNames, _is_joined: bool) -> Vec<String> {
    let listed = listed_tools(agent, OFFERED, names).into_iter();
    let skill = (!agent.skills.is_empty()).then(|| "skill".to_owned());
    listed.chain(skill).collect()
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    let (folder, files) = match scope {
        Scope::User => {
            let folder = env.dir("XDG_CONFIG_HOME", ".config").join("opencode");
            (folder.clone(), folder)
        }
        Scope::Project(project) => (project.join(".opencode"), project.clone()),
    };
    // OpenCode merges all of these files.
    let names = ["opencode.json", "opencode.jsonc", "config.json"];
    let names = match scope {
        Scope::User => names.as_slice(),
        Scope::Project(_) => &names[..2],
    };
    let servers = names.iter().map(|name| files.join(name)).collect();
    let hooks = folder.join("plugins/agon-team.js");
    let mut paths = HostPaths::below(&folder, true, servers).with_hooks(hooks);
    paths.merged_permissions = merged_files(env, scope);
    // The permissions are in the same file as the servers.
    let settings = paths.server_file().map(Path::to_owned);
    paths.with_permissions(settings)
}

/// Returns the settings files of the user, the project and the project's parent folders.
fn merged_files(env: &HostEnv, scope: &Scope) -> Vec<PathBuf> {
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

// Checked strictly: an invalid value stops OpenCode, and an unknown key becomes a model option.
const AGENT_KEYS: &[FileKey] = &[
    required("description", ValueShape::Text(1024)),
    // Required, because an agent without a mode can be selected by a person and gets all tools.
    required("mode", ValueShape::OneOf(&["primary", "subagent", "all"])),
    optional("model", ValueShape::ProviderModel),
    optional("variant", TEXT),
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
    optional("agent", TEXT),
    optional("model", ValueShape::ProviderModel),
    optional("variant", TEXT),
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

/// Names that have permissions; a server's tool is `SERVER_TOOL`.
const PERMITTED: Words = Words(
    "* read edit glob grep list bash task external_directory todowrite question webfetch \
     websearch lsp doom_loop skill",
);

fn permission_fault(value: &Value) -> Option<String> {
    const ACTIONS: [&str; 3] = ["allow", "ask", "deny"];
    let is_action = |value: &Value| value.as_str().is_some_and(|text| ACTIONS.contains(&text));
    if is_action(value) {
        return None;
    }
    let Some(rules) = value.as_object() else {
        return Some("is not allow, ask, deny or a map of them".to_owned());
    };
    for (name, rule) in rules {
        let is_known = PERMITTED.contains(name) || name.contains(['_', '*']);
        if !is_known {
            return Some(format!("has `{name}`, which is not a tool here"));
        }
        let patterns = rule.as_object();
        let fits =
            is_action(rule) || patterns.is_some_and(|patterns| patterns.values().all(is_action));
        if !fits {
            return Some(format!("has `{name}`, which is not allow, ask or deny"));
        }
    }
    None
}

// OpenCode silently accepts other keys, so only this check finds a misspelt one.
const SETTINGS_KEYS: &[FileKey] = &[
    optional("$schema", TEXT),
    optional("shell", TEXT),
    optional(
        "logLevel",
        ValueShape::OneOf(&["DEBUG", "INFO", "WARN", "ERROR"]),
    ),
    optional("server", ValueShape::Map),
    optional("command", ValueShape::Map),
    optional("skills", ValueShape::Map),
    optional("references", ValueShape::Any),
    optional("watcher", ValueShape::Map),
    optional("snapshot", ValueShape::Bool),
    optional("plugin", ValueShape::Any),
    optional("share", ValueShape::OneOf(&["manual", "auto", "disabled"])),
    optional("autoupdate", ValueShape::Any),
    optional("disabled_providers", ValueShape::Texts),
    optional("enabled_providers", ValueShape::Texts),
    optional("model", ValueShape::ProviderModel),
    optional("small_model", ValueShape::ProviderModel),
    optional("default_agent", TEXT),
    optional("subagent_depth", ValueShape::Any),
    optional("username", TEXT),
    optional("agent", ValueShape::Map),
    optional("provider", ValueShape::Map),
    optional("mcp", ValueShape::Map),
    optional("formatter", ValueShape::Any),
    optional("lsp", ValueShape::Any),
    optional("instructions", ValueShape::Texts),
    optional("permission", ValueShape::Any),
    optional("tools", ValueShape::Map),
    optional("attachment", ValueShape::Map),
    optional("enterprise", ValueShape::Map),
    optional("tool_output", ValueShape::Map),
    optional("compaction", ValueShape::Map),
    optional("experimental", ValueShape::Map),
];

const LOCAL_SERVER_KEYS: &[FileKey] = &[
    required("type", ValueShape::OneOf(&["local"])),
    required("command", ValueShape::Texts),
    optional("environment", ValueShape::TextMap),
    optional("cwd", TEXT),
    optional("enabled", ValueShape::Bool),
    optional("timeout", ValueShape::Any),
];

const REMOTE_SERVER_KEYS: &[FileKey] = &[
    required("type", ValueShape::OneOf(&["remote"])),
    required("url", TEXT),
    optional("headers", ValueShape::TextMap),
    optional("oauth", ValueShape::Any),
    optional("enabled", ValueShape::Bool),
    optional("timeout", ValueShape::Any),
];

const SETTINGS: &[SettingsFile] = &[SettingsFile {
    names: &["opencode.json", "opencode.jsonc"],
    folder: None,
    is_known_anywhere: true,
    syntax: Syntax::Json(Dialect::CommentsAndCommas),
    checks: &[
        SettingsCheck::Keys(SETTINGS_KEYS),
        SettingsCheck::TypedServers {
            key: "mcp",
            local: LOCAL_SERVER_KEYS,
            remote: REMOTE_SERVER_KEYS,
        },
    ],
}];

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

const MAP: FieldOutcome = FieldOutcome::Translated("permission");
const OF_USER: Abilities =
    Abilities::of_paths(Ability::new(MAP, SEARCH, SEARCH), Ability::all(MAP), MAP);

/// A map by permission, in which the last matching pattern wins.
const PERMISSIONS: PermissionForm = PermissionForm {
    abilities: SessionAbilities {
        user: OF_USER,
        project: OF_USER,
        member: Abilities::of_paths(OF_USER.read, OF_USER.edit, NOT_OFFERED),
    },
    may_loosen: true,
    tools: TOOLS,
    can_say: |glob: &Glob, _: &PermissionScope<'_>| glob.as_wildcard_patterns().map(drop),
    can_except: None,
    write: write_map,
    place: PermissionPlace::Map("permission"),
    member: MemberForm::Settings,
    member_place: "OPENCODE_CONFIG_CONTENT, set for the member at its start",
    read: read_map,
    wins: Wins::Last,
    seen_path: None,
};

fn write_map(all: &[PowerRules], scope: &PermissionScope<'_>) -> String {
    let mut permission: Map<String, Value> = Map::new();
    for held in all {
        if held.steps.is_empty() {
            let base = held.base.unwrap_or(PermissionEffect::Allow);
            for key in tools_of(TOOLS, held.power) {
                permission.insert((*key).to_owned(), base.name().into());
            }
            continue;
        }
        let mut patterns: Map<String, Value> = Map::new();
        // Only a member gets a default. In the user's sessions, uncovered permissions stay as they
        // are.
        let base = held
            .base
            .or(scope.is_member().then_some(PermissionEffect::Allow));
        if let Some(base) = base {
            patterns.insert("*".to_owned(), base.name().into());
        }
        for (effect, glob) in &held.steps {
            for pattern in glob.as_wildcard_patterns().unwrap_or_default() {
                // Removed first, because a replaced entry would keep its earlier position, and the
                // last match wins.
                patterns.shift_remove(&pattern);
                patterns.insert(pattern, effect.name().into());
            }
        }
        for key in tools_of(TOOLS, held.power) {
            permission.insert((*key).to_owned(), Value::Object(patterns.clone()));
        }
    }
    json!({ "permission": permission }).to_string()
}

fn read_map(text: &str, _: &PermissionScope<'_>) -> Result<HostRules, PermissionsFault> {
    let mut read = HostRules::default();
    let settings = read_settings(text)?;
    let map = settings.get("permission").and_then(Value::as_object);
    let effect_of = |value: &Value| {
        let effect = value.as_str().and_then(PermissionEffect::find);
        effect.ok_or_else(|| PermissionsFault::new("a permission is not allow, ask or deny"))
    };
    for (key, value) in map.into_iter().flatten() {
        let Some(patterns) = value.as_object() else {
            read.push(key, effect_of(value)?, Fits::All);
            continue;
        };
        for (pattern, effect) in patterns {
            let fits = match pattern.as_str() {
                "*" => Fits::All,
                pattern => Fits::wildcard(pattern)?,
            };
            read.push(key, effect_of(effect)?, fits);
        }
    }
    Ok(read)
}

/// Returns the plugin that calls Agon's hooks for these events.
fn plugin(program: &str, events: &[HookEvent]) -> String {
    let program = Value::from(program).to_string();
    let edits = HOST.hooks.edit_tools.join("\", \"");
    let handlers: String = events.iter().map(|event| handler(*event)).collect();
    // Inserted last, so that a placeholder that occurs in the path is not replaced.
    PLUGIN
        .replace("HANDLERS", &handlers)
        .replace("EDIT_TOOLS", &edits)
        .replace(
            "COMPACTING",
            &HookEvent::PreCompact.timeout_ms().to_string(),
        )
        .replace("TIMEOUT", &TIMEOUT_MS.to_string())
        .replace("PROGRAM", &program)
}

const PLUGIN: &str = r#"// Agon's hooks for OpenCode: `agon install --what team` and `--what suggest` write this file.
import { spawnSync } from "node:child_process";

const EDITS = ["EDIT_TOOLS"];

function ask(event, call, timeout = TIMEOUT) {
  const options = { input: JSON.stringify(call), encoding: "utf8", timeout };
  const done = spawnSync(PROGRAM, ["hook", "opencode", event], options);
  try {
    return JSON.parse(done.stdout || "{}");
  } catch {
    // A hook that fails lets the call pass.
    return {};
  }
}

export const AgonTeam = async ({ client, directory }) => ({
HANDLERS});
"#;

/// Returns the plugin's function for an event; empty if plugins have no such event.
fn handler(event: HookEvent) -> &'static str {
    match event {
        HookEvent::PreEdit => {
            r#"  "tool.execute.before": async (input, output) => {
    if (!EDITS.includes(input.tool)) return;
    const answer = ask("pre-edit", { cwd: directory, tool: input.tool, args: output.args });
    if (answer.refuse) throw new Error(answer.refuse);
  },
"#
        }
        HookEvent::PostTool => {
            r#"  "tool.execute.after": async (_input, output) => {
    const answer = ask("post-tool", { cwd: directory });
    if (!answer.note) return;
    if (Array.isArray(output.content)) output.content.push({ type: "text", text: answer.note });
    else if (typeof output.output === "string") output.output += `\n${answer.note}`;
  },
"#
        }
        HookEvent::PreCompact => {
            r#"  "experimental.session.compacting": async (input, output) => {
    const call = { cwd: directory, session_id: input.sessionID };
    const answer = ask("pre-compact", call, COMPACTING);
    if (answer.note && Array.isArray(output.context)) output.context.push(answer.note);
  },
"#
        }
        HookEvent::Prompt => {
            r#"  "chat.message": async (input, output) => {
    try {
      // The prompt of a sub-agent comes from a model, and so does a synthetic part.
      const session = await client.session.get({ path: { id: input.sessionID } });
      if (!session.data || session.data.parentID) return;
      const parts = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = parts.map((part) => part.text).join("\n");
      const answer = ask("prompt", { cwd: directory, session_id: input.sessionID, prompt });
      if (!answer.note) return;
      const last = parts[parts.length - 1];
      output.parts.push({ ...last, id: `${last.id}z`, text: answer.note, synthetic: true });
    } catch {
      // The prompt continues without a line.
    }
  },
"#
        }
        HookEvent::Stop | HookEvent::SessionStart | HookEvent::PlanEnd => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_whose_path_has_quotes_or_words_of_the_plugin_is_one_text_there() {
        let text = plugin("/a \"b\"\\c", &HookEvent::TEAM);
        assert!(
            text.contains(r#"spawnSync("/a \"b\"\\c", ["hook""#),
            "{text}"
        );
        let text = plugin("/opt/TIMEOUT/PROGRAM/agon", &HookEvent::TEAM);
        assert!(
            text.contains(r#"spawnSync("/opt/TIMEOUT/PROGRAM/agon", ["hook""#),
            "{text}"
        );
        assert!(text.contains("timeout = 5000)"), "{text}");
        let edits = r#"const EDITS = ["apply_patch", "edit", "multiedit", "patch", "write"];"#;
        assert!(text.contains(edits), "{text}");
    }
}
