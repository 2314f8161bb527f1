//! What holds for whole debates, whatever the tools say.

#![expect(clippy::unwrap_used, reason = "a helper may stop the test")]

mod built_in;
mod duel;
mod formal;
mod graph;
mod hangs_on;
mod result;
mod scripted;
mod verdict;
