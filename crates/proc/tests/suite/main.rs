//! Tests with real child processes.

#![expect(clippy::unwrap_used, reason = "tests")]

mod common;
mod complete;
mod find;
mod guard;
mod held;
mod run;
mod survivor;
