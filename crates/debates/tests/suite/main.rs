//! Debates through this crate alone: no command line. Where tools argue, they are fakes in processes
//! of their own.
#![expect(clippy::unwrap_used, reason = "tests")]

mod consult;
mod contexts;
mod duel;
mod edited;
mod formal;
mod front;
mod graph;
mod ops;
mod place;
mod project;
mod read;
mod recorded;
mod tree;
