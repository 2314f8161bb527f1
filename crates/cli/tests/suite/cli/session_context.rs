//! `agon context`: the sessions of a project on the screen.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::cli::harness::Agon;

/// A session of Claude Code in the project, with a model call for each of `fills`.
pub(crate) fn session(agon: &Agon, id: &str, fills: &[u64]) -> PathBuf {
    let project = fs::canonicalize(agon.project()).unwrap();
    let project = project.to_string_lossy().into_owned();
    let path = agon.claude_sessions().join(format!("{id}.jsonl"));
    let mut lines = vec![
        json!({"type": "user", "uuid": format!("{id}-u"), "sessionId": id, "cwd": project,
        "timestamp": "2026-11-23T04:07:25Z", "version": "2.1.197", "message": {"content": "Begin."}}),
    ];
    lines.extend(
        fills
            .iter()
            .enumerate()
            .map(|(at, fill)| call(id, at, *fill)),
    );
    let lines: Vec<String> = lines.iter().map(|it| format!("{it}\n")).collect();
    fs::write(&path, lines.concat()).unwrap();
    path
}

fn call(id: &str, at: usize, fill: u64) -> Value {
    json!({"type": "assistant", "uuid": format!("{id}-{at}"), "sessionId": id,
        "timestamp": "2026-11-23T04:07:26Z",
        "message": {"id": format!("m{at}"), "model": "claude-opus-4-5",
            "content": [{"type": "text", "text": "So."}],
            "usage": {"input_tokens": fill - 8, "output_tokens": 8}}})
}

#[test]
fn a_session_is_shown_and_its_document_keeps_its_schema() {
    let agon = Agon::new();
    session(&agon, "aaaa-1", &[50_000, 112_408]);
    let document = agon.run(&["context", "--json"]).json();
    let schema = agon.run(&["schema", "context", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    assert_eq!(document["sessions"][0]["state"], "amber");
    let screen = agon.run(&["context"]).stdout;
    let first = screen.lines().next().unwrap();
    assert_eq!(first, "amber  claude aaaa-1  claude-opus-4-5");
    assert!(screen.contains("2 model calls in 1 turn"), "{screen}");
    assert!(screen.contains("onset ╌╌╌╌▇▇▇▇"), "{screen}");
}

#[test]
fn sessions_are_a_table_and_one_that_is_not_there_is_refused() {
    let agon = Agon::new();
    session(&agon, "aaaa-1", &[1000]);
    session(&agon, "aabb-2", &[190_000]);
    let all = agon.run(&["context", "--all"]).stdout;
    assert_eq!(all.lines().count(), 3, "{all}");
    let named = agon.run(&["context", "aabb", "--json"]).json();
    assert_eq!(named["sessions"][0]["state"], "red");
    let last = agon.run(&["context", "--last", "--host", "claude"]);
    assert_eq!(last.code, Some(0), "{last:?}");
    let none = agon.run(&["context", "--host", "codex", "--json"]);
    assert_eq!(none.code, Some(2));
    assert_eq!(none.json()["error"]["code"], "no_session");
}

#[test]
fn a_session_that_goes_on_is_followed() {
    let agon = Agon::new();
    let path = session(&agon, "aaaa-1", &[1000]);
    let mut command = agon.command(&["context", "--watch", "--json"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["sessions"][0]["state"], "green");
    let mut file = File::options().append(true).open(path).unwrap();
    writeln!(file, "{}", call("aaaa-1", 7, 150_000)).unwrap();
    let then = next();
    assert_eq!(then["sessions"][0]["state"], "amber");
    assert_eq!(then["sessions"][0]["calls"], 2);
    child.kill().unwrap();
    child.wait().unwrap();
}
