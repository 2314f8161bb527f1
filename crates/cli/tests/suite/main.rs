//! The whole program, run as its users run it, in one binary of tests: a folder a suite.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_types,
    clippy::print_stderr,
    reason = "the suites run the real program, and say what they skipped"
)]

mod acp;
mod batch;
mod cli;
mod crash;
mod docs;
mod features;
mod foreign;
mod formal;
mod graph;
mod hosts;
mod mcp;
mod ops;
mod real;
mod scenarios;
mod support;
mod team;
mod trial;
