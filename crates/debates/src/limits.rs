//! What a debate may use: bounds, tokens of a day and a month, and what it is expected to take.

pub mod bounds;
pub mod expectation;
pub mod ledger;
pub mod opened;
pub mod record_limits;
pub mod spending;
