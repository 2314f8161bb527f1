//! The defaults of a team: they hold, layers override them, and what is wrong is said with its place.

mod broken;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agon_hosts::content::agent::Power;
use agon_hosts::content::{self, Role};
use agon_hosts::defaults::flags::FlagValue;
use agon_hosts::defaults::teams::TeamPart;
use agon_hosts::defaults::{
    DEFAULT_FILES, Defaults, DefaultsError, DefaultsKind, DefaultsLayer, EXAMPLE_FILES, LayerFile,
    LayerOwner, Resolved,
};

use self::broken::BROKEN;

fn roles() -> Vec<Role> {
    content::team().unwrap().roles
}

fn resolve(layers: &[DefaultsLayer]) -> Result<Resolved, DefaultsError> {
    let all = [content::embedded().unwrap(), content::team().unwrap()];
    let skills = all.into_iter().flat_map(|content| content.skills);
    let skills: Vec<_> = skills.map(|skill| skill.name).collect();
    Defaults::resolve(layers, &roles(), &skills)
}

fn layer(name: &str, files: &[(DefaultsKind, &str)]) -> DefaultsLayer {
    let file = |(kind, text): &(DefaultsKind, &str)| LayerFile {
        kind: *kind,
        path: format!("{name}/{}", kind.file()),
        text: (*text).to_owned(),
    };
    DefaultsLayer {
        files: files.iter().map(file).collect(),
        owner: LayerOwner::User,
    }
}

/// The text at a dotted key of what holds.
fn value_of(defaults: &Defaults, kind: DefaultsKind, key: &str) -> String {
    let file = match kind {
        DefaultsKind::Agents => toml::Value::try_from(&defaults.agents),
        DefaultsKind::Flags => toml::Value::try_from(&defaults.flags),
        DefaultsKind::Profiles => toml::Value::try_from(&defaults.profiles),
        DefaultsKind::Teams => toml::Value::try_from(&defaults.teams),
        DefaultsKind::Servers => toml::Value::try_from(&defaults.servers),
    };
    let file = file.unwrap();
    let found = key.split('.').fold(&file, |value, key| &value[key]);
    found.as_str().unwrap().to_owned()
}

#[test]
fn every_broken_file_is_refused_with_its_line_and_reason() {
    let mut wrong = Vec::new();
    let mut counts = BTreeMap::<DefaultsKind, usize>::new();
    for case in BROKEN {
        *counts.entry(case.kind).or_default() += 1;
        let fault = match resolve(&[layer("user", &[(case.kind, case.text)])]) {
            Ok(_) => "nothing".to_owned(),
            Err(error) => {
                assert_eq!(error.path, format!("user/{}", case.kind.file()), "{error}");
                format!("{}: {}; {}", error.line.unwrap(), error.what, error.hint)
            }
        };
        if fault != case.fault {
            wrong.push(format!("{}\n{fault}\n{}", case.text, case.fault));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    for kind in DefaultsKind::ALL {
        assert!(counts[&kind] >= 10, "{}", kind.file());
    }
}

#[test]
fn the_defaults_hold_by_themselves() {
    let resolved = resolve(&[]).unwrap();
    let sources = resolved.values.values();
    let sources: BTreeSet<_> = sources.map(|value| value.source.to_string()).collect();
    assert_eq!(sources, BTreeSet::from(["default".to_owned()]));
    let defaults = resolved.defaults;
    assert_eq!(
        defaults.flags.value("parallel"),
        Some(&FlagValue::Integer(4))
    );
    let profiles: Vec<_> = defaults.profiles.profiles.keys().collect();
    assert_eq!(profiles, ["minimal", "offline", "standard", "strict"]);
    // Those who may call its tools, and no others.
    let with_tools = roles().into_iter().filter(|role| !role.agon.is_empty());
    let with_tools: BTreeSet<_> = with_tools.map(|role| role.name).collect();
    let agon = &defaults.servers.servers["agon"];
    assert_eq!(
        agon.roles.iter().cloned().collect::<BTreeSet<_>>(),
        with_tools
    );
    let enabled = defaults
        .servers
        .servers
        .iter()
        .filter(|(_, server)| server.enabled);
    let enabled: Vec<_> = enabled.map(|(name, _)| name.as_str()).collect();
    assert_eq!(enabled, ["agon"]);
    // Every role that a run can call is in some team, and no other.
    let in_teams = defaults
        .teams
        .teams
        .values()
        .flat_map(|team| team.members.keys());
    let in_teams: BTreeSet<_> = in_teams.cloned().collect();
    let names = roles().into_iter().map(|role| role.name);
    let called: BTreeSet<_> = names.filter(|it| TeamPart::of_role(it).is_some()).collect();
    assert_eq!(in_teams, called);
    // Those who check cannot edit, and those who work can.
    for role in roles() {
        let edits = role.may.contains(&Power::Edit);
        match TeamPart::of_role(&role.name) {
            Some(part) => assert_eq!(edits, part == TeamPart::Works, "{}", role.name),
            None => assert!(!role.name.contains("worker"), "{}", role.name),
        }
    }
}

#[test]
fn every_file_of_the_defaults_is_embedded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/defaults");
    for (folder, files) in [
        (folder.clone(), DEFAULT_FILES),
        (folder.join("examples"), EXAMPLE_FILES),
    ] {
        let entries = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let on_disk = entries.filter(|path| path.is_file());
        let on_disk: BTreeMap<_, _> = on_disk
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(path).unwrap())
            })
            .collect();
        let embedded = files.map(|(kind, text)| (kind.file().to_owned(), text.to_owned()));
        assert_eq!(on_disk, BTreeMap::from(embedded));
    }
}

#[test]
fn the_examples_override_the_defaults_key_by_key() {
    let resolved = resolve(&[layer("user", &EXAMPLE_FILES)]).unwrap();
    let source = |kind, key: &str| resolved.source(kind, key).unwrap().to_string();
    let defaults = &resolved.defaults;

    let claude = &defaults.agents.models["claude"];
    assert_eq!(claude.fast.as_deref(), Some("sonnet"));
    assert_eq!(claude.strong.as_deref(), Some("opus"));
    assert_eq!(
        source(DefaultsKind::Agents, "models.claude.fast"),
        "user/agents.toml:5"
    );
    assert_eq!(
        source(DefaultsKind::Agents, "models.claude.strong"),
        "default"
    );

    assert_eq!(
        defaults.flags.value("parallel"),
        Some(&FlagValue::Integer(2))
    );
    assert_eq!(
        defaults.flags.value("debate-plans"),
        Some(&FlagValue::Bool(true))
    );
    assert_eq!(
        source(DefaultsKind::Flags, "set.parallel"),
        "user/flags.toml:6"
    );

    let small = &defaults.teams.teams["small"];
    let counts = (small.members["worker"], small.members["reviewer"]);
    assert_eq!((counts, small.hosts["worker"].as_str()), ((3, 1), "codex"));
    assert_eq!(
        source(DefaultsKind::Teams, "teams.small.members.reviewer"),
        "default"
    );

    let standard = &defaults.profiles.profiles["standard"];
    assert_eq!(standard.set["parallel"], FlagValue::Integer(6));
    assert_eq!(standard.team, "small");
    assert_eq!(defaults.profiles.profiles["release"].servers, ["docs"]);
    let docs = &defaults.servers.servers["docs"];
    assert!(docs.enabled && docs.roles == ["librarian"]);
}

#[test]
fn a_later_layer_is_above_an_earlier_one_for_each_file() {
    let cases = [
        (
            DefaultsKind::Agents,
            "[roles.scout]\neffort = \"EACH\"",
            ["high", "max"],
            "roles.scout.effort",
        ),
        (
            DefaultsKind::Flags,
            "[set]\nauthority = \"EACH\"",
            ["partial", "full"],
            "set.authority",
        ),
        (
            DefaultsKind::Profiles,
            "[profiles.strict]\nteam = \"EACH\"",
            ["small", "solo"],
            "profiles.strict.team",
        ),
        (
            DefaultsKind::Teams,
            "[teams.small]\nhosts = { scout = \"EACH\" }",
            ["codex", "claude"],
            "teams.small.hosts.scout",
        ),
        (
            DefaultsKind::Servers,
            "[servers.docs]\nabout = \"EACH\"",
            ["b", "c"],
            "servers.docs.about",
        ),
    ];
    for (kind, text, values, key) in cases {
        let texts = values.map(|value| {
            let text = text.replace("EACH", value);
            format!("schema = \"{}\"\n{text}\n", kind.id())
        });
        let user = layer("user", &[(kind, &texts[0])]);
        let project = layer("project", &[(kind, &texts[1])]);
        for (layers, value, source) in [
            (vec![user.clone()], values[0], "user"),
            (vec![user.clone(), project.clone()], values[1], "project"),
            (vec![project, user], values[0], "user"),
        ] {
            let resolved = resolve(&layers).unwrap();
            let place = resolved.source(kind, key).unwrap().to_string();
            assert_eq!(place, format!("{source}/{}:3", kind.file()));
            assert_eq!(value_of(&resolved.defaults, kind, key), value, "{key}");
        }
    }
}

#[test]
fn a_fault_of_two_layers_is_said_of_the_one_that_set_it_last() {
    let teams = |name, text: &str| {
        let text = format!("schema = \"agon.teams/1\"\n\n{text}");
        layer(name, &[(DefaultsKind::Teams, &text)])
    };
    let user = teams(
        "user",
        "[teams.small]\nchecked_by = [\"reviewer\", \"validator\"]\n",
    );
    let project = teams(
        "project",
        "[teams.small]\n\nchecked_by = [\"reviewer\", \"validator\", \"qa\"]\n",
    );
    let error = resolve(&[user, project]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "project/teams.toml:5: `qa` is in `checked_by` but is not a member"
    );
}

#[test]
fn every_fault_is_told_in_every_file_at_once() {
    let files = [
        (DefaultsKind::Agents, "schema = \"agon.agents/1\"\nx = 1\n"),
        (
            DefaultsKind::Flags,
            "schema = \"agon.flags/1\"\n[flags.x]\nabout = \"a\"\ntype = \"bool\"\ndefault = true\neffect = \"b\"\n",
        ),
        (DefaultsKind::Teams, "[teams.small]\n"),
    ];
    let told = |files: &[(DefaultsKind, &str)]| {
        let faults = Defaults::faults(&[layer("user", files)], &roles(), &[]);
        let places = faults.iter().map(|fault| (fault.path.clone(), fault.line));
        let mut places: Vec<_> = places.collect();
        places.dedup();
        places
    };
    let at = |path: &str, line| (path.to_owned(), Some(line));
    assert_eq!(
        told(&files),
        [
            at("user/agents.toml", 2),
            at("user/flags.toml", 3),
            at("user/teams.toml", 1),
        ]
    );
    // What they mean is looked at where all have a form.
    let of_meaning = [
        (
            DefaultsKind::Agents,
            "schema = \"agon.agents/1\"\n[roles.scot]\neffort = \"high\"\n",
        ),
        (
            DefaultsKind::Profiles,
            "schema = \"agon.profiles/1\"\nprofile = \"lax\"\n",
        ),
    ];
    assert_eq!(
        told(&of_meaning),
        [at("user/agents.toml", 2), at("user/profiles.toml", 2)]
    );
}

#[test]
fn a_request_is_above_the_profile_and_the_profile_above_the_files() {
    let flags = "schema = \"agon.flags/1\"\n[set]\nreview-rounds = 5\nparallel = 5\n";
    let user = layer("user", &[(DefaultsKind::Flags, flags)]);
    let named = "schema = \"agon.profiles/1\"\nprofile = \"strict\"\n";
    let mut profile = layer("user", &[(DefaultsKind::Profiles, named)]);
    let set = "schema = \"agon.flags/1\"\n[set]\nreview-rounds = 0\n";
    let mut request = layer("environment", &[(DefaultsKind::Flags, set)]);
    request.owner = LayerOwner::Request;

    let flag = |layers: &[DefaultsLayer], name: &str| {
        let resolved = resolve(layers).unwrap();
        let (value, source) = resolved.flag(name).unwrap();
        (value.clone(), source)
    };
    let is = |number, source: &str| (FlagValue::Integer(number), source.to_owned());
    let rounds = |layers: &[DefaultsLayer]| flag(layers, "review-rounds");
    assert_eq!(rounds(&[]), is(2, "default"));
    assert_eq!(
        rounds(std::slice::from_ref(&user)),
        is(5, "user/flags.toml:3")
    );
    assert_eq!(
        rounds(&[user.clone(), profile.clone()]),
        is(3, "profile strict in default")
    );
    assert_eq!(
        flag(&[user.clone(), profile.clone()], "parallel"),
        is(5, "user/flags.toml:4")
    );
    profile.files[0].text += "[profiles.strict]\nset = { review-rounds = 4 }\n";
    assert_eq!(
        rounds(&[user.clone(), profile.clone()]),
        is(4, "profile strict in user/profiles.toml:4")
    );
    assert_eq!(
        rounds(&[user, profile, request]),
        is(0, "environment/flags.toml")
    );
}

#[test]
fn a_project_that_is_not_trusted_sets_only_what_cannot_harm() {
    let untrusted = |kind: DefaultsKind, text: &str| {
        let text = format!("schema = \"{}\"\n{text}\n", kind.id());
        let mut layer = layer("project", &[(kind, &text)]);
        layer.owner = LayerOwner::UntrustedProject;
        let error = resolve(&[layer.clone()]).err();
        layer.owner = LayerOwner::User;
        assert!(resolve(&[layer]).is_ok(), "{text}");
        error.map(|error| format!("{}: {}", error.line.unwrap(), error.what))
    };
    for (kind, text) in [
        (DefaultsKind::Agents, "[roles.scout]\neffort = \"high\""),
        (DefaultsKind::Flags, "[set]\nreview-rounds = 3"),
        (DefaultsKind::Teams, "[teams.small]\nabout = \"ours\""),
    ] {
        assert_eq!(untrusted(kind, text), None, "{text}");
    }
    for (kind, text, key) in [
        (
            DefaultsKind::Agents,
            "[models.claude]\nfast = \"x\"",
            "3: an untrusted project may not set `models.claude.fast`",
        ),
        (
            DefaultsKind::Agents,
            "[roles.lead]\nagon = [\"recall\"]",
            "3: an untrusted project may not set `roles.lead.agon`",
        ),
        (
            DefaultsKind::Flags,
            "[set]\ndebate-plans = false",
            "3: an untrusted project may not set the flag `debate-plans`",
        ),
        (
            DefaultsKind::Profiles,
            "[profiles.standard]\nteam = \"solo\"",
            "3: an untrusted project may not set `profiles.standard.team`",
        ),
        (
            DefaultsKind::Profiles,
            "profile = \"minimal\"",
            "2: an untrusted project may not set `profile`",
        ),
        (
            DefaultsKind::Teams,
            "[teams.small.hosts]\nscout = \"codex\"",
            "3: an untrusted project may not set `teams.small.hosts.scout`",
        ),
        (
            DefaultsKind::Teams,
            "[teams.small.members]\nquick = 0",
            "3: an untrusted project may not set `teams.small.members.quick`",
        ),
        (
            DefaultsKind::Teams,
            "[teams.small]\nmembers = { validator = 0 }\nchecked_by = [\"reviewer\"]",
            "3: an untrusted project may not set `teams.small.members.validator`",
        ),
        (
            DefaultsKind::Servers,
            "[servers.docs]\ncommand = [\"evil\"]",
            "3: an untrusted project may not set `servers.docs.command`",
        ),
    ] {
        assert_eq!(untrusted(kind, text).as_deref(), Some(key));
    }
}

#[test]
fn the_schema_of_each_file_takes_what_is_read_and_refuses_what_has_another_form() {
    let validator = |kind: DefaultsKind| jsonschema::draft202012::new(&kind.schema()).unwrap();
    let json = |text: &str| {
        let table: Option<toml::Table> = text.parse().ok();
        table.map(|table| serde_json::to_value(table).unwrap())
    };
    for (kind, text) in DEFAULT_FILES.into_iter().chain(EXAMPLE_FILES) {
        let (validator, json) = (validator(kind), json(text).unwrap());
        let errors = validator.iter_errors(&json).map(|error| error.to_string());
        assert_eq!(errors.collect::<Vec<_>>(), Vec::<String>::new(), "{text}");
    }
    // These are the faults for which the program points to the schema.
    let of_form = BROKEN
        .iter()
        .filter(|case| case.fault.contains("`agon schema "));
    let mut refused = BTreeMap::<DefaultsKind, usize>::new();
    for case in of_form {
        let Some(json) = json(case.text) else {
            continue;
        };
        assert!(!validator(case.kind).is_valid(&json), "{}", case.text);
        *refused.entry(case.kind).or_default() += 1;
    }
    let least = DefaultsKind::ALL.map(|kind| refused.get(&kind).copied().unwrap_or_default());
    assert!(least.iter().sum::<usize>() >= 10, "{least:?}");
}

#[test]
fn a_layer_that_is_cut_anywhere_holds_or_is_refused_within_its_lines() {
    for (kind, whole) in EXAMPLE_FILES {
        for (at, _) in whole.char_indices().step_by(3) {
            let text = &whole[..at];
            if let Err(error) = resolve(&[layer("user", &[(kind, text)])]) {
                assert_eq!(error.path, format!("user/{}", kind.file()), "{text}");
                let lines = text.lines().count().max(1);
                assert!(
                    (1..=lines + 1).contains(&error.line.unwrap()),
                    "{text}\n{error}"
                );
            }
        }
    }
}
