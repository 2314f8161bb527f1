//! The record of a debate, and what it adds up to.
//!
//! A debate is a list of [`event::Event`]s that opens with a [`spec::Spec`]; [`state::State`] is
//! what they add up to. What the seats say are [`moves::Moves`], whose points have [`id::NodeId`]s,
//! and what was found at the places they cite stands in [`evidence`]. Text of others passes through
//! [`text`] before it is shown.
//!
//! This crate knows what was recorded, and nothing of what it should have been: that is the affair
//! of `agon-rules`. Nothing here touches files, processes, clocks or terminals.

pub mod answer;
pub mod answer_file;
pub mod authority;
pub mod cause;
pub mod document;
pub mod event;
pub mod evidence;
pub mod finding;
pub mod format;
pub mod grammar;
pub mod ground;
pub mod id;
pub mod likeness;
pub mod mention;
pub mod moves;
pub mod options;
pub mod piece;
pub mod point;
pub mod precedent;
pub mod score;
pub mod seat_finding;
pub mod spec;
pub mod stamp;
pub mod state;
pub mod support;
pub mod swap;
pub mod tally;
pub mod text;
pub mod user;
pub mod weights;
pub mod words;
