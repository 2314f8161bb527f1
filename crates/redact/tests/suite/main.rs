//! All integration tests of this crate, in one executable.

#[expect(clippy::unwrap_used, reason = "tests")]
mod corpus;
mod keys;
mod kinds;
mod places;
mod quoting;
mod recall;
mod redact;
mod stand_ins;
mod structures;
mod vendors;
