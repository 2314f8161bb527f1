//! Argument graphs of debates and of files, solved by the real program.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::print_stderr,
    reason = "a suite that runs the real program"
)]

mod debates;
mod files;
