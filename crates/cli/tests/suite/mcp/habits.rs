//! What clients in the wild send, as their users and authors reported it: every request is answered.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::LATEST;
use super::client::Client;
use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

/// What becomes of a request.
#[derive(Clone, Debug)]
enum Outcome {
    /// It is done.
    Done,
    /// The tool refuses this parameter.
    Refuses(&'static str),
    /// It is an error of the protocol.
    Error(i64),
}
use Outcome::{Done, Error, Refuses};

/// A client, and how it talks.
struct Habit {
    client: &'static str,
    capabilities: Value,
    /// Sent before the handshake.
    early: &'static [&'static str],
    /// Each request with `ID` for its id, and what becomes of it.
    requests: Vec<(Vec<u8>, Outcome)>,
}

fn call(tool: &str, arguments: Value) -> Vec<u8> {
    let params = json!({"name": tool, "arguments": arguments});
    line("tools/call", params)
}

fn line(method: &str, params: Value) -> Vec<u8> {
    let request = json!({"jsonrpc": "2.0", "id": "ID", "method": method, "params": params});
    request.to_string().replace("\"ID\"", "ID").into_bytes()
}

/// The bytes `text` with `ID` for an id, and a byte that is not UTF-8 for each `~`.
fn broken(text: &str) -> Vec<u8> {
    let bytes = text.bytes();
    bytes
        .map(|byte| if byte == b'~' { 0xe9 } else { byte })
        .collect()
}

fn habits() -> Vec<Habit> {
    let roots = || json!({"roots": {"listChanged": true}});
    let long = "x".repeat(20 * 1024 * 1024);
    vec![
        Habit {
            client: "a desktop app whose model writes numbers and switches as text",
            capabilities: json!({}),
            early: &[],
            requests: vec![
                (call("debate_wait", json!({"debate": "s", "cursor": "0", "timeout": "0"})), Done),
                (call("debate_wait", json!({"debate": "s", "cursor": 8.0, "timeout": 0.0})), Done),
                (call("debate_start", json!({"topic": TOPIC, "again": "false", "rounds": "7"})),
                    Refuses("rounds")),
                (call("debate_wait", json!({"debate": "s", "cursor": "the first"})), Refuses("cursor")),
            ],
        },
        Habit {
            client: "a client that fills every parameter in",
            capabilities: roots(),
            early: &[],
            requests: vec![
                (call("debate_wait", json!({"debate": "s", "cursor": null, "timeout": 0, "project": null})), Done),
                (call("debate_wait", json!({"debate": "s", "cursor": "", "timeout": "0", "project": ""})), Done),
                (call("debate_result", json!({"debate": "", "section": "", "from": "", "project": " "})), Done),
                (call("consult", json!({"question": null, "tools": null})), Refuses("question")),
                (line("tools/list", json!({"cursor": null})), Done),
            ],
        },
        Habit {
            client: "an editor that announces roots, never tells them and notifies early",
            capabilities: roots(),
            early: &[
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
                r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
                r#"{"jsonrpc":"2.0","method":"initialized"}"#,
            ],
            requests: vec![
                (line("tools/list", json!({})), Done),
                (call("recall", json!({"topic": TOPIC, "explanation": "to see"})), Done),
                (line("prompts/list", json!({})), Done),
            ],
        },
        Habit {
            client: "an agent that adds notes to itself and writes lists as text",
            capabilities: json!({}),
            early: &[r#"{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}"#],
            requests: vec![
                (call("consult", json!({"question": "Tabs?", "tools": "[\"claude\"]", "task_progress": "- [ ] ask"})), Done),
                (call("consult", json!({"question": "Spaces?", "tools": "claude, codex", "wait_for_previous": true})), Done),
                (call("consult", json!({"question": "Both?", "tools": "[\"claude\", 1]"})), Refuses("tools")),
                (call("recall", json!({"topic": TOPIC, "near": 3})), Refuses("near")),
            ],
        },
        Habit {
            client: "a client that sends the arguments as one text",
            capabilities: json!({}),
            early: &[],
            requests: vec![
                (call("debate_wait", json!("{\"debate\": \"s\", \"timeout\": \"0\"}")), Done),
                (call("status", json!("{\"op\": \"Usage\"}")), Done),
                (call("status", json!("usage")), Refuses("arguments")),
                (call("nosuch", json!("{}")), Error(-32602)),
            ],
        },
        Habit {
            client: "a client in PHP, which has no empty object",
            capabilities: json!([]),
            early: &[],
            requests: vec![
                (line("ping", json!([])), Done),
                (line("tools/list", json!([])), Done),
                (call("status", json!([])), Refuses("op")),
                (b"{\"id\":ID,\"method\":\"tools/list\"}".to_vec(), Done),
            ],
        },
        Habit {
            client: "a client that cuts text between two halves of a character",
            capabilities: json!({}),
            early: &[],
            requests: vec![
                (broken(r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"recall","arguments":{"topic":"cut \ud83d"}}}"#), Error(-32700)),
                (broken(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"recall","arguments":{"topic":"caf~"}},"id":ID}"#), Error(-32700)),
                (broken(r#"{"jsonrpc":"2.0","id":ID,"method":"prompts/get","params":{"name":"\udc00"}}"#), Error(-32700)),
                (broken(r#"{"jsonrpc":"2.0","id":ID,"method":"ping"} and more"#), Error(-32700)),
            ],
        },
        Habit {
            client: "a client that pastes whole files",
            capabilities: roots(),
            early: &[],
            requests: vec![
                (call("recall", json!({"topic": long})), Error(-32600)),
                (format!("{{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{{\"id\":1,\"x\":\"{long}\"}},\"id\":ID}}").into_bytes(), Error(-32600)),
                (call("recall", json!({"topic": "Zm9v".repeat(200_000)})), Done),
                (broken(&format!("{{\"id\":ID,\"method\":\"ping\",\"params\":{}", "[".repeat(100_000))), Error(-32700)),
            ],
        },
    ]
}

fn with_id(line: &[u8], id: u64) -> Vec<u8> {
    let at = line.windows(3).position(|part| part == b":ID").unwrap() + 1;
    [&line[..at], id.to_string().as_bytes(), &line[at + 2..]].concat()
}

#[test]
fn every_request_of_every_client_is_answered_and_the_server_lives() {
    let fakes = Fakes::new();
    assert!(fakes.debate(&["--quick"]).json()["answer"].is_string());
    for habit in habits() {
        let client = habit.client;
        let mut connection = Client::start(fakes.place.command(&["mcp"]));
        for line in habit.early {
            connection.send_line(line);
        }
        let opened = connection.request(
            "initialize",
            json!({
                "protocolVersion": LATEST,
                "capabilities": match habit.capabilities {
                    Value::Object(_) => habit.capabilities,
                    _ => json!({}),
                },
                "clientInfo": {"name": "test", "version": "0"},
            }),
        );
        assert_eq!(opened["result"]["serverInfo"]["name"], "agon", "{client}");
        connection.send_line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        for (at, (line, outcome)) in habit.requests.iter().enumerate() {
            let id = 1_000 + at as u64;
            let began = Instant::now();
            connection.send_bytes(&with_id(line, id));
            let answer = connection.answer(id);
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "{client}, {at}: {began:?}"
            );
            let refused = answer["result"]["content"][0]["text"].as_str();
            let refused: Option<Value> = refused.and_then(|text| serde_json::from_str(text).ok());
            let parameter = refused.map(|document| document["error"]["parameter"].clone());
            match outcome {
                Done => {
                    assert!(answer["result"].is_object(), "{client}, {at}: {answer}");
                    assert_ne!(
                        answer["result"]["isError"], true,
                        "{client}, {at}: {answer}"
                    );
                }
                Refuses(name) => {
                    assert_eq!(parameter, Some(json!(name)), "{client}, {at}: {answer}")
                }
                Error(code) => {
                    assert_eq!(answer["error"]["code"], *code, "{client}, {at}: {answer}")
                }
            }
        }
        assert_eq!(connection.close(), Some(0), "{client}");
    }
}

#[test]
fn a_client_that_owes_its_roots_waits_once_and_its_late_answer_counts() {
    let fakes = Fakes::new();
    let open = fakes.place.home().join("open elsewhere");
    std::fs::create_dir_all(&open).unwrap();
    let roots = json!({"roots": {}});
    let command = fakes.place.command(&["mcp"]);
    let (mut client, _) = Client::with_capabilities(command, LATEST, roots);
    let began = Instant::now();
    let listed = client.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 8);
    assert!(began.elapsed() < Duration::from_secs(8), "{began:?}");
    let asks = json!({"topic": TOPIC, "project": open.display().to_string()});
    let began = Instant::now();
    for _ in 0..5 {
        let error = client.error("recall", asks.clone());
        assert_eq!(error["parameter"], "project");
    }
    assert!(began.elapsed() < Duration::from_secs(2), "{began:?}");
    let questions: Vec<_> = client
        .notifications
        .iter()
        .filter(|message| message["method"] == "roots/list")
        .map(|message| message["id"].clone())
        .collect();
    assert_eq!(questions.len(), 1, "one question is open at a time");
    let uri = format!("file://{}", open.display().to_string().replace(' ', "%20"));
    let answer = json!({"jsonrpc": "2.0", "id": questions[0], "result": {"roots": [{"uri": uri}]}});
    client.send(&answer);
    // The next question is open meanwhile, and what was said last counts.
    client.document("recall", asks);
    assert_eq!(client.close(), Some(0));
}

#[test]
fn a_client_that_refuses_its_roots_is_in_the_folder_of_the_server() {
    let fakes = Fakes::new();
    let roots = json!({"roots": {"listChanged": true}});
    let command = fakes.place.command(&["mcp"]);
    let (mut client, _) = Client::with_capabilities(command, LATEST, roots);
    let arguments = json!({"name": "recall", "arguments": {"topic": TOPIC}});
    let call = client.begin("tools/call", arguments);
    let question = client.next_request("roots/list");
    let error = json!({"code": -32601, "message": "Method not found"});
    client.send(&json!({"jsonrpc": "2.0", "id": question, "error": error}));
    let began = Instant::now();
    assert_eq!(client.answer(call)["result"]["isError"], false);
    assert!(began.elapsed() < Duration::from_secs(2), "{began:?}");
    assert_eq!(client.close(), Some(0));
}
