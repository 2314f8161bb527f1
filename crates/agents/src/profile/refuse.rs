//! Switches that no profile may use, the user's own included.

use serde_json::Value;

use super::{Acp, Cli, Profile};

/// A profile names a switch that lets a tool act without asking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{switch}` in `{place}` bypasses permissions; a debater only reads")]
pub struct PermissionBypass {
    /// The key of the profile it stands at.
    pub place: String,
    /// The switch.
    pub switch: String,
}

/// Refused as they stand, alone or before a `=`.
pub(super) const SWITCHES: &[&str] = &[
    "--yolo",
    "-y",
    "--full-auto",
    "--auto",
    "--allow-all",
    "--allow-all-tools",
    "--allow-all-paths",
    "--allow-all-urls",
    "--allow-tool",
    "--allow-url",
    "--approve-for-me",
    "--trust",
    "--trust-all-tools",
    "--trust-tools",
    "--trust-folder",
    "--autopilot",
    "--allowedtools",
    "--allowed-tools",
];

/// Refused wherever they stand in an argument or a value.
pub(super) const ANYWHERE: &[&str] = &[
    "dangerously",
    "danger-full-access",
    "dangerfullaccess",
    "bypasspermissions",
    "acceptedits",
    "workspace-write",
    "auto_edit",
    "approval_policy",
    "sandbox_permissions",
];

/// Refused as the value of a switch or of a setting.
pub(super) const VALUES: &[&str] = &["yolo", "autoedit"];

/// Modes in which an agent writes or runs without being asked.
const MODES: &[&str] = &[
    "yolo",
    "auto",
    "autoedit",
    "acceptedits",
    "autopilot",
    "agent-full-access",
    "full-access",
    "bypasspermissions",
    "dontask",
    "workspace-write",
    "allow_all",
];

/// Options of a conversation that may only be switched off.
const PERMISSIVE: &[&str] = &["allow_all", "allow-all", "yolo", "autopilot"];

/// What a permission may be given for: tools that read and search.
const READING: &[&str] = &["read", "grep", "glob", "list"];

/// Keys of settings that allow tools without a word about permissions, or bring other switches.
const GRANTING: &[&str] = &["allowedTools", "extraArgs", "executableArgs"];

/// Variables that do the same; never handed on either.
pub(super) const VARIABLES: &[&str] = &[
    "COPILOT_ALLOW_ALL",
    "OPENCODE_PERMISSION",
    "GEMINI_YOLO_MODE",
];

pub(super) fn check(profile: &Profile) -> Result<(), PermissionBypass> {
    check_arguments("version.args", &profile.version.args)?;
    check_arguments("login.args", &profile.login.args)?;
    profile.cli.as_ref().map_or(Ok(()), check_cli)?;
    profile.acp.as_ref().map_or(Ok(()), check_acp)?;
    for args in profile.probe.iter().flat_map(|probe| &probe.help) {
        check_arguments("probe.help", args)?;
    }
    for name in profile.env.pass.iter().chain(profile.env.set.keys()) {
        if VARIABLES.contains(&name.as_str()) {
            return Err(permission_bypass("env", name));
        }
    }
    for (name, text) in profile.env.set.iter().chain(&profile.env.merge) {
        check_value(&format!("env.{name}"), text)?;
    }
    for (name, text) in &profile.files {
        let place = format!("files.{name}");
        check_value(&place, text)?;
        check_policy(&place, text)?;
    }
    Ok(())
}

fn check_cli(cli: &Cli) -> Result<(), PermissionBypass> {
    let each = cli.no_mcp_each.as_ref();
    let session = cli.session.as_ref();
    let lists = [
        ("cli.args", Some(&cli.args)),
        ("cli.model", Some(&cli.model)),
        ("cli.read_only", Some(&cli.read_only)),
        ("cli.reads", Some(&cli.reads)),
        ("cli.no_mcp", Some(&cli.no_mcp)),
        ("cli.no_mcp_each.args", each.map(|each| &each.args)),
        ("cli.session.none", session.map(|session| &session.none)),
        ("cli.session.first", session.map(|session| &session.first)),
        ("cli.session.again", session.map(|session| &session.again)),
    ];
    for (place, list) in lists {
        check_arguments(place, list.map_or(&[], Vec::as_slice))?;
    }
    for (effort, list) in &cli.effort {
        check_arguments(&format!("cli.effort.{effort}"), list)?;
    }
    for (effort, list) in &cli.turns {
        check_arguments(&format!("cli.turns.{effort}"), list)?;
    }
    Ok(())
}

fn check_acp(acp: &Acp) -> Result<(), PermissionBypass> {
    let each = acp.no_mcp_each.as_ref();
    let lists = [
        ("acp.args", Some(&acp.args)),
        ("acp.model", Some(&acp.model)),
        ("acp.no_mcp", Some(&acp.no_mcp)),
        ("acp.no_mcp_each.args", each.map(|each| &each.args)),
    ];
    for (place, list) in lists {
        check_arguments(place, list.map_or(&[], Vec::as_slice))?;
    }
    for (place, held) in acp.confinements() {
        check_arguments(&format!("{place}.args"), &held.args)?;
        check_value(&format!("{place}.meta"), &held.meta)?;
        for mode in &held.modes {
            let name = mode.rsplit(['#', '/']).next().unwrap_or(mode);
            if contains_forbidden_word(mode) || MODES.contains(&name.to_lowercase().as_str()) {
                return Err(permission_bypass(&format!("{place}.modes"), mode));
            }
        }
        for (option, choice) in &held.options {
            let on = PERMISSIVE.contains(&option.as_str()) && choice != "off" && choice != "false";
            if on || contains_forbidden_word(choice) || VALUES.contains(&choice.as_str()) {
                return Err(permission_bypass(
                    &format!("{place}.options.{option}"),
                    choice,
                ));
            }
        }
        for (name, text) in held.set.iter().chain(&held.merge) {
            if VARIABLES.contains(&name.as_str()) {
                return Err(permission_bypass(place, name));
            }
            check_value(&format!("{place}.{name}"), text)?;
            if MODES.contains(&text.to_lowercase().as_str()) {
                return Err(permission_bypass(&format!("{place}.{name}"), text));
            }
        }
    }
    Ok(())
}

/// A value of the environment, or a setting in JSON.
fn check_value(place: &str, text: &str) -> Result<(), PermissionBypass> {
    if contains_forbidden_word(text) {
        return Err(permission_bypass(place, text));
    }
    if serde_json::from_str(text).is_ok_and(|value| grants_permission(&value, false)) {
        return Err(permission_bypass(place, "permission: allow"));
    }
    Ok(())
}

/// The tools of a host's that a file of rules in TOML may allow. Gemini's `glob` is none: its patterns lead out
/// of the folder.
const READING_TOOLS: &[&str] = &["read_file", "list_directory", "grep_search"];

/// A file of rules in TOML: what a rule allows has to be reading.
fn check_policy(place: &str, text: &str) -> Result<(), PermissionBypass> {
    match toml::from_str::<toml::Table>(text).map(toml::Value::Table) {
        Ok(rules) if allows_more_than_reading(&rules) => {
            Err(permission_bypass(place, "decision = \"allow\""))
        }
        // The tool may still read what is not TOML to us.
        Err(_) if place.ends_with(".toml") => {
            Err(permission_bypass(place, "rules that cannot be read"))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Whether a rule allows more than tools that read, by their names.
fn allows_more_than_reading(rules: &toml::Value) -> bool {
    match rules {
        toml::Value::Array(rules) => rules.iter().any(allows_more_than_reading),
        toml::Value::Table(rule) => {
            let decision = rule.get("decision").and_then(toml::Value::as_str);
            let allowed = decision.is_some_and(|it| it.trim().eq_ignore_ascii_case("allow"));
            allowed && !allows_only_reading(rule) || rule.values().any(allows_more_than_reading)
        }
        _ => false,
    }
}

fn allows_only_reading(rule: &toml::Table) -> bool {
    let reads = |tool: &toml::Value| tool.as_str().is_some_and(|it| READING_TOOLS.contains(&it));
    let known = ["toolName", "decision", "priority"];
    rule.keys().all(|key| known.contains(&key.as_str()))
        && rule
            .get("toolName")
            .is_some_and(|tools| match tools.as_array() {
                Some(tools) => !tools.is_empty() && tools.iter().all(reads),
                None => reads(tools),
            })
}

fn check_arguments(place: &str, list: &[String]) -> Result<(), PermissionBypass> {
    for arg in list {
        let lower = arg.to_lowercase();
        let (switch, value) = lower.split_once('=').unwrap_or((&lower, &lower));
        let named = SWITCHES.contains(&switch) || VALUES.contains(&value.trim_matches('"'));
        if named || contains_forbidden_word(arg) {
            return Err(permission_bypass(place, arg));
        }
        if serde_json::from_str(arg).is_ok_and(|value| grants_permission(&value, false)) {
            return Err(permission_bypass(place, "permission: allow"));
        }
    }
    Ok(())
}

fn contains_forbidden_word(text: &str) -> bool {
    let lower = text.to_lowercase();
    ANYWHERE.iter().any(|word| lower.contains(word))
}

/// Whether a JSON setting allows something under a key about permissions.
fn grants_permission(value: &Value, inside: bool) -> bool {
    match value {
        Value::String(text) => inside && text == "allow",
        Value::Array(items) => items.iter().any(|item| grants_permission(item, inside)),
        Value::Object(entries) => entries.iter().any(|(key, value)| {
            let reads = inside && READING.contains(&key.as_str()) && value.is_string();
            let lists = inside && key == "allow" && !is_empty_array(value);
            lists
                || GRANTING.contains(&key.as_str())
                || !reads && grants_permission(value, inside || key.starts_with("permission"))
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_empty_array(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
}

pub(super) fn permission_bypass(place: &str, switch: &str) -> PermissionBypass {
    PermissionBypass {
        place: place.to_owned(),
        switch: switch.chars().take(60).collect(),
    }
}
