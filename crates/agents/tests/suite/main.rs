//! Every test of this crate from outside, in one program.

mod dialects;
mod environments;
mod http;
mod measured;
mod profiles;
mod tools;
