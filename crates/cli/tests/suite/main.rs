//! The whole program, run as its users run it, in one binary of tests: a folder a suite.
#![expect(clippy::unwrap_used, reason = "a helper may stop the test")]

mod cli;
mod crash;
mod foreign;
mod formal;
mod graph;
mod ops;
mod real;
mod scenarios;
mod support;
