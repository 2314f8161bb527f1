//! Provides another valid value for each key.

use agon_hosts::defaults::teams::{Team, TeamPart};
use agon_hosts::defaults::{DefaultsKind, LayerFile};
use agon_prompt::team::CHECKERS;
use toml::Value;

use super::{add_up, file};

/// Returns another value of the same type.
fn another(key: &[String], value: &Value) -> Value {
    let word = |word: &str| Value::from(word);
    match value {
        Value::Boolean(is_on) => Value::from(!is_on),
        Value::Float(_) => Value::from(0.2),
        // A skill is included completely or not at all, so one percent less may select the same
        // skills.
        Value::Integer(_) if key.iter().any(|name| name == "skills-share") => Value::from(0),
        Value::Integer(number) => Value::from(if *number > 1 { number - 1 } else { number + 1 }),
        Value::Array(_) => match key.last().map(String::as_str) {
            Some("may") => Value::from(vec!["read"]),
            Some("without") => Value::from(vec!["edit"]),
            Some("servers") => Value::Array(Vec::new()),
            Some("roles") => Value::from(vec!["librarian", "scout"]),
            Some("env") => Value::from(vec!["OTHER_TOKEN"]),
            Some("command") => Value::from(vec!["other"]),
            Some("agon") => Value::from(vec!["mail"]),
            Some("skills") => Value::Array(Vec::new()),
            other => panic!("no other value of {other:?}"),
        },
        Value::String(text) => match (key.last().map(String::as_str), text.as_str()) {
            (Some("profile"), _) => word("strict"),
            (Some("team"), "full") => word("small"),
            (Some("team"), _) => word("full"),
            (Some("model"), _) => word("standard"),
            (Some("effort"), "max") => word("low"),
            (Some("effort"), _) => word("max"),
            (Some("url"), _) => word("https://other.example.com/mcp"),
            (_, "always") => word("never"),
            (_, "never" | "risky") => word("always"),
            (_, "full") => word("partial"),
            (Some(last), _) if key.contains(&"hosts".to_owned()) => {
                assert_ne!(last, "gemini");
                word("gemini")
            }
            _ => word("another/model"),
        },
        other => panic!("{key:?}: {other}"),
    }
}

/// Changes a key, and whatever must change with it so that the result is valid.
pub(super) fn change(
    kind: DefaultsKind,
    key: &[String],
    value: &Value,
    files: &[LayerFile],
) -> Vec<(String, Value)> {
    let names: Vec<&str> = key.iter().map(String::as_str).collect();
    match (kind, names.as_slice()) {
        // A user cannot change a flag's declaration, so set its value by name.
        (DefaultsKind::Flags, [_, flag, "default"]) => {
            vec![(format!("set.{flag}"), another(key, value))]
        }
        (DefaultsKind::Teams, [_, name, part, ..]) => {
            let team = add_up(files).unwrap().defaults.teams.teams[*name].clone();
            let changed = match (*part, names.last()) {
                ("members", Some(role)) => other_members(&team, role),
                ("checked_by", _) => other_checkers(&team.checked_by),
                _ => return vec![(key.join("."), another(key, value))],
            };
            let path = |(key, value)| (format!("teams.{name}.{key}"), value);
            changed.into_iter().map(path).collect()
        }
        _ => vec![(key.join("."), another(key, value))],
    }
}

/// Changes the number of `role` in a team: one worker more, or none of another role. Without
/// planners or reviewers, the roles that depend on them are removed too.
fn other_members(team: &Team, role: &str) -> Vec<(String, Value)> {
    let none = |role: &str| (format!("members.{role}"), Value::from(0));
    match TeamPart::of_role(role).unwrap() {
        TeamPart::Works => {
            let more = Value::from(team.members[role] + 1);
            vec![(format!("members.{role}"), more)]
        }
        TeamPart::Checks => {
            let mut checkers = team.checked_by.clone();
            checkers.retain(|it| it != role);
            let mut changed = vec![none(role)];
            match checkers.is_empty() {
                true => changed.extend(with_checker(checkers, role)),
                false => changed.push(("checked_by".to_owned(), Value::from(checkers))),
            }
            changed
        }
        TeamPart::Plans => {
            let speaks = |it: &&str| {
                matches!(
                    TeamPart::of_role(it),
                    Some(TeamPart::Reports | TeamPart::Objects)
                )
            };
            let others = team.roles().map(|(role, _)| role).filter(speaks);
            std::iter::once(role).chain(others).map(none).collect()
        }
        TeamPart::Reports | TeamPart::Objects => vec![none(role)],
    }
}

/// Returns other reviewers of a change, or the same ones in another order.
fn other_checkers(checkers: &[String]) -> Vec<(String, Value)> {
    match checkers {
        [one] => with_checker(vec![one.clone()], one),
        more => {
            let reversed: Vec<String> = more.iter().rev().cloned().collect();
            vec![("checked_by".to_owned(), Value::from(reversed))]
        }
    }
}

/// Adds a reviewer other than `but` in front of these.
fn with_checker(checkers: Vec<String>, but: &str) -> Vec<(String, Value)> {
    let more = CHECKERS.iter().map(|it| it.role).find(|it| *it != but);
    let more = more.unwrap();
    let all: Vec<String> = std::iter::once(more.to_owned()).chain(checkers).collect();
    vec![
        ("checked_by".to_owned(), Value::from(all)),
        (format!("members.{more}"), Value::from(1)),
    ]
}

/// Returns the other settings under which the key takes effect.
pub(super) fn companion_settings(key: &[String]) -> Vec<LayerFile> {
    let of_profile =
        |key: &str, value: &str| file(DefaultsKind::Profiles, key, &Value::from(value));
    match key.first().map(String::as_str) {
        // Add workers: with fewer of them than parallel tasks, their number would be the limit.
        _ if key.iter().any(|name| name == "parallel") => {
            let many = |team: &str| {
                let key = format!("teams.{team}.members.worker");
                file(DefaultsKind::Teams, &key, &12.into())
            };
            // Set the flag in the profile, which overrides the flag's own file.
            let profile = match key.len() {
                4 => key[1].as_str(),
                _ => "strict",
            };
            vec![many("small"), many("full"), of_profile("profile", profile)]
        }
        // Disable the server: if enabled, it would be present even without the profile.
        Some("profiles") if key[2..] == ["servers"] => vec![
            of_profile("profile", &key[1]),
            file(DefaultsKind::Servers, "servers.docs.enabled", &false.into()),
        ],
        Some("profiles") => vec![of_profile("profile", &key[1])],
        Some("teams") => vec![of_profile("profiles.standard.team", &key[1])],
        Some("servers") => server_settings(&key[1], &key[2]),
        _ => Vec::new(),
    }
}

fn server_settings(name: &str, last: &str) -> Vec<LayerFile> {
    let set = |key: &str, value: Value| {
        let key = format!("servers.{name}.{key}");
        file(DefaultsKind::Servers, &key, &value)
    };
    let mut files = Vec::new();
    // Only a local server may declare that it does not use the network, so that roles without
    // network access may use it.
    if name == "tracker" && matches!(last, "network" | "roles") {
        files.push(set("url", "http://127.0.0.1:8000/mcp".into()));
    }
    if name != "agon" && last == "roles" {
        files.push(set("network", false.into()));
    }
    // A profile without network access shows which servers need the network.
    if last == "network" {
        files.push(file(DefaultsKind::Profiles, "profile", &"offline".into()));
    }
    if name == "docs" && last != "enabled" {
        files.push(set("enabled", true.into()));
    }
    files
}
