//! The rules of a debate: the order of turns, the parser for replies, and the checks on them.
//!
//! [`plan::plan`] returns what happens next: calls to make, decisions to record, a person to wait
//! for, or the end. It is a pure function of the [`State`](agon_record::state::State), so the plan
//! after a crash is the same as before it. Each [`format`](mod@format) has its own order of turns.
//! A reply is read by [`parse`], checked against the [`schema`] of its turn and every [`rule`] of
//! its format, and then sent back, admitted or rejected.
//!
//! Nothing here uses files, processes, clocks or terminals.

pub mod expected;
pub mod floor;
pub mod format;
pub mod narrative;
pub mod ops;
pub mod panel;
pub mod parse;
pub mod plan;
pub mod rule;
pub mod schema;
pub mod steer;
pub mod topic;
