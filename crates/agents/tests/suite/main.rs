//! Every test of this crate from outside, in one program.

mod dialects;
mod drift;
mod environments;
mod http;
mod profiles;
mod tools;
