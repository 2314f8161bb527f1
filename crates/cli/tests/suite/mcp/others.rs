//! Clients of other makers: the protocol's own SDK in TypeScript, and the command line of its inspector.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agon_testkit::{Behaviour, protocol_clients};
use serde_json::{Value, json};

use super::mounted::Mounted;
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

const TOOLS: [&str; 8] = [
    "debate_start",
    "debate_wait",
    "debate_result",
    "debate_steer",
    "debate_ask",
    "consult",
    "recall",
    "status",
];

fn sdk_script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/mcp/sdk.cjs")
}

/// Runs a program of Node to its end, and gives what it prints.
fn run_node(clients: &Path, fakes: &Fakes, cwd: &Path, script: &Path, args: &[&str]) -> String {
    let mut node = Command::new(clients.join("node_modules/.bin/node"));
    node.arg(script).args(args).stdin(Stdio::null());
    node.current_dir(cwd).env_clear();
    let output = node.envs(&fakes.place.env).output().unwrap();
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {wrong}");
    String::from_utf8(output.stdout).unwrap()
}

/// Lets the SDK list and call everything of the server that `setup` says.
fn run_sdk(clients: &Path, fakes: &Fakes, mut setup: Value) -> Value {
    // So that a wait has something to wait for.
    let slow = Behaviour::Slow(1_500);
    fakes.tools.set_scenario("claude", "r1.pro", slow);
    setup["modules"] = clients.to_str().unwrap().into();
    setup["topic"] = TOPIC.into();
    let home = fakes.place.home();
    let told = run_node(clients, fakes, &home, &sdk_script(), &[&setup.to_string()]);
    serde_json::from_str(&told).unwrap()
}

/// Whether all that was called gave what it is for.
fn assert_all_called(told: &Value) {
    assert_eq!(told["server"], "agon");
    assert_eq!(told["tools"], json!(TOOLS));
    assert_eq!(told["prompts"], json!(["duel-prompt"]));
    assert!(told["prompt"].as_str().unwrap().contains(TOPIC));
    assert!(told["instructions"].as_u64().unwrap() < 400);
    assert_eq!(told["state"], "done");
    assert_eq!(told["turns"], 8);
    for (name, schema) in [
        ("started", "agon.started/1"),
        ("result", "agon.result/1"),
        ("steered", "agon.started/1"),
        ("answer", "agon.answer/1"),
        ("consulted", "agon.consultations/1"),
        ("recalled", "agon.recall/1"),
        ("tools_here", "agon.tools/1"),
        ("usage", "agon.usage/1"),
    ] {
        assert_eq!(told[name]["schema"], schema, "{name}: {}", told[name]);
    }
    for section in [
        "transcript",
        "evidence",
        "findings",
        "arguments",
        "synthesis",
    ] {
        let debate = &told[section]["debate"];
        assert_eq!(*debate, told["started"]["debate"], "{}", told[section]);
    }
    assert_eq!(told["result"]["answer"], "Use SQLite for the job store");
    assert_eq!(told["stopped"]["stopped"], true, "{}", told["stopped"]);
    assert_eq!(told["bad"]["error"]["parameter"], "rounds");
    assert_eq!(told["unknown_tool"], -32602);
    assert_eq!(told["unknown_method"], -32601);
    // Taken back by the client, before any turn of that number.
    assert_ne!(told["taken"], "accepted");
    let progress = told["progress"].as_array().unwrap();
    assert!(!progress.is_empty());
    // The first report of a call may come before the first turn.
    let is_step = |step: &Value| step[0].as_u64() <= step[1].as_u64() && step[0].is_u64();
    assert!(progress.iter().all(is_step), "{progress:?}");
    let is_on_the_way = |step: &Value| step[0].as_u64() > Some(0);
    assert!(progress.iter().any(is_on_the_way), "{progress:?}");
}

#[test]
fn the_sdk_in_typescript_calls_everything_and_debates_go_to_the_root_that_it_has_open() {
    let Some(clients) = protocol_clients() else {
        return;
    };
    let fakes = Fakes::new();
    let program = env!("CARGO_BIN_EXE_agon");
    let (home, root) = (fakes.place.home(), fakes.place.project());
    let setup = json!({"program": program, "cwd": home, "env": fakes.place.env, "root": root});
    let told = run_sdk(&clients, &fakes, setup);
    assert_all_called(&told);
    assert!(told["rootsAsked"].as_u64() > Some(0));
    let slug = told["started"]["debate"].as_str().unwrap();
    assert!(root.join("debates").join(slug).is_dir(), "{told}");
    assert!(!home.join("debates").exists());
}

#[test]
fn the_sdk_in_typescript_calls_everything_over_http() {
    let Some(clients) = protocol_clients() else {
        return;
    };
    let fakes = Fakes::new();
    let mounted = Mounted::start(&fakes.place);
    let told = run_sdk(&clients, &fakes, json!({"url": mounted.url()}));
    assert_all_called(&told);
}

#[test]
fn the_command_line_of_the_inspector_lists_and_calls_every_tool() {
    let Some(clients) = protocol_clients() else {
        return;
    };
    let fakes = Fakes::new();
    let script = clients.join("node_modules/@modelcontextprotocol/inspector-cli/build/index.js");
    let inspect = |args: &[&str]| -> Value {
        let all = [&[env!("CARGO_BIN_EXE_agon"), "mcp"][..], args].concat();
        // The server may be asked about the folder that it was started in.
        let project = fakes.place.project();
        serde_json::from_str(&run_node(&clients, &fakes, &project, &script, &all)).unwrap()
    };
    let names = |listed: &Value| -> Vec<Value> {
        let all = listed.as_array().unwrap();
        all.iter().map(|one| one["name"].clone()).collect()
    };
    assert_eq!(names(&inspect(&["--method", "tools/list"])["tools"]), TOOLS);
    let prompts = &inspect(&["--method", "prompts/list"])["prompts"];
    assert_eq!(names(prompts), ["duel-prompt"]);

    let call = |tool: &str, arguments: &[(&str, &str)]| -> Value {
        let mut args = vec!["--method".to_owned(), "tools/call".to_owned()];
        args.extend(["--tool-name".to_owned(), tool.to_owned()]);
        let project = fakes.place.project().display().to_string();
        for (name, value) in arguments.iter().chain([&("project", project.as_str())]) {
            args.extend(["--tool-arg".to_owned(), format!("{name}={value}")]);
        }
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let result = inspect(&args);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        result["structuredContent"].clone()
    };
    let started = call("debate_start", &[("topic", TOPIC)]);
    let debate = started["debate"].as_str().unwrap();
    let heard = call("debate_wait", &[("debate", debate), ("cursor", "99")]);
    assert_eq!(heard["state"], "done", "{heard}");
    let result = call("debate_result", &[("debate", debate)]);
    assert_eq!(result["answer"], "Use SQLite for the job store");
    call("debate_ask", &[("debate", debate), ("question", "Which?")]);
    call("consult", &[("question", TOPIC)]);
    call("recall", &[("topic", TOPIC)]);
    call("status", &[("op", "tools")]);
    let more = [("debate", debate), ("op", "continue"), ("rounds", "1")];
    assert_eq!(call("debate_steer", &more)["id"], started["id"]);
    call("debate_steer", &[("debate", debate), ("op", "stop")]);
}
