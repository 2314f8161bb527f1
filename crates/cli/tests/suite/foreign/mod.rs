//! Debates of another tool, where `AGON_FOREIGN_DEBATES` names a directory of them:
//! the real program reads them, goes on with them, and hands them back and forth.

#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(clippy::disallowed_types, reason = "the suite runs the real program")]
#![expect(clippy::print_stderr, reason = "the suite says what it skipped")]

mod edited;
mod going_on;
mod moves;
mod other;
mod reading;
pub(crate) mod world;
