//! Every key of the five files of a team's settings changes what a run, a member or an installation
//! does. The table names for each key what differs; a key without a row fails.

use std::collections::BTreeMap;

use agon_caller::Caller;
use agon_hosts::compile::{Target, compile_with};
use agon_hosts::content::{self, Content, Role};
use agon_hosts::defaults::flags::FlagType;
use agon_hosts::defaults::{
    DEFAULT_FILES, Defaults, DefaultsKind, DefaultsLayer, EXAMPLE_FILES, LayerFile, LayerOwner,
    Resolved,
};
use agon_hosts::host::{HOSTS, SERVER};
use agon_hosts::roster::Roster;
use agon_record::authority::Authority;
use agon_team::id::SessionId;
use agon_team::run_policy::TaskWeight;
use toml::{Table, Value};

use crate::gate::judge_answer;
use crate::prompt::{self, Briefing};
use crate::run::{members_that_speak, wanted};
use crate::run_policy::{at_once_on, resolve, skills_share};
use crate::start::model_in;

/// What a change of a key is seen in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// Who plans, reports, objects, works in which tool and how many at once, and who checks.
    Run,
    /// Which of debate, answer and work follows on objections; which changes are debated; whether a
    /// verdict counts; whether a person is asked; when a task fails.
    Gates,
    /// The model argument of a member.
    Model,
    /// The effort argument of a member, and whether its tool can write.
    Member,
    /// The prompt of a member.
    Prompt,
    /// What `agon install` writes into the tools.
    Installed,
    /// A value beyond what is declared is refused.
    Refusal,
    /// Nothing: a text for people, or the name of the form.
    Text,
}

/// A pattern of keys, in which `*` is any name, and what a change of them is seen in.
const ROWS: &[(DefaultsKind, &str, Effect)] = &[
    (DefaultsKind::Agents, "schema", Effect::Text),
    (DefaultsKind::Agents, "models.*.*", Effect::Model),
    (DefaultsKind::Agents, "roles.*.models.*", Effect::Model),
    (DefaultsKind::Agents, "roles.*.effort", Effect::Member),
    (DefaultsKind::Agents, "roles.*.may", Effect::Installed),
    (DefaultsKind::Flags, "schema", Effect::Text),
    (DefaultsKind::Flags, "flags.*.about", Effect::Text),
    (DefaultsKind::Flags, "flags.*.effect", Effect::Text),
    (
        DefaultsKind::Flags,
        "flags.debate-plans.default",
        Effect::Gates,
    ),
    (
        DefaultsKind::Flags,
        "flags.debate-changes.default",
        Effect::Gates,
    ),
    (
        DefaultsKind::Flags,
        "flags.authority.default",
        Effect::Gates,
    ),
    (
        DefaultsKind::Flags,
        "flags.ask-irreversible.default",
        Effect::Gates,
    ),
    (
        DefaultsKind::Flags,
        "flags.review-rounds.default",
        Effect::Gates,
    ),
    (DefaultsKind::Flags, "flags.parallel.default", Effect::Run),
    (
        DefaultsKind::Flags,
        "flags.skills-share.default",
        Effect::Prompt,
    ),
    (DefaultsKind::Flags, "flags.*.type", Effect::Refusal),
    (DefaultsKind::Flags, "flags.*.choices", Effect::Refusal),
    (DefaultsKind::Flags, "flags.*.min", Effect::Refusal),
    (DefaultsKind::Flags, "flags.*.max", Effect::Refusal),
    (DefaultsKind::Flags, "flags.*.project", Effect::Refusal),
    (DefaultsKind::Flags, "set.debate-changes", Effect::Gates),
    (DefaultsKind::Flags, "set.parallel", Effect::Run),
    (DefaultsKind::Teams, "schema", Effect::Text),
    (DefaultsKind::Teams, "teams.*.about", Effect::Text),
    (DefaultsKind::Teams, "teams.*.members.*", Effect::Run),
    (DefaultsKind::Teams, "teams.*.checked_by", Effect::Run),
    (DefaultsKind::Teams, "teams.*.hosts.*", Effect::Run),
    (DefaultsKind::Profiles, "schema", Effect::Text),
    (DefaultsKind::Profiles, "profile", Effect::Run),
    (DefaultsKind::Profiles, "profiles.*.about", Effect::Text),
    (DefaultsKind::Profiles, "profiles.*.team", Effect::Run),
    (DefaultsKind::Profiles, "profiles.*.effort", Effect::Member),
    (
        DefaultsKind::Profiles,
        "profiles.*.without",
        Effect::Installed,
    ),
    (
        DefaultsKind::Profiles,
        "profiles.*.servers",
        Effect::Installed,
    ),
    (
        DefaultsKind::Profiles,
        "profiles.*.set.parallel",
        Effect::Run,
    ),
    (DefaultsKind::Profiles, "profiles.*.set.*", Effect::Gates),
    (DefaultsKind::Servers, "schema", Effect::Text),
    (DefaultsKind::Servers, "servers.*.about", Effect::Text),
    (DefaultsKind::Servers, "servers.*.*", Effect::Installed),
];

fn covers(pattern: &str, key: &[String]) -> bool {
    let parts: Vec<_> = pattern.split('.').collect();
    let same = |(part, name): (&&str, &String)| *part == "*" || part == name;
    parts.len() == key.len() && parts.iter().zip(key).all(same)
}

fn leaves(table: &Table) -> Vec<(Vec<String>, Value)> {
    let mut found = Vec::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => found.extend(leaves(inner).into_iter().map(|(keys, value)| {
                let keys = [vec![name.clone()], keys].concat();
                (keys, value)
            })),
            value => found.push((vec![name.clone()], value.clone())),
        }
    }
    found
}

/// A file of one layer with one key.
fn file(kind: DefaultsKind, key: &str, value: &Value) -> LayerFile {
    LayerFile {
        kind,
        path: format!("{key} of {}", kind.file()),
        text: format!("schema = \"{}\"\n{key} = {value}\n", kind.id()),
    }
}

fn all_content() -> (Content, Vec<Role>, Vec<String>) {
    let team = content::team().unwrap();
    let embedded = content::embedded().unwrap();
    let skills = embedded.skills.iter().chain(&team.skills);
    let skills = skills.map(|skill| skill.name.clone()).collect();
    let roles = team.roles.clone();
    (team, roles, skills)
}

fn add_up(files: &[LayerFile]) -> Result<Resolved, String> {
    let (_, roles, skills) = all_content();
    let layers: Vec<DefaultsLayer> = files
        .iter()
        .map(|file| DefaultsLayer {
            files: vec![file.clone()],
            owner: LayerOwner::User,
        })
        .collect();
    Defaults::resolve(&layers, &roles, &skills).map_err(|error| error.what)
}

/// What is seen of what the files add up to; a refusal where they do not hold.
fn see(seen: Effect, files: &[LayerFile]) -> String {
    let resolved = match add_up(files) {
        Ok(resolved) => resolved,
        Err(what) => return format!("refused: {what}"),
    };
    let (team, roles, _) = all_content();
    let roster = Roster::new(&resolved, &roles);
    match seen {
        Effect::Run => run(&resolved),
        Effect::Gates => gates(&resolved),
        Effect::Model => each_role(&roster, |settings| {
            format!(
                "{:?}",
                HOSTS
                    .iter()
                    .map(|host| model_in(settings, host.name))
                    .collect::<Vec<_>>()
            )
        }),
        Effect::Member => each_role(&roster, |settings| format!("{:?}", settings.effort.value)),
        Effect::Prompt => write_prompt(&resolved, &roster, &roles),
        Effect::Installed => installed(&team, &roster),
        Effect::Refusal | Effect::Text => String::new(),
    }
}

fn each_role(roster: &Roster, of: impl Fn(&agon_hosts::roster::RoleSettings) -> String) -> String {
    let all = roster.roles().iter();
    all.map(|it| format!("{}: {}\n", it.name, of(it))).collect()
}

fn run(resolved: &Resolved) -> String {
    let policy = resolve(resolved);
    let mut text = format!("plans: {}\n", policy.has("planner"));
    text += &format!("speak: {:?}\n", members_that_speak(&policy));
    for weight in TaskWeight::ALL {
        let role = policy.worker_for(weight);
        let begun = policy.begin_now(
            &[role.unwrap_or("none"); 20],
            at_once_on(policy.parallel, 64),
        );
        let host = role.and_then(|role| policy.hosts.get(role));
        text += &format!(
            "{weight:?}: {role:?} in {host:?}, {} at once\n",
            begun.len()
        );
    }
    for role in &policy.checked_by {
        text += &format!("checks: {role} in {:?}\n", policy.hosts.get(role));
    }
    text
}

fn gates(resolved: &Resolved) -> String {
    let policy = resolve(resolved);
    let gate = wanted(&policy, "Is it so?");
    let verdict = |authority| judge_answer(&gate, "Yes", Some(authority), None).0;
    format!(
        "{:?} {:?}\ndebated {} {}\ncounts {:?} {:?}\nasks {}\nfails after {:?}\n",
        policy.after_objections(true),
        policy.after_objections(false),
        policy.debates_change(false),
        policy.debates_change(true),
        verdict(Authority::Full),
        verdict(Authority::Partial),
        policy.asks_person(true),
        (0..=8).find(|returned| policy.fails_after(*returned)),
    )
}

fn write_prompt(resolved: &Resolved, roster: &Roster, roles: &[Role]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let vars = [("HOME", dir.path()), ("AGON_CONFIG_DIR", dir.path())];
    let vars = vars.map(|(name, value)| (name.into(), value.into()));
    let role = roles
        .iter()
        .find(|role| role.name == "deep-worker")
        .unwrap();
    let briefing = Briefing {
        member: &"ada".parse().unwrap(),
        role,
        host: "claude",
        may_write: true,
        task: None,
        order: None,
        checks: "",
        runs_programs: true,
        handover: None,
        onset: 64_000,
        skills: &roster.role("deep-worker").unwrap().skills.value,
        skills_share: skills_share(resolved),
        session: SessionId::new(1),
    };
    let caller = Caller::new(vars.into(), dir.path());
    prompt::write(&caller, &briefing).unwrap().to_string()
}

fn installed(team: &Content, roster: &Roster) -> String {
    let mut text = String::new();
    for host in HOSTS {
        let target = Target {
            host,
            server: SERVER,
            waived: &[],
            is_for_project: false,
        };
        let compiled = compile_with(team, roster, &target);
        for file in compiled.files {
            text += &format!("{}\n{}\n", file.path, file.text);
        }
        text += &format!("{:?}\n", compiled.servers);
    }
    text
}

/// Another value of the same type.
fn another(kind: DefaultsKind, key: &[String], value: &Value) -> Value {
    let word = |word: &str| Value::from(word);
    match value {
        Value::Boolean(is_on) => Value::from(!is_on),
        Value::Integer(1) if kind == DefaultsKind::Teams => Value::from(0),
        // Skills are whole: a percent less may leave the same ones.
        Value::Integer(_) if key.iter().any(|name| name == "skills-share") => Value::from(0),
        Value::Integer(number) => Value::from(if *number > 1 { number - 1 } else { number + 1 }),
        Value::Array(_) => match key.last().map(String::as_str) {
            Some("may") => Value::from(vec!["read"]),
            Some("without") => Value::from(vec!["edit"]),
            Some("servers") => Value::Array(Vec::new()),
            Some("roles") => Value::from(vec!["librarian", "scout"]),
            Some("env") => Value::from(vec!["OTHER_TOKEN"]),
            Some("command") => Value::from(vec!["other"]),
            Some("checked_by") => match value.as_array().unwrap().as_slice() {
                [one] => Value::Array(vec!["auditor".into(), one.clone()]),
                more => Value::Array(more.iter().rev().cloned().collect()),
            },
            other => panic!("no other value of {other:?}"),
        },
        Value::String(text) => match (key.last().map(String::as_str), text.as_str()) {
            (Some("profile"), _) => word("strict"),
            (Some("team"), "full") => word("small"),
            (Some("team"), _) => word("full"),
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

/// What has to hold beside a key so that it is the one that decides.
fn around(key: &[String]) -> Vec<LayerFile> {
    let of_profile =
        |key: &str, value: &str| file(DefaultsKind::Profiles, key, &Value::from(value));
    match key.first().map(String::as_str) {
        // More workers than tasks at once, else the count of the role is the bound.
        _ if key.iter().any(|name| name == "parallel") => {
            let many = |team: &str| {
                let key = format!("teams.{team}.members.worker");
                file(DefaultsKind::Teams, &key, &12.into())
            };
            // A profile that sets the flag stands above the flag's own file.
            let profile = match key.len() {
                4 => key[1].as_str(),
                _ => "strict",
            };
            vec![many("small"), many("full"), of_profile("profile", profile)]
        }
        // Enabled, it would be there without the profile.
        Some("profiles") if key[2..] == ["servers"] => vec![
            of_profile("profile", &key[1]),
            file(DefaultsKind::Servers, "servers.docs.enabled", &false.into()),
        ],
        Some("profiles") => vec![of_profile("profile", &key[1])],
        Some("teams") => vec![of_profile("profiles.standard.team", &key[1])],
        // It is a profile without the network that tells servers that reach it from others.
        Some("servers") if key[2] == "network" => vec![
            of_profile("profile", "offline"),
            file(DefaultsKind::Servers, "servers.docs.enabled", &true.into()),
        ],
        Some("servers") if key[1] == "docs" && key[2] != "enabled" => {
            vec![file(
                DefaultsKind::Servers,
                "servers.docs.enabled",
                &true.into(),
            )]
        }
        _ => Vec::new(),
    }
}

/// Whether a value beyond what a flag declares is refused, and one within it taken.
fn refuses(key: &[String], value: &Value) -> bool {
    let name = &key[1];
    let flags = Defaults::declared_flags();
    let flag = &flags.flags[name];
    let set = |value: &Value| add_up(&[file(DefaultsKind::Flags, &format!("set.{name}"), value)]);
    let number = |step: i64| Value::from(value.as_integer().unwrap() + step);
    match key[2].as_str() {
        "type" => {
            let other = match flag.kind {
                FlagType::Bool => Value::from(1),
                FlagType::Integer | FlagType::Choice => Value::from(true),
            };
            set(&other).is_err()
        }
        "choices" => {
            let words = value.as_array().unwrap();
            words.iter().all(|word| set(word).is_ok()) && set(&Value::from("other")).is_err()
        }
        "min" => set(&number(0)).is_ok() && set(&number(-1)).is_err(),
        "max" => set(&number(0)).is_ok() && set(&number(1)).is_err(),
        "project" => {
            let of_project = |name: &str| {
                let value = flags.flags[name].default.to_string();
                let text = format!("schema = \"agon.flags/1\"\nset.{name} = {value}\n");
                let layer = DefaultsLayer {
                    files: vec![LayerFile {
                        kind: DefaultsKind::Flags,
                        path: "project".to_owned(),
                        text,
                    }],
                    owner: LayerOwner::UntrustedProject,
                };
                let (_, roles, skills) = all_content();
                Defaults::resolve(&[layer], &roles, &skills).is_ok()
            };
            of_project(name) && !of_project("parallel")
        }
        other => panic!("no test of {other}"),
    }
}

/// What is wrong with the row of a key, where something is.
fn try_key(
    kind: DefaultsKind,
    key: &[String],
    value: &Value,
    base: &[LayerFile],
) -> Option<String> {
    let rows = ROWS.iter().filter(|(of, ..)| *of == kind);
    let mut rows = rows.filter(|(_, pattern, _)| covers(pattern, key));
    let name = format!("{} {}", kind.file(), key.join("."));
    let Some((.., seen)) = rows.next() else {
        return Some(format!("{name} has no row"));
    };
    match seen {
        Effect::Text => return None,
        Effect::Refusal => {
            return (!refuses(key, value)).then(|| format!("{name} refuses nothing"));
        }
        _ => {}
    }
    let mut files = [base, &around(key)].concat();
    let before = see(*seen, &files);
    assert!(!before.starts_with("refused"), "{name}: {before}");
    // How a flag is declared is Agon's; its value is set by its name.
    let path = match (kind, key) {
        (DefaultsKind::Flags, [_, flag, last]) if last == "default" => format!("set.{flag}"),
        _ => key.join("."),
    };
    files.push(file(kind, &path, &another(kind, key, value)));
    let is_list_of_checks = path.ends_with(".checked_by");
    if is_list_of_checks && value.as_array().is_some_and(|it| it.len() == 1) {
        let member = path.replace("checked_by", "members.auditor");
        let changed = files.last_mut().unwrap();
        changed.text += &format!("{member} = 1\n");
    }
    let after = see(*seen, &files);
    assert!(
        !is_list_of_checks || !after.starts_with("refused"),
        "{name}: {after}"
    );
    (before == after).then(|| format!("{name} changes nothing in {seen:?}"))
}

#[test]
fn every_key_of_the_five_files_changes_what_is_done() {
    let files = |files: &[(DefaultsKind, &str)]| -> Vec<LayerFile> {
        let file = |(kind, text): &(DefaultsKind, &str)| LayerFile {
            kind: *kind,
            path: "example".to_owned(),
            text: (*text).to_owned(),
        };
        files.iter().map(file).collect()
    };
    let mut wrong = Vec::new();
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    let mut count = 0;
    for (all, base) in [
        (DEFAULT_FILES, Vec::new()),
        (EXAMPLE_FILES, files(&EXAMPLE_FILES)),
    ] {
        for (kind, text) in all {
            for (key, value) in leaves(&text.parse().unwrap()) {
                count += 1;
                wrong.extend(try_key(kind, &key, &value, &base));
                let rows = ROWS.iter().filter(|(of, ..)| *of == kind);
                for (_, pattern, _) in rows.filter(|(_, pattern, _)| covers(pattern, &key)) {
                    *used.entry(pattern).or_default() += 1;
                }
            }
        }
    }
    assert_eq!(wrong, [] as [String; 0]);
    let idle = ROWS
        .iter()
        .filter(|(_, pattern, _)| !used.contains_key(pattern));
    assert_eq!(idle.count(), 0, "a row that no key has");
    assert!(count > 120, "{count}");
}
