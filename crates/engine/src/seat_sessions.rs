//! The session of a seat, built from the record of its debate in the model of `agon-sessions`.
//!
//! The record contains what the seat was given (as the parts of its prompts), what it said, which
//! citations were checked, what its tool changed, and the tokens that the tool reports. It does not
//! contain the tool's own actions. The tool's own session records are not read, since most seats
//! run with them switched off, and a copy of the debate's folder would give a different session.

mod monitor;
mod reader;
mod session_texts;
mod stream;

pub use monitor::seat_findings;
pub use reader::{SeatReader, seats_with_sessions};

/// The prefix of a location in such a session: `ask r1.pro#0`.
const ASK: &str = "ask";
