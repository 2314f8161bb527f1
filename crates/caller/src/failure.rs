//! What went wrong, for people and for programs.

use std::io::ErrorKind;

use crate::documents::{ErrorBody, ErrorDoc};

/// What kind of cause a failure has; a front end makes an exit code or a status of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The debate ended without a verdict.
    NoVerdict,
    /// The request is not right.
    Usage,
    /// The configuration is not right.
    Config,
    /// A tool is missing or logged out.
    Tool,
    /// A bound was reached before a verdict.
    Limit,
    /// The debate's folder.
    Store,
    /// A bug.
    Bug,
    /// Cancelled.
    Cancelled,
}

/// An error as a request ends with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of cause it has.
    pub kind: FailureKind,
    /// The code, for programs, such as `missing_parameter`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The parameter it is about.
    pub parameter: Option<String>,
    /// When to try again, in seconds.
    pub retry_after_s: Option<u64>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(kind: FailureKind, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            kind,
            code,
            message,
            hint: None,
            parameter: None,
            retry_after_s: None,
        }
    }

    /// The failure that `error` and its causes describe.
    pub fn from_error(
        kind: FailureKind,
        code: &'static str,
        error: &dyn std::error::Error,
    ) -> Self {
        Self::new(kind, code, error_chain(error))
    }

    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With the parameter it is about.
    #[must_use]
    pub fn parameter(mut self, parameter: impl Into<String>) -> Self {
        self.parameter = Some(parameter.into());
        self
    }

    /// With when to try again, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// The document for programs.
    pub fn document(&self) -> ErrorDoc {
        ErrorDoc::from(ErrorBody {
            code: self.code.to_owned(),
            message: self.message.clone(),
            hint: self.hint.clone().unwrap_or_default(),
            parameter: self.parameter.clone(),
            retry_after_s: self.retry_after_s,
        })
    }
}

/// An error and its causes, in one line.
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

/// The failure for a file that cannot be written, and what to do about it.
pub fn write_failure(error: &(dyn std::error::Error + 'static)) -> Failure {
    let mut cause = Some(error);
    while let Some(inner) = cause {
        let kind = inner
            .downcast_ref::<std::io::Error>()
            .map(std::io::Error::kind);
        match kind {
            Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
                return Failure::from_error(FailureKind::Store, "disk_full", error)
                    .hint("free some space, then `agon resume`; what was said is kept");
            }
            Some(ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
                return Failure::from_error(FailureKind::Store, "store", error)
                    .hint("it may not be written: give yourself the right, or name another folder with --debates-dir");
            }
            Some(_) | None => cause = inner.source(),
        }
    }
    Failure::from_error(FailureKind::Store, "store", error)
        .hint("`agon check` says what is wrong with the folder; `agon resume` goes on")
}
