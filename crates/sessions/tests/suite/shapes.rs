//! Shapes of records that the kept ones do not have.

use std::fs;
use std::path::Path;

use agon_sessions::{
    Entry, EntryKind, Findings, FindingsOptions, Pattern, Purpose, SessionHost, TokenLimits,
    recognize_session,
};
use serde_json::{Value, json};

use crate::golden::home_of;
use crate::held::{Read, listing, read_all, read_one};

fn write(path: &Path, lines: &[Value]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines: Vec<String> = lines.iter().map(|it| format!("{it}\n")).collect();
    fs::write(path, lines.concat()).unwrap();
}

fn read_lines(name: &str, lines: &[Value]) -> Read {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    write(&path, lines);
    read_one(recognize_session(&path).unwrap())
}

fn claude_message(uuid: &str, id: &str, output: u64, block: &Value) -> Value {
    json!({"type": "assistant", "uuid": uuid, "sessionId": "s", "timestamp": "2026-11-23T04:07:26Z",
        "message": {"id": id, "model": "m", "content": [block],
            "usage": {"input_tokens": 670, "cache_creation_input_tokens": 30,
                "cache_read_input_tokens": 400, "output_tokens": output}}})
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

#[test]
fn claude_counts_a_message_once_and_again_only_where_a_later_line_says_otherwise() {
    let read = read_lines(
        "s.jsonl",
        &[
            claude_message("a", "m1", 1, &text("one")),
            claude_message("b", "m1", 51, &text("two")),
            claude_message("c", "m1", 51, &text("three")),
            claude_message("d", "m2", 9, &text("four")),
        ],
    );
    assert_eq!((read.measures.calls, read.measures.tokens.output), (2, 60));
    assert_eq!(read.measures.tokens.input, 2200);
    assert_eq!(read.measures.points.len(), 2);
    assert_eq!(read.measures.fill(), Some(1109));
}

#[test]
fn claude_appends_what_a_compaction_kept_a_second_time_and_it_is_given_once() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "sessionId": "s",
        "compactMetadata": {"trigger": "auto", "preTokens": 120_296, "postTokens": 718,
            "preservedMessages": {"uuids": ["a"]}}});
    let summary = json!({"type": "user", "uuid": "c", "sessionId": "s", "isCompactSummary": true,
        "message": {"role": "user", "content": "This session is being continued"}});
    let kept = claude_message("a", "m1", 51, &text("kept"));
    let read = read_lines("s.jsonl", &[kept.clone(), boundary, summary, kept]);
    assert_eq!(
        listing(&read).lines().skip(3).collect::<Vec<_>>(),
        [
            "2 t0 c1 compaction Automatic, summary Some(\"This session is being co\"), kept Some([0, 1]), counted (true, true)"
        ]
    );
    assert_eq!(read.measures.fill(), Some(718));
}

#[test]
fn claude_names_what_stays_by_its_first_and_last_line_too() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "x", "sessionId": "s",
        "compactMetadata": {"preservedSegment": {"headUuid": "b", "tailUuid": "c"}}});
    let read = read_lines(
        "s.jsonl",
        &[
            claude_message("a", "m1", 51, &text("gone")),
            claude_message("b", "m1", 51, &text("kept")),
            claude_message("c", "m2", 9, &text("kept too")),
            boundary,
        ],
    );
    let kept = read.entries.iter().find_map(|it| match &it.kind {
        EntryKind::Compaction(compaction) => compaction.kept.clone(),
        _ => None,
    });
    // The second line of a message has no usage of its own.
    assert_eq!(kept, Some(vec![2, 3, 4]));
}

#[test]
fn what_claude_counted_before_a_compaction_is_not_what_there_is_after_it() {
    let home = home_of(SessionHost::Claude);
    let read = read_all(SessionHost::Claude, home.path());
    let session = read
        .iter()
        .find(|it| it.is_main() && !it.measures.compactions.is_empty());
    let entries = &session.unwrap().entries;
    let limits = TokenLimits {
        onset: 1,
        severe: 1_000_000,
        is_measured: false,
    };
    let options = FindingsOptions {
        limits: Some(limits),
        project: None,
        is_debate: false,
    };
    let has_tokens = |entries: &[Entry]| {
        let found = Findings::of(entries, &options);
        found.current().any(|it| it.pattern == Pattern::Tokens)
    };
    let compaction = entries
        .iter()
        .position(|it| matches!(it.kind, EntryKind::Compaction(_)))
        .unwrap();
    let next = entries[compaction..]
        .iter()
        .position(|it| matches!(it.kind, EntryKind::Usage(_)))
        .unwrap();
    assert!(has_tokens(&entries[..compaction]));
    assert!(!has_tokens(&entries[..compaction + next]));
    assert!(has_tokens(&entries[..=compaction + next]));
}

#[test]
fn a_boundary_of_claude_without_its_summary_is_a_compaction_all_the_same() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "sessionId": "s",
        "compactMetadata": {"trigger": "manual"}});
    let read = read_lines("s.jsonl", std::slice::from_ref(&boundary));
    assert_eq!(read.measures.compactions.len(), 1);
    let next = claude_message("a", "m1", 51, &text("next"));
    let read = read_lines("s.jsonl", &[boundary, next]);
    assert_eq!(read.measures.compactions.len(), 1);
}

#[test]
fn a_sidechain_of_an_older_claude_is_a_sub_agent() {
    let mut aside = claude_message("a", "m1", 51, &text("aside"));
    aside["isSidechain"] = json!(true);
    let read = read_lines(
        "s.jsonl",
        &[aside, claude_message("b", "m2", 9, &text("main"))],
    );
    assert_eq!((read.measures.calls, read.measures.tokens.output), (1, 9));
    assert_eq!(read.measures.agents["sidechain"].output, 51);
}

fn codex(kind: &str, payload: Value) -> Value {
    json!({"timestamp": "2026-11-23T04:07:33Z", "type": kind, "payload": payload})
}

fn codex_count(total: u64, last: u64) -> Value {
    let usage = |input: u64| json!({"input_tokens": input, "output_tokens": 10, "total_tokens": input + 10});
    codex(
        "event_msg",
        json!({"type": "token_count", "info": {"total_token_usage": usage(total),
            "last_token_usage": usage(last), "model_context_window": 1000}}),
    )
}

#[test]
fn sums_of_a_codex_without_counts_by_response_are_taken_apart() {
    let read = read_lines(
        "rollout-x.jsonl",
        &[
            codex("session_meta", json!({"id": "t", "cwd": "/p"})),
            codex_count(100, 100),
            // Said twice, as after settings that were changed.
            codex_count(100, 100),
            codex_count(250, 150),
        ],
    );
    let inputs: Vec<u64> = read.calls().iter().map(|it| it.input).collect();
    assert_eq!(inputs, [100, 150]);
    assert_eq!(read.measures.tokens.input, 250);
}

#[test]
fn the_request_for_a_summary_of_codex_is_told_from_work() {
    let record = |id: &str, input: u64| {
        codex(
            "token_usage_record",
            json!({"response_id": id,
            "usage": {"input_tokens": input, "output_tokens": 10}}),
        )
    };
    let said = |id: &str, words: &str| {
        codex(
            "response_item",
            json!({"type": "message", "id": id, "role": "assistant",
            "content": [{"type": "output_text", "text": words}]}),
        )
    };
    let read = read_lines(
        "rollout-x.jsonl",
        &[
            codex("session_meta", json!({"id": "t", "cwd": "/p"})),
            said("a", "an answer"),
            record("r1", 100),
            said("b", "a summary"),
            record("r2", 200),
            codex(
                "compacted",
                json!({"message": "a summary", "compaction_response_id": "r2",
                "replacement_history": [{"id": "a"}, {"id": "new"}]}),
            ),
            said("c", "the next"),
            record("r3", 50),
        ],
    );
    let texts: Vec<_> = read
        .entries
        .iter()
        .filter_map(|it| match &it.kind {
            EntryKind::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["an answer", "the next"]);
    let purposes: Vec<_> = read
        .entries
        .iter()
        .filter_map(|it| match &it.kind {
            EntryKind::Usage(usage) => Some((usage.key.as_str(), usage.purpose)),
            _ => None,
        })
        .collect();
    let work = Purpose::Work;
    assert_eq!(
        purposes,
        [("r1", work), ("r2", Purpose::Compaction), ("r3", work)]
    );
    assert_eq!(read.measures.fill(), Some(60));
    assert_eq!(read.measures.compactions.len(), 1);
}

#[test]
fn what_a_compaction_of_codex_kept_is_named_by_where_it_stands() {
    let said = |id: &str| {
        codex(
            "response_item",
            json!({"type": "message", "id": id, "role": "assistant",
            "content": [{"type": "output_text", "text": id}]}),
        )
    };
    let asked = codex(
        "response_item",
        json!({"type": "message", "id": "u", "role": "user",
        "content": [{"type": "input_text", "text": "asked"}]}),
    );
    let mut lines = vec![codex("session_meta", json!({"id": "t", "cwd": "/p"}))];
    // Held back together, and given when the user's message comes.
    lines.extend(["a", "b", "c"].map(said));
    lines.push(asked);
    lines.push(codex(
        "compacted",
        json!({"message": "a summary", "compaction_response_id": "r",
            "replacement_history": [{"id": "c"}, {"id": "u"}, {"id": "new"}]}),
    ));
    let read = read_lines("rollout-x.jsonl", &lines);
    let kept = read.entries.iter().find_map(|it| match &it.kind {
        EntryKind::Compaction(compaction) => compaction.kept.clone(),
        _ => None,
    });
    let words: Vec<_> = kept
        .unwrap()
        .into_iter()
        .map(|at| read.entries[usize::try_from(at).unwrap()].kind.text())
        .map(|it| it.unwrap().as_str())
        .collect();
    assert_eq!(words, ["c", "asked"]);
}

#[test]
fn codex_can_say_more_than_a_summary_has_and_leave_calls_without_results() {
    let item = |payload: Value| codex("response_item", payload);
    let mut lines = vec![codex("session_meta", json!({"id": "t", "cwd": "/p"}))];
    for at in 0..200 {
        lines.push(item(json!({"type": "message", "role": "assistant",
            "content": [{"type": "output_text", "text": format!("words {at}")}]})));
    }
    let call = |id: String| {
        item(
            json!({"type": "function_call", "call_id": id, "name": "exec_command", "arguments": "{}"}),
        )
    };
    lines.extend((0..400).map(|at| call(format!("broken {at}"))));
    lines.push(call("last".to_owned()));
    lines.push(codex(
        "event_msg",
        json!({"type": "item_completed", "item": {"type": "CommandExecution", "id": "last",
            "status": "failed", "exit_code": 3}}),
    ));
    lines.push(item(
        json!({"type": "function_call_output", "call_id": "last", "output": "no code in it"}),
    ));
    let read = read_lines("rollout-x.jsonl", &lines);
    let texts = read
        .entries
        .iter()
        .filter(|it| matches!(it.kind, EntryKind::Text(_)));
    assert_eq!(texts.count(), 200);
    assert_eq!(
        (read.measures.failures, read.measures.hidden_failures),
        (1, 0)
    );
}

#[test]
fn numbers_that_no_session_has_end_nothing() {
    let mut line = claude_message("a", "m1", u64::MAX, &text("one"));
    line["message"]["usage"]["input_tokens"] = json!(u64::MAX);
    let mut other = claude_message("b", "m2", u64::MAX, &text("two"));
    other["isSidechain"] = json!(true);
    let mut third = other.clone();
    third["uuid"] = json!("c");
    third["message"]["id"] = json!("m3");
    third["agentId"] = json!("x");
    let read = read_lines("s.jsonl", &[line, other, third]);
    assert_eq!(read.measures.fill(), Some(u64::MAX));
    assert_eq!(read.measures.max_fill(), u64::MAX);
}

#[test]
fn a_codex_call_that_was_refused_has_failed_by_its_words() {
    let call = |id: &str, name: &str| {
        codex(
            "response_item",
            json!({"type": "function_call", "call_id": id, "name": name, "arguments": "{}"}),
        )
    };
    let output = |id: &str, words: &str| {
        codex(
            "response_item",
            json!({"type": "function_call_output", "call_id": id, "output": words}),
        )
    };
    let read = read_lines(
        "rollout-x.jsonl",
        &[
            codex("session_meta", json!({"id": "t", "cwd": "/p"})),
            call("1", "update_plan"),
            output("1", "unsupported call: update_plan"),
            call("2", "wait_agent"),
            output("2", "agent ids must be non-empty"),
            call("3", "exec_command"),
            // The words of a command are not those of the host.
            output(
                "3",
                "Chunk ID: 1\nProcess exited with code 0\nOutput:\nProcess exited with code 7\n",
            ),
        ],
    );
    assert_eq!(
        (read.measures.failures, read.measures.hidden_failures),
        (2, 2)
    );
}

#[test]
fn the_stub_that_gemini_leaves_when_a_session_is_taken_up_again_is_not_a_session() {
    let home = tempfile::tempdir().unwrap();
    let chats = home.path().join(".gemini/tmp/p/chats");
    let header = json!({"sessionId": "s", "projectHash": "h", "startTime": "2026-11-23T04:07:25Z", "kind": "main"});
    let message = json!({"id": "m", "type": "user", "content": [{"text": "hello"}]});
    write(
        &chats.join("session-2026-11-23T04-07-s.jsonl"),
        &[header.clone(), message],
    );
    write(&chats.join("session-2026-11-23T04-09-s.jsonl"), &[header]);
    let read = read_all(SessionHost::Gemini, home.path());
    assert_eq!(read.len(), 1);
    assert_eq!(read[0].measures.turns, 1);
}

#[test]
fn a_gemini_command_has_failed_by_the_code_behind_its_output_not_in_it() {
    let call = |id: &str, output: &str| {
        json!({"id": id, "type": "gemini", "content": "", "toolCalls": [{"id": id,
            "name": "run_shell_command", "args": {"command": "c"}, "status": "success",
            "result": [{"functionResponse": {"id": id, "response": {"output": output}}}]}]})
    };
    let header = json!({"sessionId": "s", "projectHash": "h", "kind": "main"});
    let read = read_lines(
        "session.jsonl",
        &[
            header,
            call("1", "Output: x\nExit Code: 7\nExit Code: 0\n"),
            call("2", "Output: x\nExit Code: 3\n"),
        ],
    );
    assert_eq!(
        (read.measures.failures, read.measures.hidden_failures),
        (1, 1)
    );
}

#[test]
fn a_gemini_message_is_counted_again_where_its_line_is_written_again_with_other_counts() {
    let header = json!({"sessionId": "s", "projectHash": "h", "kind": "main"});
    let message = |output: u64| {
        json!({"id": "m", "type": "gemini", "content": "x",
            "tokens": {"input": 100, "output": output, "cached": 0, "thoughts": 1, "tool": 0}})
    };
    let read = read_lines(
        "session.jsonl",
        &[header, message(5), message(5), message(9)],
    );
    assert_eq!((read.measures.calls, read.measures.tokens.output), (1, 10));
}
