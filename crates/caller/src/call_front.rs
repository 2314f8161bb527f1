//! What a front end does while tools are called outside a debate.

use tokio_util::sync::CancellationToken;

use crate::Notes;

/// Hears what is worth a word while tools are called, and stops them.
pub trait CallFront: Notes {
    /// A call is about to be made; cancelling the token stops it.
    fn cancel_token(&mut self) -> CancellationToken;
}
