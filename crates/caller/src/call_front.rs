//! The front end of tool calls outside a debate.

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::Notes;

/// Receives notes while tools are called, and can cancel the calls.
#[async_trait(?Send)]
pub trait CallFront: Notes {
    /// Returns the token that cancels the next call.
    fn cancel_token(&mut self) -> CancellationToken;

    /// Returns whether a person can be asked.
    fn can_ask(&self) -> bool {
        false
    }

    /// Returns whether the user answers yes to `question`; false without a person.
    async fn is_agreed(&mut self, _question: &str) -> bool {
        false
    }
}
