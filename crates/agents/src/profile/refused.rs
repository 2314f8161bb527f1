//! The arguments and settings that profiles must not contain, with the exceptions for a debate or a
//! team member.
//!
//! One table and one check for both: a flag that is found to be harmful is added here and is forbidden
//! everywhere.

use agon_files::json_text::replace_lone_surrogates;
use serde_json::Value;

use super::private_folder::{EMPTY, TEMP, USAGE_FILE};
use super::user_file::parse_settings_json;

/// The error for a profile with a flag or setting that lets a tool act without asking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{switch}` in `{place}` bypasses permissions; in a debate a tool may only read, and a team member may write only in its work tree"
)]
pub struct PermissionBypass {
    /// The profile key.
    pub place: String,
    /// The flag or setting.
    pub switch: String,
}

/// Flags that are forbidden, alone or before a `=`.
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
    "--trust-all-tools",
    "--trust-tools",
    "--trust-folder",
    "--autopilot",
    "--allowedtools",
    "--allowed-tools",
];

/// Words that are forbidden anywhere in an argument or a value.
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
    "allowunsandboxedcommands",
];

/// Words that are forbidden as the value of a flag or a setting.
pub(super) const VALUES: &[&str] = &["yolo", "autoedit"];

/// Modes in which an agent writes or runs programs without asking.
pub(super) const MODES: &[&str] = &[
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

/// Session options that may only be turned off.
pub(super) const PERMISSIVE: &[&str] = &["allow_all", "allow-all", "yolo", "autopilot"];

/// Settings keys that allow tools or add flags although their names do not contain "permission".
const GRANTING: &[&str] = &["allowedTools", "extraArgs", "executableArgs"];

/// Variables that allow tools or add flags. They are not passed on from the user either.
pub(super) const VARIABLES: &[&str] = &[
    "COPILOT_ALLOW_ALL",
    "OPENCODE_PERMISSION",
    "GEMINI_YOLO_MODE",
];

/// What a profile may contain although it is normally forbidden.
pub(super) struct Grants {
    /// Words that are allowed although they are forbidden elsewhere.
    pub(super) words: &'static [&'static str],
    /// Words that are forbidden in addition to those forbidden everywhere.
    pub(super) refused_words: &'static [&'static str],
    /// Whole arguments that are allowed regardless of their content.
    pub(super) arguments: &'static [&'static str],
    /// The allowed values of `--allow-tool`; if empty, the flag is forbidden.
    pub(super) allow_tool: &'static [&'static str],
    /// The rules that may appear under `permissions.allow`.
    pub(super) rules: &'static [&'static str],
    /// The keys whose permission may be `allow`.
    pub(super) keys: &'static [&'static str],
    /// The tools that rules in a TOML file may allow.
    pub(super) tools: &'static [&'static str],
}

impl Grants {
    /// Checks a list of arguments.
    pub(super) fn check_arguments(
        &self,
        place: &str,
        list: &[String],
    ) -> Result<(), PermissionBypass> {
        let mut before = String::new();
        for arg in list {
            let lower = arg.to_lowercase();
            if before == ALLOW_TOOL && !self.allow_tool.contains(&arg.as_str()) {
                return Err(permission_bypass(place, &format!("{ALLOW_TOOL} {arg}")));
            }
            let value_here = arg.split_once('=').filter(|_| arg.starts_with("--"));
            let settings = match value_here {
                _ if before == SETTINGS => Some(arg.as_str()),
                Some((switch, value)) => switch.eq_ignore_ascii_case(SETTINGS).then_some(value),
                None => None,
            };
            // Agon cannot check a file outside the profile, and its content may change, so reject
            // it.
            if let Some(it) = settings.filter(|it| !is_json_like(it) && !is_profile_file(it)) {
                return Err(permission_bypass(place, &format!("{SETTINGS} {it}")));
            }
            if !self.arguments.contains(&arg.as_str()) {
                let (switch, value) = lower.split_once('=').unwrap_or((&lower, &lower));
                let is_granted = lower == ALLOW_TOOL && !self.allow_tool.is_empty();
                let is_value = |list: &[&str]| list.contains(&value.trim_matches(['"', '\'']));
                let of_mode = match lower.contains('=') {
                    true => switch,
                    false => before.as_str(),
                };
                if SWITCHES.contains(&switch) && !is_granted
                    || is_value(VALUES)
                    || is_mode_key(of_mode) && is_value(MODES)
                {
                    return Err(permission_bypass(place, arg));
                }
                self.check_value(place, arg)?;
                if let Some((_, value)) = value_here {
                    self.check_json(place, value)?;
                }
            }
            before = lower;
        }
        match [ALLOW_TOOL, SETTINGS].contains(&before.as_str()) {
            // The next argument on the command line would become this flag's value, so reject the
            // list.
            true => Err(permission_bypass(place, &before)),
            false => Ok(()),
        }
    }

    /// Checks an argument, a variable's value, or a setting in JSON.
    pub(super) fn check_value(&self, place: &str, text: &str) -> Result<(), PermissionBypass> {
        self.check_words(place, text)?;
        self.check_json(place, text)
    }

    fn check_words(&self, place: &str, text: &str) -> Result<(), PermissionBypass> {
        let lower = text.to_lowercase();
        let refused = ANYWHERE.iter().filter(|word| !self.words.contains(word));
        let mut refused = refused.chain(self.refused_words);
        match refused.any(|word| lower.contains(word)) {
            true => Err(permission_bypass(place, text)),
            false => Ok(()),
        }
    }

    /// Rejects settings that allow too much, and settings that Agon cannot parse but the tool
    /// might.
    fn check_json(&self, place: &str, text: &str) -> Result<(), PermissionBypass> {
        if !is_json_like(text) {
            return Ok(());
        }
        let fault = match read_settings_text(text) {
            Some(value) => self.find_forbidden_permission(&value, false),
            None => Some(UNREADABLE.to_owned()),
        };
        fault.map_or(Ok(()), |what| Err(permission_bypass(place, &what)))
    }

    /// Checks the content of a file.
    pub(super) fn check_file(&self, place: &str, text: &str) -> Result<(), PermissionBypass> {
        self.check_words(place, text)?;
        let rules = toml::from_str::<toml::Table>(text).map(toml::Value::Table);
        // A text that begins with a bracket may be TOML or JSON, so check it as JSON too if it is.
        if rules.is_err() || read_settings_text(text).is_some() {
            self.check_json(place, text)?;
        }
        match rules {
            Ok(rules) if self.allows_ungranted_tool(&rules) => {
                Err(permission_bypass(place, "decision = \"allow\""))
            }
            // The tool may accept rules that fail to parse here, so reject them.
            Err(_) if place.ends_with(".toml") => {
                Err(permission_bypass(place, "rules that cannot be parsed"))
            }
            Err(_) if place.ends_with(".json") && read_settings_text(text).is_none() => {
                Err(permission_bypass(place, UNREADABLE))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Returns the forbidden permission in a JSON setting, if any. `inside` means that the setting
    /// is below a permissions key.
    fn find_forbidden_permission(&self, value: &Value, inside: bool) -> Option<String> {
        match value {
            Value::String(text) => {
                (inside && text == "allow").then(|| "permission: allow".to_owned())
            }
            Value::Array(items) => items
                .iter()
                .find_map(|item| self.find_forbidden_permission(item, inside)),
            Value::Object(entries) => entries.iter().find_map(|(key, value)| {
                let text = value.as_str();
                if GRANTING.contains(&key.as_str()) {
                    return Some(key.clone());
                }
                if is_mode_key(&key.to_lowercase())
                    && text.is_some_and(|text| MODES.contains(&text.to_lowercase().as_str()))
                {
                    return Some(format!("{key}: {value}"));
                }
                if inside && key == "allow" {
                    let may =
                        |rule: &Value| rule.as_str().is_some_and(|it| self.rules.contains(&it));
                    let fits = value.as_array().is_some_and(|rules| rules.iter().all(may));
                    return (!fits).then(|| "permissions.allow".to_owned());
                }
                if inside && text == Some("allow") {
                    let is_granted = self.keys.contains(&key.as_str());
                    return (!is_granted).then(|| format!("permission: {key}"));
                }
                // A granted key does not cover the keys nested below it, so check those too.
                let inside = inside || key.starts_with("permission");
                self.find_forbidden_below_key(key, value, inside)
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => None,
        }
    }

    fn find_forbidden_below_key(&self, key: &str, value: &Value, inside: bool) -> Option<String> {
        let patterns = value
            .as_object()
            .filter(|_| inside && !key.starts_with("permission"));
        match patterns {
            // The object below a permission maps patterns to effects, and each pattern would need
            // its own grant. Only below `agent` are there nested permissions.
            Some(patterns) if patterns.values().any(|value| value == "allow") => {
                Some(format!("permission: {key}"))
            }
            _ => self.find_forbidden_permission(value, inside),
        }
    }

    /// Returns whether a TOML rule allows tools that are not granted.
    fn allows_ungranted_tool(&self, rules: &toml::Value) -> bool {
        match rules {
            toml::Value::Array(rules) => rules.iter().any(|rule| self.allows_ungranted_tool(rule)),
            toml::Value::Table(rule) => {
                let decision = rule.get("decision").and_then(toml::Value::as_str);
                let allowed = decision.is_some_and(|it| it.trim().eq_ignore_ascii_case("allow"));
                allowed && !self.allows_only_granted(rule)
                    || rule.values().any(|value| self.allows_ungranted_tool(value))
            }
            _ => false,
        }
    }

    fn allows_only_granted(&self, rule: &toml::Table) -> bool {
        let may = |tool: &toml::Value| tool.as_str().is_some_and(|it| self.tools.contains(&it));
        let known = ["toolName", "decision", "priority"];
        rule.keys().all(|key| known.contains(&key.as_str()))
            && rule
                .get("toolName")
                .is_some_and(|tools| match tools.as_array() {
                    Some(tools) => !tools.is_empty() && tools.iter().all(may),
                    None => may(tools),
                })
    }
}

/// The error text for settings that cannot be parsed.
const UNREADABLE: &str = "settings that cannot be parsed";

/// Parses JSON settings as tools do, with comments, trailing commas, a byte-order mark or unpaired
/// surrogates. `None` if a tool might parse them differently or not at all.
fn read_settings_text(text: &str) -> Option<Value> {
    let text = text.trim_start_matches(is_blank);
    if let Ok(value) = serde_json::from_str(&replace_lone_surrogates(text)) {
        return Some(value);
    }
    // Some tools end a comment at these characters and others do not, so such text is ambiguous.
    let ends_line = |c| ['\r', '\u{2028}', '\u{2029}'].contains(&c);
    match text.replace("\r\n", "\n").contains(ends_line) {
        true => None,
        false => parse_settings_json(text),
    }
}

/// Returns whether a tool may parse `text` as JSON. A placeholder such as `{model}` counts only if
/// JSON follows it.
fn is_json_like(text: &str) -> bool {
    let text = skip_blanks_and_comments(text);
    let Some(inner) = text.strip_prefix('{') else {
        return text.starts_with('[');
    };
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match inner.split_once('}') {
        Some((word, rest)) if !word.is_empty() && word.chars().all(name) => is_json_like(rest),
        _ => true,
    }
}

fn skip_blanks_and_comments(text: &str) -> &str {
    let mut rest = text.trim_start_matches(is_blank);
    loop {
        let after = match rest.get(..2) {
            Some("//") => rest.split_once(['\n', '\r', '\u{2028}', '\u{2029}']),
            Some("/*") => rest[2..].split_once("*/"),
            _ => None,
        };
        match after {
            Some((_, after)) => rest = after.trim_start_matches(is_blank),
            None => return rest,
        }
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Returns whether `path` is a file that the profile itself provides, and not one that a tool
/// writes in the same folder.
fn is_profile_file(path: &str) -> bool {
    let others = ["", ".", "..", USAGE_FILE, EMPTY, TEMP];
    let name = path.strip_prefix("{private}/");
    name.is_some_and(|name| !name.contains(['/', '\\']) && !others.contains(&name))
}

/// Claude Code's flag for settings, as a file or as text.
const SETTINGS: &str = "--settings";

/// Copilot's flag that allows one tool.
const ALLOW_TOOL: &str = "--allow-tool";

/// Returns whether a flag or key sets a permission mode.
fn is_mode_key(name: &str) -> bool {
    name.ends_with("mode")
}

/// Returns whether a text contains a word that is forbidden everywhere.
pub(super) fn contains_forbidden_word(text: &str) -> bool {
    let lower = text.to_lowercase();
    ANYWHERE.iter().any(|word| lower.contains(word))
}

pub(super) fn permission_bypass(place: &str, switch: &str) -> PermissionBypass {
    PermissionBypass {
        place: place.to_owned(),
        switch: switch.chars().take(60).collect(),
    }
}
