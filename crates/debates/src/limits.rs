//! Limits of debates: calls, tokens, time and money, per debate, day and month, and the expected
//! usage.

pub(crate) mod bounds;
pub(crate) mod expectation;
pub mod grants;
pub(crate) mod ledger;
pub(crate) mod record_limits;
pub(crate) mod spending;
