//! Rejected steps of a formal debate: each with its reason, without any change.

mod malformed;
mod strict;
pub(crate) mod world;
