//! Sessions of a gigabyte, one of each host that records lines: time and peak memory to measure
//! tokens, turns and compactions and to hold the last 50 MB, to look for patterns in these, and what
//! following one costs.
//!
//! `BENCH_CONTEXT_BYTES` sets another size.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use agon_sessions::{
    Findings, FindingsOptions, HandoverOptions, Measures, Preparation, RecentEntries, SessionHost,
    SessionReader, open_session, recognize_session,
};
use serde_json::{Value, json};

const BYTES: u64 = 1 << 30;
const RECENT_BYTES: usize = 50 << 20;
/// Bytes of the text of a result, as of a file that was read.
const RESULT_BYTES: usize = 6000;

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = match std::env::var("BENCH_CONTEXT_BYTES") {
        Ok(text) => text.parse()?,
        Err(_) => BYTES,
    };
    let folder = tempfile::tempdir()?;
    for host in [
        SessionHost::Claude,
        SessionHost::Codex,
        SessionHost::Gemini,
        SessionHost::Copilot,
    ] {
        let path = folder.path().join(name(host));
        let turns = write(host, &path, bytes)?;
        let found = recognize_session(&path).ok_or("it is not known")?;
        let mut reader = open_session(&found).ok_or("it cannot be opened")?;
        let mut measures = Measures::new();
        let mut recent = RecentEntries::new(RECENT_BYTES);
        let began = Instant::now();
        read(reader.as_mut(), &mut measures, &mut recent)?;
        let took = began.elapsed();
        assert_eq!(u64::from(measures.turns), turns, "{host}");
        assert_eq!(u64::from(measures.calls), turns, "{host}");
        print(
            &format!("context {host}: read"),
            took.as_secs_f64(),
            "s",
            "at most 10 for 1 GiB",
        );
        print(
            &format!("context {host}: peak memory"),
            peak_mb(),
            "MB",
            "at most 200; of all so far",
        );
        let began = Instant::now();
        let findings = Findings::of(recent.iter(), &FindingsOptions::default());
        let preparation = Preparation::of(recent.iter(), &findings, &HandoverOptions::default());
        print(
            &format!("context {host}: patterns of the last 50 MB"),
            began.elapsed().as_secs_f64(),
            "s",
            "no bound is set",
        );
        drop((findings, preparation));
        print(
            &format!("context {host}: peak memory with patterns"),
            peak_mb(),
            "MB",
            "of all so far",
        );
        let share = follow(host, &path, reader.as_mut(), &mut measures, &mut recent)?;
        print(
            &format!("context {host}: following"),
            share,
            "% of a core",
            "at most 1",
        );
        fs::remove_file(&path)?;
    }
    Ok(())
}

fn read(
    reader: &mut dyn SessionReader,
    measures: &mut Measures,
    recent: &mut RecentEntries,
) -> Result<(), Box<dyn Error>> {
    reader.read(&mut |entry| {
        measures.add(&entry);
        recent.push(entry);
    })?;
    Ok(())
}

/// The share of a core that a look each half second takes at a record which grows by a turn each.
fn follow(
    host: SessionHost,
    path: &Path,
    reader: &mut dyn SessionReader,
    measures: &mut Measures,
    recent: &mut RecentEntries,
) -> Result<f64, Box<dyn Error>> {
    const LOOKS: u32 = 10;
    let mut file = File::options().append(true).open(path)?;
    let mut busy = Duration::ZERO;
    for look in 0..LOOKS {
        for line in turn(host, u64::MAX - u64::from(look)) {
            writeln!(file, "{line}")?;
        }
        let began = Instant::now();
        read(reader, measures, recent)?;
        busy += began.elapsed();
    }
    Ok(busy.as_secs_f64() / (f64::from(LOOKS) * 0.5) * 100.0)
}

fn write(host: SessionHost, path: &Path, bytes: u64) -> Result<u64, Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut written = 0;
    let mut turns = 0;
    for line in head(host) {
        writeln!(file, "{line}")?;
    }
    while written < bytes {
        for line in turn(host, turns) {
            let line = line.to_string();
            written += line.len() as u64 + 1;
            writeln!(file, "{line}")?;
        }
        turns += 1;
    }
    file.flush()?;
    Ok(turns)
}

fn name(host: SessionHost) -> &'static str {
    match host {
        SessionHost::Codex => "rollout-x.jsonl",
        _ => "x.jsonl",
    }
}

fn head(host: SessionHost) -> Vec<Value> {
    match host {
        SessionHost::Codex => {
            vec![json!({"type": "session_meta", "payload": {"id": "t", "cwd": "/p"}})]
        }
        SessionHost::Gemini => vec![json!({"sessionId": "s", "projectHash": "h", "kind": "main"})],
        SessionHost::Copilot => {
            vec![json!({"type": "session.start", "id": "s", "data": {"sessionId": "s"}})]
        }
        _ => Vec::new(),
    }
}

/// A prompt, a call of the model, a call of a tool and its result, in the host's form.
fn turn(host: SessionHost, at: u64) -> Vec<Value> {
    let result: String = (0..RESULT_BYTES / 40)
        .map(|line| format!("{line:5}  let value_{at} = read(\"{line}\")?;\n"))
        .collect();
    match host {
        SessionHost::Claude => {
            let usage =
                json!({"input_tokens": 10, "cache_read_input_tokens": 900, "output_tokens": 50});
            let said = |block: Value, part: u32| {
                json!({"type": "assistant", "uuid": format!("a{at}-{part}"), "sessionId": "s",
                    "message": {"id": format!("m{at}"), "model": "m", "usage": usage, "content": [block]}})
            };
            vec![
                json!({"type": "user", "uuid": format!("u{at}"), "sessionId": "s", "message": {"content": "Go on."}}),
                said(json!({"type": "text", "text": "I look first."}), 1),
                said(
                    json!({"type": "tool_use", "id": format!("c{at}"), "name": "Read", "input": {"file_path": "a.rs"}}),
                    2,
                ),
                json!({"type": "user", "uuid": format!("r{at}"), "sessionId": "s",
                    "toolUseResult": {"type": "text", "file": {"content": &result}},
                    "message": {"content": [{"type": "tool_result", "tool_use_id": format!("c{at}"), "content": &result}]}}),
            ]
        }
        SessionHost::Codex => {
            let line = |kind: &str, payload: Value| json!({"type": kind, "payload": payload});
            let usage =
                json!({"input_tokens": 900, "cached_input_tokens": 800, "output_tokens": 50});
            vec![
                line(
                    "response_item",
                    json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go on."}]}),
                ),
                line(
                    "response_item",
                    json!({"type": "function_call", "call_id": format!("c{at}"), "name": "exec_command", "arguments": "{\"cmd\":\"cat a.rs\"}"}),
                ),
                line(
                    "token_usage_record",
                    json!({"response_id": format!("r{at}"), "usage": usage}),
                ),
                line(
                    "event_msg",
                    json!({"type": "item_completed", "item": {"type": "CommandExecution", "id": format!("c{at}"), "status": "completed", "exit_code": 0, "aggregated_output": &result}}),
                ),
                line(
                    "response_item",
                    json!({"type": "function_call_output", "call_id": format!("c{at}"), "output": &result}),
                ),
            ]
        }
        SessionHost::Gemini => {
            let tokens =
                json!({"input": 900, "output": 50, "cached": 800, "thoughts": 5, "tool": 0});
            let message = |calls: Value| json!({"id": format!("g{at}"), "type": "gemini", "content": "I look first.", "tokens": tokens, "model": "m", "toolCalls": calls});
            let call = json!({"id": format!("c{at}"), "name": "read_file", "args": {"file_path": "a.rs"}, "status": "success",
                "result": [{"functionResponse": {"response": {"output": &result}}}]});
            vec![
                json!({"id": format!("u{at}"), "type": "user", "content": [{"text": "Go on."}]}),
                message(json!([])),
                message(json!([call])),
                json!({"id": format!("r{at}"), "type": "user", "content": [{"functionResponse": {"id": format!("c{at}"), "response": {"output": &result}}}]}),
            ]
        }
        _ => {
            let event = |kind: &str, part: u32, data: Value| json!({"type": kind, "id": format!("{at}-{part}"), "data": data});
            vec![
                event("user.message", 1, json!({"content": "Go on."})),
                event(
                    "session.usage_record",
                    2,
                    json!({"usage": {"inputTokens": 900, "outputTokens": 50, "cacheReadTokens": 800, "apiCallId": format!("a{at}")}}),
                ),
                event(
                    "assistant.message",
                    3,
                    json!({"content": "I look first.", "toolRequests": [{"toolCallId": format!("c{at}"), "name": "view", "arguments": {"path": "a.rs"}}]}),
                ),
                event(
                    "tool.execution_complete",
                    4,
                    json!({"toolCallId": format!("c{at}"), "success": true, "result": {"content": &result, "detailedContent": &result}}),
                ),
            ]
        }
    }
}

/// The most memory that this process has had.
fn peak_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let number = line.and_then(|it| it.split_whitespace().next());
    number
        .and_then(|it| it.parse::<f64>().ok())
        .unwrap_or(f64::NAN)
        / 1024.0
}

#[expect(clippy::print_stdout, reason = "the figures are its output")]
fn print(name: &str, value: f64, unit: &str, note: &str) {
    println!(
        "{}",
        json!({"name": name, "value": value, "unit": unit, "note": note})
    );
}
