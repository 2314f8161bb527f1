//! What a hook says to the model of a session whose context gets worse, and the line for its screen.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::session_context::session;
use crate::cli::harness::Agon;

/// A session that was held with the real Claude Code; it was compacted once.
const RECORDED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../sessions/tests/fixtures/claude/.claude/projects/-sandbox-project/\
     11514eea-fa15-47d2-ba78-55ea74ff2921.jsonl"
);

impl Agon {
    /// What a command prints that is told this on stdin.
    fn told(&self, args: &[&str], said: &str) -> String {
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

fn prompt(at: usize) -> Value {
    json!({"type": "user", "uuid": format!("p{at}"), "sessionId": "s",
        "timestamp": format!("2026-11-24T05:{:02}:00Z", at % 60), "message": {"content": "Go on."}})
}

fn recorded_lines() -> Vec<Value> {
    let text = fs::read_to_string(RECORDED).unwrap();
    text.lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect()
}

/// The tokens in the context after the call that a line counts.
fn fill_of(line: &Value) -> Option<u64> {
    let usage = line["message"]["usage"].as_object()?;
    let is_synthetic = line["message"]["model"] == "<synthetic>";
    let counts = usage.iter().filter(|(key, _)| key.ends_with("_tokens"));
    (!is_synthetic).then(|| counts.filter_map(|(_, count)| count.as_u64()).sum())
}

#[test]
fn a_hook_says_once_that_the_onset_is_reached_and_nothing_of_what_was_compacted_away() {
    let agon = Agon::new();
    let fills: Vec<Option<u64>> = recorded_lines().iter().map(fill_of).collect();
    let onset = *fills.iter().flatten().nth(2).unwrap();
    agon.configure(&format!(
        "limits = [{{ model = \"claude-opus\", onset = {onset}, severe = 100000 }}]\n"
    ));
    let record = agon.project().join("s.jsonl");
    let mut said = Vec::new();
    for (at, line) in recorded_lines().iter().enumerate() {
        append(&record, line);
        said.extend(agon.after_tool("claude", &call(&record)).map(|it| (at, it)));
    }
    let full = fills.iter().position(|it| *it >= Some(onset));
    assert_eq!(
        said.iter().map(|it| Some(it.0)).collect::<Vec<_>>(),
        [full],
        "{said:?}"
    );
    assert!(
        said[0]
            .1
            .starts_with("agon: the context of this session is amber: "),
        "{said:?}"
    );
    assert!(said[0].1.contains("agon context"), "{said:?}");
    // Of a record that was cut behind its compaction nothing is known.
    let cut = agon.project().join("cut.jsonl");
    let is_boundary = |it: &Value| it["subtype"] == "compact_boundary";
    let lines = recorded_lines();
    let boundary = lines.iter().position(is_boundary).unwrap();
    for line in &lines[..boundary + 5] {
        append(&cut, line);
    }
    assert_eq!(agon.after_tool("claude", &call(&cut)), None);
}

#[test]
fn a_hook_says_it_again_no_sooner_than_after_ten_prompts() {
    let agon = Agon::new();
    let record = agon.project().join("s.jsonl");
    let mut said = Vec::new();
    for at in 0..25 {
        append(&record, &prompt(at));
        for part in 0..2 {
            append(
                &record,
                &answered(2 * at + part, if at < 3 { 50_000 } else { 185_000 }),
            );
            said.extend(agon.after_tool("claude", &call(&record)).map(|it| (at, it)));
        }
    }
    let at: Vec<usize> = said.iter().map(|it| it.0).collect();
    assert_eq!(at, [3, 13, 23], "{said:?}");
    assert!(
        said[0].1.contains("is red: 185k tokens, past 180k."),
        "{said:?}"
    );
    assert!(said[0].1.contains("`agon context --handover`"), "{said:?}");
    // The state is Agon's own.
    let files = |folder: PathBuf| fs::read_dir(folder).unwrap().count();
    let home = agon.user_file();
    let home = home.ancestors().nth(3).unwrap();
    assert_eq!(files(home.join(".local/state/agon/context")), 1);
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
fn a_hook_reads_the_end_of_a_large_record_alone() {
    let agon = Agon::new();
    let record = agon.project().join("s.jsonl");
    // A file with a hole: it takes no room, and to read it whole would take far longer.
    let mut file = File::create(&record).unwrap();
    file.set_len(16 << 30).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(b"\n").unwrap();
    append(&record, &answered(0, 185_000));
    let began = Instant::now();
    assert!(agon.after_tool("claude", &call(&record)).is_some());
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
}

fn status(agon: &Agon, said: &Value) -> String {
    agon.told(&["context", "--statusline"], &said.to_string())
}

#[test]
fn the_status_line_has_the_tokens_that_claude_counts_and_what_the_rules_find() {
    let agon = Agon::new().env("NO_COLOR", "");
    let record = session(&agon, "aaaa-1", &[50_000]);
    let project = agon.project();
    let said = |input: u64| {
        json!({"session_id": "aaaa-1", "transcript_path": record, "cwd": project,
            "model": {"id": "claude-opus-4-5-20251101", "display_name": "Opus"},
            "workspace": {"project_dir": project},
            "context_window": {"context_window_size": 200_000, "used_percentage": 8,
                "current_usage": {"input_tokens": input, "output_tokens": 8,
                    "cache_creation_input_tokens": 2000, "cache_read_input_tokens": 1000}}})
    };
    let green = status(&agon, &said(12_000));
    assert!(
        green.starts_with('\u{1b}') && green.contains("[32m●"),
        "{green}"
    );
    assert!(
        green.ends_with(" context green · 15k of 200k tokens\n"),
        "{green}"
    );
    assert!(status(&agon, &said(112_000)).ends_with("context amber · 115k of 200k tokens\n"));
    // Before its first call, and from a version that counts nothing: the record has it.
    let before = json!({"transcript_path": record, "context_window": {"current_usage": null}});
    assert!(status(&agon, &before).ends_with("context green · 50k of 200k tokens\n"));
    assert!(status(&agon, &json!({})).ends_with("context unknown · no tokens counted\n"));
    let plain = agon.env("NO_COLOR", "1");
    assert_eq!(
        status(&plain, &said(12_000)),
        "● context green · 15k of 200k tokens\n"
    );
    let wrong = plain.run(&["context", "--statusline"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}
