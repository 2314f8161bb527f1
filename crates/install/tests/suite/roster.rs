//! The roster: who there is, how each is run, what tools make of it, and whether they have it so.

use std::fs;

use agon_caller::{Code, FailureKind};
use agon_install::hosts::{ContentSet, InstallRequest, install};
use agon_install::roster::{
    CellDoc, RosterCheckDoc, RosterMatrixDoc, RosterRequest, check, list, matrix, show,
};
use serde_json::{Value, json};

use crate::place::Place;

fn profile(name: &str) -> RosterRequest {
    RosterRequest {
        team_profile: Some(name.to_owned()),
        ..RosterRequest::default()
    }
}

/// A role as it is shown, in all hosts or in one.
#[track_caller]
fn role(place: &Place, request: &RosterRequest, name: &str, host: Option<&str>) -> Value {
    let shown = show(&place.caller, request, name, host).unwrap();
    serde_json::to_value(shown).unwrap()
}

fn plain() -> RosterRequest {
    RosterRequest::default()
}

#[test]
fn every_role_has_a_purpose_and_may_read() {
    let place = Place::new();
    let listed = list(&place.caller, &plain()).unwrap();
    assert_eq!(listed.roles.len(), 20);
    for role in listed.roles {
        assert!(role.purpose.ends_with('.'), "{role:?}");
        assert!(role.may.contains(&"read"), "{role:?}");
    }
}

#[test]
fn a_role_is_shown_in_every_host_or_in_the_one_that_is_named() {
    let place = Place::new();
    let hosts = |host| {
        let shown = show(&place.caller, &plain(), "scribe", host).unwrap();
        let names = shown.hosts.iter().map(|host| host.host);
        names.collect::<Vec<_>>()
    };
    assert_eq!(hosts(Some("codex")), ["codex"]);
    let all = ["claude", "codex", "gemini", "opencode", "copilot"];
    assert_eq!(hosts(None), all);
}

#[test]
fn a_layer_above_is_seen_in_the_role_with_its_line() {
    let place = Place::new();
    let effort = |place: &Place, request: &RosterRequest| {
        let shown = role(place, request, "scout", Some("claude"));
        (shown["effort"].clone(), shown["hosts"][0]["model"].clone())
    };
    let is = |value: &str, source: String| json!({"value": value, "source": source});
    let (least, model) = effort(&place, &plain());
    assert_eq!(least, is("low", "its role".to_owned()));
    assert_eq!(model, is("haiku", "default agents.toml".to_owned()));

    let text = "[roles.scout]\neffort = \"medium\"\nmodels.claude = \"sonnet\"\n";
    let user = place.of_user("agents.toml", text);
    let (of_user, model) = effort(&place, &plain());
    assert_eq!(of_user, is("medium", format!("{}:3", user.display())));
    assert_eq!(model, is("sonnet", format!("{}:4", user.display())));

    let text = "[roles.scout]\neffort = \"low\"\n";
    let project = place.of_project("agents.toml", text);
    let (of_project, _) = effort(&place, &plain());
    assert_eq!(of_project, is("low", format!("{}:3", project.display())));
    let (of_profile, _) = effort(&place, &profile("strict"));
    let strict = is("high", "profile strict in default".to_owned());
    assert_eq!(of_profile, strict);
    let named = Place::with(&[("AGON_TEAM_PROFILE", "strict")]);
    assert_eq!(effort(&named, &plain()).0, strict);
    let shown = role(&named, &plain(), "scout", None);
    let source = "environment: AGON_TEAM_PROFILE".to_owned();
    assert_eq!(shown["profile"], is("strict", source));
    let shown = role(&named, &profile("minimal"), "scout", None);
    assert_eq!(shown["profile"], is("minimal", "flag".to_owned()));
    assert_eq!(shown["membership"], Value::Null);
}

#[test]
fn a_host_and_a_server_of_a_team_are_seen_in_the_role() {
    let place = Place::new();
    let teams = "[teams.small]\nhosts = { quick = \"codex\" }\nmembers.quick = 3\n";
    let path = place.of_user("teams.toml", teams);
    let quick = role(&place, &plain(), "quick", None);
    let source = format!("{}:4", path.display());
    assert_eq!(
        quick["membership"],
        json!({"team": "small", "count": 3, "source": source, "host": "codex"})
    );
    let server = || role(&place, &plain(), "librarian", None)["servers"][1].clone();
    assert_eq!(server()["off"], "the server is not enabled");
    let path = place.of_user("mcp.toml", "[servers.docs]\nenabled = true\n");
    let source = format!("{}:3", path.display());
    assert_eq!(
        server(),
        json!({"server": "docs", "off": null, "source": source})
    );
    let offline = role(&place, &profile("offline"), "librarian", None);
    assert_eq!(
        offline["servers"][1]["off"],
        "the server uses the network, which the role may not"
    );
    assert_eq!(offline["may"]["value"], json!(["read"]));
}

#[test]
fn a_name_of_no_role_or_tool_says_what_may_have_been_meant() {
    let place = Place::new();
    let refused = |name, host| show(&place.caller, &plain(), name, host).unwrap_err();
    let failure = refused("scot", None);
    assert_eq!(failure.kind, FailureKind::Usage);
    assert!(failure.message.contains("unknown role `scot`"));
    assert!(failure.hint.unwrap().typed().contains("scout"));
    let failure = refused("scout", Some("cloud"));
    assert_eq!(failure.code, Code::UnknownHost);
    assert!(failure.message.contains("unknown AI tool `cloud`"));

    let path = place.of_user("agents.toml", "[roles.scot]\neffort = \"low\"\n");
    let caller = &place.caller;
    for failure in [
        list(caller, &plain()).unwrap_err(),
        refused("scout", None),
        matrix(caller, &plain()).unwrap_err(),
        check(caller).unwrap_err(),
    ] {
        assert_eq!(failure.kind, FailureKind::Config, "{failure:?}");
        let message = format!("{}:2: unknown role `scot`", path.display());
        assert!(failure.message.contains(&message), "{failure:?}");
        let hint = failure.hint.unwrap().typed();
        assert!(hint.starts_with("use one of lead, planner"), "{hint}");
    }
}

fn cell<'a>(matrix: &'a RosterMatrixDoc, role: &str, host: &str) -> &'a CellDoc {
    let is_it = |cell: &&CellDoc| cell.role == role && cell.host == host;
    matrix.cells.iter().find(is_it).unwrap()
}

#[test]
fn the_matrix_has_each_role_in_each_tool_and_says_why() {
    let place = Place::new();
    let plain = matrix(&place.caller, &plain()).unwrap();
    assert_eq!(plain.cells.len(), 100);
    for (role, host, outcome) in [
        ("scribe", "claude", "translated"),
        ("scribe", "codex", "left_out"),
        ("scribe", "opencode", "translated"),
        ("critic", "copilot", "translated"),
        ("worker", "codex", "left_out"),
    ] {
        let found = cell(&plain, role, host);
        assert_eq!(found.outcome, outcome, "{role} {host}");
    }
    let left_out = &cell(&plain, "worker", "codex").left_out;
    assert_eq!(
        serde_json::to_value(&left_out[0]).unwrap(),
        json!({"field": "network", "reason": "web search can be set only for the session", "waiver": "worker.network"})
    );
    let limits = ["network", "delegate", "agon-tools"];
    let waiving = RosterRequest {
        waived: limits.map(|limit| format!("worker.{limit}")).into(),
        ..RosterRequest::default()
    };
    let waiving = matrix(&place.caller, &waiving).unwrap();
    let waived = cell(&waiving, "worker", "codex");
    assert_eq!(
        (waived.outcome, &waived.waived[..]),
        ("waived", &limits[..])
    );
    let lead = cell(&plain, "lead", "gemini");
    assert_eq!(
        (lead.outcome, &lead.lacks[..]),
        ("translated", &["delegate"][..])
    );
    let tools = &cell(&plain, "scout", "claude").tools;
    assert_eq!(*tools, ["Read", "Grep", "Glob"]);
    let reviewer = cell(&plain, "reviewer", "copilot");
    let team = ["task", "mail", "lock", "gate"].map(|tool| format!("agon-{tool}"));
    assert_eq!(reviewer.team_tools, team);
    assert!(!reviewer.tools.contains(&team[0]) && reviewer.tools.contains(&"skill".to_owned()));
    // What a role may do is no limit that it could be held to.
    let worker = cell(&plain, "worker", "codex");
    assert!(
        worker.fields.iter().all(|field| field.field != "run"),
        "{worker:?}"
    );
}

/// `HOST ROLE KIND` of everything that is not as the roster says.
fn drift(checked: &RosterCheckDoc) -> Vec<String> {
    let installations = checked.installations.iter();
    let all = installations.flat_map(|installation| {
        let drift = installation.drift.iter();
        drift.map(|drift| format!("{} {} {}", installation.host, drift.role, drift.kind))
    });
    all.collect()
}

#[test]
fn a_team_that_is_installed_is_compared_with_the_roster() {
    let place = Place::new();
    let checked = || {
        let checked = check(&place.caller).unwrap();
        assert_eq!(checked.findings, []);
        checked
    };
    let put = |what| {
        let request = InstallRequest {
            hosts: ["claude", "opencode"].map(str::to_owned).into(),
            is_for_project: false,
            what,
            plan_review: None,
            suggest: None,
            waived: Vec::new(),
            is_dry_run: false,
        };
        install(&place.caller, &request).unwrap();
    };
    assert_eq!(checked().installations, []);
    put(None);
    assert_eq!(checked().installations, [], "no team is in it");

    put(Some(ContentSet::Team));
    let installations = checked().installations;
    let counts: Vec<_> = installations.iter().map(|it| it.current).collect();
    assert_eq!(counts, [20, 20]);
    assert!(!checked().has_drift());

    let agents = "[roles.scout]\nmodels = { claude = \"sonnet\", opencode = \"lab/small\" }\n";
    place.of_user("agents.toml", agents);
    let outdated = ["claude scout outdated", "opencode scout outdated"];
    assert_eq!(drift(&checked()), outdated);
    assert!(checked().has_drift());
    put(None);
    assert_eq!(drift(&checked()), [] as [&str; 0]);
    let agent = |name: &str| place.home().join(format!(".claude/agents/{name}.md"));
    let scout = fs::read_to_string(agent("scout")).unwrap();
    assert!(scout.contains("\nmodel: \"sonnet\"\n"), "{scout}");

    // What holds in this project alone concerns nothing that is for all of them.
    let agents = "[roles.scout]\neffort = \"max\"\nmodels.claude = \"opus\"\n";
    place.of_project("agents.toml", agents);
    place.trust_project();
    assert_eq!(drift(&checked()), [] as [&str; 0]);

    fs::write(agent("critic"), "mine").unwrap();
    fs::remove_file(agent("devil")).unwrap();
    let edited = ["claude critic changed", "claude devil missing"];
    assert_eq!(drift(&checked()), edited);
}

#[test]
fn an_agent_that_a_tool_would_not_take_is_a_finding() {
    let place = Place::new();
    let agents = "[roles.scout.models]\nopencode = \"/small\"\n";
    place.of_user("agents.toml", agents);
    let findings = check(&place.caller).unwrap().findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].path, "opencode/agents/scout.md");
}
