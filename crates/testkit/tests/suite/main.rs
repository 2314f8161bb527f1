//! Every test of this crate from outside, in one program.

mod common;
mod fake_models;
mod fake_tools;
mod real_clis;
mod scripts;
