use super::*;

pub(crate) const COPILOT: &str = r#"{"type":"session.tools_updated","data":{"model":"m"},"ephemeral":true}
{"type":"user.message","data":{"content":"the prompt"}}
{"type":"assistant.message","data":{"messageId":"m1","model":"m","content":"the text","toolRequests":[]}}
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
        model: Some("m".into()),
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
    let copilot = dialect::find_dialect("copilot").unwrap();
    let file = r#"{"modelMetrics":{"a":{"requests":{},"usage":{"inputTokens":1000,"outputTokens":50,"cacheReadTokens":300,"cacheWriteTokens":0}},"b":{"usage":{"inputTokens":1}}},"x":1}"#;
    let expected = Usage {
        input: 1_001,
        cached: 300,
        output: 50,
        ..Usage::default()
    };
    assert_eq!(copilot.parse_usage_file(file.as_bytes()), Some(expected));
    assert_eq!(copilot.parse_usage_file(b""), None);
}
