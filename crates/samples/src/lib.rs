//! Hand-written debates of both formats, for the tests of several crates.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a wrong sample must stop the test"
)]

pub mod batches;
pub mod duel;
pub mod formal;
pub mod job_store;
pub mod steps;
