//! The domain of a debate, without any I/O.
//!
//! A debate is a list of [`event::Event`]s. [`state::State`] is what they add
//! up to, and [`plan::plan`] says what happens next: calls to make, decisions
//! to record, a person to wait for, or the end. Both are pure, so the plan
//! after a crash is the plan before it.
//!
//! This crate knows nothing of files, processes, clocks or terminals.

pub mod answer;
pub mod authority;
pub mod documents;
pub mod event;
pub mod evidence;
pub mod expected;
pub mod facts;
pub mod fence;
pub mod finding;
pub(crate) mod floor;
pub mod format;
pub mod graph;
pub mod ground;
pub mod human;
pub mod id;
pub mod inquiry;
pub mod likeness;
pub mod moves;
pub mod narrative;
pub mod ops;
pub mod panel;
pub mod parse;
pub(crate) mod piece;
pub mod plan;
pub mod point;
pub mod precedent;
pub mod prompt;
pub mod render;
pub mod result;
pub mod rule;
pub mod schema;
pub mod score;
pub mod spec;
pub mod stamp;
pub mod state;
pub mod status;
pub mod steer;
pub mod summary;
mod swap;
pub mod tally;
pub mod text;
pub mod user;
pub mod verdict;
pub mod weights;
pub mod words;
