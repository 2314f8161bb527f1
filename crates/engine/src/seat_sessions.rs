//! The session of a seat, made from the record of its debate in the model of `agon-sessions`.
//!
//! The record has what the seat was told (by what it was made from), what it said, what was looked up
//! of it, what its tool changed, and tokens as the tool reports them. What its tool did by itself is
//! not recorded, and no record of the tool's own is read: most seats run with theirs switched off, and
//! a copy of the debate's folder would give another session.

mod monitor;
mod reader;
mod stream;
mod words;

pub use monitor::seat_findings;
pub use reader::{SeatReader, seats_with_sessions};

/// The table by which a place in such a session is named: `ask r1.pro#0`.
const ASK: &str = "ask";
