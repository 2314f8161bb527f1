//! Steps of a formal debate that are refused: each with its reason, and nothing changes.

mod malformed;
mod strict;
pub(crate) mod world;
