//! The store of a team from outside: in one process, in many, and killed.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a test fails where it goes wrong; processes that race and die are this program itself"
)]

mod adopted;
mod crash;
mod doctor;
mod edits;
mod file;
mod imports;
mod joins;
mod mail;
mod model;
mod race;
mod returns;
mod sessions;
mod support;
mod work;
