//! Failures, for people and for programs.

use std::io::ErrorKind;

use agon_hint::{Hint, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code::{Code, FailureKind};

/// The name and version of the error document.
pub(crate) const ERROR_SCHEMA: &str = "agon.error/1";

/// Why a command failed, for a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDoc {
    /// Always `agon.error/1`.
    #[schemars(extend("const" = ERROR_SCHEMA))]
    pub schema: String,
    /// What went wrong.
    pub error: ErrorBody,
}

/// What went wrong, with its code and what to do about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// The code of the error, such as `missing_parameter`; `agon errors CODE` explains it.
    // A string instead of `Code`, because a log may contain codes of another version.
    #[schemars(with = "Code")]
    pub code: String,
    /// What went wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
    /// The parameter that caused the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The seconds to wait before trying again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u64>,
}

impl From<ErrorBody> for ErrorDoc {
    fn from(error: ErrorBody) -> Self {
        let schema = ERROR_SCHEMA.to_owned();
        Self { schema, error }
    }
}

/// The failure of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of its cause.
    pub kind: FailureKind,
    /// The code, for programs.
    pub code: Code,
    /// What went wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<Hint>,
    /// The parameter that caused the failure.
    pub parameter: Option<String>,
    /// The seconds to wait before trying again.
    pub retry_after_s: Option<u64>,
}

impl Failure {
    /// Returns a failure of the code's kind, without a hint.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            kind: code.kind(),
            code,
            message,
            hint: None,
            parameter: None,
            retry_after_s: None,
        }
    }

    /// Returns a failure with the messages of `error` and its causes.
    pub fn from_error(code: Code, error: &dyn std::error::Error) -> Self {
        Self::new(code, error_chain(error))
    }

    /// Sets another kind of cause than the default of its code.
    #[must_use]
    pub fn kind(mut self, kind: FailureKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the parameter that caused the failure.
    #[must_use]
    pub fn parameter(mut self, parameter: impl Into<String>) -> Self {
        self.parameter = Some(parameter.into());
        self
    }

    /// Sets the seconds to wait before trying again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// Returns the document for programs, with the hint in the words of a front end.
    pub fn document(&self, words: &dyn Words) -> ErrorDoc {
        let hint = self.hint.as_ref().and_then(|hint| hint.worded(words));
        ErrorDoc::from(ErrorBody {
            code: self.code.name().to_owned(),
            message: self.message.clone(),
            hint: hint.unwrap_or_default(),
            parameter: self.parameter.clone(),
            retry_after_s: self.retry_after_s,
        })
    }
}

/// Returns the messages of an error and its causes, on one line.
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

/// Returns the failure for a file that cannot be written, with a hint.
pub fn write_failure(error: &(dyn std::error::Error + 'static)) -> Failure {
    let mut cause = Some(error);
    while let Some(inner) = cause {
        let kind = inner
            .downcast_ref::<std::io::Error>()
            .map(std::io::Error::kind);
        match kind {
            Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
                return Failure::from_error(Code::DiskFull, error)
                    .hint("free some space, then run `agon resume`; finished answers are kept");
            }
            Some(ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
                let hint = Hint::new("change the permissions of the folder")
                    .or(Hint::new("use another folder: ").flag("debates-dir"));
                return Failure::from_error(Code::Store, error).hint(hint);
            }
            Some(_) | None => cause = inner.source(),
        }
    }
    Failure::from_error(Code::Store, error)
        .hint("find the problem with `agon check`, then continue with `agon resume`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_leaves_out_what_it_does_not_have() {
        let error = ErrorDoc::from(ErrorBody {
            code: "missing_parameter".to_owned(),
            message: "no judge is named".to_owned(),
            hint: "name one".to_owned(),
            parameter: Some("judge".to_owned()),
            retry_after_s: None,
        });
        assert_eq!(
            serde_json::to_string(&error).unwrap(),
            r#"{"schema":"agon.error/1","error":{"code":"missing_parameter","message":"no judge is named","hint":"name one","parameter":"judge"}}"#
        );
    }
}
