//! Every test of this crate from outside, in one program.

mod dialects;
mod drift;
mod http;
mod profiles;
mod tools;
