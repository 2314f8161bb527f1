//! A person who writes an answer at the terminal.

mod answer_writer;
mod input;
mod interview;

use agon_debates::front::desk::{Desk, SittingOutcome};

use crate::error::Failure;
use crate::output::Out;

/// Lets a person write one answer until they submit it or leave.
///
/// # Errors
///
/// Returns an error if the answer cannot be saved, or the person presses Ctrl-C.
pub(crate) async fn run_answer_session(
    desk: &Desk<'_>,
    out: &mut Out,
) -> Result<SittingOutcome, Failure> {
    answer_writer::AnswerWriter { desk }.run_session(out).await
}
