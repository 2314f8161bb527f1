//! Converts an agent's error responses to causes and classes.

use agent_client_protocol::{Error, ErrorCode};
use agon_proc::Stopped;
use agon_record::event::{CauseCode, Class};
use serde_json::Value;

use crate::dialect::{DialectError, RawOutput};

/// Converts an agent's error response. Its text is used only to classify the error, unless it is
/// checked.
pub(super) fn from_rpc_error(error: &Error) -> DialectError {
    let data = error.data.as_ref();
    let status = http_status(i64::from(error.code.value()))
        .or_else(|| data.and_then(|data| find_status(data, 0)));
    let kind = data.and_then(|data| data.get("errorKind")?.as_str());
    // Turn a kind such as `authentication_failed` into words, so that the word lists match it.
    let words = kind.map(|kind| kind.replace('_', " "));
    let said = data.map(Value::to_string).unwrap_or_default();
    let message = format!("{} {} {said}", words.unwrap_or_default(), error.message);
    if status.is_none() && error.code == ErrorCode::AUTH_REQUIRED {
        return DialectError::from_message(None, "authentication required");
    }
    if error.code == ErrorCode::METHOD_NOT_FOUND || error.code == ErrorCode::INVALID_PARAMS {
        let what = "it does not support the request";
        return DialectError::new(CauseCode::Unreadable, Class::Tool, what);
    }
    DialectError::from_message(status, &message)
}

/// Returns the number if it is an HTTP error status.
fn http_status(number: i64) -> Option<u16> {
    u16::try_from(number)
        .ok()
        .filter(|status| (400..600).contains(status))
}

/// Finds the first HTTP status under a key such as `status`.
fn find_status(data: &Value, depth: usize) -> Option<u16> {
    let fields = data.as_object().filter(|_| depth < 4)?;
    let named = ["status", "statusCode", "httpStatus", "code"];
    named
        .iter()
        .find_map(|key| http_status(fields.get(*key)?.as_i64()?))
        .or_else(|| {
            fields
                .values()
                .find_map(|value| find_status(value, depth + 1))
        })
}

/// Returns why a process ended before its first message, if its standard error shows it.
pub(super) fn from_stopped_process(stopped: &Stopped) -> Option<DialectError> {
    let error = DialectError::from_exit(&RawOutput {
        stdout: b" ",
        stderr_tail: &stopped.stderr_tail,
        code: stopped.code.filter(|code| *code != 0),
    });
    let told = error.code != CauseCode::Failed || error.class == Class::User;
    told.then_some(error)
}
