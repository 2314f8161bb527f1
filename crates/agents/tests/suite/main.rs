//! All integration tests of this crate, in one program.

mod dialects;
mod environments;
mod http;
mod measured;
mod profiles;
mod tools;
