//! Verifies the findings that a model proposes about a session.
//!
//! A model gets the session as numbered lines ([`CondensedSession`]) and proposes findings
//! ([`ProposedFinding`]): a pattern, lines and quotations. Code then checks each one against the
//! record ([`CondensedSession::verify`]) and drops the others with a [`DropReason`]. This module
//! does not call models, start processes or read files.

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
