//! The whole program, run as its users run it: `agon` as a process in an environment of its own.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_types,
    reason = "a suite that runs the real binary"
)]

mod debating;
mod folder;
mod harness;
mod help;
mod past;
mod reading;
mod reference;
