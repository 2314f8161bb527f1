//! Switches that no profile may use, the user's own included.

use serde_json::Value;

use super::Profile;

/// A profile names a switch that lets a tool act without asking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{switch}` in `{place}` bypasses permissions; a debater only reads")]
pub struct Refused {
    /// The key of the profile it stands at.
    pub place: String,
    /// The switch.
    pub switch: String,
}

/// Refused as they stand, alone or before a `=`.
const SWITCHES: &[&str] = &[
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
    "--trust-folder",
    "--autopilot",
    "--allowedtools",
    "--allowed-tools",
];

/// Refused wherever they stand in an argument or a value.
const ANYWHERE: &[&str] = &[
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
const VALUES: &[&str] = &["yolo", "autoedit"];

/// What a permission may be given for: tools that read and search.
const READING: &[&str] = &["read", "grep", "glob", "list"];

/// Variables that do the same; never handed on either.
pub(super) const VARIABLES: &[&str] = &[
    "COPILOT_ALLOW_ALL",
    "OPENCODE_PERMISSION",
    "GEMINI_YOLO_MODE",
];

pub(super) fn check(profile: &Profile) -> Result<(), Refused> {
    let cli = &profile.cli;
    let each = cli.no_mcp_each.as_ref();
    let session = cli.session.as_ref();
    let lists = [
        ("version.args", Some(&profile.version.args)),
        ("login.args", Some(&profile.login.args)),
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
        arguments(place, list.map_or(&[], Vec::as_slice))?;
    }
    for args in profile.probe.iter().flat_map(|probe| &probe.help) {
        arguments("probe.help", args)?;
    }
    for (effort, list) in &cli.effort {
        arguments(&format!("cli.effort.{effort}"), list)?;
    }
    for name in profile.env.pass.iter().chain(profile.env.set.keys()) {
        if VARIABLES.contains(&name.as_str()) {
            return Err(refused("env", name));
        }
    }
    for (name, value) in profile.env.set.iter().chain(&profile.env.merge) {
        let place = format!("env.{name}");
        if forbidden_anywhere(value) {
            return Err(refused(&place, value));
        }
        if serde_json::from_str(value).is_ok_and(|value| grants(&value, false)) {
            return Err(refused(&place, "permission: allow"));
        }
    }
    Ok(())
}

fn arguments(place: &str, list: &[String]) -> Result<(), Refused> {
    for arg in list {
        let lower = arg.to_lowercase();
        let (switch, value) = lower.split_once('=').unwrap_or((&lower, &lower));
        let named = SWITCHES.contains(&switch) || VALUES.contains(&value.trim_matches('"'));
        if named || forbidden_anywhere(arg) {
            return Err(refused(place, arg));
        }
        if serde_json::from_str(arg).is_ok_and(|value| grants(&value, false)) {
            return Err(refused(place, "permission: allow"));
        }
    }
    Ok(())
}

fn forbidden_anywhere(text: &str) -> bool {
    let lower = text.to_lowercase();
    ANYWHERE.iter().any(|word| lower.contains(word))
}

/// Whether a JSON setting allows something under a key about permissions.
fn grants(value: &Value, inside: bool) -> bool {
    match value {
        Value::String(text) => inside && text == "allow",
        Value::Array(items) => items.iter().any(|item| grants(item, inside)),
        Value::Object(entries) => entries.iter().any(|(key, value)| {
            let reads = inside && READING.contains(&key.as_str()) && value.is_string();
            !reads && grants(value, inside || key.starts_with("permission"))
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn refused(place: &str, switch: &str) -> Refused {
    Refused {
        place: place.to_owned(),
        switch: switch.chars().take(60).collect(),
    }
}
