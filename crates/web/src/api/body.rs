//! The bodies of requests.

use agon_caller::{Code, Failure};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A note for every seat.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteBody {
    /// The note
    pub(super) text: String,
}

/// More rounds for a debate, with an optional note first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtendBody {
    /// 1 to 5; one if left out
    pub(super) rounds: Option<u16>,
    /// A note that is added first
    pub(super) note: Option<String>,
}

/// A request without parameters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EmptyBody {}

/// Reads the body of a request.
///
/// # Errors
///
/// If a field is missing, unknown or of another type; the failure names it.
pub(super) fn read<T: DeserializeOwned>(body: Value) -> Result<T, Failure> {
    serde_json::from_value(body).map_err(|error| {
        Failure::new(Code::InvalidParameter, error.to_string())
            .parameter("body")
            .hint("/api/openapi.json describes the fields of every request")
    })
}
