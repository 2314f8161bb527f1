//! The roster: what the settings make of each role, in each host.

use std::collections::BTreeMap;
use std::fs;

use agon_hosts::cells::{CellOutcome, roster_cells};
use agon_hosts::compile::{Compiled, Kind, Target, compile, compile_with};
use agon_hosts::content::agent::{Effort, Power};
use agon_hosts::content::{self, Content, ContentSet};
use agon_hosts::defaults::{Defaults, DefaultsKind, DefaultsLayer, LayerFile, LayerOwner};
use agon_hosts::drift::{DriftKind, agent_drift};
use agon_hosts::host::{HOSTS, HostEnv, SERVER, Scope, find_host};
use agon_hosts::install::{Installation, apply, plan};
use agon_hosts::receipt::Receipt;
use agon_hosts::roster::Roster;
use serde_json::json;

fn team() -> Content {
    ContentSet::Team.content().unwrap()
}

/// The roster with these files above the defaults.
fn roster(files: &[(DefaultsKind, &str)]) -> Roster {
    let file = |(kind, text): &(DefaultsKind, &str)| LayerFile {
        kind: *kind,
        path: format!("user/{}", kind.file()),
        text: format!("schema = \"{}\"\n{text}", kind.id()),
    };
    let layer = DefaultsLayer {
        files: files.iter().map(file).collect(),
        owner: LayerOwner::User,
    };
    let all = [content::embedded().unwrap(), content::team().unwrap()];
    let skills = all.into_iter().flat_map(|content| content.skills);
    let skills: Vec<_> = skills.map(|skill| skill.name).collect();
    let roles = content::team().unwrap().roles;
    let resolved = Defaults::resolve(&[layer], &roles, &skills).unwrap();
    Roster::new(&resolved, &roles)
}

fn target<'a>(host: &str, waived: &'a [String]) -> Target<'a> {
    Target {
        host: find_host(host).unwrap(),
        server: SERVER,
        waived,
        is_for_project: false,
    }
}

/// Everything that a host may have to be waived for, for every role.
fn all_waivers() -> Vec<String> {
    let fields = [
        "read",
        "edit",
        "run",
        "network",
        "delegate",
        "edit-only",
        "agon-tools",
    ];
    let roles = team().roles.into_iter();
    roles
        .flat_map(|role| fields.map(|field| format!("{}.{field}", role.name)))
        .collect()
}

/// The text of a role's agent in a host.
fn agent_text(roster: &Roster, host: &str, role: &str) -> String {
    let waived = all_waivers();
    let compiled = compile_with(&team(), roster, &target(host, &waived));
    let mut files = compiled.files.into_iter();
    let is_it = |file: &agon_hosts::compile::CompiledFile| {
        (file.kind, file.name.as_str()) == (Kind::Agent, role)
    };
    files.find(is_it).unwrap().text
}

#[test]
fn without_settings_a_role_is_compiled_as_the_defaults_have_it() {
    let waived = all_waivers();
    for host in HOSTS {
        let target = target(host.name, &waived);
        let by_default = compile_with(&team(), &roster(&[]), &target);
        assert_eq!(compile(&team(), &target), by_default, "{}", host.name);
    }
    let has = |host: &str, role: &str, line: &str| {
        let text = agent_text(&roster(&[]), host, role);
        assert!(text.contains(line), "{text}\n{line}");
    };
    has("claude", "scout", "\nmodel: \"haiku\"\n");
    has("claude", "worker", "\nmodel: \"inherit\"\n");
    has("gemini", "scout", "\nmodel: \"flash\"\n");
    for (host, role) in [
        ("codex", "scout"),
        ("codex", "deep-worker"),
        ("gemini", "worker"),
        ("opencode", "scout"),
        ("copilot", "scout"),
    ] {
        let text = agent_text(&roster(&[]), host, role);
        assert!(
            !text.contains("\nmodel: ") && !text.contains("\nmodel = "),
            "{text}"
        );
    }
}

#[test]
fn a_model_effort_and_temperature_that_are_set_reach_the_file_of_the_host() {
    let agents = "[models.opencode]\nfast = \"lab/small\"\n\
                  [models.codex]\nfast = \"small\"\n\
                  [roles.scout]\neffort = \"high\"\ntemperature = 1.5\n\
                  [roles.scout.models]\nclaude = \"sonnet\"\ncodex = \"session\"\ncopilot = \"big\"\n\
                  [roles.planner]\nmodel = \"fast\"\n";
    let roster = roster(&[(DefaultsKind::Agents, agents)]);
    let has = |host: &str, role: &str, line: &str| {
        let text = agent_text(&roster, host, role);
        assert!(text.contains(line), "{text}\n{line}");
    };
    has("claude", "scout", "\nmodel: \"sonnet\"\n");
    has(
        "opencode",
        "scout",
        "\nmodel: \"lab/small\"\ntemperature: 1.5\n",
    );
    has("copilot", "scout", "\nmodel: \"big\"\n");
    has("codex", "scout", "\nmodel_reasoning_effort = \"high\"\n");
    assert!(!agent_text(&roster, "codex", "scout").contains("\nmodel = "));
    has("gemini", "scout", "\nmodel: \"flash\"\ntemperature: 1.5\n");
    has("claude", "planner", "\nmodel: \"haiku\"\n");
    has("codex", "planner", "\nmodel = \"small\"\n");

    let scout = roster.role("scout").unwrap();
    assert_eq!(scout.model("claude").source, "user/agents.toml:10");
    assert_eq!(scout.model("gemini").source, "default agents.toml");
    assert_eq!(scout.effort.source, "user/agents.toml:7");
    assert_eq!(
        roster.role("planner").unwrap().class.source,
        "user/agents.toml:14"
    );
    assert_eq!(roster.role("critic").unwrap().class.source, "its role");
}

#[test]
fn what_is_taken_from_a_role_is_taken_in_every_host() {
    let agents = "[roles.worker]\nmay = [\"read\", \"edit\"]\n";
    let profiles = "profile = \"offline\"\n";
    let roster = roster(&[
        (DefaultsKind::Agents, agents),
        (DefaultsKind::Profiles, profiles),
    ]);
    let worker = agent_text(&roster, "claude", "worker");
    assert!(
        worker.contains("\ntools: \"Read, Grep, Glob, Edit, Write, mcp__agon__task, "),
        "{worker}"
    );
    let librarian = agent_text(&roster, "claude", "librarian");
    assert!(!librarian.contains("WebFetch"), "{librarian}");
    let librarian = roster.role("librarian").unwrap();
    assert!(!librarian.may.value.contains(&Power::Network));
    assert_eq!(
        librarian.may.source,
        "its role, reduced by profile offline in default"
    );
    // What it no longer may, it has to be held to.
    let codex = compile_with(&team(), &roster, &target("codex", &[]));
    let failed = codex.failed.iter().map(|failed| failed.waiver());
    assert!(failed.into_iter().any(|waiver| waiver == "worker.run"));
    let docs = librarian
        .servers
        .iter()
        .find(|server| server.name == "docs");
    assert_eq!(
        docs.unwrap().off.as_deref(),
        Some("the server is not enabled")
    );
}

#[test]
fn the_profile_that_holds_sets_the_least_effort_and_switches_servers_on() {
    let profiles = "profile = \"strict\"\n[profiles.strict]\nservers = [\"docs\"]\n";
    let mcp = "[servers.agon]\nenabled = false\n";
    let roster = roster(&[
        (DefaultsKind::Profiles, profiles),
        (DefaultsKind::Servers, mcp),
    ]);
    let by_default = self::roster(&[]);
    for role in by_default.roles() {
        let strict = roster.role(&role.name).unwrap();
        assert_eq!(strict.effort.value, role.effort.value.max(Effort::High));
        // Its own server is off, so that none of its tools is there.
        assert_eq!(strict.agon.value, Vec::<String>::new(), "{}", role.name);
    }
    let librarian = roster.role("librarian").unwrap();
    let on = librarian
        .servers
        .iter()
        .filter(|server| server.off.is_none());
    let on: Vec<_> = on
        .map(|server| (server.name.as_str(), server.source.as_str()))
        .collect();
    assert_eq!(on, [("docs", "profile strict in user/profiles.toml:4")]);
    assert_eq!(
        librarian.agon.source,
        "the server is not enabled: user/mcp.toml:3"
    );
    assert!(!agent_text(&roster, "claude", "librarian").contains("mcp__agon"));
}

#[test]
fn every_role_has_a_cell_in_every_host_and_says_why_it_is_not_there() {
    let roles = team().roles;
    let roster = roster(&[]);
    let outcomes = |host: &str, waived: &[String]| {
        let cells = roster_cells(&roles, &roster, &target(host, waived));
        assert_eq!(cells.len(), 20);
        for cell in &cells {
            let is_out = cell.outcome == CellOutcome::LeftOut;
            assert_eq!(is_out, !cell.left_out.is_empty(), "{cell:?}");
            assert_eq!(
                cell.outcome == CellOutcome::Waived,
                !is_out && !cell.waived.is_empty()
            );
        }
        let cells = cells.into_iter();
        cells
            .map(|cell| (cell.role.clone(), cell))
            .collect::<BTreeMap<_, _>>()
    };
    for host in ["claude", "gemini", "opencode", "copilot"] {
        let waived = ["scout.edit-only".to_owned()];
        for (role, cell) in outcomes(host, &waived) {
            assert_eq!(cell.outcome, CellOutcome::Translated, "{host}: {role}");
        }
    }
    let scribe = &outcomes("codex", &[])["scribe"];
    assert_eq!(
        scribe.left_out.last().unwrap().waiver(),
        "scribe.agon-tools"
    );
    let codex = outcomes("codex", &[]);
    assert!(
        codex
            .values()
            .all(|cell| cell.outcome == CellOutcome::LeftOut)
    );
    let all = all_waivers();
    let codex = outcomes("codex", &all);
    assert!(
        codex
            .values()
            .all(|cell| cell.outcome == CellOutcome::Waived)
    );
}

#[test]
fn agents_that_are_not_what_the_roster_says_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let env = HostEnv {
        home: dir.path().to_owned(),
        vars: BTreeMap::new(),
    };
    let host = find_host("gemini").unwrap();
    let place = Installation::new(host, Scope::User, &env, &dir.path().join("receipts"));
    let by_default = roster(&[]);
    // For a project it has nothing that binds the role to its files.
    let (all, without_rules) = (true, false);
    let compiled = |roster: &Roster, has_rules: bool| -> Compiled {
        let target = Target {
            is_for_project: !has_rules,
            ..target("gemini", &[])
        };
        compile_with(&team(), roster, &target)
    };
    let entry = host.server.agon_entry(&["agon".to_owned()]);
    let before = compiled(&by_default, all);
    let plan = plan(&place, &before, &entry, None, "1.0.0").unwrap();
    apply(&place, plan.with_content_set(ContentSet::Team, &[])).unwrap();
    let receipt = Receipt::read(&place.receipt).unwrap().unwrap();
    let drift = |roster: &Roster, has_rules: bool| {
        let drift = agent_drift(&place, &receipt, roster, &compiled(roster, has_rules));
        let drift = drift.into_iter();
        drift.map(|it| (it.role, it.kind)).collect::<Vec<_>>()
    };
    let is = |role: &str, kind: DriftKind| (role.to_owned(), kind);
    assert_eq!(drift(&by_default, all), []);
    assert_eq!(
        drift(&by_default, without_rules),
        [is("scribe", DriftKind::LeftOut)]
    );

    let agents = "[roles.scout.models]\ngemini = \"large\"\n";
    let other = roster(&[(DefaultsKind::Agents, agents)]);
    assert_eq!(drift(&other, all), [is("scout", DriftKind::Outdated)]);
    let agent = |name: &str| dir.path().join(format!(".gemini/agents/{name}.md"));
    fs::write(agent("critic"), "mine").unwrap();
    fs::remove_file(agent("devil")).unwrap();
    assert_eq!(
        drift(&by_default, all),
        [
            is("critic", DriftKind::Changed),
            is("devil", DriftKind::Missing)
        ]
    );

    let mut debate = receipt.clone();
    debate.what = ContentSet::Debate;
    assert_eq!(agent_drift(&place, &debate, &by_default, &before), []);
    let mut without = receipt;
    without.files.remove(&agent("devil"));
    let found = agent_drift(&place, &without, &by_default, &before);
    assert_eq!(found[1].kind, DriftKind::New);
}

/// A server of each form, for a role each.
const OTHER_SERVERS: &str = "[servers.desk]\nabout = \"A desk\"\ncommand = [\"desk\", \"--serve\"]\n\
    env = [\"DESK_TOKEN\"]\nroles = [\"scout\"]\nenabled = true\n\
    [servers.tracker]\nabout = \"Tickets\"\nurl = \"https://tracker.example.com/mcp\"\n\
    env = [\"TRACKER_TOKEN\"]\nroles = [\"librarian\"]\nnetwork = true\nenabled = true\n";

#[test]
fn a_server_of_a_role_is_written_as_each_host_writes_it_and_never_with_a_value() {
    let settings = roster(&[(DefaultsKind::Servers, OTHER_SERVERS)]);
    let bearer = |value: &str| json!({"Authorization": format!("Bearer {value}")});
    let url = "https://tracker.example.com/mcp";
    let dollar = json!({"DESK_TOKEN": "${DESK_TOKEN}"});
    let of_dollar = bearer("${TRACKER_TOKEN}");
    let expected = [
        (
            "claude",
            json!({"type": "stdio", "command": "desk", "args": ["--serve"], "env": dollar}),
            json!({"type": "http", "url": url, "headers": of_dollar}),
        ),
        (
            "codex",
            json!({"command": "desk", "args": ["--serve"], "env_vars": ["DESK_TOKEN"]}),
            json!({"url": url, "bearer_token_env_var": "TRACKER_TOKEN"}),
        ),
        (
            "gemini",
            json!({"command": "desk", "args": ["--serve"], "env": dollar}),
            json!({"httpUrl": url, "headers": of_dollar}),
        ),
        (
            "opencode",
            json!({"type": "local", "command": ["desk", "--serve"],
                "environment": {"DESK_TOKEN": "{env:DESK_TOKEN}"}}),
            json!({"type": "remote", "url": url, "headers": bearer("{env:TRACKER_TOKEN}")}),
        ),
        (
            "copilot",
            json!({"type": "local", "tools": ["*"], "command": "desk", "args": ["--serve"], "env": dollar}),
            json!({"type": "http", "url": url, "tools": ["*"], "headers": of_dollar}),
        ),
    ];
    assert_eq!(expected.len(), HOSTS.len());
    for (host, desk, tracker) in expected {
        let compiled = compile_with(&team(), &settings, &target(host, &[]));
        let wanted = [("desk".to_owned(), desk), ("tracker".to_owned(), tracker)];
        assert_eq!(compiled.servers, wanted.into(), "{host}");
    }
    let by_default = compile_with(&team(), &roster(&[]), &target("claude", &[]));
    assert_eq!(by_default.servers, BTreeMap::new());
}

#[test]
fn a_role_is_given_the_tools_of_its_servers_and_no_other_role_is() {
    let settings = roster(&[(DefaultsKind::Servers, OTHER_SERVERS)]);
    let every_tool = [
        ("claude", "mcp__desk__*"),
        ("gemini", "mcp_desk_*"),
        ("opencode", "desk_*"),
        ("copilot", "desk/*"),
    ];
    for (host, tools) in every_tool {
        assert!(
            agent_text(&settings, host, "scout").contains(tools),
            "{host}"
        );
        for other in ["worker", "librarian"] {
            assert!(
                !agent_text(&settings, host, other).contains("desk"),
                "{host}"
            );
        }
        assert!(!agent_text(&roster(&[]), host, "scout").contains("desk"));
    }
}

#[test]
fn a_profile_without_the_network_takes_a_server_from_every_role() {
    let profile = "profile = \"offline\"\n";
    let settings = roster(&[
        (DefaultsKind::Servers, OTHER_SERVERS),
        (DefaultsKind::Profiles, profile),
    ]);
    let compiled = compile_with(&team(), &settings, &target("claude", &[]));
    assert_eq!(compiled.servers.keys().collect::<Vec<_>>(), ["desk"]);
}
