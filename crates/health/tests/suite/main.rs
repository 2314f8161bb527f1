//! Sessions on disk and what they come to, through this crate alone.
#![expect(clippy::unwrap_used, reason = "tests")]

mod examined;
mod findings;
mod measured;
mod place;
mod record;
mod reminded;
