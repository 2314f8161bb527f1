//! What is wrong is told, and nothing else is said.

use std::time::{Duration, Instant};

use agon_testkit::{Behaviour, FakeTools};
use serde_json::{Value, json};

use crate::mcp::client::Client;
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

pub(super) fn connect(fakes: &Fakes) -> Client {
    let mut client = Client::start(fakes.place.command(&["acp"]));
    let hello = json!({"protocolVersion": 1, "clientCapabilities": {}});
    let answer = client.request("initialize", hello);
    assert_eq!(answer["result"]["protocolVersion"], 1, "{answer}");
    assert_eq!(answer["result"]["authMethods"], json!([]), "{answer}");
    client
}

pub(super) fn new_session(client: &mut Client, fakes: &Fakes) -> Value {
    let params = json!({"cwd": fakes.place.project(), "mcpServers": []});
    client.request("session/new", params)["result"]["sessionId"].clone()
}

pub(super) fn prompt(session: &Value, text: &str) -> Value {
    json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]})
}

pub(super) fn text(client: &mut Client) -> String {
    let told = std::mem::take(&mut client.notifications);
    let texts = told
        .iter()
        .map(|one| &one["params"]["update"]["content"]["text"]);
    texts.filter_map(Value::as_str).collect()
}

#[test]
fn what_is_wrong_is_told_and_the_connection_lives() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    let session = new_session(&mut client, &fakes);
    client.send_line("this is not JSON");
    client.send_line("{\"jsonrpc\": \"2.0\"}");
    let cwd = fakes.place.project();
    for (method, params, code) in [
        ("no/such", json!({}), -32601),
        ("session/prompt", json!({"sessionId": session}), -32602),
        ("session/prompt", prompt(&json!("nosuch"), TOPIC), -32002),
        (
            "session/load",
            json!({"sessionId": "nosuch", "cwd": cwd, "mcpServers": []}),
            -32002,
        ),
        // It has no debate, so there is nothing to take up.
        (
            "session/load",
            json!({"sessionId": session, "cwd": cwd, "mcpServers": []}),
            -32002,
        ),
        (
            "session/new",
            json!({"cwd": "here", "mcpServers": []}),
            -32602,
        ),
        (
            "session/set_mode",
            json!({"sessionId": session, "modeId": "loud"}),
            -32602,
        ),
        (
            "session/set_config_option",
            json!({"sessionId": session, "configId": "bounds", "value": "none"}),
            -32602,
        ),
    ] {
        let answer = client.request(method, params);
        assert_eq!(answer["error"]["code"], code, "{method}: {answer}");
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
    }
    let parse_errors = client.notifications.iter();
    let parse_errors = parse_errors.filter(|one| one["error"]["code"] == -32700);
    assert_eq!(parse_errors.count(), 1, "{:?}", client.notifications);
    client.notifications.clear();

    for (topic, says) in [
        ("", "the topic is missing"),
        (&"x".repeat(20_000), "the limit is 16384"),
    ] {
        let answer = client.request("session/prompt", prompt(&session, topic));
        assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
        let told = text(&mut client);
        assert!(told.contains(says), "{told}");
    }
    // The session is as good as before.
    let quick = json!({"sessionId": session, "modeId": "quick"});
    client.request("session/set_mode", quick);
    let answer = client.request("session/prompt", prompt(&session, TOPIC));
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    assert!(text(&mut client).contains("Authority: **"));
    assert_eq!(client.close(), Some(0));
}

#[test]
fn without_tools_the_answer_says_what_to_do() {
    let fakes = Fakes::with(FakeTools::with(&[]));
    let mut client = connect(&fakes);
    let session = new_session(&mut client, &fakes);
    let answer = client.request("session/prompt", prompt(&session, TOPIC));
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    let told = text(&mut client);
    assert!(told.contains("tool"), "{told}");
    assert!(!fakes.place.project().join("debates").exists());
}

#[test]
fn a_debater_gets_no_session() {
    let mut fakes = Fakes::new();
    fakes.place.env.insert("AGON_DEPTH".into(), "1".into());
    let mut client = connect(&fakes);
    let cwd = fakes.place.project();
    for (method, params) in [
        ("session/new", json!({"cwd": cwd, "mcpServers": []})),
        ("session/list", json!({"cwd": cwd})),
        (
            "session/load",
            json!({"sessionId": "01JD3Q7M0Z8K4V2X5B6N9C1HTR", "cwd": cwd, "mcpServers": []}),
        ),
    ] {
        let answer = client.request(method, params);
        assert_eq!(
            answer["error"]["data"]["error"]["code"], "depth",
            "{answer}"
        );
    }
}

#[test]
fn a_client_that_goes_away_in_mid_prompt_stops_nothing() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(60_000));
    let mut client = connect(&fakes);
    let session = new_session(&mut client, &fakes);
    client.begin("session/prompt", prompt(&session, TOPIC));
    let since = Instant::now();
    let debate = || fakes.place.run(&["list", "--json"]).stdout;
    while !debate().contains("running") {
        assert!(since.elapsed() < Duration::from_secs(60), "{}", debate());
    }
    let closing = Instant::now();
    assert_eq!(client.close(), Some(0));
    assert!(closing.elapsed() < Duration::from_secs(10), "{closing:?}");
    assert!(debate().contains("running"), "{}", debate());
    fakes.place.run(&["stop"]);
}
