//! Reading what the tools print, in the shapes they were seen to print.
#![expect(clippy::unwrap_used, reason = "tests")]

use agon_agents::dialect::{self, DIALECTS, DialectError, RawOutput, Reply};
use agon_debate::event::{CauseCode, Class, Usage};
use proptest::prelude::*;

const PAUSE: Class = Class::Retry { after_ms: 2_000 };

fn read(tool: &str, stdout: &str, stderr: &str, code: i32) -> Result<Reply, DialectError> {
    let output = RawOutput {
        stdout: stdout.as_bytes(),
        stderr_tail: stderr.as_bytes(),
        code: Some(code),
    };
    dialect::named(tool).unwrap().read(&output)
}

fn fails(tool: &str, (stdout, stderr, code): (&str, &str, i32)) -> (CauseCode, Class) {
    let error = read(tool, stdout, stderr, code).unwrap_err();
    assert!(
        error.detail.len() <= 200 && !error.detail.contains("SECRET"),
        "{error}"
    );
    (error.code, error.class)
}

const CLAUDE: &str = r#"{"type":"result","subtype":"success","is_error":false,"api_error_status":null,"duration_ms":81,"num_turns":1,"result":"the text","stop_reason":"end_turn","session_id":"s1","total_cost_usd":0.0065,"usage":{"input_tokens":700,"cache_creation_input_tokens":40,"cache_read_input_tokens":300,"output_tokens":50,"server_tool_use":{"web_search_requests":0}},"modelUsage":{}}"#;

#[test]
fn claude_gives_its_result() {
    let expected = Reply {
        text: "the text".into(),
        usage: Some(Usage {
            input: 1_040,
            cached: 300,
            output: 50,
            cost_micros: Some(6_500),
            estimated: false,
        }),
        stop_reason: Some("end_turn".into()),
        session_id: Some("s1".into()),
    };
    assert_eq!(read("claude", CLAUDE, "", 0), Ok(expected.clone()));
    let verbose = format!(r#"[{{"type":"system","subtype":"init"}},{CLAUDE}]"#);
    assert_eq!(read("claude", &verbose, "", 0), Ok(expected.clone()));
    let noisy = format!("a line of a hook\n{CLAUDE}\n");
    assert_eq!(read("claude", &noisy, "", 0), Ok(expected));
}

#[test]
fn claude_fails_by_its_own_sign() {
    let error = |status: &str, result: &str| {
        CLAUDE
            .replace("\"is_error\":false", "\"is_error\":true")
            .replace(
                "\"api_error_status\":null",
                &format!("\"api_error_status\":{status}"),
            )
            .replace("the text", result)
    };
    let user = |code| (code, Class::User);
    for (stdout, code, expected) in [
        (
            error("401", "Failed to authenticate. API Error: 401 SECRET"),
            1,
            user(CauseCode::LoggedOut),
        ),
        (
            error("null", "Not logged in · Please run /login"),
            1,
            user(CauseCode::LoggedOut),
        ),
        (
            error("404", "There's an issue with the selected model (SECRET)."),
            1,
            user(CauseCode::NoSuchModel),
        ),
        (
            error(
                "null",
                "API Error: Unable to connect to API (ConnectionRefused)",
            ),
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            error("null", "Request timed out"),
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            error("null", "API Error: Failed to parse JSON"),
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            error("529", "API Error: 529 overloaded"),
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            error("429", "API Error: Request rejected (429) · SECRET"),
            1,
            (CauseCode::RateLimited, Class::Retry { after_ms: 5_000 }),
        ),
        (
            error("null", "Credit balance is too low"),
            1,
            user(CauseCode::RateLimited),
        ),
        (error("400", "SECRET"), 0, (CauseCode::Failed, Class::Tool)),
        (
            CLAUDE.replace("the text", " \\n"),
            0,
            (CauseCode::Empty, Class::Tool),
        ),
        (
            r#"{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["x"]}"#
                .into(),
            1,
            (CauseCode::Failed, Class::Tool),
        ),
        (CLAUDE.into(), 143, (CauseCode::Failed, PAUSE)),
    ] {
        assert_eq!(fails("claude", (&stdout, "", code)), expected, "{stdout}");
    }
    let paid = read("claude", &error("500", "x"), "", 1).unwrap_err();
    assert_eq!(paid.usage.unwrap().input, 1_040);
}

const CODEX: &str = r#"{"type":"thread.started","thread_id":"t1"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata for `x` not found"}}
{"type":"item.completed","item":{"id":"item_1","type":"reasoning","text":"hm"}}
{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"first"}}
{"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"the text"}}
{"type":"turn.completed","usage":{"input_tokens":1000,"cached_input_tokens":300,"output_tokens":50,"reasoning_output_tokens":9}}
"#;

#[test]
fn codex_gives_its_last_message() {
    let expected = Reply {
        text: "the text".into(),
        usage: Some(Usage {
            input: 1_000,
            cached: 300,
            output: 50,
            ..Usage::default()
        }),
        stop_reason: None,
        session_id: Some("t1".into()),
    };
    assert_eq!(read("codex", CODEX, "WARNING: x", 0), Ok(expected));
}

#[test]
fn codex_fails_without_a_completed_turn() {
    let failed = |message: &str| {
        format!(
            "{{\"type\":\"thread.started\",\"thread_id\":\"t1\"}}\n{{\"type\":\"error\",\"message\":\"Reconnecting... 1/5\"}}\n\
             {{\"type\":\"turn.failed\",\"error\":{{\"message\":\"{message}\"}}}}\n"
        )
    };
    let cut = CODEX.lines().take(6).collect::<Vec<_>>().join("\n");
    let slow_down = |after_ms| (CauseCode::RateLimited, Class::Retry { after_ms });
    for (stdout, stderr, code, expected) in [
        (
            failed("unexpected status 401 Unauthorized: SECRET"),
            "",
            1,
            (CauseCode::LoggedOut, Class::User),
        ),
        (
            failed("exceeded retry limit, last status: 429 Too Many Requests"),
            "",
            1,
            slow_down(5_000),
        ),
        (
            failed("Rate limit reached. Please try again in 1.5s."),
            "",
            1,
            slow_down(1_500),
        ),
        (
            failed("You've hit your usage limit. Try again in 3 hours."),
            "",
            1,
            (CauseCode::RateLimited, Class::User),
        ),
        (
            failed("We're currently experiencing high demand"),
            "",
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            failed(
                "stream disconnected before completion: stream closed before response.completed",
            ),
            "",
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            failed("Connection failed: error sending request"),
            "",
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            failed("Missing environment variable: `SECRET`."),
            "",
            1,
            (CauseCode::LoggedOut, Class::User),
        ),
        (
            failed("The model `SECRET` does not exist or you do not have access to it."),
            "",
            1,
            (CauseCode::NoSuchModel, Class::User),
        ),
        (
            CODEX.replace("the text", ""),
            "",
            0,
            (CauseCode::Empty, Class::Tool),
        ),
        (cut.clone(), "", 0, (CauseCode::Unreadable, Class::Tool)),
        (cut, "", 1, (CauseCode::Failed, PAUSE)),
        (
            String::new(),
            "Reading prompt from stdin...\nNo prompt provided via stdin.\n",
            1,
            (CauseCode::Bug, Class::Bug),
        ),
        (
            String::new(),
            "error: unexpected argument '--SECRET' found",
            2,
            (CauseCode::Failed, Class::User),
        ),
    ] {
        assert_eq!(
            fails("codex", (&stdout, stderr, code)),
            expected,
            "{stdout}{stderr}"
        );
    }
}

#[test]
fn codex_that_waits_for_the_network_has_a_better_cause_than_the_time() {
    let stalled = |stdout: &str| {
        let output = RawOutput {
            stdout: stdout.as_bytes(),
            stderr_tail: b"",
            code: None,
        };
        dialect::named("codex")
            .unwrap()
            .stalled(&output)
            .map(|error| error.code)
    };
    let waiting =
        r#"{"type":"error","message":"Reconnecting... waiting for network (Connection failed)"}"#;
    assert_eq!(stalled(waiting), Some(CauseCode::Unavailable));
    assert_eq!(stalled(r#"{"type":"turn.started"}"#), None);
}

const GEMINI: &str = r#"{
  "session_id": "g1",
  "response": "the text",
  "stats": {"models": {
    "a": {"api": {"totalRequests": 1}, "tokens": {"input": 700, "prompt": 1000, "candidates": 40, "total": 1050, "cached": 300, "thoughts": 10, "tool": 0}},
    "router": {"tokens": {"prompt": 5, "candidates": 1}}
  }, "tools": {"totalCalls": 0}}
}
"#;

#[test]
fn gemini_gives_its_response() {
    let expected = Reply {
        text: "the text".into(),
        usage: Some(Usage {
            input: 1_005,
            cached: 300,
            output: 51,
            ..Usage::default()
        }),
        stop_reason: None,
        session_id: Some("g1".into()),
    };
    assert_eq!(
        read("gemini", GEMINI, "Warning: Basic terminal\n", 0),
        Ok(expected)
    );
}

#[test]
fn gemini_fails_on_standard_error_or_by_its_exit_code() {
    let error = |code: &str, message: &str| {
        format!(
            "Warning: x\nError when talking {{\n  status: 1\n}}\n    at Turn.run (a.js:1:1) {{\n{{\n  \"session_id\": \"g1\",\n  \
             \"error\": {{\n    \"type\": \"Error\",\n    \"message\": \"{message}\",\n    \"code\": {code}\n  }}\n}}\n"
        )
    };
    let user = |code| (code, Class::User);
    let empty = GEMINI.replace("the text", "");
    let invalid =
        "\"error\": {\"type\": \"INVALID_STREAM\", \"message\": \"SECRET\"},\n  \"stats\"";
    let broken = GEMINI.replace("\"stats\"", invalid);
    let broken_empty = empty.replace("\"stats\"", invalid);
    for (stdout, stderr, code, expected) in [
        ("", error("401", "SECRET"), 145, user(CauseCode::LoggedOut)),
        (
            "",
            error("\"401\"", "SECRET"),
            145,
            user(CauseCode::LoggedOut),
        ),
        (
            "",
            error("429", "Please retry in 35.2s."),
            173,
            (CauseCode::RateLimited, Class::Retry { after_ms: 35_200 }),
        ),
        (
            "",
            error("404", "SECRET"),
            148,
            user(CauseCode::NoSuchModel),
        ),
        (
            "",
            error("503", "SECRET"),
            247,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            "",
            error("1", "exception: fetch failed sending request"),
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        ("", error("41", "SECRET"), 41, user(CauseCode::LoggedOut)),
        ("", "no object".into(), 145, user(CauseCode::LoggedOut)),
        (
            "",
            "no object".into(),
            173,
            (CauseCode::RateLimited, Class::Retry { after_ms: 5_000 }),
        ),
        ("", "no object".into(), 244, (CauseCode::Unavailable, PAUSE)),
        (
            "",
            "Please set an Auth method".into(),
            41,
            user(CauseCode::LoggedOut),
        ),
        (
            "",
            "No input provided via stdin.".into(),
            42,
            (CauseCode::Bug, Class::Bug),
        ),
        ("", "SECRET".into(), 52, user(CauseCode::Failed)),
        ("", "SECRET".into(), 53, (CauseCode::Failed, Class::Tool)),
        ("", "SECRET".into(), 55, user(CauseCode::Failed)),
        (
            "",
            "Unknown arguments: SECRET\nunknown argument".into(),
            1,
            user(CauseCode::Failed),
        ),
        (
            "",
            error("1", "SECRET").replace("status: 1", "code: 404"),
            1,
            user(CauseCode::NoSuchModel),
        ),
        // What it gives when TERM ended it.
        ("", String::new(), 0, (CauseCode::Empty, Class::Tool)),
        (&empty, String::new(), 0, (CauseCode::Empty, Class::Tool)),
        (
            "{\"session_id\": \"g1\"}",
            String::new(),
            0,
            (CauseCode::Empty, Class::Tool),
        ),
        (GEMINI, String::new(), 1, (CauseCode::Failed, PAUSE)),
        (
            &broken_empty,
            String::new(),
            0,
            (CauseCode::Empty, Class::Tool),
        ),
        (
            &broken,
            String::new(),
            0,
            (CauseCode::Unreadable, Class::Tool),
        ),
        (
            "{\"error\": {\"message\": \"SECRET\", \"code\": 500}}",
            String::new(),
            0,
            (CauseCode::Unavailable, PAUSE),
        ),
    ] {
        assert_eq!(
            fails("gemini", (stdout, &stderr, code)),
            expected,
            "{stdout}{stderr}{code}"
        );
    }
}

const OPENCODE: &str = r#"{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{"type":"step-start"}}
{"type":"text","timestamp":2,"sessionID":"ses_1","part":{"type":"text","text":"the","time":{"start":1}}}
{"type":"text","timestamp":3,"sessionID":"ses_1","part":{"type":"text","text":"text"}}
{"type":"step_finish","timestamp":4,"sessionID":"ses_1","part":{"type":"step-finish","reason":"stop","tokens":{"total":1050,"input":700,"output":40,"reasoning":10,"cache":{"write":0,"read":300}},"cost":0.0008}}
"#;

#[test]
fn opencode_gives_its_parts_as_paragraphs() {
    let expected = Reply {
        text: "the\n\ntext".into(),
        usage: Some(Usage {
            input: 1_000,
            cached: 300,
            output: 50,
            cost_micros: Some(800),
            estimated: false,
        }),
        stop_reason: Some("stop".into()),
        session_id: Some("ses_1".into()),
    };
    assert_eq!(read("opencode", OPENCODE, "", 0), Ok(expected));
}

#[test]
fn opencode_fails_on_an_error_or_an_unknown_end() {
    let error = |status: &str, name: &str, message: &str| {
        format!(
            r#"{{"type":"error","timestamp":1,"sessionID":"ses_1","error":{{"name":"{name}","data":{{"message":"{message}"{status}}}}}}}"#
        )
    };
    let unknown = OPENCODE.replace("\"stop\"", "\"unknown\"");
    let silent: String = OPENCODE
        .lines()
        .filter(|line| !line.contains("\"text\""))
        .collect::<Vec<_>>()
        .join("\n");
    for (stdout, code, expected) in [
        (
            error(",\"statusCode\":401", "APIError", "SECRET"),
            1,
            (CauseCode::LoggedOut, Class::User),
        ),
        (
            error(",\"statusCode\":404", "APIError", "SECRET"),
            1,
            (CauseCode::NoSuchModel, Class::User),
        ),
        (
            error(",\"statusCode\":500", "APIError", "SECRET"),
            0,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            error("", "UnknownError", "Model not found: SECRET"),
            1,
            (CauseCode::NoSuchModel, Class::User),
        ),
        (
            error("", "UnknownError", "The operation timed out."),
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (unknown, 0, (CauseCode::Unreadable, Class::Tool)),
        (silent, 0, (CauseCode::Empty, Class::Tool)),
        (OPENCODE.into(), 1, (CauseCode::Failed, PAUSE)),
        (
            OPENCODE.lines().take(2).collect(),
            0,
            (CauseCode::Unreadable, Class::Tool),
        ),
    ] {
        assert_eq!(fails("opencode", (&stdout, "", code)), expected, "{stdout}");
    }
}

#[test]
fn opencode_that_starts_over_for_ever_has_a_better_cause_than_the_time() {
    let stalled = |stdout: &str| {
        let output = RawOutput {
            stdout: stdout.as_bytes(),
            stderr_tail: b"",
            code: None,
        };
        let stalled = dialect::named("opencode").unwrap().stalled(&output);
        stalled.map(|error| (error.code, error.usage.is_some()))
    };
    let unknown = OPENCODE.replace("\"stop\"", "\"unknown\"");
    assert_eq!(stalled(&unknown), Some((CauseCode::Unreadable, true)));
    assert_eq!(stalled(OPENCODE), None);
    assert_eq!(stalled(""), None);
}

const COPILOT: &str = r#"{"type":"session.tools_updated","data":{"model":"m"},"ephemeral":true}
{"type":"user.message","data":{"content":"the prompt"}}
{"type":"assistant.message","data":{"messageId":"m1","content":"the text","toolRequests":[]}}
{"type":"assistant.message","data":{"messageId":"m2","content":"","toolRequests":[{}]}}
{"type":"result","sessionId":"c1","exitCode":0,"usage":{"premiumRequests":0}}
"#;

#[test]
fn copilot_gives_its_last_message_with_content() {
    let expected = Reply {
        text: "the text".into(),
        usage: None,
        stop_reason: None,
        session_id: Some("c1".into()),
    };
    assert_eq!(read("copilot", COPILOT, "", 0), Ok(expected));
}

#[test]
fn copilot_fails_on_an_error_or_without_a_result() {
    let error = |status: &str, kind: &str, message: &str| {
        format!(
            "{{\"type\":\"session.error\",\"data\":{{\"errorType\":\"{kind}\",\"message\":\"{message}\"{status}}}}}\n\
             {{\"type\":\"result\",\"sessionId\":\"c1\",\"exitCode\":1}}\n"
        )
    };
    let mute = COPILOT.replace("the text", "");
    let open: String = COPILOT.lines().take(4).collect::<Vec<_>>().join("\n");
    for (stdout, stderr, code, expected) in [
        (
            error(",\"statusCode\":401", "authentication", "SECRET"),
            "",
            1,
            (CauseCode::LoggedOut, Class::User),
        ),
        (
            error("", "query", "Model 'SECRET' not found on provider"),
            "",
            1,
            (CauseCode::NoSuchModel, Class::User),
        ),
        (
            error("", "rate_limit", "SECRET"),
            "",
            1,
            (CauseCode::RateLimited, Class::Retry { after_ms: 5_000 }),
        ),
        (
            error(",\"statusCode\":500", "query", "x"),
            "",
            0,
            (CauseCode::Unavailable, PAUSE),
        ),
        (
            String::new(),
            "Error: No authentication information found.",
            1,
            (CauseCode::LoggedOut, Class::User),
        ),
        (
            String::new(),
            "Could not connect to local model provider",
            1,
            (CauseCode::Unavailable, PAUSE),
        ),
        (mute, "", 0, (CauseCode::Empty, Class::Tool)),
        (open, "", 0, (CauseCode::Unreadable, Class::Tool)),
        (
            COPILOT.replace("\"exitCode\":0", "\"exitCode\":1"),
            "",
            0,
            (CauseCode::Unreadable, Class::Tool),
        ),
        (
            COPILOT.replace("\"exitCode\":0", "\"exitCode\":1"),
            "",
            1,
            (CauseCode::Failed, PAUSE),
        ),
    ] {
        assert_eq!(
            fails("copilot", (&stdout, stderr, code)),
            expected,
            "{stdout}{stderr}"
        );
    }
}

#[test]
fn copilots_tokens_stand_in_its_file() {
    let copilot = dialect::named("copilot").unwrap();
    let file = r#"{"modelMetrics":{"a":{"requests":{},"usage":{"inputTokens":1000,"outputTokens":50,"cacheReadTokens":300,"cacheWriteTokens":0}},"b":{"usage":{"inputTokens":1}}},"x":1}"#;
    let expected = Usage {
        input: 1_001,
        cached: 300,
        output: 50,
        ..Usage::default()
    };
    assert_eq!(copilot.usage_file(file.as_bytes()), Some(expected));
    assert_eq!(copilot.usage_file(b""), None);
}

#[test]
fn a_signal_is_no_reply_for_any() {
    for dialect in DIALECTS {
        let output = RawOutput {
            stdout: b"",
            stderr_tail: b"",
            code: None,
        };
        let error = dialect.read(&output).unwrap_err();
        assert_eq!(
            (error.code, error.class),
            (CauseCode::Failed, PAUSE),
            "{dialect:?}"
        );
    }
}

/// A good output with bytes taken out, put in and changed: nearer to the real thing than noise.
fn mangled() -> impl Strategy<Value = Vec<u8>> {
    let good = prop::sample::select(vec![CLAUDE, CODEX, GEMINI, OPENCODE, COPILOT]);
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6);
    (good, edits).prop_map(|(good, edits)| {
        let mut bytes = good.as_bytes().to_vec();
        for (at, byte, what) in edits {
            let at = at.index(bytes.len());
            match what {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        bytes
    })
}

proptest! {
    #[test]
    fn any_bytes_are_read_and_a_reply_has_a_text(
        stdout in prop_oneof![mangled(), prop::collection::vec(any::<u8>(), 0..400)],
        stderr in prop_oneof![mangled(), prop::collection::vec(any::<u8>(), 0..400)],
        code in prop::option::of(-1..300_i32),
    ) {
        let output = RawOutput { stdout: &stdout, stderr_tail: &stderr, code };
        for dialect in DIALECTS {
            dialect.stalled(&output);
            dialect.usage_file(&stdout);
            match dialect.read(&output) {
                Ok(reply) => {
                    prop_assert!(!reply.text.trim().is_empty());
                    prop_assert_eq!(code, Some(0));
                }
                Err(error) => prop_assert!(error.detail.len() <= 200 && !error.detail.contains('\n')),
            }
        }
    }

    #[test]
    fn every_text_comes_back_as_it_was_sent(text in "\\PC{1,200}|(.|\n){1,200}") {
        prop_assume!(!text.trim().is_empty());
        let quoted = serde_json::to_string(&text).unwrap();
        for (tool, good, place) in [
            ("claude", CLAUDE, "\"the text\""),
            ("codex", CODEX, "\"the text\""),
            ("gemini", GEMINI, "\"the text\""),
            ("copilot", COPILOT, "\"the text\""),
        ] {
            let reply = read(tool, &good.replace(place, &quoted), "", 0).unwrap();
            prop_assert_eq!(&reply.text, &text, "{}", tool);
        }
    }
}
