//! Converts failures to protocol errors and to sentences for people.

use agent_client_protocol::{Error, ErrorCode};
use agon_caller::hint::CommandLine;
use agon_caller::{Code, Failure, FailureKind};

/// Converts the failure of a request to a protocol error.
pub(crate) fn error_from_failure(failure: &Failure) -> Error {
    let code = match (failure.kind, failure.code) {
        (_, Code::UnknownDebate | Code::UnknownSession) => ErrorCode::RESOURCE_NOT_FOUND,
        (FailureKind::Cancelled, _) => ErrorCode::REQUEST_CANCELLED,
        (_, Code::Depth | Code::Busy | Code::Begun) => ErrorCode::INVALID_REQUEST,
        (FailureKind::Usage, _) => ErrorCode::INVALID_PARAMS,
        _ => ErrorCode::INTERNAL_ERROR,
    };
    let document = serde_json::to_value(failure.document(&CommandLine)).unwrap_or_default();
    // Editors show only the message, so it includes the hint.
    Error::new(code, sentence(failure)).data(document)
}

/// Formats a failure and its hint for a person.
pub(crate) fn sentence(failure: &Failure) -> String {
    match &failure.hint {
        None => failure.message.clone(),
        Some(hint) => format!("{}: {}", failure.message, hint.typed()),
    }
}
