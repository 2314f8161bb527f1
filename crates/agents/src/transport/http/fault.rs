//! Causes and classes of what goes wrong, without a word of what the server wrote.

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

// The wait of `PAUSE_MS` in `dialect/fault.rs`: a service is back no sooner because it is asked
// without a tool.
/// Before another attempt.
const PAUSE: Class = Class::Retry { after_ms: 2_000 };

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct HttpFault {
    /// What went wrong.
    pub(super) failure: CallFailure,
    /// What went along with the question and was refused.
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

/// What was asked, of whom and as whom.
#[derive(Clone, Copy)]
pub(super) struct HttpAsk<'a> {
    pub(super) tool: &'a ToolName,
    pub(super) http: &'a Http,
    pub(super) model: &'a str,
    /// The variable that the key stands in, and the key.
    pub(super) key: Option<(&'a str, &'a str)>,
    pub(super) ask: Ask<'a>,
    /// What goes along with the question.
    pub(super) along: IncludedExtras,
    pub(super) heard: &'a Arc<StreamMeter>,
}

/// The stream ended before the answer did.
pub(super) fn broken_off_error() -> DialectError {
    DialectError::new(CauseCode::Unavailable, PAUSE, "the answer broke off")
}

/// It does not answer this prompt, or not so.
pub(super) fn withheld_answer_error() -> DialectError {
    let what = "the service withheld the answer";
    DialectError::new(CauseCode::Failed, Class::Tool, what)
}

/// What came is not what the adapter's servers send.
pub(super) fn unreadable_answer_error() -> DialectError {
    let what = "what came is not what such a server sends; is the address right?";
    DialectError::new(CauseCode::Unreadable, Class::Tool, what)
}

impl HttpAsk<'_> {
    /// How long the server may be silent, and how long the whole answer may take.
    pub(super) fn silence_limits(&self) -> SilenceLimits {
        SilenceLimits::new(self.http, self.ask.timeout)
    }

    /// Nothing came for too long.
    pub(super) fn silence_failure(&self, limit: Duration) -> CallFailure {
        let heard = self.heard.bytes_received();
        CallFailure::Timeout { limit, heard }
    }

    /// A failure that the crate reports.
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
            // Of a prompt that is blocked it says no more than that there is no answer.
            let blocked = self.heard.is_prompt_blocked().then(withheld_answer_error);
            return blocked.unwrap_or_else(|| error_from_body(body)).into();
        }
        if let Error::WebStream { error, .. } = error {
            return self.fault_from_stream_error(error);
        }
        // It says this of a key that cannot stand in a header.
        if let Error::WebModelCall { .. } = error {
            return self.unsendable_error().into();
        }
        match error {
            Error::StreamParse { .. } | Error::InvalidJsonResponseElement { .. } => {
                unreadable_answer_error().into()
            }
            Error::JsonValueExt(_) | Error::SerdeJson(_) => unreadable_answer_error().into(),
            _ => CallFailure::Bug("a question was not put into the form of its adapter").into(),
        }
    }

    /// A connection that did not last, or never was.
    fn fault_from_stream_error(&self, error: &BoxError) -> HttpFault {
        if let Some(inner) = error.downcast_ref::<Error>() {
            return self.fault_from_error(inner);
        }
        if let Some(late) = error.downcast_ref::<StreamTimeout>() {
            let limit = match late {
                StreamTimeout::Headers => self.silence_limits().first,
                StreamTimeout::Read => self
                    .silence_limits()
                    .limit_after(self.heard.message_count()),
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

    /// A request that was not sent, or not answered.
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
            Some((name, _)) => format!("the key in {name} has signs in it that no key has"),
            None => "the request cannot be sent as it is".to_owned(),
        };
        DialectError::new(CauseCode::LoggedOut, Class::User, what)
    }
}

/// An error in place of an answer, or in the middle of one.
pub(super) fn error_from_body(body: &Value) -> DialectError {
    let inner = body.get("error").unwrap_or(body);
    let code = inner.get("code").and_then(Value::as_u64);
    let status = code.and_then(|code| u16::try_from(code).ok());
    let status = status.filter(|status| (400..600).contains(status));
    DialectError::from_message(status, &inner.to_string())
}
