//! How a run ends, and why a run fails.

use agon_record::id::AskKey;
use agon_rules::steer::CommandRefusal;

use crate::run_context::EmptySeat;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The debate is closed or halted; its state says how.
    Settled,
    /// The run was asked to stop. Nothing is lost, and the debate can be resumed.
    Stopped,
    /// A person must answer first; `agon_prompt::human` says who.
    ///
    /// Nothing is recorded for this: the same plan asks for the same person again at any time.
    Awaits,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: std::error::Error + 'static> {
    /// The record could not be written.
    #[error("cannot write the record of the debate")]
    Host(#[source] E),
    /// A seat has no agent.
    #[error(transparent)]
    EmptySeat(#[from] EmptySeat),
    /// A request of the user is not allowed.
    #[error(transparent)]
    Refused(#[from] CommandRefusal),
    /// A stored reply belongs to a different prompt.
    #[error(
        "the stored reply to {key} belongs to a different {what} than the debate would use now"
    )]
    Stale {
        /// The ask.
        key: AskKey,
        /// The difference: tool, model, effort or prompt.
        what: &'static str,
    },
    /// Checking the citations of a reply failed unexpectedly.
    #[error("cannot check the citations of the reply to {key}")]
    LookUp {
        /// The ask.
        key: AskKey,
    },
    /// The plan asked for a seat that does not exist.
    #[error("the plan asks for {key}, but its seat is empty")]
    NoSeat {
        /// The ask.
        key: AskKey,
    },
}
