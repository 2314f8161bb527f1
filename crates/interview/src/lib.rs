//! The interview: how a model that is too small for a whole turn debates all the same.
//!
//! Such a model copies what it is told and writes no form, but it answers one short question in
//! plain words. [`Interview::for_turn`] makes the questions of a turn, [`Interview::conduct`] asks
//! them one at a time, and the reply is the transcript: each question with its answer.
//! [`read_moves`] makes the moves of it. Every sentence in them is an answer of the model, up to
//! where it takes back what it says. [`read_options`] reads out of the topic what the two sides
//! stand for.
//!
//! Nothing here touches files, processes, clocks or terminals; the caller asks the model.

mod computing;
mod conduct;
mod field;
mod filter;
mod moves;
mod options;
mod question;
mod questions;
mod said;
mod transcript;

pub use conduct::{MAX_ANSWER_TOKENS, PlainQuestion};
pub use filter::says_enough;
pub use moves::{InterviewError, NO_USABLE_REASON, read_moves};
pub use options::{OptionsError, read_options};
pub use question::{Interview, Question};
