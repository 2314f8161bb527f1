//! Counts in shapes of records that made them wrong: after a compaction, with sub-agents between the
//! lines of a message, and in copies of a parent's record.

use std::fs;

use agon_sessions::{Measures, SessionHost, recognize_session};
use serde_json::{Value, json};

use crate::held::{Read, read_one};

fn read_lines(name: &str, lines: &[Value]) -> Read {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let lines: Vec<String> = lines.iter().map(|it| format!("{it}\n")).collect();
    fs::write(&path, lines.concat()).unwrap();
    read_one(recognize_session(&path).unwrap())
}

fn claude(uuid: &str, id: &str, fill: u64, output: u64) -> Value {
    json!({"type": "assistant", "uuid": uuid, "sessionId": "s", "timestamp": "2026-11-23T04:07:26Z",
        "message": {"id": id, "model": "m", "content": [{"type": "text", "text": "So."}],
            "usage": {"input_tokens": fill, "output_tokens": output}}})
}

fn aside(mut line: Value, agent: &str) -> Value {
    line["isSidechain"] = json!(true);
    line["agentId"] = json!(agent);
    line
}

fn boundary(uuid: &str, left: Option<u64>) -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "uuid": uuid, "sessionId": "s",
        "timestamp": "2026-11-23T04:07:27Z",
        "compactMetadata": {"trigger": "manual", "preTokens": 170_000, "postTokens": left}})
}

fn state(measures: &Measures) -> (Option<u64>, bool) {
    (measures.fill(), measures.is_fill_stale())
}

#[test]
fn after_a_compaction_of_claude_the_fill_is_what_the_record_says_it_left() {
    let before = claude("a", "m1", 170_000, 500);
    let read = read_lines("s.jsonl", &[before.clone(), boundary("b", Some(9_000))]);
    assert_eq!(state(&read.measures), (Some(9_000), false));
    // An older version does not say so: then it is not known, and the old number does not hold.
    let read = read_lines("s.jsonl", &[before.clone(), boundary("b", None)]);
    assert_eq!(state(&read.measures), (None, true));
    let after = claude("c", "m2", 10_000, 50);
    let lines = [before.clone(), boundary("b", Some(9_000)), after];
    assert_eq!(
        state(&read_lines("s.jsonl", &lines).measures),
        (Some(10_050), false)
    );
    // A second one, of which nothing is known, takes the first one's number away.
    let lines = [before, boundary("b", Some(9_000)), boundary("d", None)];
    assert_eq!(state(&read_lines("s.jsonl", &lines).measures), (None, true));
}

#[test]
fn after_a_compaction_of_copilot_the_fill_is_what_the_record_says_it_left() {
    let event = |kind: &str, data: Value| json!({"type": kind, "data": data, "id": kind, "timestamp": "2026-11-23T04:07:35Z"});
    let usage = json!({"usage": {"model": "m", "inputTokens": 90_000, "outputTokens": 10,
        "apiCallId": "c1", "initiator": "user"}});
    let read = read_lines(
        "events.jsonl",
        &[
            event(
                "session.start",
                json!({"sessionId": "s", "context": {"cwd": "/p"}}),
            ),
            event("session.usage_record", usage),
            event("session.compaction_start", json!({"trigger": "manual"})),
            event(
                "session.compaction_complete",
                json!({"success": true, "summaryContent": "So far.",
                    "preCompactionTokens": 90_010, "postCompactionTokens": 7_000}),
            ),
        ],
    );
    assert_eq!(read.found.host, SessionHost::Copilot);
    assert_eq!(state(&read.measures), (Some(7_000), false));
}

#[test]
fn lines_of_sub_agents_between_those_of_a_message_take_nothing_from_its_count() {
    let read = read_lines(
        "s.jsonl",
        &[
            claude("a", "main", 61_000, 3),
            aside(claude("b", "one", 150_000, 1), "x"),
            aside(claude("c", "two", 90_000, 1), "y"),
            claude("d", "main", 61_000, 40),
            aside(claude("e", "one", 150_000, 700), "x"),
            aside(claude("f", "two", 90_000, 20), "y"),
        ],
    );
    let measures = &read.measures;
    assert_eq!((measures.calls, measures.tokens.output), (1, 40));
    assert_eq!(measures.fill(), Some(61_040));
    assert_eq!(
        (measures.agents["x"].output, measures.agents["y"].output),
        (700, 20)
    );
}

#[test]
fn a_late_count_of_an_earlier_message_is_not_the_fill() {
    let read = read_lines(
        "s.jsonl",
        &[
            claude("a", "m1", 10_000, 1),
            claude("b", "m2", 20_000, 5),
            claude("c", "m1", 10_000, 900),
        ],
    );
    let measures = &read.measures;
    assert_eq!((measures.calls, measures.tokens.output), (2, 905));
    assert_eq!(measures.fill(), Some(20_005));
    assert_eq!(measures.points.len(), 2);
}

fn codex(time: &str, kind: &str, payload: Value) -> Value {
    json!({"timestamp": time, "type": kind, "payload": payload})
}

fn codex_count(time: &str, total: u64, last: u64) -> Value {
    let usage = |input: u64| json!({"input_tokens": input, "output_tokens": 10, "total_tokens": input + 10});
    codex(
        time,
        "event_msg",
        json!({"type": "token_count", "info": {"total_token_usage": usage(total),
            "last_token_usage": usage(last), "model_context_window": 258_400}}),
    )
}

/// A fork whose record begins with that of its parent, written at the time of the fork or with the
/// parent's own times.
fn fork(times: [&str; 2]) -> Read {
    let began = "2026-11-23T05:00:00Z";
    let meta = |id: &str, parent: Option<&str>| {
        json!({"id": id, "cwd": "/p", "timestamp": began, "forked_from_id": parent,
            "cli_version": "0.131.0"})
    };
    read_lines(
        "rollout-x.jsonl",
        &[
            codex(began, "session_meta", meta("child", Some("parent"))),
            codex(times[0], "session_meta", meta("parent", None)),
            codex_count(times[0], 20_000, 20_000),
            codex_count(times[1], 50_000, 30_000),
            codex_count("2026-11-23T05:00:09Z", 81_000, 31_000),
        ],
    )
}

#[test]
fn a_fork_of_an_older_codex_does_not_count_what_its_parent_took() {
    for times in [
        ["2026-11-23T05:00:00.010Z", "2026-11-23T05:00:00.025Z"],
        // Hours before the fork, and hours apart.
        ["2026-11-23T01:00:00Z", "2026-11-23T03:00:00Z"],
    ] {
        let measures = fork(times).measures;
        assert_eq!(measures.tokens.input, 31_000, "{times:?}");
        assert_eq!(measures.copied.input, 50_000, "{times:?}");
        assert_eq!(measures.fill(), Some(31_000), "{times:?}");
    }
}

#[test]
fn a_codex_session_that_describes_itself_again_is_not_a_copy() {
    let meta = || json!({"id": "t", "cwd": "/p", "cli_version": "0.169.0"});
    let read = read_lines(
        "rollout-x.jsonl",
        &[
            codex("2026-11-23T05:00:00Z", "session_meta", meta()),
            codex("2026-11-23T05:00:00Z", "session_meta", meta()),
            codex_count("2026-11-23T05:00:00.100Z", 20_000, 20_000),
        ],
    );
    assert_eq!(
        (read.measures.tokens.input, read.measures.copied.input),
        (20_000, 0)
    );
}
