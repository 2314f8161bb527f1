//! Causes and classes of what goes wrong, without a word of what the server wrote.

use std::str::Utf8Error;
use std::string::FromUtf8Error;
use std::time::Duration;

use agon_debate::event::{CauseCode, Class};
use agon_debate::spec::ToolName;
use genai::webc::StreamTimeout;
use genai::{BoxError, Error};
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::heard::Heard;
use super::question::Extra;
use super::retry::after_ms;
use crate::agent::{Ask, Failure};
use crate::dialect::DialectError;
use crate::profile::Http;

/// Before another attempt.
const PAUSE: Class = Class::Retry { after_ms: 2_000 };

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct Fault {
    /// What went wrong.
    pub(super) failure: Failure,
    /// What went along with the question and was refused.
    pub(super) refuses: Option<Extra>,
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            refuses: None,
        }
    }
}

impl From<DialectError> for Fault {
    fn from(error: DialectError) -> Self {
        Failure::Said(Box::new(error)).into()
    }
}

/// What was asked, of whom and as whom.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) tool: &'a ToolName,
    pub(super) http: &'a Http,
    pub(super) model: &'a str,
    /// The variable that the key stands in, and the key.
    pub(super) key: Option<(&'a str, &'a str)>,
    pub(super) ask: Ask<'a>,
    pub(super) heard: &'a Heard,
}

/// The stream ended before the answer did.
pub(super) fn broken_off() -> DialectError {
    DialectError::new(CauseCode::Unavailable, PAUSE, "the answer broke off")
}

/// What came is not what the adapter's servers send.
pub(super) fn unreadable() -> DialectError {
    let what = "what came is not what such a server sends; is the address right?";
    DialectError::new(CauseCode::Unreadable, Class::Tool, what)
}

impl Asked<'_> {
    /// A failure that the crate reports.
    pub(super) fn fault(&self, error: &Error) -> Fault {
        if let Error::HttpError {
            status,
            body,
            headers,
            ..
        } = error
        {
            return self.refused(status.as_u16(), body, headers);
        }
        if let Error::ChatResponse { body, .. } = error {
            return event(body).into();
        }
        if let Error::WebStream { error, .. } = error {
            return self.lost(error);
        }
        // It says this of a key that cannot stand in a header.
        if let Error::WebModelCall { .. } = error {
            return self.unsendable().into();
        }
        let unread = matches!(
            error,
            Error::StreamParse { .. }
                | Error::JsonValueExt(_)
                | Error::SerdeJson(_)
                | Error::InvalidJsonResponseElement { .. }
        );
        if unread {
            return unreadable().into();
        }
        Failure::Bug("a question was not put into the form of its adapter").into()
    }

    /// A connection that did not last, or never was.
    fn lost(&self, error: &BoxError) -> Fault {
        if let Some(inner) = error.downcast_ref::<Error>() {
            return self.fault(inner);
        }
        if let Some(late) = error.downcast_ref::<StreamTimeout>() {
            let limit = match late {
                StreamTimeout::Headers => self.http.first_byte_ms,
                StreamTimeout::Read => self.http.between_bytes_ms,
            };
            return Failure::Timeout {
                limit: Duration::from_millis(limit).min(self.ask.timeout),
                heard: self.heard.bytes(),
            }
            .into();
        }
        if error.is::<FromUtf8Error>() || error.is::<Utf8Error>() {
            return unreadable().into();
        }
        match error.downcast_ref::<reqwest::Error>() {
            Some(error) if error.is_builder() => self.unsendable().into(),
            Some(error) if error.is_connect() => Failure::Unreachable {
                address: self.http.url.place(),
            }
            .into(),
            Some(_) | None => broken_off().into(),
        }
    }

    fn unsendable(&self) -> DialectError {
        let what = match self.key {
            Some((name, _)) => format!("the key in {name} has signs in it that no key has"),
            None => "the request cannot be sent as it is".to_owned(),
        };
        DialectError::new(CauseCode::LoggedOut, Class::User, what)
    }

    /// A refusal with a status. Its body is looked at and never quoted.
    fn refused(&self, status: u16, body: &str, headers: &HeaderMap) -> Fault {
        let mut error = DialectError::said(Some(status), body);
        let words = body.to_lowercase();
        if (300..400).contains(&status) {
            error.class = Class::User;
            error.detail = format!(
                "the address leads elsewhere, and nothing is sent on (status {status}): put the \
                 one it leads to into its place"
            );
        }
        if error.code == CauseCode::LoggedOut {
            error.detail = self.unknown(status);
        }
        if error.code == CauseCode::NoSuchModel {
            let (model, place) = (self.model, self.http.url.place());
            error.detail = format!("there is no `{model}` at {place} (status {status})");
        }
        if error.code == CauseCode::Failed && too_long(&words) {
            error.detail = format!("the prompt does not fit the model (status {status})");
        }
        if let CauseCode::RateLimited | CauseCode::Unavailable = error.code {
            let wait = after_ms(headers);
            error.class = wait.map_or(error.class, |after_ms| Class::Retry { after_ms });
        }
        if let Some(id) = self.request_id(headers) {
            error.detail = format!("{}, request {id}", error.detail);
        }
        Fault {
            refuses: [400, 422]
                .contains(&status)
                .then(|| extra(&words))
                .flatten(),
            failure: Failure::Said(Box::new(error)),
        }
    }

    fn unknown(&self, status: u16) -> String {
        match self.key {
            Some((name, _)) => format!("the key in {name} is refused (status {status})"),
            None => format!(
                "the server wants a key (status {status}): set key_env in your configuration, \
                 table [tools.\"{}\".http]",
                self.tool
            ),
        }
    }

    /// The service's own name for the request, unless the key could be in it.
    fn request_id<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let mut names = ["request-id", "x-request-id"].iter();
        let id = names.find_map(|name| headers.get(*name)?.to_str().ok())?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        let (_, key) = self.key.unwrap_or_default();
        let told = |part: &[u8]| id.as_bytes().windows(part.len()).any(|it| it == part);
        let hides = key
            .as_bytes()
            .chunks(8)
            .any(|part| part.len() > 3 && told(part));
        ((4..=64).contains(&id.len()) && id.bytes().all(plain) && !hides).then_some(id)
    }
}

/// An error in the middle of an answer.
fn event(body: &Value) -> DialectError {
    let inner = body.get("error").unwrap_or(body);
    let code = inner.get("code").and_then(Value::as_u64);
    let status = code.and_then(|code| u16::try_from(code).ok());
    let status = status.filter(|status| (400..600).contains(status));
    DialectError::said(status, &inner.to_string())
}

/// What of that which went along a refusal is about.
fn extra(words: &str) -> Option<Extra> {
    let extras: [(Extra, &[&str]); 3] = [
        (Extra::Usage, &["stream_options", "include_usage"]),
        (
            Extra::Schema,
            &[
                "response_format",
                "schema",
                "grammar",
                "output_config.format",
            ],
        ),
        (Extra::Effort, &["reasoning", "think", "effort"]),
    ];
    let about = |(_, names): &(Extra, &[&str])| names.iter().any(|name| words.contains(name));
    extras.into_iter().find(about).map(|(extra, _)| extra)
}

fn too_long(words: &str) -> bool {
    let context = words.contains("context") || words.contains("prompt");
    context
        && ["exceed", "too long", "too large", "length"]
            .iter()
            .any(|it| words.contains(it))
}
