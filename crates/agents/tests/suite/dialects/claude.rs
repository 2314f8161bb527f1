use super::*;

pub(crate) const CLAUDE: &str = r#"{"type":"result","subtype":"success","is_error":false,"api_error_status":null,"duration_ms":81,"num_turns":1,"result":"the text","stop_reason":"end_turn","session_id":"s1","total_cost_usd":0.0065,"usage":{"input_tokens":700,"cache_creation_input_tokens":40,"cache_read_input_tokens":300,"output_tokens":50,"server_tool_use":{"web_search_requests":0}},"modelUsage":{"claude-opus-4-6":{"outputTokens":47},"claude-haiku-4-5":{"outputTokens":3}}}"#;

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
        model: Some("claude-opus-4-6".into()),
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
