use super::*;

fn from_message(status: Option<u16>, message: &str) -> (CauseCode, Class, String) {
    let error = DialectError::from_message(status, message);
    (error.code, error.class, error.detail)
}

#[test]
fn a_programs_last_words_are_told_and_no_answer_of_a_service() {
    let ended = |stderr: &str| {
        let output = RawOutput {
            code: Some(3),
            stdout: b"",
            stderr_tail: stderr.as_bytes(),
        };
        DialectError::from_exit(&output).detail
    };
    assert_eq!(
        ended("warming up\nsegment 7 \u{1b}[31mis gone\n\n"),
        "it exited with code 3: segment 7 is gone"
    );
    assert_eq!(
        ended("x.js:1\nSyntaxError: Unexpected token\n    at x (y:1)\nNode.js v18.19.0\n"),
        "it exited with code 3: SyntaxError: Unexpected token"
    );
    let unsaid = "it exited with code 3 and gave no reason";
    for stderr in [
        "",
        "---\n",
        "{\"error\": {\"body\": 1}}",
        "<html>no</html>",
        "at \"x\": 1",
    ] {
        assert_eq!(ended(stderr), unsaid, "{stderr}");
    }
    assert!(ended(&"x".repeat(9_000)).chars().count() < 260);
}

#[test]
fn a_status_decides_before_the_words_do() {
    let (code, class, detail) = from_message(Some(401), "rate limit reached, try again in 3s");
    assert_eq!((code, class), (CauseCode::LoggedOut, Class::User));
    assert_eq!(
        detail,
        "not logged in, or the API key was rejected (status 401)"
    );
}

#[test]
fn a_status_is_found_in_a_message() {
    let statuses = [
        ("unexpected status 401 unauthorized: x", Some(401)),
        ("exceeded retry limit, last status: 429 too many", Some(429)),
        ("api error: 500 overloaded", Some(500)),
        ("request rejected (429) · x", Some(429)),
        ("line 4040 of (12) status 200", None),
        ("status", None),
    ];
    for (message, status) in statuses {
        assert_eq!(find_status(message), status, "{message}");
    }
}

#[test]
fn a_wait_is_read_with_its_unit() {
    let waits = [
        ("please try again in 1.5s.", Some(1_500)),
        ("retry in 35.2s", Some(35_200)),
        ("try again in 20ms", Some(20)),
        ("try again in 2 minutes", Some(120_000)),
        ("retry after 20 seconds", Some(20_000)),
        ("try again in 3 hours", Some(10_800_000)),
        ("try again in a moment", None),
        ("try again", None),
    ];
    for (message, wait) in waits {
        assert_eq!(find_retry_wait_ms(message), wait, "{message}");
    }
}

#[test]
fn a_used_up_plan_is_the_users_to_solve() {
    let (code, class, detail) = from_message(
        Some(429),
        "You've hit your usage limit. Try again in 3 hours.",
    );
    assert_eq!((code, class), (CauseCode::RateLimited, Class::User));
    assert_eq!(
        detail,
        "the account's limit is used up until 3 hours from now (status 429)"
    );
    let (_, class, _) = from_message(
        Some(429),
        "You exceeded your current quota, please check your plan and billing details. Please retry in 35.2s.",
    );
    assert_eq!(class, Class::Retry { after_ms: 35_200 });
}

#[test]
fn the_reason_is_told_where_the_class_does_not_tell_it() {
    for (status, message, detail) in [
        (
            Some(401),
            "key sk-1 unauthorized",
            "not logged in, or the API key was rejected (status 401)",
        ),
        (None, "segment 7 is gone", "it failed: segment 7 is gone"),
        (
            Some(422),
            r#"{"error":{"message":"temperature is not taken","code":"bad"}}"#,
            "the service refused the request (status 422): temperature is not taken",
        ),
        (
            None,
            r#"{"detail":"The 'gpt-5.3' model is not supported when using Codex"}"#,
            "the model does not exist or is not allowed: The 'gpt-5.3' model is not supported when using Codex",
        ),
        (
            Some(422),
            r#"{"x":1}"#,
            "the service refused the request (status 422)",
        ),
        (
            Some(400),
            "Prompt is too long",
            "the prompt is too long for the model (status 400)",
        ),
        (
            None,
            "unable to respond, which appears to violate our Usage Policy",
            "the service refused the request under its usage policy",
        ),
    ] {
        assert_eq!(from_message(status, message).2, detail, "{message}");
    }
}

#[test]
fn what_will_not_change_is_not_asked_again() {
    for message in [
        "Prompt is too long",
        "query The provider rejected the prompt as too long, but automatic recovery could not reduce it.",
        "input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000",
        "this model's maximum context length is 8192 tokens",
        "violates our usage policies",
        "You've hit your usage limit. Try again in 3 days 2 hours.",
        "You have exhausted your daily quota on this model.",
        "{\"error_type\":\"grace_daily_limit_reached\"}",
        "the model gpt-9 is not available",
    ] {
        assert_eq!(from_message(None, message).1, Class::User, "{message}");
    }
}

#[test]
fn a_notice_in_place_of_an_answer_is_a_failure() {
    let notice = |text| DialectError::from_notice(text).map(|error| error.code);
    for text in [
        "You've hit your limit · resets 8:50pm (Europe/Oslo)",
        "Claude AI usage limit reached|1755615600",
        "API Error: 529 overloaded",
    ] {
        assert!(notice(text).is_some(), "{text}");
    }
    let long = format!("You've hit your limit: {}", "word ".repeat(100));
    for text in [
        "A rate limit protects the store.",
        "You've hit your limit\n```json\n{}\n```",
        &long,
        "",
    ] {
        assert_eq!(notice(text), None, "{text}");
    }
}
