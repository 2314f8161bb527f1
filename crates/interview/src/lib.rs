//! The interview, which lets a model debate that is too small for a whole turn.
//!
//! Such a model copies its instructions and cannot fill in a form, but it can answer one short
//! question in plain words. [`Interview::for_turn`] creates the questions of a turn, and
//! [`Interview::conduct`] asks them one at a time. The reply is the transcript: each question with
//! its answer. [`read_moves`] turns it into moves. Every sentence in them is an answer of the
//! model, up to the point where it contradicts itself. [`read_options`] derives the options of the
//! two sides from the topic.
//!
//! This crate accesses no files, processes, clocks or terminals; the caller asks the model.

mod computing;
mod conduct;
mod field;
mod filter;
mod moves;
mod options;
mod question;
mod questions;
mod statement;
mod transcript;

pub use conduct::{MAX_ANSWER_TOKENS, PlainQuestion};
pub use filter::is_complete_answer;
pub use moves::{InterviewError, NO_USABLE_REASON, read_moves};
pub use options::{OptionsError, read_options};
pub use question::{Interview, Question};
