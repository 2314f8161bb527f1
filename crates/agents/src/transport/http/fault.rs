//! Causes and classes of failures, without text from the server.

use std::str::Utf8Error;
use std::string::FromUtf8Error;
use std::sync::Arc;
use std::time::Duration;

use agon_record::event::{CauseCode, Class};
use agon_record::spec::ToolName;
use genai::webc::StreamTimeout;
use genai::{BoxError, Error};
use serde_json::Value;

use super::extras::{Extra, IncludedExtras};
use super::meter::StreamMeter;
use super::silence::SilenceLimits;
use crate::agent::CallFailure;
use crate::ask::Ask;
use crate::dialect::DialectError;
use crate::profile::Http;

// The same wait as `PAUSE_MS` in `dialect/fault.rs`, because a direct call does not make the
// service recover sooner.
/// The wait before another attempt.
const PAUSE: Class = Class::Retry { after_ms: 2_000 };

/// The reason why a request got no answer.
#[derive(Debug)]
pub(super) struct HttpFault {
    /// The failure of the call.
    pub(super) failure: CallFailure,
    /// The optional feature that the server rejected, if any.
    pub(super) refuses: Option<Extra>,
}

impl From<CallFailure> for HttpFault {
    fn from(failure: CallFailure) -> Self {
        Self {
            failure,
            refuses: None,
        }
    }
}

impl From<DialectError> for HttpFault {
    fn from(error: DialectError) -> Self {
        CallFailure::Said(Box::new(error)).into()
    }
}

/// A request, with everything that it depends on.
#[derive(Clone, Copy)]
pub(super) struct HttpAsk<'a> {
    pub(super) tool: &'a ToolName,
    pub(super) http: &'a Http,
    pub(super) model: &'a str,
    /// The variable with the API key, and the key.
    pub(super) key: Option<(&'a str, &'a str)>,
    pub(super) ask: Ask<'a>,
    /// The optional features that the request uses.
    pub(super) extras: IncludedExtras,
    pub(super) meter: &'a Arc<StreamMeter>,
}

/// Returns the failure if the stream ended before the answer was complete.
pub(super) fn broken_off_error() -> DialectError {
    DialectError::new(
        CauseCode::Unavailable,
        PAUSE,
        "the answer is incomplete because the connection ended",
    )
}

/// Returns the failure if the service does not answer this prompt.
pub(super) fn withheld_answer_error() -> DialectError {
    let what = "the service withheld the answer";
    DialectError::new(CauseCode::Failed, Class::Tool, what)
}

/// Returns the failure if the response does not follow the adapter's protocol.
pub(super) fn unreadable_answer_error() -> DialectError {
    let what = "the response does not follow the server's protocol; check the URL";
    DialectError::new(CauseCode::Unreadable, Class::Tool, what)
}

impl HttpAsk<'_> {
    /// Returns the time limits for silence of the server.
    pub(super) fn silence_limits(&self) -> SilenceLimits {
        SilenceLimits::new(self.http, self.ask.timeout)
    }

    /// Returns the failure for a server that was silent for longer than `limit`.
    pub(super) fn silence_failure(&self, limit: Duration) -> CallFailure {
        let heard = self.meter.bytes_received();
        CallFailure::Timeout { limit, heard }
    }

    /// Converts an error of the crate `genai`.
    pub(super) fn fault_from_error(&self, error: &Error) -> HttpFault {
        if let Error::HttpError {
            status,
            body,
            headers,
            ..
        } = error
        {
            return self.fault_from_status(status.as_u16(), body, headers);
        }
        if let Error::ChatResponse { body, .. } = error {
            // If the prompt was blocked, this error says only that there is no answer.
            let blocked = self.meter.is_prompt_blocked().then(withheld_answer_error);
            return blocked.unwrap_or_else(|| error_from_body(body)).into();
        }
        if let Error::WebStream { error, .. } = error {
            return self.fault_from_stream_error(error);
        }
        // `genai` reports this error if the key is not valid in a header.
        if let Error::WebModelCall { .. } = error {
            return self.unsendable_error().into();
        }
        match error {
            Error::StreamParse { .. } | Error::InvalidJsonResponseElement { .. } => {
                unreadable_answer_error().into()
            }
            Error::JsonValueExt(_) | Error::SerdeJson(_) => unreadable_answer_error().into(),
            _ => CallFailure::Bug("a request could not be converted for its adapter").into(),
        }
    }

    /// Converts an error of the connection.
    fn fault_from_stream_error(&self, error: &BoxError) -> HttpFault {
        if let Some(inner) = error.downcast_ref::<Error>() {
            return self.fault_from_error(inner);
        }
        if let Some(late) = error.downcast_ref::<StreamTimeout>() {
            let limit = match late {
                StreamTimeout::Headers => self.silence_limits().first,
                StreamTimeout::Read => self
                    .silence_limits()
                    .limit_after(self.meter.message_count()),
            };
            return self.silence_failure(limit).into();
        }
        if error.is::<FromUtf8Error>() || error.is::<Utf8Error>() {
            return unreadable_answer_error().into();
        }
        match error.downcast_ref::<reqwest::Error>() {
            Some(error) => self.fault_from_reqwest(error),
            None => broken_off_error().into(),
        }
    }

    /// Converts an error of the HTTP client.
    pub(super) fn fault_from_reqwest(&self, error: &reqwest::Error) -> HttpFault {
        if error.is_builder() {
            return self.unsendable_error().into();
        }
        if error.is_connect() {
            let address = self.http.url.host_and_port();
            return CallFailure::Unreachable { address }.into();
        }
        broken_off_error().into()
    }

    fn unsendable_error(&self) -> DialectError {
        let what = match self.key {
            Some((name, _)) => format!("the key in {name} contains invalid characters"),
            None => "the request is not valid and cannot be sent".to_owned(),
        };
        DialectError::new(CauseCode::LoggedOut, Class::User, what)
    }
}

/// Converts an error object that the server sent instead of an answer or during one.
pub(super) fn error_from_body(body: &Value) -> DialectError {
    let inner = body.get("error").unwrap_or(body);
    let code = inner.get("code").and_then(Value::as_u64);
    let status = code.and_then(|code| u16::try_from(code).ok());
    let status = status.filter(|status| (400..600).contains(status));
    DialectError::from_message(status, &inner.to_string())
}
