//! A debater cannot open a debate.

use crate::{Caller, Code, Failure};

/// Refuses what would open or steer a debate from inside one.
///
/// # Errors
///
/// If the caller runs inside a debate.
pub fn refuse_nested(caller: &Caller) -> Result<(), Failure> {
    if caller.nesting_depth() == 0 {
        return Ok(());
    }
    Err(Failure::new(
        Code::Depth,
        "this runs inside a debate, which cannot open another",
    )
    .hint("answer in the debate instead; AGON_DEPTH says how deep this is"))
}
