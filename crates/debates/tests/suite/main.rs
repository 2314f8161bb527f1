//! Debates through this crate only, without a command line. Tools are fake programs.
#![expect(clippy::unwrap_used, reason = "tests")]

mod consent;
mod consult;
mod contexts;
mod duel;
mod edited;
mod formal;
mod front;
mod graph;
mod ops;
mod place;
mod plan_review;
mod project;
mod read;
mod recorded;
mod review;
mod session_brief;
mod suggest;
mod tree;
