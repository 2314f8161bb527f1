//! What a model says went wrong in a session, and whether that is so.
//!
//! A model is given the session as numbered lines ([`CondensedSession`]) and proposes findings
//! ([`ProposedFinding`]): a pattern, lines and quotations. Code then checks each of them against the
//! record ([`CondensedSession::verify`]). What cannot be verified is dropped with a [`DropReason`].
//! Nothing here asks a model, starts a process or reads a file.

mod answer;
mod check;
mod command;
mod condense;
mod line;
mod outcome;
mod part;
mod render;
mod verify;
mod words;
mod written;

pub use answer::{ProposedEvidence, ProposedFinding, ProposedRole, read_answer};
pub use check::{Check, DropReason};
pub use condense::CondensedSession;
pub use line::{ExaminedLine, Speaker};
pub use part::{PartSize, SessionPart};
pub use verify::{ExaminedEvidence, ExaminedFinding};
pub use written::{WrittenSession, WrittenSessionError};
