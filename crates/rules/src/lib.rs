//! What a debate demands: who speaks next, how a reply is read, and which rules it is held to.
//!
//! [`plan::plan`] says what happens next: calls to make, decisions to record, a person to wait for,
//! or the end. It is a pure function of the [`State`](agon_record::state::State), so the plan after
//! a crash is the plan before it. Each [`format`](mod@format) has its own order of turns; a reply is
//! read by [`parse`], held to the [`schema`] of its turn and to every [`rule`] of its format, then
//! sent back, admitted or given up.
//!
//! Nothing here touches files, processes, clocks or terminals.

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
