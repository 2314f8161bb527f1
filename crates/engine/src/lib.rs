//! Runs a debate in a loop: plan, record, act, record.
//!
//! [`run::run_debate`] asks the domain for the next step, records that it is about to happen,
//! performs it, and records the outcome. A [`host::Host`] stores the record in memory or in a
//! folder.
//!
//! This crate knows nothing of terminals and command lines.

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
