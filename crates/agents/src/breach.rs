//! How an agent breaks the protocol, or the conversation.

use agon_record::event::{CauseCode, Class};

/// Why a conversation over the Agent Client Protocol cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// Its process has ended.
    #[error("its process ended in the middle of the conversation")]
    Died,
    /// It does not read what it is sent.
    #[error("it no longer reads what it is sent")]
    Deaf,
    /// A line that is longer than is read.
    #[error("it printed a line of more than {limit} bytes")]
    LongLine {
        /// The bound.
        limit: usize,
    },
    /// More output than is read for one answer.
    #[error("it said more than {limit} bytes for one answer")]
    TooMuch {
        /// The bound.
        limit: usize,
    },
    /// A line that is not a message.
    #[error("it printed a line that is no message of the protocol")]
    NoMessage,
    /// It does not know the request that opens everything.
    #[error(
        "it does not speak the Agent Client Protocol; the transport cli speaks to it in another way"
    )]
    NoAcp,
    /// It speaks another version.
    #[error("it speaks version {version} of the Agent Client Protocol, not 1")]
    Version {
        /// What it said.
        version: String,
    },
    /// An answer without what it must have.
    #[error("its answer to `{method}` is not what the protocol says")]
    Answer {
        /// What had been asked.
        method: &'static str,
    },
    /// No mode of those it offers only reads.
    #[error(
        "it starts in the mode `{mode}` and offers none that only reads; the transport cli speaks to it in another way"
    )]
    NoReadOnlyMode {
        /// The mode it starts in.
        mode: String,
    },
    /// It did not go into a mode that only reads.
    #[error(
        "it did not take the mode `{mode}`, which only reads; the transport cli speaks to it in another way"
    )]
    ModeRefused {
        /// The mode.
        mode: String,
    },
    /// It left the mode that only reads.
    #[error(
        "it went into the mode `{mode}`, which may write; the transport cli speaks to it in another way"
    )]
    LeftMode {
        /// The mode it went into.
        mode: String,
    },
    /// It did what a debater may not do, without asking for permission.
    #[error("it used a tool that {does}, and asked nobody; what it said is not taken")]
    Acted {
        /// What such a tool does.
        does: &'static str,
    },
    /// It began more calls of its tools than can be watched.
    #[error("it began more than {limit} calls of tools that do more than read")]
    TooManyCalls {
        /// The bound.
        limit: usize,
    },
    /// It offers no choice of a model.
    #[error("it offers no choice of a model; the transport cli speaks to it in another way")]
    NoChoice,
    /// It does not offer the model.
    #[error("it does not offer this model; the transport cli speaks to it in another way")]
    NoModel,
    /// It cannot be given a folder.
    #[error("it cannot be given a folder to read in")]
    NoFolder,
    /// It is to read or think elsewhere than it was started for.
    #[error("its folder or its model is another now, so the conversation begins anew")]
    Changed,
}

impl Breach {
    /// The kind of cause.
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

    /// What may be done about it.
    pub fn class(&self) -> Class {
        match self {
            Self::Died | Self::Deaf => Class::Retry { after_ms: 2_000 },
            Self::Changed => Class::Retry { after_ms: 0 },
            Self::NoAcp | Self::Version { .. } => Class::User,
            Self::NoChoice | Self::NoModel | Self::NoFolder => Class::User,
            Self::NoReadOnlyMode { .. } | Self::ModeRefused { .. } => Class::User,
            Self::LeftMode { .. } => Class::User,
            // The tool broke its protocol or a limit.
            _ => Class::Tool,
        }
    }
}
