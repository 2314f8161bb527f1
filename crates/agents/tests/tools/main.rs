//! Agents over real processes: the fake tools in every mood, and the real ones where installed.
#![expect(clippy::unwrap_used, reason = "tests")]

mod acp;
mod common;
mod confined;
mod fake;
mod real;
mod toolbox;
