//! Debates through this crate alone: no command line, and fake tools that are real processes.
#![expect(clippy::unwrap_used, reason = "tests")]

mod duel;
mod front;
mod place;
