//! What is said to the model of a session whose context gets worse, and the line for its screen.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use agon_health::{ContextState, reminder, status_line};
use serde_json::{Value, json};

use crate::place::{Place, append};

/// A session that was held with the real Claude Code; it was compacted once.
const RECORDED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../sessions/tests/fixtures/claude/.claude/projects/-sandbox-project/\
     11514eea-fa15-47d2-ba78-55ea74ff2921.jsonl"
);

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

fn said(place: &Place, record: &Path) -> Option<String> {
    reminder(&place.caller, "claude", record)
}

#[test]
fn it_is_said_once_that_the_onset_is_reached_and_nothing_of_what_was_compacted_away() {
    let place = Place::new();
    let fills: Vec<Option<u64>> = recorded_lines().iter().map(fill_of).collect();
    let onset = *fills.iter().flatten().nth(2).unwrap();
    place.configure(&format!(
        "limits = [{{ model = \"claude-opus\", onset = {onset}, severe = 100000 }}]\n"
    ));
    let record = place.project().join("s.jsonl");
    let mut told = Vec::new();
    for (at, line) in recorded_lines().iter().enumerate() {
        append(&record, line);
        told.extend(said(&place, &record).map(|it| (at, it)));
    }
    let full = fills.iter().position(|it| *it >= Some(onset)).unwrap();
    let [(at, words)] = &told[..] else {
        panic!("{told:?}");
    };
    assert_eq!(*at, full);
    let amber = "agon: the context of this session is amber: ";
    assert!(words.starts_with(amber), "{words}");
    assert!(words.contains("agon context"), "{words}");
    // Of a record that was cut behind its compaction nothing is known.
    let cut = place.project().join("cut.jsonl");
    let is_boundary = |it: &Value| it["subtype"] == "compact_boundary";
    let lines = recorded_lines();
    let boundary = lines.iter().position(is_boundary).unwrap();
    for line in &lines[..boundary + 5] {
        append(&cut, line);
    }
    assert_eq!(said(&place, &cut), None);
}

#[test]
fn it_is_said_again_no_sooner_than_after_ten_prompts() {
    let place = Place::new();
    let record = place.project().join("s.jsonl");
    let mut told = Vec::new();
    for at in 0..25 {
        append(&record, &prompt(at));
        let fill = if at < 3 { 50_000 } else { 185_000 };
        for part in 0..2 {
            append(&record, &answered(2 * at + part, fill));
            told.extend(said(&place, &record).map(|it| (at, it)));
        }
    }
    let at: Vec<usize> = told.iter().map(|it| it.0).collect();
    assert_eq!(at, [3, 13, 23], "{told:?}");
    let words = &told[0].1;
    assert!(words.contains("is red: 185k tokens, past 180k."), "{words}");
    assert!(words.contains("`agon context --handover`"), "{words}");
    // The state is Agon's own.
    let state = place.caller.state_dir().unwrap().join("context");
    assert_eq!(fs::read_dir(state).unwrap().count(), 1);
}

#[test]
fn nothing_is_said_of_what_is_not_a_record() {
    let place = Place::new();
    for path in ["none.jsonl", ".", ""] {
        let path = place.project().join(path);
        assert_eq!(said(&place, &path), None, "{path:?}");
    }
    let record = place.project().join("s.jsonl");
    append(&record, &answered(0, 185_000));
    assert_eq!(reminder(&place.caller, "vim", &record), None);
    assert!(said(&place, &record).is_some());
}

#[test]
fn the_end_of_a_large_record_alone_is_read() {
    let place = Place::new();
    let record = place.project().join("s.jsonl");
    // A file with a hole: it takes no room, and to read it whole would take far longer.
    let mut file = File::create(&record).unwrap();
    file.set_len(16 << 30).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(b"\n").unwrap();
    append(&record, &answered(0, 185_000));
    let began = Instant::now();
    assert!(said(&place, &record).is_some());
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_status_line_has_the_tokens_that_claude_counts_and_what_the_rules_find() {
    let place = Place::new();
    let record = place.session("aaaa-1", &[50_000]);
    let project = place.project();
    let said = |input: u64| {
        json!({"session_id": "aaaa-1", "transcript_path": record, "cwd": project,
            "model": {"id": "claude-opus-4-5-20251101", "display_name": "Opus"},
            "workspace": {"project_dir": project},
            "context_window": {"context_window_size": 200_000, "used_percentage": 8,
                "current_usage": {"input_tokens": input, "output_tokens": 8,
                    "cache_creation_input_tokens": 2000, "cache_read_input_tokens": 1000}}})
    };
    let line = |said: &Value| {
        let line = status_line(&place.caller, &said.to_string()).unwrap();
        (line.state, line.words)
    };
    let is = |state, words: &str| (state, words.to_owned());
    let green = is(ContextState::Green, "context green · 15k of 200k tokens");
    assert_eq!(line(&said(12_000)), green);
    let amber = is(ContextState::Amber, "context amber · 115k of 200k tokens");
    assert_eq!(line(&said(112_000)), amber);
    // Before its first call, and from a version that counts nothing: the record has it.
    let before = json!({"transcript_path": record, "context_window": {"current_usage": null}});
    let green = is(ContextState::Green, "context green · 50k of 200k tokens");
    assert_eq!(line(&before), green);
    let unknown = is(ContextState::Unknown, "context unknown · no tokens counted");
    assert_eq!(line(&json!({})), unknown);
    assert!(status_line(&place.caller, "").is_err());
}
