//! Every test of this crate from outside, in one program.

mod copy;
mod pages;
mod pin;
mod repo;
mod resolve;
