//! The protocol's own suite of conformance, against the service on HTTP.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use agon_testkit::protocol_clients;
use serde_json::Value;

use super::mounted::Mounted;
use crate::scenarios::place::Fakes;

/// What is to come of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scenario {
    /// It passes.
    Passes,
    /// It needs this, which only the suite's own server has: it names it, and fails for nothing else.
    Needs(&'static str),
}
use Scenario::{Needs, Passes};

/// Every scenario of the suite. What some of them call is of use to nobody else: a tool of a certain
/// name that gives a certain picture, prompts, resources, log levels, completions.
const SCENARIOS: &[(&str, Scenario)] = &[
    ("server-initialize", Passes),
    ("ping", Passes),
    ("tools-list", Passes),
    ("prompts-list", Passes),
    ("server-sse-multiple-streams", Passes),
    // It warns that its tool `test_reconnection` is not here, and passes with what it sees of others.
    ("server-sse-polling", Passes),
    ("dns-rebinding-protection", Passes),
    ("logging-set-level", Needs("logging/setLevel")),
    ("completion-complete", Needs("completion/complete")),
    ("tools-call-simple-text", Needs("test_simple_text")),
    ("tools-call-image", Needs("test_image_content")),
    ("tools-call-audio", Needs("test_audio_content")),
    (
        "tools-call-embedded-resource",
        Needs("test_embedded_resource"),
    ),
    (
        "tools-call-mixed-content",
        Needs("test_multiple_content_types"),
    ),
    ("tools-call-with-logging", Needs("logging/setLevel")),
    ("tools-call-error", Needs("test_error_handling")),
    ("tools-call-with-progress", Needs("test_tool_with_progress")),
    ("tools-call-sampling", Needs("test_sampling")),
    ("tools-call-elicitation", Needs("test_elicitation")),
    ("json-schema-2020-12", Needs("json_schema_2020_12_tool")),
    (
        "elicitation-sep1034-defaults",
        Needs("test_elicitation_sep1034_defaults"),
    ),
    (
        "elicitation-sep1330-enums",
        Needs("test_elicitation_sep1330_enums"),
    ),
    ("resources-list", Needs("resources/list")),
    ("resources-read-text", Needs("resources/read")),
    ("resources-read-binary", Needs("resources/read")),
    ("resources-templates-read", Needs("resources/read")),
    ("resources-subscribe", Needs("resources/subscribe")),
    ("resources-unsubscribe", Needs("resources/subscribe")),
    ("prompts-get-simple", Needs("test_simple_prompt")),
    ("prompts-get-with-args", Needs("test_prompt_with_arguments")),
    (
        "prompts-get-embedded-resource",
        Needs("test_prompt_with_embedded_resource"),
    ),
    ("prompts-get-with-image", Needs("test_prompt_with_image")),
];

/// The scenario that the folder of a result is named for: `server-NAME-TIME`.
fn scenario_of(folder: &str) -> &str {
    const TIME: usize = "-2026-01-01T00-00-00-000Z".len();
    let name = folder.strip_prefix("server-").unwrap();
    &name[..name.len() - TIME]
}

/// What each scenario found wrong, as the suite wrote it down.
fn faults(out: &Path) -> BTreeMap<String, Vec<String>> {
    let mut faults = BTreeMap::new();
    for entry in fs::read_dir(out).unwrap().flatten() {
        let folder = entry.file_name().into_string().unwrap();
        let checks = fs::read(entry.path().join("checks.json")).unwrap();
        let checks: Vec<Value> = serde_json::from_slice(&checks).unwrap();
        assert!(!checks.is_empty(), "{folder}");
        let failed = checks.iter().filter(|check| check["status"] == "FAILURE");
        let failed = failed.map(|check| check["errorMessage"].as_str().unwrap().to_owned());
        faults.insert(scenario_of(&folder).to_owned(), failed.collect());
    }
    faults
}

#[test]
fn the_suite_of_conformance_passes_but_for_what_only_its_own_server_has() {
    let Some(clients) = protocol_clients() else {
        return;
    };
    let fakes = Fakes::new();
    let mounted = Mounted::start(&fakes.place);
    let out = fakes.place.home().join("conformance");
    let bins = clients.join("node_modules/.bin");
    let mut suite = Command::new(bins.join("node"));
    suite.arg(bins.join("conformance"));
    suite.args(["server", "--suite", "all", "--url", &mounted.url(), "-o"]);
    suite.arg(&out).env_clear().stdin(Stdio::null());
    let ran = suite.output().unwrap();
    assert!(out.is_dir(), "{ran:?}");

    let mut faults = faults(&out);
    for (name, wanted) in SCENARIOS {
        let found = faults.remove(*name);
        let found = found.unwrap_or_else(|| panic!("{name} was not run"));
        match wanted {
            Passes => {
                eprintln!("{name}: passed");
                assert_eq!(found, Vec::<String>::new(), "{name}");
            }
            Needs(what) => {
                eprintln!("{name}: needs {what}");
                assert_eq!(found.len(), 1, "{name}: {found:?}");
                assert!(found[0].contains(what), "{name}: {found:?}");
            }
        }
    }
    assert_eq!(faults, BTreeMap::new(), "scenarios that no table has");
}

/// The status of an answer to `initialize` that a page of `origin` asks the server for.
fn status_for(mounted: &Mounted, origin: Option<&str>) -> String {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"page","version":"0"}}}"#;
    let origin = origin.map_or(String::new(), |origin| format!("Origin: {origin}\r\n"));
    let url = mounted.url();
    let host = url.split('/').nth(2).unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\n{origin}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).unwrap();
    String::from_utf8_lossy(&status).into_owned()
}

#[test]
fn a_page_of_another_site_reaches_nothing_on_loopback() {
    let fakes = Fakes::new();
    let mounted = Mounted::start(&fakes.place);
    assert_eq!(status_for(&mounted, None), "HTTP/1.1 200");
    let own = Some("http://localhost:3000");
    assert_eq!(status_for(&mounted, own), "HTTP/1.1 200");
    for other in [
        "https://example.org",
        "http://127.0.0.1.example.org",
        "null",
    ] {
        assert_eq!(status_for(&mounted, Some(other)), "HTTP/1.1 403", "{other}");
    }
}
