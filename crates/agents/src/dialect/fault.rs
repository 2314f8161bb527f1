//! Determines the cause and class of a failure from status codes and messages.

use agon_record::event::{CauseCode, Class, Usage};

use super::{DialectError, RawOutput};

mod limit_end;
mod words;

// Chosen, not measured: a shorter wait wastes an attempt on a service that is still down; a longer
// one slows down every debate that meets such a failure.
/// The wait before another attempt after a temporary failure.
const PAUSE_MS: u64 = 2_000;
// Longer than `PAUSE_MS`, because the service itself asked for fewer calls. Checked by
// `tests/suite/tools/fake.rs::a_call_to_slow_down_waits_longer`.
/// The wait before another attempt if the service asked to slow down without saying for how long.
const SLOW_DOWN_MS: u64 = 5_000;
// A third of a debate's default time limit of 30 minutes, because a longer wait is the user's
// decision. The same limit as in `transport/http/retry.rs`.
/// The longest wait for a retry. A longer one counts as an exhausted usage limit.
const MAX_WAIT_MS: u64 = 10 * 60 * 1_000;
// Chosen, not measured: a lower limit can miss the reason inside a long trace; a higher one makes
// every word list search the whole output.
/// The maximum number of bytes of a message that are searched.
const SEARCHED_BYTES: usize = 16 * 1024;

const RETRY: Class = Class::Retry { after_ms: PAUSE_MS };

impl DialectError {
    pub(crate) fn new(code: CauseCode, class: Class, detail: impl Into<String>) -> Self {
        Self {
            code,
            class,
            detail: detail.into(),
            usage: None,
            asked_wait_ms: None,
        }
    }

    pub(super) fn with_usage(self, usage: Option<Usage>) -> Self {
        Self { usage, ..self }
    }

    /// Returns the failure if the answer is empty.
    pub(crate) fn empty_reply() -> Self {
        Self::new(CauseCode::Empty, Class::Tool, "the reply has no text")
    }

    /// Returns the failure if the output does not have the expected format.
    pub(super) fn unreadable_output(what: &'static str) -> Self {
        Self::new(CauseCode::Unreadable, Class::Tool, what)
    }

    /// Returns the failure if Agon called the tool incorrectly.
    pub(super) fn bug(what: &'static str) -> Self {
        Self::new(CauseCode::Bug, Class::Bug, what)
    }

    /// Classifies a failure by its status and its message, either of which may be missing.
    pub(crate) fn from_message(status: Option<u16>, message: &str) -> Self {
        let reason = words::extract_reason(message);
        let message = lowercase_start(message);
        let status = status.or_else(|| find_status(&message));
        let has = |list: &[&str]| list.iter().any(|words| message.contains(words));
        let settled = [
            (CauseCode::TooLarge, TOO_LONG, TOO_LONG_DETAIL),
            (CauseCode::Failed, POLICY, POLICY_DETAIL),
        ];
        if status.is_none_or(|status| status < 429)
            && let Some((code, _, detail)) = settled.into_iter().find(|(_, list, _)| has(list))
        {
            let status = status.map(|status| format!(" (status {status})"));
            let detail = format!("{detail}{}", status.unwrap_or_default());
            return Self::new(code, Class::User, detail);
        }
        let code = cause_code(status, &message);
        let class = error_class(code, status, &message);
        let mut detail = describe_failure(code, class).to_owned();
        if (code, class) == (CauseCode::RateLimited, Class::User)
            && let Some(end) = limit_end::find_limit_end(&message)
        {
            detail += &format!(" until {end}");
        }
        if let Some(status) = status {
            detail += &format!(" (status {status})");
        }
        match (code, reason) {
            // Without a status, the code `Failed` says nothing about the cause, so quote the tool's
            // reason.
            (CauseCode::Failed, Some(reason)) if status.is_none() => {
                detail = format!("it failed: {reason}");
            }
            (CauseCode::Failed | CauseCode::NoSuchModel, Some(reason)) => {
                detail += &format!(": {reason}");
            }
            // A status tells an overload from a broken connection. Without a status only the tool's
            // reason does, so quote it.
            (CauseCode::Unavailable, Some(reason)) if status.is_none() => {
                detail += &format!(": {reason}");
            }
            _ => {}
        }
        Self::new(code, class, detail)
    }

    /// Returns the failure that a short reply reports instead of an answer, such as an exhausted
    /// limit; `None` if the reply is an answer.
    pub(crate) fn from_notice(reply: &str) -> Option<Self> {
        let reply = reply.trim();
        if reply.len() > MAX_NOTICE || reply.contains(['{', '`']) {
            return None;
        }
        let start = lowercase_start(reply);
        let is_notice = NOTICES.iter().any(|notice| start.starts_with(notice));
        is_notice.then(|| Self::from_message(None, reply))
    }

    /// Classifies a failure by the end of standard error alone.
    pub(super) fn from_stderr(output: &RawOutput<'_>) -> Self {
        Self::from_message(None, &tail_text(output.stderr_tail))
    }

    /// Classifies a failure that the output format itself does not report: by standard error, then
    /// by exit code.
    pub(crate) fn from_exit(output: &RawOutput<'_>) -> Self {
        let of_stdout = || Self::from_message(None, &words::prose_lines(output.stdout));
        let said = [Self::from_stderr(output), of_stdout()];
        let is_known = |it: &Self| it.code != CauseCode::Failed || it.class == Class::User;
        if let Some(known) = said.into_iter().find(is_known) {
            return known;
        }
        let stderr = lowercase_start(&tail_text(output.stderr_tail));
        match output.code {
            _ if MISUSED.iter().any(|words| stderr.contains(words)) => Self::new(
                CauseCode::Failed,
                Class::User,
                "it does not accept an argument from its profile; update the tool or override the profile",
            ),
            Some(0) if output.stdout.is_empty() => Self::new(
                CauseCode::Empty,
                Class::Tool,
                "it exited with code 0 but printed nothing",
            ),
            Some(0) => Self::unreadable_output("the output does not have the expected format"),
            Some(code) => Self::new(
                CauseCode::Failed,
                RETRY,
                match words::last_error_line(output) {
                    Some(words) => format!("it exited with code {code}: {words}"),
                    None => format!("it exited with code {code} and gave no reason"),
                },
            ),
            None => Self::new(
                CauseCode::Failed,
                RETRY,
                match words::last_error_line(output) {
                    Some(words) => format!("it was ended by a signal: {words}"),
                    None => "it was ended by a signal".to_owned(),
                },
            ),
        }
    }
}

/// Returns the last `SEARCHED_BYTES / 2` bytes of a stream, because tools print the reason last.
fn tail_text(stream: &[u8]) -> String {
    let start = stream.len().saturating_sub(SEARCHED_BYTES / 2);
    String::from_utf8_lossy(stream.get(start..).unwrap_or_default()).into_owned()
}

fn lowercase_start(message: &str) -> String {
    let mut cut = message.len().min(SEARCHED_BYTES);
    while !message.is_char_boundary(cut) {
        cut -= 1;
    }
    message[..cut].to_lowercase()
}

const MISUSED: &[&str] = &[
    "unknown option",
    "unexpected argument",
    "unknown argument",
    "unrecognized option",
    "invalid value",
];

const LOGIN: &[&str] = &[
    "not logged in",
    "please run /login",
    "failed to authenticate",
    "authentication failed",
    "authentication required",
    "unauthorized",
    "invalid api key",
    "invalid x-api-key",
    "api key not valid",
    "incorrect api key",
    "missing environment variable",
    "no authentication information",
    "please set an auth method",
    "invalid auth method",
    "token has expired",
    "oauth token",
];

const NO_MODEL: &[&str] = &[
    "issue with the selected model",
    "model not found",
    "model_not_found",
    "not found on provider",
    "no such model",
    "unknown model",
    "modelnotfound",
];

/// Messages for a prompt that is too long, so that neither waiting nor asking again helps.
const TOO_LONG: &[&str] = &[
    "prompt is too long",
    "prompt too long",
    "prompt as too long",
    "input is too long",
    "context length",
    "context limit",
    "context_length_exceeded",
    "context window",
    "maximum context",
    "maximum number of tokens",
    "request_too_large",
];
const TOO_LONG_DETAIL: &str = "the prompt is too long for the model";

/// Messages for a prompt that the service refuses, so that asking again does not help.
const POLICY: &[&str] = &[
    "usage policy",
    "usage policies",
    "content policy",
    "content_policy",
    "content filter",
    "content_filter",
    "content management policy",
    "safety system",
    "prohibited_content",
];
const POLICY_DETAIL: &str = "the service refused the request under its usage policy";

// The longest notice seen has 170 bytes, so a longer text is an answer.
/// The size limit, in bytes, of a notice that is printed instead of an answer.
const MAX_NOTICE: usize = 400;

/// The beginnings of notices that tools print instead of an answer.
const NOTICES: &[&str] = &[
    "5-hour limit reached",
    "api error:",
    "claude ai usage limit reached",
    "credit balance is too low",
    "failed to authenticate",
    "invalid api key",
    "not logged in",
    "oauth token has expired",
    "please run /login",
    "prompt is too long",
    "usage limit reached",
    "weekly limit reached",
    "you have exhausted your",
    "you have hit your",
    "you have reached your",
    "you've hit your",
    "you've reached your",
    "you've used all",
];

/// Messages for a plan's limit or a credit that is used up, so that a short wait does not help.
const SPENT: &[&str] = &[
    "usage limit",
    "credit balance",
    "insufficient_quota",
    "insufficient quota",
    "hit your limit",
    "hit your usage",
    "limit reached",
    "limit_reached",
    "daily quota",
    "spending limit",
    "out of credits",
    "plan and billing",
];

const SLOW: &[&str] = &["rate limit", "rate_limit", "too many requests", "ratelimit"];

const AWAY: &[&str] = &[
    "unable to connect",
    "connection failed",
    "connection refused",
    "connectionrefused",
    "econnrefused",
    "econnreset",
    "enotfound",
    "eai_again",
    "could not connect",
    "cannot connect",
    "fetch failed",
    "network",
    "terminated",
    "socketerror",
    "stream disconnected",
    "stream closed",
    "error sending request",
    "high demand",
    "overloaded",
    "timed out",
    "failed to parse json",
    "internal server error",
    "bad gateway",
    "service unavailable",
];

fn cause_code(status: Option<u16>, message: &str) -> CauseCode {
    let has = |list: &[&str]| list.iter().any(|words| message.contains(words));
    match status {
        Some(401 | 403) => return CauseCode::LoggedOut,
        Some(402 | 429) => return CauseCode::RateLimited,
        Some(404) => return CauseCode::NoSuchModel,
        Some(408 | 500..) => return CauseCode::Unavailable,
        Some(_) | None => {}
    }
    let no_model = message.contains("model")
        && [
            "does not exist",
            "not supported",
            "not available",
            "not have access",
        ]
        .iter()
        .any(|words| message.contains(words));
    let kinds = [
        (has(SPENT) || has(SLOW), CauseCode::RateLimited),
        (no_model || has(NO_MODEL), CauseCode::NoSuchModel),
        (has(LOGIN), CauseCode::LoggedOut),
        (has(AWAY), CauseCode::Unavailable),
    ];
    kinds
        .into_iter()
        .find_map(|(is, code)| is.then_some(code))
        .unwrap_or(CauseCode::Failed)
}

fn error_class(code: CauseCode, status: Option<u16>, message: &str) -> Class {
    let wait = find_retry_wait_ms(message);
    let long = wait.is_none_or(|ms| ms > MAX_WAIT_MS);
    let spent = status == Some(402) || long && SPENT.iter().any(|words| message.contains(words));
    match code {
        CauseCode::RateLimited if spent => Class::User,
        CauseCode::RateLimited => Class::Retry {
            after_ms: wait.unwrap_or(SLOW_DOWN_MS).min(MAX_WAIT_MS),
        },
        CauseCode::Unavailable => Class::Retry {
            after_ms: wait.unwrap_or(PAUSE_MS).min(MAX_WAIT_MS),
        },
        CauseCode::LoggedOut | CauseCode::NoSuchModel | CauseCode::NotInstalled => Class::User,
        CauseCode::Failed if status.is_some() => Class::Tool,
        CauseCode::Failed | CauseCode::Timeout => RETRY,
        CauseCode::Cancelled => Class::Cancelled,
        CauseCode::Bug => Class::Bug,
        // All other causes are about the answer itself, so the tool is at fault.
        _ => Class::Tool,
    }
}

fn describe_failure(code: CauseCode, class: Class) -> &'static str {
    match (code, class) {
        (CauseCode::LoggedOut, _) => "not logged in, or the API key was rejected",
        (CauseCode::NoSuchModel, _) => "the model does not exist or is not allowed",
        (CauseCode::RateLimited, Class::User) => "the account's limit is used up",
        (CauseCode::RateLimited, _) => "the service asked to slow down",
        (CauseCode::Unavailable, _) => "the service is unreachable or has an internal error",
        (_, Class::Tool) => "the service refused the request",
        _ => "it failed and gave no reason",
    }
}

/// Finds the status in `status 401`, `status: 429`, `code: 404`, `api error: 500` or `(429)`.
fn find_status(message: &str) -> Option<u16> {
    ["status code", "status", "code", "api error:", "("]
        .iter()
        .find_map(|lead| {
            message.match_indices(lead).find_map(|(at, lead)| {
                let rest = message.get(at + lead.len()..)?;
                let rest = rest.trim_start_matches([':', ' ']);
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let status: u16 = rest.get(..digits)?.parse().ok()?;
                (digits == 3 && (400..600).contains(&status)).then_some(status)
            })
        })
}

/// Finds the wait in `try again in 1.5s`, `retry in 35s` or `retry after 20 seconds`, in
/// milliseconds.
fn find_retry_wait_ms(message: &str) -> Option<u64> {
    let lead = ["again in ", "retry in ", "retry after ", "retry-after: "];
    let rest = lead.iter().find_map(|lead| {
        let at = message.find(lead)?;
        message.get(at + lead.len()..)
    })?;
    let digits = rest
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b'.')
        .count();
    let number: f64 = rest.get(..digits)?.trim_end_matches('.').parse().ok()?;
    let unit = rest.get(digits..)?.trim_start();
    let factor = if unit.starts_with("ms") || unit.starts_with("milli") {
        1.0
    } else if unit.starts_with('m') {
        60_000.0
    } else if unit.starts_with('h') {
        3_600_000.0
    } else if unit.starts_with('d') {
        86_400_000.0
    } else {
        1_000.0
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and the cast saturates"
    )]
    Some((number * factor).ceil() as u64)
}

#[cfg(test)]
mod tests;
