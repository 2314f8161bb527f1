//! How a run ends, and why one cannot go on.

use agon_record::id::AskKey;
use agon_rules::steer::CommandRefusal;

use crate::run_context::EmptySeat;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The debate is closed or halted; its state says how.
    Settled,
    /// It was told to stop. Nothing is lost; it can be resumed.
    Stopped,
    /// Nothing is left to do before a person answers; `agon_prompt::human` says who.
    ///
    /// Nothing is recorded of it: the same plan asks for the same person, whenever that is.
    Awaits,
}

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: std::error::Error + 'static> {
    /// The record could not be kept.
    #[error("cannot keep the record of the debate")]
    Host(#[source] E),
    /// A seat has no agent.
    #[error(transparent)]
    EmptySeat(#[from] EmptySeat),
    /// Something that the user says cannot be said.
    #[error(transparent)]
    Refused(#[from] CommandRefusal),
    /// A stored reply answers another question than would be asked now.
    #[error("the stored reply to {key} answers a different {what} than would be asked now")]
    Stale {
        /// The ask.
        key: AskKey,
        /// What differs: tool, model, effort or prompt.
        what: &'static str,
    },
    /// Looking up what a reply cites broke off.
    #[error("cannot look up what the reply to {key} cites")]
    LookUp {
        /// The ask.
        key: AskKey,
    },
    /// The plan asked for a seat that is not there.
    #[error("the plan asks for {key}, whose seat is empty")]
    NoSeat {
        /// The ask.
        key: AskKey,
    },
}
