//! What went wrong, for people and for programs, and the exit code.

use agon_verdict::result::{ErrorBody, ErrorDoc};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// A verdict with full authority, or done.
    Done = 0,
    /// Ended without a verdict.
    NoVerdict = 1,
    /// The command line is not right.
    Usage = 2,
    /// The configuration is not right.
    Config = 3,
    /// A tool is missing or logged out.
    Tool = 4,
    /// A limit was reached before a verdict.
    Limit = 5,
    /// The debate's folder.
    Store = 6,
    /// A verdict of lesser authority.
    Lesser = 7,
    /// `check` found errors.
    Findings = 8,
    /// A bug.
    Bug = 70,
    /// Cancelled.
    Cancelled = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error as a command ends with it.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) exit: Exit,
    /// The kind, for programs, such as `missing_parameter`.
    pub(crate) code: &'static str,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<String>,
    /// The parameter it is about.
    pub(crate) parameter: Option<String>,
    /// When to try again, in seconds.
    pub(crate) retry_after_s: Option<u64>,
}

impl Failure {
    /// A failure without a hint.
    pub(crate) fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            exit,
            code,
            message,
            hint: None,
            parameter: None,
            retry_after_s: None,
        }
    }

    /// The failure that `error` and its causes describe.
    pub(crate) fn from_error(
        exit: Exit,
        code: &'static str,
        error: &dyn std::error::Error,
    ) -> Self {
        Self::new(exit, code, chain(error))
    }

    /// With what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With the parameter it is about.
    pub(crate) fn parameter(mut self, parameter: impl Into<String>) -> Self {
        self.parameter = Some(parameter.into());
        self
    }

    /// With when to try again, in seconds.
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// The document for programs.
    pub(crate) fn document(&self) -> ErrorDoc {
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
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
