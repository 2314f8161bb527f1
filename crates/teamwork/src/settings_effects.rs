//! Tests that every key of the five settings files of a team affects a run, a member or an
//! installation. The table states for each key what it affects; a key without a row fails the test.

mod change;

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
use serde_json::Value as Json;
use toml::{Table, Value};

use self::change::{change, companion_settings};
use crate::gate::judge_answer;
use crate::permissions::access_for_role;
use crate::prompt::{self, Briefing};
use crate::run::{statement_roles, wanted};
use crate::run_policy::{max_parallel_tasks_on, resolve, skills_share};
use crate::start::model_for_host;

/// Where a changed key takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// Who plans, reports, objects, reviews and works in which tool, and how many tasks run at
    /// once.
    Run,
    /// Whether objections lead to a debate, an answer or work; which changes are debated; whether a
    /// verdict counts; whether a person is asked; when a task fails.
    Gates,
    /// The model argument of a member.
    Model,
    /// A member's effort, and whether its tool may write.
    Member,
    /// The prompt of a member.
    Prompt,
    /// The files that `agon install` writes into the tools.
    Installed,
    /// Values outside a flag's declaration are refused.
    Refusal,
    /// No effect: a text for people, or the schema's name.
    Text,
}

/// Patterns of keys, in which `*` is any name, and everything that a change of such a key affects.
/// The first matching row counts.
const ROWS: &[(DefaultsKind, &str, &[Effect])] = &[
    (DefaultsKind::Agents, "schema", &[Effect::Text]),
    (DefaultsKind::Agents, "models.*.*", &[Effect::Model]),
    (DefaultsKind::Agents, "roles.*.models.*", &[Effect::Model]),
    (
        DefaultsKind::Agents,
        "roles.*.model",
        &[Effect::Model, Effect::Installed],
    ),
    (DefaultsKind::Agents, "roles.*.effort", &[Effect::Member]),
    // No tool that Agon starts has an argument for the temperature.
    (
        DefaultsKind::Agents,
        "roles.*.temperature",
        &[Effect::Installed],
    ),
    // Of these powers, only `edit` affects a started member: the tool's profile decides whether
    // members run programs, and no member uses the network or delegates.
    (
        DefaultsKind::Agents,
        "roles.*.may",
        &[Effect::Member, Effect::Installed],
    ),
    // A started member has all of the team's tools, and no others.
    (DefaultsKind::Agents, "roles.*.agon", &[Effect::Installed]),
    (
        DefaultsKind::Agents,
        "roles.*.skills",
        &[Effect::Prompt, Effect::Installed],
    ),
    (DefaultsKind::Flags, "schema", &[Effect::Text]),
    (DefaultsKind::Flags, "flags.*.about", &[Effect::Text]),
    (DefaultsKind::Flags, "flags.*.effect", &[Effect::Text]),
    (
        DefaultsKind::Flags,
        "flags.debate-plans.default",
        &[Effect::Gates],
    ),
    (
        DefaultsKind::Flags,
        "flags.debate-changes.default",
        &[Effect::Gates],
    ),
    (
        DefaultsKind::Flags,
        "flags.authority.default",
        &[Effect::Gates],
    ),
    (
        DefaultsKind::Flags,
        "flags.ask-irreversible.default",
        &[Effect::Gates],
    ),
    (
        DefaultsKind::Flags,
        "flags.review-rounds.default",
        &[Effect::Gates],
    ),
    (
        DefaultsKind::Flags,
        "flags.parallel.default",
        &[Effect::Run],
    ),
    (
        DefaultsKind::Flags,
        "flags.skills-share.default",
        &[Effect::Prompt],
    ),
    // A declaration decides which values are refused: those outside it and none within it.
    (DefaultsKind::Flags, "flags.*.type", &[Effect::Refusal]),
    (DefaultsKind::Flags, "flags.*.choices", &[Effect::Refusal]),
    (DefaultsKind::Flags, "flags.*.min", &[Effect::Refusal]),
    (DefaultsKind::Flags, "flags.*.max", &[Effect::Refusal]),
    (DefaultsKind::Flags, "flags.*.project", &[Effect::Refusal]),
    (DefaultsKind::Flags, "set.debate-changes", &[Effect::Gates]),
    (DefaultsKind::Flags, "set.parallel", &[Effect::Run]),
    (DefaultsKind::Teams, "schema", &[Effect::Text]),
    (DefaultsKind::Teams, "teams.*.about", &[Effect::Text]),
    (DefaultsKind::Teams, "teams.*.members.*", &[Effect::Run]),
    (DefaultsKind::Teams, "teams.*.checked_by", &[Effect::Run]),
    (DefaultsKind::Teams, "teams.*.hosts.*", &[Effect::Run]),
    (DefaultsKind::Profiles, "schema", &[Effect::Text]),
    (DefaultsKind::Profiles, "profile", &[Effect::Run]),
    (DefaultsKind::Profiles, "profiles.*.about", &[Effect::Text]),
    (DefaultsKind::Profiles, "profiles.*.team", &[Effect::Run]),
    (
        DefaultsKind::Profiles,
        "profiles.*.effort",
        &[Effect::Member],
    ),
    (
        DefaultsKind::Profiles,
        "profiles.*.without",
        &[Effect::Member, Effect::Installed],
    ),
    (
        DefaultsKind::Profiles,
        "profiles.*.servers",
        &[Effect::Installed],
    ),
    (
        DefaultsKind::Profiles,
        "profiles.*.set.parallel",
        &[Effect::Run],
    ),
    (DefaultsKind::Profiles, "profiles.*.set.*", &[Effect::Gates]),
    (DefaultsKind::Servers, "schema", &[Effect::Text]),
    (DefaultsKind::Servers, "servers.*.about", &[Effect::Text]),
    (DefaultsKind::Servers, "servers.*.*", &[Effect::Installed]),
];

/// Keys that none of the shipped files contains.
const EXTRA_FILES: [(DefaultsKind, &str); 1] = [(
    DefaultsKind::Agents,
    "schema = \"agon.agents/1\"\n[roles.deep-worker]\nmodel = \"fast\"\ntemperature = 0.7\n\
     agon = [\"task\"]\nskills = [\"parallel-investigation\"]\nmay = [\"read\", \"edit\"]\n",
)];

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

/// Returns one layer's file with one key.
fn file(kind: DefaultsKind, key: &str, value: &Value) -> LayerFile {
    file_of(kind, &[(key.to_owned(), value.clone())])
}

/// Returns one layer's file with these keys.
fn file_of(kind: DefaultsKind, keys: &[(String, Value)]) -> LayerFile {
    let lines = keys.iter().map(|(key, value)| format!("{key} = {value}\n"));
    LayerFile {
        kind,
        path: kind.file().to_owned(),
        text: format!("schema = \"{}\"\n{}", kind.id(), lines.collect::<String>()),
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

/// Describes an effect of the combined files, or the refusal if they are invalid.
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
                    .map(|host| model_for_host(settings, host.name))
                    .collect::<Vec<_>>()
            )
        }),
        Effect::Member => each_role(&roster, |settings| {
            format!(
                "{:?} {:?}",
                settings.effort.value,
                access_for_role(settings)
            )
        }),
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
    text += &format!("speak: {:?}\n", statement_roles(&policy));
    for weight in TaskWeight::ALL {
        let role = policy.worker_for(weight);
        let begun = policy.choose_to_start(
            &[role.unwrap_or("none"); 20],
            max_parallel_tasks_on(policy.parallel, 64),
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
        policy.step_after_objections(true),
        policy.step_after_objections(false),
        policy.debates_change(false),
        policy.debates_change(true),
        verdict(Authority::Full),
        verdict(Authority::Partial),
        policy.needs_person_approval(true),
        (0..=8).find(|returned| policy.fails_after_returns(*returned)),
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

/// Returns whether a value outside a flag's declaration is refused and one within it accepted.
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

/// Returns what is wrong with the row of a key, or `None`.
fn try_key(
    kind: DefaultsKind,
    key: &[String],
    value: &Value,
    base: &[LayerFile],
) -> Option<String> {
    let rows = ROWS.iter().filter(|(of, ..)| *of == kind);
    let mut rows = rows.filter(|(_, pattern, _)| covers(pattern, key));
    let name = format!("{} {}", kind.file(), key.join("."));
    let Some((.., effects)) = rows.next() else {
        return Some(format!("{name} has no row"));
    };
    match effects {
        [Effect::Text] => return None,
        [Effect::Refusal] => {
            return (!refuses(key, value)).then(|| format!("{name} refuses nothing"));
        }
        _ => {}
    }
    let before = [base, &companion_settings(key)].concat();
    let changed = file_of(kind, &change(kind, key, value, &before));
    let after = [before.as_slice(), &[changed]].concat();
    // Both must be valid, because a refused value has no effect to compare.
    for files in [&before, &after] {
        if let Err(what) = add_up(files) {
            return Some(format!("{name} is refused: {what}"));
        }
    }
    let idle = effects
        .iter()
        .find(|seen| see(**seen, &before) == see(**seen, &after));
    idle.map(|seen| format!("{name} changes nothing in {seen:?}"))
}

/// Returns the keys of a schema, with `*` for any name.
fn patterns(root: &Json, at: &Json) -> Vec<String> {
    let at = match at["$ref"].as_str() {
        Some(name) => root.pointer(name.trim_start_matches('#')).unwrap(),
        None => at,
    };
    let below = |name: &str, inner: &Json| {
        let inner = patterns(root, inner).into_iter();
        let path = |rest: String| match rest.is_empty() {
            true => name.to_owned(),
            false => format!("{name}.{rest}"),
        };
        inner.map(path).collect::<Vec<_>>()
    };
    match (&at["properties"], &at["additionalProperties"]) {
        (Json::Object(properties), _) => {
            let all = properties.iter();
            all.flat_map(|(name, inner)| below(name, inner)).collect()
        }
        (_, Json::Object(_)) => below("*", &at["additionalProperties"]),
        _ => vec![String::new()],
    }
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
    let mut tried: Vec<(DefaultsKind, Vec<String>)> = Vec::new();
    for (all, base) in [
        (&DEFAULT_FILES[..], Vec::new()),
        (&EXAMPLE_FILES, files(&EXAMPLE_FILES)),
        (&EXTRA_FILES, files(&EXTRA_FILES)),
    ] {
        for (kind, text) in all {
            for (key, value) in leaves(&text.parse().unwrap()) {
                wrong.extend(try_key(*kind, &key, &value, &base));
                tried.push((*kind, key));
            }
        }
    }
    assert_eq!(wrong, [] as [String; 0]);
    let has = |kind: DefaultsKind, pattern: &str| {
        let mut tried = tried.iter();
        tried.any(|(of, key)| *of == kind && covers(pattern, key))
    };
    for (kind, pattern, _) in ROWS {
        assert!(has(*kind, pattern), "no key has the row {pattern}");
    }
    for kind in DefaultsKind::ALL {
        let schema = kind.schema();
        for pattern in patterns(&schema, &schema) {
            assert!(has(kind, &pattern), "{pattern} of {kind:?} is not tried");
        }
    }
    assert!(tried.len() > 120, "{}", tried.len());
}
