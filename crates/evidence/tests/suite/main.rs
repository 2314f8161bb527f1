//! All integration tests of this crate, in one executable.

mod copy;
mod pages;
mod pin;
mod repo;
mod resolve;
