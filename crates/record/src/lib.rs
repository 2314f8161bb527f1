//! The record of a debate, and the state computed from it.
//!
//! A debate is a list of [`event::Event`]s that begins with a [`spec::Spec`]. [`state::State`] is
//! computed from them. The seats' replies are [`moves::Moves`], whose points have [`id::NodeId`]s.
//! The results of looking up their citations are in [`evidence`]. Untrusted text passes through
//! [`text`] before it is shown.
//!
//! This crate describes what was recorded. Whether that follows the rules is checked by
//! `agon-rules`. Nothing here uses files, processes, clocks or terminals.

pub mod answer;
pub mod answer_file;
pub mod authority;
pub mod cause;
pub mod decision;
pub mod document;
pub mod event;
pub mod evidence;
pub mod finding;
pub mod format;
pub mod grammar;
pub mod ground;
pub mod id;
pub mod mention;
pub mod moves;
pub mod options;
pub mod piece;
pub mod point;
pub mod precedent;
pub mod score;
pub mod seat_finding;
pub mod similarity;
pub mod spec;
pub mod stamp;
pub mod state;
pub mod support;
pub mod swap;
mod tagged;
pub mod tally;
pub mod text;
pub mod user;
pub mod weights;
pub mod words;
