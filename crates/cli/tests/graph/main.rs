//! Argument graphs of debates and of files, solved by the real program.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::print_stderr,
    reason = "a suite that runs the real program"
)]

#[expect(dead_code, reason = "other suites ask more of it")]
#[path = "../support/mod.rs"]
mod support;

#[expect(dead_code, reason = "other suites ask more of it")]
#[path = "../scenarios/place.rs"]
mod place;

#[expect(dead_code, reason = "other suites ask more of it")]
#[path = "../formal/table.rs"]
mod table;

#[expect(dead_code, reason = "other suites ask more of it")]
#[path = "../foreign/world.rs"]
mod world;

mod debates;
mod files;
