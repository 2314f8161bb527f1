//! JSON for programs.

use agon_samples::batches::{batches, spec};
use serde_json::{Value, json};

use super::raw::{Running, unfinished};

fn send(server: &Running, first: &str, body: &str) -> (u16, Value) {
    let bearer = format!("Authorization: Bearer {}", server.key);
    let host = format!("Host: {}", server.host());
    let kind = "Content-Type: application/json";
    let answer = server.send(&[&format!("{first} HTTP/1.1"), &host, &bearer, kind], body);
    let document = serde_json::from_str(&answer.body).unwrap_or(Value::Null);
    (answer.status, document)
}

#[test]
fn a_program_reads_and_steers_a_debate_with_the_key() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, unfinished());
    let (status, list) = send(&server, "GET /api/debates", "");
    assert_eq!(
        (status, &list["debates"][0]["debate"]),
        (200, &json!("one"))
    );
    assert_eq!(
        send(&server, "GET /api/debates/one", "").1["schema"],
        "agon.result/1"
    );
    let (_, status) = send(&server, "GET /api/debates/one/status", "");
    assert_eq!(status["state"], "stopped");
    let (_, said) = send(
        &server,
        "POST /api/debates/one/note",
        r#"{"text":"Mind the cost"}"#,
    );
    assert_eq!(said["schema"], "agon.said/1");
    assert_eq!(said["notes"], Value::Null, "there is nothing to note");
    let (_, stopped) = send(&server, "POST /api/debates/one/stop", "");
    assert_eq!(stopped["ran"], false);
    for path in [
        "/api/usage",
        "/api/search?q=store",
        "/api/recall?topic=store",
    ] {
        assert_eq!(send(&server, &format!("GET {path}"), "").0, 200, "{path}");
    }
    let (_, openapi) = send(&server, "GET /api/openapi.json", "");
    assert_eq!(openapi["openapi"], "3.1.0");
}

#[test]
fn a_reply_names_what_there_is_to_know() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, batches());
    let (status, ended) = send(&server, "POST /api/debates/one/resume", "");
    assert_eq!((status, &ended["schema"]), (200, &json!("agon.result/1")));
    let note = ended["notes"][0].as_str().unwrap();
    assert!(note.starts_with("one has already ended"), "{note}");
}

#[test]
fn a_wrong_request_gets_an_error_document() {
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    server.debate(one, unfinished());
    for (first, body, wanted) in [
        ("GET /api/debates/none", "", 404),
        ("GET /api/nothing", "", 404),
        ("GET /api/search", "", 400),
        ("POST /api/debates", "{", 400),
        ("POST /api/debates", "{}", 400),
        (
            "POST /api/debates",
            r#"{"topic":"a or b?","unknown":1}"#,
            400,
        ),
        ("POST /api/debates/none/stop", "", 404),
        ("POST /api/debates/none/note", r#"{"text":1}"#, 404),
        ("POST /api/debates/one/note", r#"{"text":" "}"#, 400),
    ] {
        let (status, document) = send(&server, first, body);
        assert_eq!(status, wanted, "{first} {body}");
        assert_eq!(document["schema"], "agon.error/1", "{first} {body}");
    }
    let (_, unknown) = send(&server, "GET /api/nothing", "");
    assert_eq!(unknown["error"]["code"], "unknown_page");
}
