//! The loop that runs a debate: plan, record, act, record.
//!
//! [`run::run_debate`] asks the domain what happens next, records that it is about to
//! happen, does it, and records what came of it. Where the record is kept is a
//! [`host::Host`]'s business: in memory, or in a folder.
//!
//! This crate knows nothing of terminals and of command lines.

pub mod call;
pub mod evidence;
pub mod extend;
pub mod host;
pub mod human;
mod live_text;
pub mod observer;
mod outcome;
mod own_folder;
pub mod replay;
pub mod run;
pub mod run_context;
pub mod seat_folders;
pub mod seat_sessions;
mod sessions;
pub mod spans;
pub mod steer;
