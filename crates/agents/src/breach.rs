//! Protocol violations and other failures of a conversation.

use agon_record::event::{CauseCode, Class};

/// The reason why a conversation over the Agent Client Protocol cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// The agent's process has ended.
    #[error("its process ended during the conversation")]
    Died,
    /// The agent does not read its standard input.
    #[error("it stopped reading its input")]
    Deaf,
    /// The agent printed a line that exceeds the size limit.
    #[error("it printed a line of more than {limit} bytes")]
    LongLine {
        /// The limit.
        limit: usize,
    },
    /// The agent's output for one answer exceeds the size limit.
    #[error("it sent more than {limit} bytes for one answer")]
    TooMuch {
        /// The limit.
        limit: usize,
    },
    /// The agent printed a line that is not a protocol message.
    #[error("it printed a line that is not a protocol message")]
    NoMessage,
    /// The agent does not support the `initialize` request.
    #[error("it does not support the Agent Client Protocol; use the `cli` transport instead")]
    NoAcp,
    /// The agent supports only another version of the protocol.
    #[error("it supports version {version} of the Agent Client Protocol, not 1")]
    Version {
        /// The version that the agent reported.
        version: String,
    },
    /// The agent's response lacks a required field.
    #[error("its response to `{method}` does not follow the protocol")]
    Answer {
        /// The method of the request.
        method: &'static str,
    },
    /// The agent does not offer a read-only mode.
    #[error(
        "it starts in mode `{mode}` and does not offer a read-only mode; use the `cli` transport instead"
    )]
    NoReadOnlyMode {
        /// The mode in which the agent starts.
        mode: String,
    },
    /// The agent did not switch to a read-only mode.
    #[error("it did not switch to the read-only mode `{mode}`; use the `cli` transport instead")]
    ModeRefused {
        /// The mode.
        mode: String,
    },
    /// The agent left the read-only mode.
    #[error("it switched to mode `{mode}`, which may write; use the `cli` transport instead")]
    LeftMode {
        /// The mode to which the agent switched.
        mode: String,
    },
    /// The agent did something that is not allowed in a debate, without asking for permission.
    #[error("it used a tool that {does} without asking for permission; its answer is discarded")]
    Acted {
        /// The forbidden action, such as `writes files`.
        does: &'static str,
    },
    /// The agent started more tool calls than Agon can track.
    #[error("it started more than {limit} calls to tools that do more than read")]
    TooManyCalls {
        /// The limit.
        limit: usize,
    },
    /// The agent does not let a client choose the model.
    #[error("its model cannot be chosen; use the `cli` transport instead")]
    NoChoice,
    /// The agent does not offer the requested model.
    #[error("it does not offer this model; use the `cli` transport instead")]
    NoModel,
    /// The agent cannot be given a folder to read.
    #[error("it cannot be given a folder to read")]
    NoFolder,
    /// The requested folder or model differs from the folder or model of the running process.
    #[error("its folder or model changed, so the conversation is restarted")]
    Changed,
}

impl Breach {
    /// Returns the kind of cause, as recorded.
    pub fn code(&self) -> CauseCode {
        match self {
            Self::LongLine { .. } | Self::TooMuch { .. } | Self::TooManyCalls { .. } => {
                CauseCode::TooLarge
            }
            Self::NoMessage | Self::Answer { .. } => CauseCode::Unreadable,
            Self::NoChoice | Self::NoModel => CauseCode::NoSuchModel,
            _ => CauseCode::Failed,
        }
    }

    /// Returns whether to retry, to ask the user, or to give up.
    pub fn class(&self) -> Class {
        match self {
            Self::Died | Self::Deaf => Class::Retry { after_ms: 2_000 },
            Self::Changed => Class::Retry { after_ms: 0 },
            Self::NoAcp | Self::Version { .. } => Class::User,
            Self::NoChoice | Self::NoModel | Self::NoFolder => Class::User,
            Self::NoReadOnlyMode { .. } | Self::ModeRefused { .. } => Class::User,
            Self::LeftMode { .. } => Class::User,
            // Every other breach is the tool's own fault: it violated the protocol or a limit.
            _ => Class::Tool,
        }
    }
}
