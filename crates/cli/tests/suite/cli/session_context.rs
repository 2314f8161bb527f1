//! `agon context`: the sessions of a project, measured.

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
fn a_session_past_the_onset_of_its_model_is_amber_and_its_document_keeps_its_schema() {
    let agon = Agon::new();
    let path = session(&agon, "aaaa-1", &[50_000, 112_408]);
    let before = fs::read(&path).unwrap();
    let document = agon.run(&["context", "--json"]).json();
    let schema = agon.run(&["schema", "context", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    let found = &document["sessions"][0];
    let of = |key: &str| found[key].clone();
    assert_eq!(
        [of("state"), of("fill"), of("turns"), of("calls")],
        [json!("amber"), json!(112_408), json!(1), json!(2)]
    );
    assert_eq!(found["limits"]["onset"], 100_000);
    let screen = agon.run(&["context"]).stdout;
    let first = screen.lines().next().unwrap();
    assert_eq!(first, "amber  claude aaaa-1  claude-opus-4-5");
    assert!(screen.contains("2 model calls in 1 turn"), "{screen}");
    assert!(screen.contains("onset ╌╌╌╌▇▇▇▇"), "{screen}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn the_configuration_says_what_a_model_bears() {
    let agon = Agon::new();
    session(&agon, "aaaa-1", &[5000]);
    agon.configure("limits = [{ model = \"claude-opus\", onset = 1000, severe = 4000 }]\n");
    let document = agon.run(&["context", "--json"]).json();
    assert_eq!(document["sessions"][0]["state"], "red", "{document}");
    assert_eq!(
        document["sessions"][0]["limits"]["source"],
        "the configuration"
    );
}

#[test]
fn the_limits_are_those_of_the_model_that_answered_the_main_agent_last() {
    let agon = Agon::new();
    let path = session(&agon, "aaaa-1", &[1000]);
    let mut file = File::options().append(true).open(path).unwrap();
    let mut add = |id: &str, at: usize, model: &str, is_aside: bool| {
        let mut line = call(id, at, 90_000);
        line["message"]["model"] = json!(model);
        line["isSidechain"] = json!(is_aside);
        writeln!(file, "{line}").unwrap();
    };
    add("aaaa-1", 5, "claude-sonnet-4-5", false);
    add("aaaa-1", 6, "claude-opus-4-5", false);
    add("aaaa-1", 7, "claude-sonnet-4-5", true);
    let document = agon.run(&["context", "--json"]).json();
    let found = &document["sessions"][0];
    assert_eq!(found["model"], "claude-opus-4-5", "{found}");
    // Past the onset of the other.
    assert_eq!(
        [&found["limits"]["model"], &found["state"]],
        ["claude-opus-4-5", "green"]
    );
}

#[test]
fn the_session_that_asks_is_found_where_it_was_begun_and_no_other_is_taken_for_it() {
    let agon = Agon::new();
    session(&agon, "aaaa-1", &[1000]);
    let away = agon.project().with_file_name("elsewhere");
    fs::create_dir_all(&away).unwrap();
    let agon = agon.env("CLAUDECODE", "1");
    let agon = agon.env("CLAUDE_CODE_SESSION_ID", "aaaa-1");
    let own = agon.run_in(&away, &["context", "--json"]).json();
    assert_eq!(own["sessions"][0]["id"], "aaaa-1", "{own}");
    // Of another tool the latest of the project is meant.
    let other = agon.run(&["context", "--host", "codex", "--json"]).json();
    assert_eq!(other["error"]["code"], "no_session");
    let agon = agon.env("CLAUDE_CODE_SESSION_ID", "bbbb-2");
    let lost = agon.run(&["context", "--json"]).json();
    assert_eq!(lost["error"]["code"], "no_session", "{lost}");
    assert!(
        lost["error"]["message"]
            .as_str()
            .unwrap()
            .contains("bbbb-2")
    );
    let last = agon.run(&["context", "--last", "--json"]).json();
    assert_eq!(last["sessions"][0]["id"], "aaaa-1");
}

#[test]
fn sessions_are_listed_and_one_is_named_by_the_beginning_of_its_id() {
    let agon = Agon::new();
    session(&agon, "aaaa-1", &[1000]);
    session(&agon, "aabb-2", &[190_000]);
    let all = agon.run(&["context", "--all"]).stdout;
    assert_eq!(all.lines().count(), 3, "{all}");
    let named = |name: &str| agon.run(&["context", name, "--json"]).json();
    assert_eq!(named("aabb")["sessions"][0]["state"], "red");
    assert_eq!(named("aa")["error"]["code"], "ambiguous_session");
    assert_eq!(named("cc")["error"]["code"], "no_session");
    let none = agon.run(&["context", "--host", "codex", "--json"]).json();
    assert_eq!(none["error"]["code"], "no_session");
    let unknown = agon.run(&["context", "--host", "vim", "--json"]).json();
    assert_eq!(unknown["error"]["code"], "unknown_host");
}

#[test]
fn no_secret_of_a_record_is_printed() {
    let agon = Agon::new();
    let path = session(&agon, "aaaa-1", &[1000]);
    let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
    let mut file = File::options().append(true).open(path).unwrap();
    for line in [
        json!({"type": "summary", "summary": format!("token {secret}")}),
        json!({"type": format!("kind {secret}"), "uuid": "x"}),
        json!({"type": "assistant", "uuid": "y", "message": {"id": "m9", "model": format!("model-{secret}"),
            "content": [], "usage": {"input_tokens": 5, "output_tokens": 5}}}),
    ] {
        writeln!(file, "{line}").unwrap();
    }
    for args in [
        &["context"][..],
        &["context", "--all"],
        &["context", "--json"],
    ] {
        let ran = agon.run(args);
        assert!(ran.stdout.contains("aaaa-1"), "{}", ran.stdout);
        assert!(!ran.stdout.contains(&secret), "{}", ran.stdout);
    }
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
