//! All integration tests of this crate, in one executable.

mod common;
mod fake_models;
mod fake_tools;
mod real_clis;
mod scripts;
