//! The whole program, run as its users run it: `agon` as a process in an environment of its own.

mod choosing;
mod completed;
mod configured;
mod contexts;
mod debating;
#[path = "../../../../debates/tests/suite/recorded.rs"]
pub(crate) mod folder;
pub(crate) mod harness;
mod help;
mod naming;
mod past;
mod planted;
mod published;
mod reading;
#[path = "../../../../health/tests/suite/record.rs"]
pub(crate) mod record;
mod reference;
mod reports;
mod roster;
mod seat_context;
mod session_context;
mod session_examined;
mod session_findings;
mod session_handover;
mod session_reminder;
mod suggest;
mod team_settings;
mod typed;
