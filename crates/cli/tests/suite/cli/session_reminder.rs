//! `agon hook` after a tool, in a session whose context gets worse, and the line for its screen.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::session_context::session;
use crate::cli::harness::Agon;

impl Agon {
    /// What a command prints that is told this on stdin.
    pub(crate) fn told(&self, args: &[&str], said: &str) -> String {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(said.as_bytes()).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the hook says to the model after a tool.
    fn after_tool(&self, host: &str, call: &Value) -> Option<String> {
        let said = self.told(&["hook", host, "post-tool"], &call.to_string());
        let answer: Value = (!said.is_empty()).then(|| serde_json::from_str(&said).unwrap())?;
        let line = &answer["hookSpecificOutput"]["additionalContext"];
        Some(line.as_str().unwrap().to_owned())
    }
}

fn call(record: &Path) -> Value {
    json!({"session_id": "s", "transcript_path": record, "cwd": "/",
        "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": {}})
}

fn append(record: &Path, line: &Value) {
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(record)
        .unwrap();
    writeln!(file, "{line}").unwrap();
}

fn answered(at: usize, fill: u64) -> Value {
    json!({"type": "assistant", "uuid": format!("a{at}"), "sessionId": "s",
        "timestamp": format!("2026-11-24T05:{:02}:01Z", at % 60),
        "message": {"id": format!("m{at}"), "model": "claude-opus-4-5", "content": [],
            "usage": {"input_tokens": fill, "output_tokens": 0}}})
}

#[test]
fn a_hook_says_nothing_to_a_sub_agent_nor_of_what_is_not_a_record() {
    let agon = Agon::new();
    let record = agon.project().join("s.jsonl");
    append(&record, &answered(0, 185_000));
    let mut aside = call(&record);
    aside["agent_id"] = json!("a1");
    assert_eq!(agon.after_tool("claude", &aside), None);
    for path in ["none.jsonl", ".", ""] {
        assert_eq!(
            agon.after_tool("claude", &call(&agon.project().join(path))),
            None
        );
    }
    assert_eq!(agon.after_tool("opencode", &json!({"cwd": "/"})), None);
    // An event before the tool has no such line.
    let said = agon.told(&["hook", "claude", "stop"], &call(&record).to_string());
    assert_eq!(said, "");
    assert!(agon.after_tool("claude", &call(&record)).is_some());
}

#[test]
fn the_status_line_is_coloured_unless_that_is_switched_off() {
    let agon = Agon::new().env("NO_COLOR", "");
    let record = session(&agon, "aaaa-1", &[50_000]);
    let said = json!({"transcript_path": record}).to_string();
    let line = agon.told(&["context", "--statusline"], &said);
    assert!(
        line.starts_with('\u{1b}') && line.contains("[32m●"),
        "{line}"
    );
    let words = " context green · 50k of 200k tokens\n";
    assert!(line.ends_with(words), "{line}");
    let plain = agon.env("NO_COLOR", "1");
    let line = plain.told(&["context", "--statusline"], &said);
    assert_eq!(line, format!("●{words}"));
    let wrong = plain.run(&["context", "--statusline"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}
