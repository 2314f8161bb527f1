//! What no member of a team may be started with, the user's own profiles included.
//!
//! It may write in its work tree: what lets it write anywhere else, or run what nothing holds, is
//! refused as it is for a debater.

use serde_json::Value;

use super::Work;
use super::refuse::{ANYWHERE, PermissionBypass, SWITCHES, VALUES, VARIABLES, permission_bypass};

/// What a debater may not have and a member may: writing where it works.
const OF_WORK: &[&str] = &["workspace-write", "--allow-tool"];

/// What `--allow-tool` may name: writing files, which asks outside the folder, and Agon's own server.
const ALLOWED_TOOLS: &[&str] = &["write", "team"];

/// What a list of permissions may have: editing below the folder, and Agon's own server.
const ALLOWED_RULES: &[&str] = &["Edit(./**)", "mcp__team"];

/// What a permission may be given for.
const ALLOWED_KEYS: &[&str] = &["read", "grep", "glob", "list", "edit", "team_*"];

/// What a file of rules in TOML may allow. Gemini's `glob` takes patterns that lead out of the folder.
const ALLOWED_BY_POLICY: &[&str] = &[
    "read_file",
    "list_directory",
    "grep_search",
    "write_file",
    "replace",
    "mcp_team_*",
];

/// Refused wherever they stand: each makes more than the work tree writable, or reaches other machines.
const WIDENING: &[&str] = &[
    "--add-dir",
    "--include-directories",
    "additionaldirectories",
    "writable_roots",
    "network_access=true",
    "exclude_slash_tmp=false",
    "exclude_tmpdir_env_var=false",
    "run_shell_command",
    "allowunsandboxedcommands",
];

pub(super) fn check(work: &Work) -> Result<(), PermissionBypass> {
    let lists = [
        ("work.args", &work.args),
        ("work.writes", &work.writes),
        ("work.reads", &work.reads),
    ];
    for (place, list) in lists {
        check_arguments(place, list)?;
    }
    for (name, text) in work.set.iter().chain(&work.merge) {
        let place = format!("work.{name}");
        if VARIABLES.contains(&name.as_str()) {
            return Err(permission_bypass(&place, name));
        }
        check_text(&place, text)?;
    }
    for (name, text) in &work.files {
        let place = format!("work.files.{name}");
        check_text(&place, text)?;
        check_policy(&place, text)?;
    }
    Ok(())
}

fn check_arguments(place: &str, list: &[String]) -> Result<(), PermissionBypass> {
    let mut before = "";
    for arg in list {
        let lower = arg.to_lowercase();
        let (switch, value) = lower.split_once('=').unwrap_or((&lower, &lower));
        let is_refused = SWITCHES.contains(&switch) && !OF_WORK.contains(&lower.as_str());
        if is_refused || VALUES.contains(&value.trim_matches('"')) {
            return Err(permission_bypass(place, arg));
        }
        if before == "--allow-tool" && !ALLOWED_TOOLS.contains(&arg.as_str()) {
            return Err(permission_bypass(place, &format!("--allow-tool {arg}")));
        }
        check_text(place, arg)?;
        before = arg;
    }
    Ok(())
}

/// An argument, a value or the text of a file.
fn check_text(place: &str, text: &str) -> Result<(), PermissionBypass> {
    let lower = text.to_lowercase();
    let refused = ANYWHERE.iter().filter(|word| !OF_WORK.contains(word));
    if let Some(word) = refused.chain(WIDENING).find(|word| lower.contains(**word)) {
        return Err(permission_bypass(place, word));
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value) => check_json(place, &value, false),
        Err(_) => Ok(()),
    }
}

fn check_json(place: &str, value: &Value, inside: bool) -> Result<(), PermissionBypass> {
    let refuse = |what: &str| Err(permission_bypass(place, what));
    match value {
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| check_json(place, item, inside)),
        Value::Object(entries) => entries.iter().try_for_each(|(key, value)| {
            if key.eq_ignore_ascii_case("allowedTools") || key == "extraArgs" {
                return refuse(key);
            }
            if inside && key == "allow" {
                let rules = value.as_array().map_or(&[][..], Vec::as_slice);
                let is_known =
                    |rule: &Value| rule.as_str().is_some_and(|it| ALLOWED_RULES.contains(&it));
                return match value.is_array() && rules.iter().all(is_known) {
                    true => Ok(()),
                    false => refuse("permissions.allow"),
                };
            }
            if inside && value == "allow" && !ALLOWED_KEYS.contains(&key.as_str()) {
                return refuse(&format!("permission: {key}"));
            }
            let inside = inside || key.starts_with("permission");
            if inside && value == "allow" && key.starts_with("permission") {
                return refuse("permission: allow");
            }
            check_json(place, value, inside)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

fn check_policy(place: &str, text: &str) -> Result<(), PermissionBypass> {
    if !place.ends_with(".toml") {
        return Ok(());
    }
    let Ok(table) = toml::from_str::<toml::Table>(text) else {
        return Err(permission_bypass(place, "rules that cannot be read"));
    };
    let rules = table.get("rule").and_then(toml::Value::as_array);
    let is_known = |tool: &toml::Value| {
        tool.as_str()
            .is_some_and(|it| ALLOWED_BY_POLICY.contains(&it))
    };
    for rule in rules.into_iter().flatten() {
        let allows = rule.get("decision").and_then(toml::Value::as_str) != Some("deny");
        let names = match rule.get("toolName") {
            Some(toml::Value::Array(names)) => !names.is_empty() && names.iter().all(is_known),
            Some(name) => is_known(name),
            None => false,
        };
        if allows && !names {
            return Err(permission_bypass(place, "decision = \"allow\""));
        }
    }
    match table.keys().find(|key| *key != "rule") {
        Some(key) => Err(permission_bypass(place, key)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    fn writes(args: &[&str]) -> Result<(), PermissionBypass> {
        check(&Work {
            writes: args.iter().map(|&arg| arg.to_owned()).collect(),
            ..Work::default()
        })
    }

    #[test]
    fn the_tools_of_this_program_are_held_to_their_folder() {
        let profiles = Profiles::builtin().unwrap();
        let mut names: Vec<&str> = profiles
            .iter()
            .filter(|profile| profile.work.is_some())
            .map(|profile| profile.name.as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["claude", "codex", "copilot", "gemini", "opencode"]);
        for profile in profiles.iter() {
            let Some(work) = &profile.work else { continue };
            assert!(!work.held_by.is_empty(), "{}", profile.name);
            assert!(!work.reads.is_empty(), "{}", profile.name);
        }
    }

    #[test]
    fn switches_that_bypass_permissions_are_refused_for_work_too() {
        for args in [
            &["--dangerously-skip-permissions"][..],
            &["--dangerously-bypass-approvals-and-sandbox"],
            &["--yolo"],
            &["-y"],
            &["--approval-mode=yolo"],
            &["--approval-mode", "yolo"],
            &["--approval-mode", "auto_edit"],
            &["-s", "danger-full-access"],
            &["--sandbox=danger-full-access"],
            &["--full-auto"],
            &["--permission-mode", "bypassPermissions"],
            &["--permission-mode", "acceptEdits"],
            &["--allow-all-tools"],
            &["--allow-all-paths"],
            &["--allow-tool", "shell"],
            &["--allow-tool", "shell(git:*)"],
            &["--allow-tool=shell"],
            &["--allowedTools", "Bash"],
            &["--add-dir", "/"],
            &["-c", "sandbox_workspace_write.writable_roots=[\"/\"]"],
            &["-c", "sandbox_workspace_write.network_access=true"],
            &["--settings", r#"{"permissions":{"allow":["Bash"]}}"#],
            &["--settings", r#"{"permissions":{"allow":["Edit(//**)"]}}"#],
            &[
                "--settings",
                r#"{"permissions":{"defaultMode":"bypassPermissions"}}"#,
            ],
            &["--settings", r#"{"permission":{"bash":"allow"}}"#],
            &["--settings", r#"{"permission":"allow"}"#],
            &["--settings", r#"{"permission":{"*":"allow"}}"#],
        ] {
            assert!(writes(args).is_err(), "{args:?}");
        }
        for args in [
            &["-s", "workspace-write"][..],
            &["--allow-tool", "write"],
            &[
                "--settings",
                r#"{"permissions":{"allow":["Edit(./**)","mcp__team"]}}"#,
            ],
            &[
                "--settings",
                r#"{"permission":{"edit":"allow","*":"deny"}}"#,
            ],
        ] {
            assert_eq!(writes(args), Ok(()), "{args:?}");
        }
    }

    #[test]
    fn variables_and_files_are_held_to_the_same() {
        let set = |name: &str, text: &str| {
            let set = [(name.to_owned(), text.to_owned())].into();
            check(&Work {
                set,
                ..Work::default()
            })
        };
        assert!(set("COPILOT_ALLOW_ALL", "1").is_err());
        assert!(set("X", r#"{"agent":{"a":{"permission":{"bash":"allow"}}}}"#).is_err());
        assert_eq!(
            set("X", r#"{"agent":{"a":{"permission":{"edit":"allow"}}}}"#),
            Ok(())
        );
        let file = |text: &str| {
            let files = [("a.toml".to_owned(), text.to_owned())].into();
            check(&Work {
                files,
                ..Work::default()
            })
        };
        assert!(file("[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"").is_err());
        assert!(
            file("[[rule]]\ntoolName = [\"replace\", \"glob\"]\ndecision = \"allow\"").is_err()
        );
        assert!(file("[[rule]]\ntoolName = [\"replace\"]\ndecision = \"ask_user\"").is_ok());
        assert!(file("not toml at all [").is_err());
        assert_eq!(
            file("[[rule]]\ntoolName = \"*\"\ndecision = \"deny\""),
            Ok(())
        );
    }
}
