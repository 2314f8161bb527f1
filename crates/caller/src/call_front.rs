//! The front end of tool calls outside a debate.

use tokio_util::sync::CancellationToken;

use crate::Notes;

/// Receives notes while tools are called, and can cancel the calls.
pub trait CallFront: Notes {
    /// Returns the token that cancels the next call.
    fn cancel_token(&mut self) -> CancellationToken;
}
