//! The roster: who there is, how each is run, what tools make of it, and whether they have it so.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::cli::harness::{Agon, Ran};
use crate::cli::team_settings::{of_project, of_user, trust_project};

#[track_caller]
fn done(agon: &Agon, args: &[&str]) -> Ran {
    let ran = agon.run(args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

/// A role as it is shown.
#[track_caller]
fn role(agon: &Agon, args: &[&str]) -> Value {
    done(agon, &[&["roster", "show", "--json"], args].concat()).json()
}

#[test]
fn the_roster_lists_the_roles_with_purpose_and_permission() {
    let agon = Agon::new();
    let listed = done(&agon, &["roster", "--json"]).json();
    assert_eq!(listed, done(&agon, &["roster", "list", "--json"]).json());
    let roles = listed["roles"].as_array().unwrap();
    assert_eq!(roles.len(), 20);
    for role in roles {
        assert!(role["purpose"].as_str().unwrap().ends_with('.'), "{role}");
        assert!(role["may"].as_array().unwrap().contains(&json!("read")));
    }
    assert_snapshot!(agon.run(&["roster"]).screen());
}

#[test]
fn a_role_is_shown_with_the_source_of_every_value() {
    let agon = Agon::new();
    of_user(
        &agon,
        "agents.toml",
        "[roles.scribe]\neffort = \"high\"\n[models.codex]\nfast = \"session\"\n",
    );
    let args = ["roster", "show", "scribe", "--host", "codex"];
    assert_snapshot!(done(&agon, &args).screen());
    let one = role(&agon, &["scribe", "--host", "codex"]);
    assert_eq!(one["hosts"].as_array().unwrap().len(), 1);
    let all = role(&agon, &["scribe"]);
    let hosts: Vec<_> = all["hosts"].as_array().unwrap().iter().collect();
    let names: Vec<_> = hosts.iter().map(|host| &host["host"]).collect();
    assert_eq!(names, ["claude", "codex", "gemini", "opencode", "copilot"]);
}

#[test]
fn a_layer_above_is_seen_in_the_role_with_its_line() {
    let agon = Agon::new();
    let effort = |agon: &Agon, args: &[&str]| {
        let shown = role(agon, &[&["scout", "--host", "claude"], args].concat());
        (shown["effort"].clone(), shown["hosts"][0]["model"].clone())
    };
    let is = |value: &str, source: String| json!({"value": value, "source": source});
    let (least, model) = effort(&agon, &[]);
    assert_eq!(least, is("low", "its role".to_owned()));
    assert_eq!(model, is("haiku", "default agents.toml".to_owned()));

    let text = "[roles.scout]\neffort = \"medium\"\nmodels.claude = \"sonnet\"\n";
    let user = of_user(&agon, "agents.toml", text);
    let (of_user, model) = effort(&agon, &[]);
    assert_eq!(of_user, is("medium", format!("{}:3", user.display())));
    assert_eq!(model, is("sonnet", format!("{}:4", user.display())));

    let project = of_project(&agon, "agents.toml", "[roles.scout]\neffort = \"low\"\n");
    let (of_project, _) = effort(&agon, &[]);
    assert_eq!(of_project, is("low", format!("{}:3", project.display())));
    let (of_profile, _) = effort(&agon, &["--team-profile", "strict"]);
    assert_eq!(
        of_profile,
        is("high", "profile strict in default".to_owned())
    );
    let named = agon.env("AGON_TEAM_PROFILE", "strict");
    assert_eq!(effort(&named, &[]).0, of_profile);
    let shown = role(&named, &["scout"]);
    assert_eq!(
        shown["profile"],
        is("strict", "environment: AGON_TEAM_PROFILE".to_owned())
    );
    let shown = role(&named, &["scout", "--team-profile", "minimal"]);
    assert_eq!(shown["profile"], is("minimal", "flag".to_owned()));
    assert_eq!(shown["membership"], Value::Null);
}

#[test]
fn a_host_and_a_server_of_a_team_are_seen_in_the_role() {
    let agon = Agon::new();
    let teams = "[teams.small]\nhosts = { scout = \"codex\" }\nmembers.scout = 3\n";
    let path = of_user(&agon, "teams.toml", teams);
    let scout = role(&agon, &["scout"]);
    let source = format!("{}:4", path.display());
    assert_eq!(
        scout["membership"],
        json!({"team": "small", "count": 3, "source": source, "host": "codex"})
    );
    let server = |agon: &Agon| role(agon, &["librarian"])["servers"][1].clone();
    assert_eq!(server(&agon)["off"], "the server is not enabled");
    let path = of_user(&agon, "mcp.toml", "[servers.docs]\nenabled = true\n");
    let source = format!("{}:3", path.display());
    assert_eq!(
        server(&agon),
        json!({"server": "docs", "off": null, "source": source})
    );
    let offline = role(&agon, &["librarian", "--team-profile", "offline"]);
    assert_eq!(
        offline["servers"][1]["off"],
        "it reaches the network, and the role may not"
    );
    assert_eq!(offline["may"]["value"], json!(["read"]));
}

#[test]
fn a_name_of_no_role_or_tool_says_what_may_have_been_meant() {
    let agon = Agon::new();
    let ran = agon.run(&["roster", "show", "scot"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no role is called `scot`") && ran.stderr.contains("scout"));
    let ran = agon.run(&["roster", "show", "scout", "--host", "cloud"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("no AI tool is called `cloud`"),
        "{ran:?}"
    );
    let path = of_user(&agon, "agents.toml", "[roles.scot]\neffort = \"low\"\n");
    for args in [
        &["roster"][..],
        &["roster", "show", "scout"],
        &["roster", "matrix"],
        &["roster", "check"],
    ] {
        let ran = agon.run(args);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let told = format!("{}:2: there is no role `scot`", path.display());
        assert!(ran.stderr.contains(&told), "{ran:?}");
        assert!(
            ran.stderr.contains("hint: there is lead, planner"),
            "{ran:?}"
        );
    }
}

#[test]
fn the_matrix_has_each_role_in_each_tool_and_says_why() {
    let agon = Agon::new();
    let matrix =
        |args: &[&str]| done(&agon, &[&["roster", "matrix", "--json"], args].concat()).json();
    let cell = |matrix: &Value, role: &str, host: &str| {
        let cells = matrix["cells"].as_array().unwrap();
        assert_eq!(cells.len(), 100);
        let is_it = |cell: &&Value| cell["role"] == role && cell["host"] == host;
        cells.iter().find(is_it).unwrap().clone()
    };
    let plain = matrix(&[]);
    for (role, host, outcome) in [
        ("scribe", "claude", "left_out"),
        ("scribe", "opencode", "translated"),
        ("critic", "copilot", "translated"),
        ("worker", "codex", "left_out"),
    ] {
        assert_eq!(
            cell(&plain, role, host)["outcome"],
            outcome,
            "{role} {host}"
        );
    }
    let scribe = cell(&plain, "scribe", "claude");
    assert_eq!(
        scribe["left_out"],
        json!([{"field": "edit-only", "reason": "an agent edits every file or none", "waiver": "scribe.edit-only"}])
    );
    let waived = cell(
        &matrix(&["--waive", "scribe.edit-only"]),
        "scribe",
        "claude",
    );
    assert_eq!(
        (&waived["outcome"], &waived["waived"]),
        (&json!("waived"), &json!(["edit-only"]))
    );
    let lead = cell(&plain, "lead", "gemini");
    assert_eq!(
        (&lead["outcome"], &lead["lacks"]),
        (&json!("translated"), &json!(["delegate"]))
    );
    let tools = cell(&plain, "scout", "claude")["tools"].clone();
    assert_eq!(tools, json!(["Read", "Grep", "Glob"]));
    // What a role may do is no limit that it could be held to.
    let worker = cell(&plain, "worker", "codex");
    let fields = worker["fields"].as_array().unwrap();
    assert!(
        fields.iter().all(|field| field["field"] != "run"),
        "{worker}"
    );
    let text = done(&agon, &["roster", "matrix"]).stdout;
    for line in [
        "role             claude      codex     gemini      opencode    copilot",
        "scribe           left out    left out  left out    translated  left out",
        "  left out, since an agent edits every file or none (edit-only): scribe",
        "  not had: an agent thinks as hard as its session (effort): every role",
        "  has no tool for what it may do (delegate): lead, executor",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\n{text}");
    }
}

#[test]
fn a_team_that_is_installed_is_compared_with_the_roster() {
    let agon = Agon::new();
    let check = |code| {
        let ran = agon.run(&["roster", "check", "--json"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        ran.json()
    };
    let drift = |document: &Value| {
        let mut all = Vec::new();
        for installation in document["installations"].as_array().unwrap() {
            for drift in installation["drift"].as_array().unwrap() {
                all.push(
                    [&installation["host"], &drift["role"], &drift["kind"]]
                        .map(|it| it.as_str().unwrap().to_owned())
                        .join(" "),
                );
            }
        }
        all
    };
    let install = |args: &[&str]| {
        let ran = agon.run(&[&["install", "claude", "opencode"], args].concat());
        // The scribe is left out where it cannot be held to documentation.
        assert!(matches!(ran.code, Some(0 | 7)), "{ran:?}");
    };
    assert_eq!(check(0)["installations"], json!([]));
    install(&[]);
    assert_eq!(check(0)["installations"], json!([]), "no team is in it");

    install(&["--what", "team"]);
    let checked = check(0);
    let counts: Vec<_> = checked["installations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["current"])
        .collect();
    assert_eq!(counts, [19, 20]);

    let agents = "[roles.scout]\nmodels = { claude = \"sonnet\", opencode = \"lab/small\" }\n";
    of_user(&agon, "agents.toml", agents);
    assert_eq!(
        drift(&check(7)),
        ["claude scout outdated", "opencode scout outdated"]
    );
    let text = agon.run(&["roster", "check"]).stdout;
    assert!(
        text.contains("agon install claude brings it up to date"),
        "{text}"
    );
    install(&[]);
    assert_eq!(drift(&check(0)), [] as [&str; 0]);
    let home = agon.user_file().ancestors().nth(3).unwrap().to_owned();
    let agent = |name: &str| home.join(format!(".claude/agents/{name}.md"));
    let scout = fs::read_to_string(agent("scout")).unwrap();
    assert!(scout.contains("\nmodel: \"sonnet\"\n"), "{scout}");

    // What holds in this project alone concerns nothing that is for all of them.
    of_project(
        &agon,
        "agents.toml",
        "[roles.scout]\neffort = \"max\"\nmodels.claude = \"opus\"\n",
    );
    trust_project(&agon);
    assert_eq!(drift(&check(0)), [] as [&str; 0]);

    fs::write(agent("critic"), "mine").unwrap();
    fs::remove_file(agent("devil")).unwrap();
    assert_eq!(
        drift(&check(7)),
        ["claude critic changed", "claude devil missing"]
    );
}

#[test]
fn an_agent_that_a_tool_would_not_take_is_a_finding() {
    let agon = Agon::new();
    of_user(
        &agon,
        "agents.toml",
        "[roles.scout.models]\nopencode = \"/small\"\n",
    );
    let checked = agon.run(&["roster", "check", "--json"]);
    assert_eq!(checked.code, Some(8), "{checked:?}");
    let findings = checked.json()["findings"].clone();
    assert_eq!(findings.as_array().unwrap().len(), 1, "{findings}");
    assert_eq!(findings[0]["path"], "opencode/agents/scout.md");
    let text = agon.run(&["roster", "check"]).stdout;
    assert!(text.ends_with("the roster has 1 fault\n"), "{text}");
}
