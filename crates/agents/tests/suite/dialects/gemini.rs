use super::*;

pub(crate) const GEMINI: &str = r#"{
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
        model: Some("a".into()),
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
        // Its output when TERM ended it.
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
