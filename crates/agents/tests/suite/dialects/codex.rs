use super::*;

pub(crate) const CODEX: &str = r#"{"type":"thread.started","thread_id":"t1"}
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
        model: None,
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
        dialect::find_dialect("codex")
            .unwrap()
            .diagnose_timeout(&output)
            .map(|error| error.code)
    };
    let waiting =
        r#"{"type":"error","message":"Reconnecting... waiting for network (Connection failed)"}"#;
    assert_eq!(stalled(waiting), Some(CauseCode::Unavailable));
    assert_eq!(stalled(r#"{"type":"turn.started"}"#), None);
}
