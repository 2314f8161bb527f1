//! What a debate may use: bounds, tokens of a day and a month, and what it is expected to take.

pub(crate) mod bounds;
pub(crate) mod expectation;
pub(crate) mod ledger;
pub mod opened;
pub(crate) mod record_limits;
pub(crate) mod spending;
