//! `agon hook` before a compaction: the hand-over of the session in a file, and who is told of it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::harness::Agon;

/// A record in the form of Claude Code, in which a test fails.
fn claude_record(agon: &Agon) -> PathBuf {
    let record = agon.project().join("s.jsonl");
    let line = |kind: &str, at: usize, message: Value| {
        let line = json!({"type": kind, "uuid": format!("u{at}"), "sessionId": "s",
            "cwd": agon.project(), "timestamp": format!("2026-11-24T05:{at:02}:00Z"),
            "version": "2.1.197", "message": message});
        format!("{line}\n")
    };
    let call = json!({"type": "tool_use", "id": "t1", "name": "Bash",
        "input": {"command": "cargo test -p parser"}});
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "is_error": true,
        "content": "Exit code 101\ntest result: FAILED. 0 passed; 1 failed"});
    let answer = json!({"id": "m1", "model": "claude-opus-4-5", "content": [call],
        "usage": {"input_tokens": 1000, "output_tokens": 10}});
    let lines = [
        line(
            "user",
            1,
            json!({"content": "Fix the parser. Never add a dependency."}),
        ),
        line("assistant", 2, answer),
        line("user", 3, json!({"content": [result]})),
    ];
    fs::write(&record, lines.concat()).unwrap();
    record
}

fn call(record: &Path, event: &str, more: &Value) -> String {
    let mut call = json!({"session_id": "s", "transcript_path": record, "cwd": "/",
        "hook_event_name": event});
    call.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    call.to_string()
}

/// The file that a line names.
fn named_file(line: &str) -> PathBuf {
    let words = line.split_whitespace();
    let path = words.map(|it| it.trim_end_matches('.'));
    let path = path.into_iter().find(|it| it.ends_with(".md"));
    PathBuf::from(path.unwrap_or_else(|| panic!("no file in {line}")))
}

#[test]
fn claude_is_told_in_words_that_go_to_the_summary_and_again_when_it_begins_again() {
    let agon = Agon::new();
    let record = claude_record(&agon);
    let hook = ["hook", "claude", "pre-compact"];
    let said = agon.told(
        &hook,
        &call(&record, "PreCompact", &json!({"trigger": "auto"})),
    );
    // Not JSON: that would be read for its keys, and the model would see nothing.
    assert!(said.starts_with("agon: "), "{said}");
    let file = named_file(&said);
    let text = fs::read_to_string(&file).unwrap();
    for words in [
        "> Fix the parser. Never add a dependency. [turn 1]",
        "> cargo test -p parser [turn 1, failed with exit code 101, no edit since]",
        ">     test result: FAILED. 0 passed; 1 failed",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let hook = ["hook", "claude", "session-start"];
    let begun = |source: &str| {
        let call = call(&record, "SessionStart", &json!({"source": source}));
        agon.told(&hook, &call)
    };
    let answer: Value = serde_json::from_str(&begun("compact")).unwrap();
    let line = answer["hookSpecificOutput"]["additionalContext"].as_str();
    assert_eq!(named_file(line.unwrap()), file);
    assert_eq!(begun("startup"), "");
}

#[test]
fn others_are_told_as_they_can_be() {
    let agon = Agon::new();
    let record = claude_record(&agon);
    let manual = json!({"trigger": "manual"});
    let told = |host: &str| {
        let call = call(&record, "PreCompact", &manual);
        agon.told(&["hook", host, "pre-compact"], &call)
    };
    for host in ["codex", "gemini"] {
        let answer: Value = serde_json::from_str(&told(host)).unwrap();
        let keys: Vec<_> = answer.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["systemMessage"], "{host}");
        let file = named_file(answer["systemMessage"].as_str().unwrap());
        assert!(file.is_file(), "{host}");
    }
    assert_eq!(told("copilot"), "");
}

#[test]
fn nothing_is_written_where_there_is_nothing_to_keep() {
    let agon = Agon::new();
    let record = claude_record(&agon);
    let hook = |host: &str, record: &Path, more: &Value| {
        let call = call(record, "PreCompact", more);
        agon.told(&["hook", host, "pre-compact"], &call)
    };
    let auto = json!({"trigger": "auto"});
    // Gemini CLI asks before every call: this context is nearly empty.
    assert_eq!(hook("gemini", &record, &auto), "");
    // The context of a sub-agent is another.
    let of_agent = json!({"agent_id": "a"});
    assert_eq!(hook("claude", &record, &of_agent), "");
    let gone = agon.project().join("gone.jsonl");
    assert_eq!(hook("claude", &gone, &auto), "");
    let empty = agon.project().join("empty.jsonl");
    fs::write(&empty, "").unwrap();
    assert_eq!(hook("claude", &empty, &auto), "");
}
