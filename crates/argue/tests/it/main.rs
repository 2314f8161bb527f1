//! What the library promises, tested from outside.

#![expect(clippy::unwrap_used, reason = "tests")]

mod common;
mod strength_laws;
mod worked_strengths;
