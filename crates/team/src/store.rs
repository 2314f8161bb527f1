//! The store of a team: one SQLite file for all work trees of a repository.
//!
//! Every request is one transaction. It takes the write lock first, ends what has expired, checks
//! the rules, and writes the change with an event for each part. No transaction outlives a call,
//! and whatever a call has confirmed is on disk.

mod actor;
mod board;
mod clock;
mod doctor;
mod edits;
mod ending;
mod error;
mod event;
mod export;
#[cfg(feature = "failpoints")]
pub mod failpoints;
mod file;
mod gates;
mod imports;
mod lease;
mod limits;
mod location;
mod locks;
mod mails;
mod members;
mod queue;
mod returns;
mod rows;
mod runs;
mod schema;
mod sessions;
mod signs;
mod supervise;
mod sweep;
mod task_needs;
mod tasks;
mod team;
mod token_file;
mod unchecked;
mod usage;
mod write;

pub use self::actor::Actor;
pub use self::clock::{Clock, SystemClock};
pub use self::doctor::{Breach, DoctorReport, InvariantDoc};
pub use self::edits::{TaskEdit, TaskPlace};
pub use self::error::{StoreError, StoreErrorClass};
pub use self::event::EventDoc;
pub use self::export::EXPORT_SCHEMA;
pub use self::gates::ReviewVerdict;
pub use self::imports::{ImportReport, ImportedRow, ImportedState, ImportedTask, TaskImport};
pub use self::limits::TeamLimits;
pub use self::location::TeamLocation;
pub use self::locks::{LockAnswer, LockRequest};
pub use self::mails::{Letter, MailHeader, MailReceipt, MailRequest, Recipient};
pub use self::members::{JoinOrigin, JoinRequest, MemberDoc, MemberToken};
pub use self::runs::{NewRun, PlannedTask, RunDoc, RunStage, RunTask};
pub use self::sessions::{
    HostReport, NewSession, SessionDoc, SessionEnding, SessionProcess, SignalAges,
};
pub use self::supervise::{Judged, Observation};
pub use self::tasks::{ClaimRequest, HolderStep, NewTask, TaskWhy, TeamStep};
pub use self::team::Team;
pub use self::usage::{SessionUsage, Tally, TallyKind, TurnTokens, TurnUsage};
