//! Every test of this crate from outside, in one program.

mod corpus;
mod places;
mod quoting;
mod recall;
mod redact;
