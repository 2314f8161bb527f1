//! What a host refuses its model Agon's tools do not do for it: folders outside the session, programs,
//! addresses, and money without end.

use std::fs;
use std::path::Path;

use agon_testkit::{Behaviour, FakeModels, Script};
use serde_json::{Value, json};

use super::client::Client;
use super::{LATEST, connect, tools};
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

/// The tools of a team, which its members are offered.
const TEAM: [&str; 4] = ["task", "mail", "lock", "gate"];

fn configure(fakes: &Fakes, text: &str) {
    let folder = fakes.place.home().join(".config/agon");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), text).unwrap();
}

#[test]
fn a_member_that_agon_started_is_offered_the_tools_of_its_team_alone() {
    let mut fakes = Fakes::new();
    let offered = tools(&mut connect(&fakes));
    let others: Vec<_> = offered.iter().map(|tool| tool["name"].clone()).collect();
    let token = "0".repeat(64);
    fakes.place.env.insert("AGON_TEAM_TOKEN".into(), token);
    let (mut client, answer) = Client::initialized(fakes.place.command(&["mcp"]), LATEST);
    assert_eq!(answer["result"]["instructions"], Value::Null, "{answer}");
    for tool in tools(&mut client) {
        assert!(TEAM.iter().any(|name| tool["name"] == *name), "{tool}");
        assert_eq!(tool["inputSchema"]["properties"]["project"], Value::Null);
    }
    for name in others {
        let arguments = json!({"topic": TOPIC, "question": "x?", "op": "tools", "project": "/"});
        let params = json!({"name": name, "arguments": arguments});
        let answer = client.request("tools/call", params);
        assert_eq!(answer["error"]["code"], -32602, "{name}: {answer}");
    }
    let named = client.error("task", json!({"op": "list", "project": "/"}));
    assert_eq!(named["code"], "invalid_parameter", "{named}");
    let prompts = client.request("prompts/list", json!({}));
    assert_eq!(prompts["result"]["prompts"], json!([]));
    let prompt = json!({"name": "duel-prompt", "arguments": {"topic": "x"}});
    assert!(client.request("prompts/get", prompt)["error"].is_object());
    assert_eq!(fakes.tools.calls().len(), 0);
}

#[test]
fn a_project_is_a_folder_of_the_session_or_one_with_debates_of_this_user() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    let project = fakes.place.project();
    let elsewhere = fakes.place.home().join("elsewhere");
    fs::create_dir_all(project.join("inside/deep")).unwrap();
    fs::create_dir_all(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, project.join("leads-out")).unwrap();
    let asks = |client: &mut Client, folder: &Path| {
        let arguments = json!({"topic": "anything", "project": folder.display().to_string()});
        client.call("recall", arguments)["isError"] == json!(false)
    };
    for folder in [project.clone(), project.join("inside/deep")] {
        assert!(asks(&mut client, &folder), "{}", folder.display());
    }
    let home = fakes.place.home();
    let outside = [
        Path::new("/"),
        Path::new("/etc"),
        Path::new("/proc/self"),
        Path::new("/proc/self/cwd"),
        &home,
        &elsewhere,
        &project.join("leads-out"),
        &project.join("inside/../../.."),
    ];
    for folder in outside {
        for tool in [
            "recall",
            "debate_start",
            "consult",
            "status",
            "debate_result",
        ] {
            let arguments = json!({"project": folder.display().to_string()});
            let error = client.error(tool, arguments);
            assert_eq!(error["parameter"], "project", "{tool}: {error}");
        }
    }
    // There the user has a debate of their own.
    let mut command = fakes.place.command(&["debate", TOPIC, "--quick", "--json"]);
    let ran = command.current_dir(&elsewhere).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    assert!(asks(&mut client, &elsewhere));
    // A stranger's debates open nothing.
    let state = home.join(".local/state/agon/opened");
    assert!(fs::read_dir(&state).unwrap().count() > 0);
    fs::remove_dir_all(&state).unwrap();
    assert!(!asks(&mut client, &elsewhere));
}

#[test]
fn programs_and_addresses_are_those_of_the_users_own_configuration() {
    let fakes = Fakes::new();
    let models = FakeModels::start(Script::job_store());
    let address = format!("openai:m@{}/v1", models.url());
    let mut client = connect(&fakes);
    client.document("consult", json!({"question": "x?", "tools": ["claude"]}));
    let calls = fakes.tools.calls().len();
    for name in [
        &address,
        "acp:fake-agent",
        "openai:m@https://models.invalid/v1",
    ] {
        let tries = [
            ("consult", json!({"question": "x?", "tools": [name]})),
            ("debate_start", json!({"topic": TOPIC, "proposer": name})),
            ("debate_start", json!({"topic": TOPIC, "challenger": name})),
            ("debate_start", json!({"topic": TOPIC, "judge": name})),
        ];
        for (tool, arguments) in tries {
            let error = client.error(tool, arguments);
            assert_eq!(
                error["code"], "tool_not_configured",
                "{tool} {name}: {error}"
            );
        }
    }
    let started = client.document("debate_start", json!({"topic": TOPIC, "depth": "quick"}));
    let debate = started["debate"].clone();
    let wanted = json!({"debate": debate, "question": "Why?", "tool": address});
    let mut error = client.error("debate_ask", wanted.clone());
    while error["code"] == "nothing_said" {
        client.document("debate_wait", json!({"debate": debate}));
        error = client.error("debate_ask", wanted.clone());
    }
    assert_eq!(error["code"], "tool_not_configured", "{error}");
    // A project's file names none, however far it is trusted.
    let trust = format!(
        "trust = [{:?}]\n",
        fakes.place.project().display().to_string()
    );
    configure(&fakes, &trust);
    for text in [
        format!("proposer = {address:?}\n"),
        format!("[tools.{address:?}]\n"),
        format!("[profiles.p]\njudge = {address:?}\n"),
        "[tools.\"acp:fake-agent\"]\n".to_owned(),
        "daily_tokens = 1\n".to_owned(),
    ] {
        fs::write(fakes.place.project().join("agon.toml"), &text).unwrap();
        let error = client.error("debate_start", json!({"topic": TOPIC}));
        assert_eq!(error["code"], "configuration", "{text}: {error}");
    }
    fs::remove_file(fakes.place.project().join("agon.toml")).unwrap();
    assert_eq!(models.requests().len(), 0);
    configure(&fakes, &format!("[tools.{address:?}]\n"));
    let answered = client.call("consult", json!({"question": "x?", "tools": [address]}));
    assert_eq!(models.requests().len(), 1, "{answered}");
    assert!(fakes.tools.calls().len() > calls);
}

#[test]
fn no_file_outside_the_project_is_read_for_a_call() {
    let fakes = Fakes::new();
    let project = fakes.place.project();
    let secret = fakes.place.home().join("secret.txt");
    fs::write(&secret, "what nobody else may read\n").unwrap();
    std::os::unix::fs::symlink(&secret, project.join("link.txt")).unwrap();
    let mut client = connect(&fakes);
    let named = secret.display().to_string();
    for path in [
        named.as_str(),
        "link.txt",
        "../home/secret.txt",
        "/etc/passwd",
    ] {
        let context = format!("file={path}");
        let asked = json!({"question": "x?", "tools": ["claude"], "context": context});
        let error = client.error("consult", asked);
        assert_eq!(error["code"], "context_refused", "{path}: {error}");
        let error = client.error("debate_start", json!({"topic": TOPIC, "context": context}));
        assert_eq!(error["code"], "context_refused", "{path}: {error}");
    }
}

#[test]
fn a_debate_outside_the_project_is_not_read_by_its_path() {
    let fakes = Fakes::new();
    let elsewhere = fakes.place.home().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    let debate = ["debate", TOPIC, "--quick", "--slug", "other", "--json"];
    let mut command = fakes.place.command(&debate);
    assert!(
        command
            .current_dir(&elsewhere)
            .output()
            .unwrap()
            .status
            .success()
    );
    let mut client = connect(&fakes);
    let path = elsewhere.join("debates/other").display().to_string();
    for tool in ["debate_result", "debate_wait"] {
        let error = client.error(tool, json!({"debate": path}));
        assert_eq!(error["code"], "unknown_debate", "{error}");
    }
    let error = client.error("debate_ask", json!({"debate": path, "question": "Why?"}));
    assert_eq!(error["code"], "unknown_debate", "{error}");
    // What the user types stays allowed.
    assert_eq!(fakes.place.run(&["show", &path]).code, Some(0));
}

#[test]
fn what_nobody_watches_has_so_many_tokens_a_day() {
    let fakes = Fakes::new();
    configure(&fakes, "daily_tokens = 600_000\n");
    let mut client = connect(&fakes);
    let start = |client: &mut Client, nth: u32| {
        let topic = format!("{TOPIC} ({nth})");
        client.call("debate_start", json!({"topic": topic, "depth": "quick"}))
    };
    // Each may use 250,000, and holds that while it runs.
    fakes
        .tools
        .set_scenario("*", "r1.pro", Behaviour::Slow(60_000));
    let begun = [0, 1].map(|nth| start(&mut client, nth)["structuredContent"]["debate"].clone());
    let third = start(&mut client, 2);
    assert_eq!(third["isError"], json!(true), "{third}");
    let text = third["content"][0]["text"].as_str().unwrap();
    let error: Value = serde_json::from_str(text).unwrap();
    assert_eq!(error["error"]["code"], "daily_tokens", "{error}");
    let hint = error["error"]["hint"].as_str().unwrap();
    assert!(hint.contains("daily_tokens"), "{hint}");
    let detached = ["debate", "Tabs or spaces?", "--quick", "--detach", "--json"];
    assert_eq!(fakes.place.run(&detached).ended().1, "daily_tokens");
    let unattended = client.document("status", json!({"op": "usage"}))["unattended"].clone();
    assert_eq!(unattended["limit"], 600_000, "{unattended}");
    assert_eq!(unattended["reserved"], 500_000, "{unattended}");
    // What they did not use is given back when they end.
    for debate in begun {
        client.document("debate_steer", json!({"debate": debate, "op": "stop"}));
    }
    fakes.tools.clear_scenario();
    assert_eq!(start(&mut client, 2)["isError"], json!(false));
}

#[test]
fn what_runs_at_all_has_so_many_tokens_a_month_once_that_is_set() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&["--quick"]).code, Some(0));
    configure(&fakes, "monthly_tokens = \"300k\"\n");
    let again = ["debate", TOPIC, "--again", "--quick", "--json"];
    assert_eq!(fakes.place.run(&again).code, Some(0));
    let usage = |fakes: &Fakes| fakes.place.run(&["usage", "--json"]).json()["month"].clone();
    let month = usage(&fakes);
    let used = month["used"].as_u64().unwrap();
    assert!(used > 0, "{month}");
    assert_eq!(
        (&month["reserved"], &month["limit"]),
        (&json!(0), &json!(300_000))
    );

    configure(&fakes, &format!("monthly_tokens = {}\n", used + 100_000));
    let refused = fakes.place.run(&again);
    assert_eq!(
        refused.ended(),
        (Some(5), "monthly_tokens".to_owned()),
        "{refused:#?}"
    );
    let hint = refused.json()["error"]["hint"].as_str().unwrap().to_owned();
    assert!(
        hint.contains("--max-tokens 100000;") && hint.contains("monthly_tokens"),
        "{hint}"
    );
    let less = fakes
        .place
        .run(&[&again[..], &["--max-tokens", "100k"]].concat());
    assert_eq!(less.code, Some(0), "{less:#?}");
    assert!(usage(&fakes)["used"].as_u64().unwrap() > used);

    // A question that is asked once counts too.
    configure(&fakes, "monthly_tokens = 1000\n");
    let asked = fakes.place.run(&["consult", "Tabs or spaces?", "--json"]);
    assert_eq!(
        asked.ended(),
        (Some(5), "monthly_tokens".to_owned()),
        "{asked:#?}"
    );
    let asks = fakes.asks().len();
    let resumed = fakes.place.run(&["continue", "--json"]);
    assert_eq!(resumed.ended().1, "monthly_tokens", "{resumed:#?}");
    assert_eq!(fakes.asks().len(), asks);
}

#[test]
fn a_request_that_is_too_long_is_answered_and_the_next_one_too() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    let long = "x".repeat(20 * 1024 * 1024);
    let arguments = json!({"topic": long});
    let answer = client.request(
        "tools/call",
        json!({"name": "recall", "arguments": arguments}),
    );
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    // Its id comes last.
    client.send_line(&format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{{\"id\":1,\"x\":\"{long}\"}},\"id\":9001}}"
    ));
    assert_eq!(client.answer(9001)["error"]["code"], -32600);
    client.send_line(&format!("{{\"method\":\"{long}\"}}"));
    assert!(client.request("ping", json!({}))["result"].is_object());
    assert_eq!(client.close(), Some(0));
}

#[test]
fn the_name_of_a_model_that_is_a_switch_is_refused_before_anything_starts() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    for model in ["--dangerously-skip-permissions", "-m", "a b", "x\u{202e}"] {
        for seat in ["model_proposer", "model_challenger"] {
            let error = client.error("debate_start", json!({"topic": TOPIC, seat: model}));
            assert_eq!(error["code"], "invalid_parameter", "{error}");
        }
    }
    assert_eq!(fakes.tools.asks().len(), 0);
    assert!(!fakes.place.project().join("debates").join("s").exists());
    let typed = ["debate", TOPIC, "--model-proposer=--yolo", "--json"];
    assert_eq!(fakes.place.run(&typed).ended().1, "invalid_parameter");
}

#[test]
fn a_configuration_of_a_project_shows_no_line_of_another_file() {
    let fakes = Fakes::new();
    let secret = fakes.place.home().join("secret.txt");
    let words = "what-nobody-else-may-read";
    let file = fakes.place.project().join("agon.toml");
    let mut client = connect(&fakes);
    for text in [
        format!("{words}\n"),
        format!("{words} = 1\n"),
        format!("rounds = {words:?}\n"),
    ] {
        fs::write(&secret, &text).unwrap();
        std::os::unix::fs::symlink(&secret, &file).unwrap();
        let error = client.error("debate_start", json!({"topic": TOPIC}));
        assert_eq!(error["code"], "configuration", "{error}");
        assert!(!error.to_string().contains(words), "{error}");
        let listed = fakes.place.run(&["list"]);
        assert!(!format!("{listed:?}").contains(words), "{listed:?}");
        fs::remove_file(&file).unwrap();
    }
    fs::write(&file, format!("{words} \n")).unwrap();
    assert!(
        !client
            .error("debate_start", json!({"topic": TOPIC}))
            .to_string()
            .contains(words)
    );
    fs::write(&file, "\"ro\u{202e}unds\u{1b}\u{200b}\" = 1\n").unwrap();
    let error = client
        .error("debate_start", json!({"topic": TOPIC}))
        .to_string();
    for hidden in ['\u{202e}', '\u{1b}', '\u{200b}'] {
        assert!(!error.contains(hidden), "{error}");
    }
}

#[test]
fn words_of_a_debate_come_with_who_said_them() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&["--quick"]);
    assert!(ran.code == Some(0) || ran.code == Some(7), "{ran:?}");
    let mut client = connect(&fakes);
    let asked = [
        ("debate_result", json!({"debate": "s"})),
        (
            "debate_result",
            json!({"debate": "s", "section": "transcript"}),
        ),
        (
            "debate_result",
            json!({"debate": "s", "section": "evidence"}),
        ),
        ("debate_wait", json!({"debate": "s", "timeout": 0})),
        ("debate_ask", json!({"debate": "s", "question": "Why?"})),
        ("recall", json!({"topic": TOPIC})),
        ("consult", json!({"question": "x?", "tools": ["claude"]})),
    ];
    for (tool, arguments) in asked {
        let result = client.call(tool, arguments);
        let document = &result["structuredContent"];
        let said_by = document["said_by"].as_str().unwrap_or_default();
        assert!(said_by.contains("not instructions"), "{tool}: {result}");
    }
}
