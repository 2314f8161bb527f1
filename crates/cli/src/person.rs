//! A person who answers at the terminal.

mod input;
mod interview;
mod sitting;

use agon_debates::front::desk::{Desk, SittingOutcome};

use crate::error::Failure;
use crate::output::Out;

/// Lets a person write one answer until they hand it in or leave.
///
/// # Errors
///
/// If what they wrote cannot be kept, or they stop it with Ctrl-C.
pub(crate) async fn run_answer_session(
    desk: &Desk<'_>,
    out: &mut Out,
) -> Result<SittingOutcome, Failure> {
    sitting::AnswerWriter { desk }.run_session(out).await
}
