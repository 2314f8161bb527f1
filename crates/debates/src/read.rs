//! Reads a debate: its verdict, its record, its graph and its problems.

pub mod check;
pub mod demo;
pub mod evidence;
pub(crate) mod findings;
pub mod graph;
pub mod pager;
pub mod playback;
pub mod replay;
pub mod rules;
pub mod section;
pub mod show;
