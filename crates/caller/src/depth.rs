//! Prevents debates inside debates.

use crate::{Caller, Code, Failure};

/// Rejects a request from inside a debate that would start or steer a debate.
///
/// # Errors
///
/// Returns an error if the caller runs inside a debate.
pub fn refuse_nested(caller: &Caller) -> Result<(), Failure> {
    if caller.nesting_depth() == 0 {
        return Ok(());
    }
    Err(
        Failure::new(Code::Depth, "a debate cannot start another debate")
            .hint("answer in the running debate instead (AGON_DEPTH is the nesting depth)"),
    )
}
