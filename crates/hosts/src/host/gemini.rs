//! Gemini CLI.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::asks::{Asks, LeftoverFiles, ServerState, state_from_line};
use super::outcomes::{NO_CLASSES, all_fields, model_outcome};
use super::powers::{BY_TOOLS, listed_tools};
use super::server::{ENV_IN_BRACES, command_and_args};
use super::{
    AgentForm, CommandForm, EditBound, FrontMatter, Host, HostEnv, HostPaths, HostSign, Package,
    SERVER, Scope, ServerForm, SettingsCheck, SettingsFile, Syntax, ToolNames, WrittenAgent,
    tools_named,
};
use crate::content::Agent;
use crate::content::agent::{Power, PowerTools, tools_of};
use crate::edit::ServerFormat;
use crate::field::FieldOutcome::{self, NotEnforced, Translated};
use crate::field::SourceField;
use crate::hook::{HookEvent, HookForm, HookPlace, PlanHook, PlanSource, ReplyForm};
use crate::json::Dialect;
use crate::permit::abilities::{
    Abilities, Ability, NOT_OFFERED, ROOT_UNKNOWN, SEARCH, SessionAbilities,
};
use crate::permit::form::{PermissionPlace, PowerRules};
use crate::permit::glob::{ANY, Glob, escaped_text};
use crate::permit::rules::{Fits, HostRules, Wins};
use crate::permit::{
    GlobFault, MemberForm, PermissionEffect, PermissionForm, PermissionScope, PermissionsFault,
};
use crate::shape::{FileKey, TEXT, ValueShape, Words, optional, required};

pub(super) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    process_names: &["gemini", "gemini.js"],
    signs: &[HostSign {
        variable: "GEMINI_CLI",
        session_variable: None,
        rank: 3,
    }],
    variables: &[
        "GEMINI_API_KEY",
        "GEMINI_CLI_HOME",
        "GOOGLE_API_KEY",
        "GOOGLE_CLOUD_PROJECT",
    ],
    project_variable: Some("GEMINI_PROJECT_DIR"),
    state_folder: None,
    configuration: &[".gemini", "GEMINI.md"],
    folders: &[".gemini"],
    commands: CommandForm::Toml {
        placeholder: "{{args}}",
    },
    offers_skills_as_commands: false,
    built_in_commands: BUILT_IN,
    built_in_agents: Words("cli_help codebase_investigator generalist"),
    tool_name: |server, tool| format!("mcp_{server}_{tool}"),
    write_agent,
    offered_tools,
    bound_edits,
    lacks: &[Power::Delegate],
    places,
    hooks: HookForm {
        event_name: |event| match event {
            HookEvent::PreEdit | HookEvent::PlanEnd => "BeforeTool",
            HookEvent::PostTool => "AfterTool",
            HookEvent::Stop => "AfterAgent",
            HookEvent::SessionStart => "SessionStart",
            HookEvent::PreCompact => "PreCompress",
            HookEvent::Prompt => "BeforeAgent",
        },
        next_step: None,
        // Recorded from 0.61.0: the folder of the plans is in the hook's environment.
        plan: Some(PlanHook {
            tool: "exit_plan_mode",
            source: |call| {
                let given = call.argument("plan_filename")?;
                let name = Path::new(&given).file_name()?;
                let folder = call.variable("GEMINI_PLANS_DIR")?;
                Some(PlanSource::File(Path::new(folder).join(name)))
            },
        }),
        edit_tools: &["replace", "write_file"],
        place: HookPlace::Lists {
            also_matched: &[],
            time_unit_ms: 1,
        },
        replies: ReplyForm::Decision,
        takes_text_at_compaction: false,
    },
    permissions: PERMISSIONS,
    server: ServerForm {
        format: ServerFormat::Json {
            dialect: Dialect::Comments,
            key: "mcpServers",
        },
        program: |command| command_and_args(command, json!({})),
        address: |url| json!({"httpUrl": url}),
        variables: ENV_IN_BRACES,
    },
    settings: SETTINGS,
    package: Package {
        server: SERVER,
        marketplace: None,
        manifests: |text| {
            let mut extension = text.plugin();
            if let Some(fields) = extension.as_object_mut() {
                fields.shift_remove("author");
                fields.shift_remove("license");
            }
            extension["mcpServers"] = json!({SERVER: text.entry});
            vec![("gemini-extension.json", extension)]
        },
    },
    asks: Asks {
        server_args: &["mcp", "list"],
        read_server,
        skill_args: Some(&["skills", "list"]),
        lists_skill: |list, name| {
            let line = format!("{name} [Enabled]");
            list.lines().any(|found| found.trim() == line)
        },
        leftover_files: Some(LeftoverFiles {
            home_variable: "GEMINI_CLI_HOME",
            files: leftover_files,
        }),
    },
    next_steps,
    agents: AgentForm::Markdown(AGENT_KEYS),
    command_keys: COMMAND_KEYS,
    has_models_by_provider: false,
    listing_room: None,
};

// Copied from version 0.61.0, like the other lists. A built-in command hides a file of the same
// name.
const BUILT_IN: Words = Words(
    "about agents auth bug chat clear commands compress copy corgi directory docs editor \
     extensions footer help hooks ide init mcp memory model permissions plan policies privacy \
     quit restore resume rewind settings setup-github shortcuts skills stats tasks terminal-setup \
     theme tools upgrade vim voice",
);

// No tools for delegation, because agents of Gemini CLI cannot start others.
const TOOLS: &[PowerTools] = &[
    (
        Power::Read,
        &["read_file", "grep_search", "glob", "list_directory"],
    ),
    (Power::Edit, &["replace", "write_file"]),
    (Power::Run, &["run_shell_command"]),
    (Power::Network, &["web_fetch", "google_web_search"]),
];

fn write_agent(agent: &Agent, names: &ToolNames) -> WrittenAgent {
    let front = FrontMatter::default()
        .text("name", &agent.name)
        .text("description", &agent.description)
        .text("kind", "local")
        .list("tools", &all_tools(agent, names))
        .optional_text("model", agent.named_model())
        .temperature(agent.temperature);
    let own = &[
        model_outcome(agent, NO_CLASSES),
        (SourceField::Temperature, FieldOutcome::Kept),
        (
            SourceField::Skills,
            Translated("the tool activate_skill, which offers all skills"),
        ),
    ];
    WrittenAgent {
        file: format!("{}.md", agent.name),
        text: front.with_body(&agent.body),
        fields: all_fields(agent, own, BY_TOOLS),
    }
}

/// Returns the tools for an agent's file.
fn all_tools(agent: &Agent, names: &ToolNames) -> Vec<String> {
    let listed = listed_tools(agent, TOOLS, names).into_iter();
    let skill = (!agent.skills.is_empty()).then(|| "activate_skill".to_owned());
    listed.chain(skill).collect()
}

fn offered_tools(agent: &Agent, names: &ToolNames, _is_joined: bool) -> Vec<String> {
    let listed = all_tools(agent, names);
    // Every agent also gets `complete_task`, with which it returns its result.
    listed
        .into_iter()
        .chain(["complete_task".to_owned()])
        .collect()
}

fn places(env: &HostEnv, scope: &Scope) -> HostPaths {
    let folder = match scope {
        // The variable replaces the home, not the folder `.gemini` in it.
        Scope::User => env.dir("GEMINI_CLI_HOME", "").join(".gemini"),
        Scope::Project(project) => project.join(".gemini"),
    };
    let settings = folder.join("settings.json");
    // Gemini CLI does not read policies from a project.
    let policies = match scope {
        Scope::User => Some(folder.join("policies/agon-team.toml")),
        Scope::Project(_) => None,
    };
    HostPaths::below(&folder, true, vec![settings.clone()])
        .with_hooks(settings)
        .with_permissions(policies)
}

// Includes old names that Gemini CLI still accepts.
const ALL_TOOLS: Words = Words(
    "activate_skill ask_user complete_task enter_plan_mode exit_plan_mode get_internal_docs glob \
     google_web_search grep_search list_directory read_file read_many_files replace \
     run_shell_command save_memory search_file_content web_fetch write_file write_todos",
);

fn tools_fault(value: &Value) -> Option<String> {
    let is_other = |name: &str| {
        let begins = ["mcp_", "discovered_tool_"];
        name.contains("__") || begins.iter().any(|begin| name.starts_with(begin))
    };
    let shape = ValueShape::Texts.fault(value);
    shape.or_else(|| tools_named::fault(value, HOST.title, ALL_TOOLS, is_other))
}

// Gemini CLI rejects an agent file with any other key.
const AGENT_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", TEXT),
    optional("kind", ValueShape::OneOf(&["local", "remote"])),
    optional("display_name", TEXT),
    optional("tools", ValueShape::Custom(tools_fault)),
    optional("mcp_servers", ValueShape::Map),
    optional("model", TEXT),
    optional("temperature", ValueShape::Number(0.0, 2.0)),
    optional("max_turns", ValueShape::Count),
    optional("timeout_mins", ValueShape::Count),
    optional("agent_card_url", TEXT),
    optional("agent_card_json", TEXT),
    optional("auth", ValueShape::Map),
];

const COMMAND_KEYS: &[FileKey] = &[
    required("description", ValueShape::Text(1024)),
    required("prompt", TEXT),
];

const SERVER_KEYS: &[FileKey] = &[
    optional("command", TEXT),
    optional("args", ValueShape::Texts),
    optional("env", ValueShape::TextMap),
    optional("cwd", TEXT),
    optional("url", TEXT),
    optional("httpUrl", TEXT),
    optional("type", ValueShape::OneOf(&["stdio", "http", "sse"])),
    optional("tcp", TEXT),
    optional("headers", ValueShape::TextMap),
    optional("timeout", ValueShape::Count),
    optional("trust", ValueShape::Bool),
    optional("description", TEXT),
    optional("includeTools", ValueShape::Texts),
    optional("excludeTools", ValueShape::Texts),
    optional("extension", ValueShape::Any),
    optional("oauth", ValueShape::Any),
    optional("authProviderType", TEXT),
    optional("targetAudience", TEXT),
    optional("targetServiceAccount", TEXT),
];

const EXTENSION_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("version", ValueShape::Version),
    optional("description", ValueShape::Text(1024)),
    optional("mcpServers", ValueShape::Map),
    optional("contextFileName", ValueShape::TextOrTexts),
    optional("excludeTools", ValueShape::Texts),
    optional("settings", ValueShape::Any),
    optional("themes", ValueShape::Any),
    optional("plan", ValueShape::Map),
    optional("migratedTo", TEXT),
];

const SETTINGS: &[SettingsFile] = &[
    SettingsFile {
        names: &["settings.json", "settings.local.json"],
        folder: None,
        is_known_anywhere: false,
        syntax: Syntax::Json(Dialect::Comments),
        checks: &[
            SettingsCheck::Servers("mcpServers", SERVER_KEYS),
            SettingsCheck::Hooks(EVENTS),
        ],
    },
    SettingsFile {
        names: &["gemini-extension.json"],
        folder: None,
        is_known_anywhere: true,
        syntax: Syntax::Json(Dialect::Plain),
        checks: &[
            SettingsCheck::Keys(EXTENSION_KEYS),
            SettingsCheck::FilesBeside("contextFileName"),
        ],
    },
];

const EVENTS: Words = Words(
    "AfterAgent AfterModel AfterTool BeforeAgent BeforeModel BeforeTool BeforeToolSelection \
     Notification PreCompress SessionEnd SessionStart",
);

/// Reads the state of the server. In an untrusted folder, Gemini CLI does not start any server, not
/// even the user's.
fn read_server(list: &str) -> ServerState {
    match state_from_line(list) {
        ServerState::Off(_) if list.contains("this folder is untrusted") => ServerState::Off(
            "it does not trust this folder: run `gemini` here and trust it".to_owned(),
        ),
        state => state,
    }
}

/// Returns the sessions left by `gemini skills list`: version 0.61.0 starts one each time, called
/// `skills-list`. Links are not followed, since their targets may belong to others.
fn leftover_files(home: &Path) -> Vec<PathBuf> {
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

/// Returns the paths in the folder at `path`, unless that is a link.
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
        "Restart Gemini CLI in a folder that it trusts: elsewhere it starts no server.".to_owned(),
        "It asks before each call. Without a terminal, pass `--skip-trust --approval-mode yolo`, which allows all tools, not only Agon's.".to_owned(),
    ]
}

/// Returns a rule for the agent's edits, because a hook does not learn which agent edits.
fn bound_edits(agent: &Agent, is_for_project: bool) -> EditBound {
    if is_for_project {
        return EditBound::Nothing(NO_PROJECT_POLICIES);
    }
    // The project's folder is unknown, so rules can match file name endings but not folders.
    let endings = agent.edit_only.iter().map(|glob| {
        let everywhere = format!("**/{glob}");
        let anywhere = glob.strip_prefix("**/*").or_else(|| {
            let same = agent.edit_only.contains(&everywhere);
            glob.strip_prefix('*').filter(|_| same)
        });
        let is_plain = |ending: &&str| {
            ending
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '.')
        };
        anywhere.filter(is_plain)
    });
    let Some(endings) = endings.collect::<Option<BTreeSet<&str>>>() else {
        return EditBound::Nothing("its policies do not know the project's folder");
    };
    let endings: Vec<_> = endings.into_iter().map(escaped_text).collect();
    let edits: Vec<_> = tools_of(TOOLS, Power::Edit)
        .iter()
        .map(|tool| format!("\"{tool}\""))
        .collect();
    EditBound::ByRules(format!(
        "[[rule]]\ntoolName = [{}]\nsubagent = \"{}\"\n\
         argsPattern = {QUOTES}\\x00\"file_path\":\"[^\\x00]*(?<!{})\"\\x00{QUOTES}\n\
         decision = \"deny\"\npriority = {UNPLAIN}\n\
         denyMessage = \"The role {} may edit only documentation: {}.\"\n",
        edits.join(", "),
        agent.name,
        endings.join("|"),
        agent.name,
        agent.edit_only.join(", "),
    ))
}

const NO_PROJECT_POLICIES: &str = "it does not read policies from a project";

const RULES: FieldOutcome = Translated("a policy file");

/// A TOML policy file; the rule with the highest priority wins.
const PERMISSIONS: PermissionForm = PermissionForm {
    abilities: SessionAbilities {
        user: Abilities::of_paths(
            Ability::new(RULES, ROOT_UNKNOWN, ROOT_UNKNOWN),
            Ability::new(RULES, ROOT_UNKNOWN, ROOT_UNKNOWN),
            RULES,
        ),
        project: Abilities::all(NotEnforced(NO_PROJECT_POLICIES)),
        member: Abilities::of_paths(
            Ability::new(RULES, SEARCH, SEARCH),
            Ability::all(RULES),
            NOT_OFFERED,
        ),
    },
    may_loosen: true,
    tools: &[
        (
            Power::Read,
            &[
                "read_file",
                "read_many_files",
                "grep_search",
                "glob",
                "list_directory",
            ],
        ),
        (Power::Edit, &["replace", "write_file"]),
        (Power::Run, &["run_shell_command"]),
        (Power::Network, &["web_fetch", "google_web_search"]),
        (Power::Delegate, &["invoke_agent"]),
    ],
    can_say,
    can_except: Some(|glob: &Glob, _: &PermissionScope<'_>| glob.can_except()),
    write: write_policies,
    place: PermissionPlace::OwnFile(
        "# Prohibitions from a team's policy and roles. `agon install` writes this file.\n\n",
    ),
    member: MemberForm::Rules,
    member_place: "a file for this member, passed at its start",
    read: read_policies,
    wins: Wins::Last,
    seen_path: Some(|path, root| {
        let whole = Value::from(format!("{}/{path}", root.display()));
        format!("{{\0\"file_path\":{whole}\0}}")
    }),
};

// Gemini CLI rejects longer expressions.
const MAX_REGEX: usize = 2_048;
/// Quotes around an expression.
const QUOTES: &str = "'''";

/// Returns the host's name of an effect.
const fn decision(effect: PermissionEffect) -> &'static str {
    match effect {
        PermissionEffect::Allow => "allow",
        PermissionEffect::Ask => "ask_user",
        PermissionEffect::Deny => "deny",
    }
}

// Above 900 and 950, which the profile of a member uses, so that the policy wins.
const BASE: u16 = 960;
const fn priority(effect: PermissionEffect) -> u16 {
    match effect {
        PermissionEffect::Allow => 970,
        PermissionEffect::Ask => 980,
        PermissionEffect::Deny => 990,
    }
}
/// Priority of the rules that deny spellings of paths that globs do not match.
const UNPLAIN: u16 = 995;

fn can_say(glob: &Glob, scope: &PermissionScope<'_>) -> Result<(), GlobFault> {
    // A call escapes these characters in its arguments, so the expression would not match them.
    scope.quotable_root(&['"', '\\'])?;
    let regex = path_regex(glob, scope)?;
    if regex.contains(QUOTES) {
        return Err(GlobFault("its file cannot quote the path"));
    }
    match regex.len() > MAX_REGEX {
        true => Err(GlobFault("its expressions cannot be that long")),
        false => Ok(()),
    }
}

/// Returns the expression for a call's path argument, relative to the folder or absolute.
fn path_regex(glob: &Glob, scope: &PermissionScope<'_>) -> Result<String, GlobFault> {
    let path = glob.as_regex()?;
    let root = scope
        .root()
        .map(|root| escaped_text(&root.to_string_lossy()));
    let root = root.unwrap_or_default();
    Ok(format!(r#"\x00"file_path":"({root}/|){path}"\x00"#))
}

fn write_policies(all: &[PowerRules], scope: &PermissionScope<'_>) -> String {
    let mut rules: Vec<String> = Vec::new();
    for held in all {
        let tools: Vec<String> = tools_of(PERMISSIONS.tools, held.power)
            .iter()
            .map(|tool| format!("\"{tool}\""))
            .collect();
        let mut add = |effect: PermissionEffect, priority: u16, pattern: Option<&str>| {
            let (tools, decision) = (tools.join(", "), decision(effect));
            let pattern = pattern.map_or_else(String::new, |pattern| {
                format!("argsPattern = {QUOTES}{pattern}{QUOTES}\n")
            });
            rules.push(format!(
                "[[rule]]\ntoolName = [{tools}]\n{pattern}decision = \"{decision}\"\npriority = {priority}\n"
            ));
        };
        if let Some(base) = held.base {
            add(base, BASE, None);
        }
        for (effect, glob) in &held.steps {
            let pattern = path_regex(glob, scope).unwrap_or_default();
            add(*effect, priority(*effect), Some(&pattern));
        }
        if !held.steps.is_empty() {
            let unplain = format!(r#"\x00"file_path":"({ANY}/|)(\.|\.\.)/"#);
            add(PermissionEffect::Deny, UNPLAIN, Some(&unplain));
            let twice = format!(r#"\x00"file_path":"{ANY}//"#);
            add(PermissionEffect::Deny, UNPLAIN, Some(&twice));
        }
    }
    rules.join("\n")
}

fn read_policies(text: &str, _: &PermissionScope<'_>) -> Result<HostRules, PermissionsFault> {
    let table: toml::Table = toml::from_str(text).map_err(PermissionsFault::new)?;
    let rules = table.get("rule").and_then(toml::Value::as_array);
    let mut sorted: Vec<&toml::Value> = rules.into_iter().flatten().collect();
    sorted.sort_by_key(|rule| rule.get("priority").and_then(toml::Value::as_integer));
    let mut read = HostRules::default();
    for rule in sorted {
        let decided = rule.get("decision").and_then(toml::Value::as_str);
        let effect = PermissionEffect::ALL
            .into_iter()
            .find(|effect| Some(decision(*effect)) == decided)
            .ok_or_else(|| PermissionsFault::new("a rule has no decision"))?;
        let fits = match rule.get("argsPattern").and_then(toml::Value::as_str) {
            None => Fits::All,
            Some(pattern) => Fits::regex(pattern)?,
        };
        let tools = rule.get("toolName").and_then(toml::Value::as_array);
        for tool in tools.into_iter().flatten().filter_map(toml::Value::as_str) {
            read.push(tool, effect, fits.clone());
        }
    }
    Ok(read)
}
