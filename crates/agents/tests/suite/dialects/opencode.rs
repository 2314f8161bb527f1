use super::*;

pub(crate) const OPENCODE: &str = r#"{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{"type":"step-start"}}
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
        model: None,
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
        let stalled = dialect::find_dialect("opencode")
            .unwrap()
            .diagnose_timeout(&output);
        stalled.map(|error| (error.code, error.usage.is_some()))
    };
    let unknown = OPENCODE.replace("\"stop\"", "\"unknown\"");
    assert_eq!(stalled(&unknown), Some((CauseCode::Unreadable, true)));
    assert_eq!(stalled(OPENCODE), None);
    assert_eq!(stalled(""), None);
}
