//! Why a call returned no reply.

use serde::{Deserialize, Serialize};

/// Why a call returned no reply, or a turn has no moves.
///
/// `detail` has at most 200 characters, is sanitised, and never quotes a provider's response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The kind of cause.
    pub code: CauseCode,
    /// A short explanation for people.
    pub detail: String,
}

/// The kinds of cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CauseCode {
    /// The program is not installed.
    NotInstalled,
    /// The tool is not logged in, or its key was refused.
    LoggedOut,
    /// The model does not exist or is not allowed.
    NoSuchModel,
    /// The service reported a rate limit.
    RateLimited,
    /// The service cannot be reached or reported an error of its own.
    Unavailable,
    /// No reply within the time limit.
    Timeout,
    /// The program failed without a more specific reason.
    Failed,
    /// The reply has no text.
    Empty,
    /// The output violates the tool's protocol.
    Unreadable,
    /// The output exceeds the size limit.
    TooLarge,
    /// The reply has no usable moves; `detail` is a `PARSE_ERROR:<type>:<code>`.
    NoMoves,
    /// The moves break a rule, which makes them unusable.
    RuleBroken,
    /// The call was cancelled.
    Cancelled,
    /// An internal error of Agon.
    Bug,
}

impl CauseCode {
    /// Returns the name used in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotInstalled => "not_installed",
            Self::LoggedOut => "logged_out",
            Self::NoSuchModel => "no_such_model",
            Self::RateLimited => "rate_limited",
            Self::Unavailable => "unavailable",
            Self::Timeout => "timeout",
            Self::Failed => "failed",
            Self::Empty => "empty",
            Self::Unreadable => "unreadable",
            Self::TooLarge => "too_large",
            Self::NoMoves => "no_moves",
            Self::RuleBroken => "rule_broken",
            Self::Cancelled => "cancelled",
            Self::Bug => "bug",
        }
    }

    /// Describes the cause for people, as the end of a sentence such as `the challenger was lost:
    /// …`.
    ///
    /// ```
    /// use agon_record::event::CauseCode;
    /// assert_eq!(CauseCode::NoMoves.describe(), "its reply could not be read");
    /// ```
    pub fn describe(self) -> &'static str {
        match self {
            Self::NotInstalled => "its tool is not installed",
            Self::LoggedOut => "its tool is not logged in",
            Self::NoSuchModel => "its tool does not have that model",
            Self::RateLimited => "its account's limit is used up",
            Self::Unavailable => "its service was not available",
            Self::Timeout => "no reply in time",
            Self::Failed => "its tool failed",
            Self::Empty => "its reply was empty",
            Self::Unreadable => "its tool's output could not be read",
            Self::TooLarge => "its reply was too large",
            Self::NoMoves => "its reply could not be read",
            Self::RuleBroken => "its reply broke a rule",
            Self::Cancelled => "it was stopped",
            Self::Bug => "an internal error of Agon",
        }
    }
}
