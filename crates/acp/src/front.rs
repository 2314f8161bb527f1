//! The front end of a prompt, which sends notes and asks the user.

use agon_caller::{CallFront, Failure, Notes};
use agon_debates::front::{Beginning, FrontEnd};
use agon_debates::steer::observer::{Observer, Unwatched};
#[cfg(feature = "local-model")]
use agon_seats::model::{PullFront, PullProgress, UnwatchedPull};
use tokio_util::sync::CancellationToken;

use crate::permission::ask_permission;
use crate::updates::Updates;

/// Sends the notes of a prompt, and asks before spending money.
#[derive(Debug)]
pub(crate) struct PromptFront {
    updates: Updates,
    cancel: CancellationToken,
    watch: Unwatched,
    /// Whether the user refused something.
    pub(crate) is_refused: bool,
}

impl PromptFront {
    /// Returns a front end whose calls are cancelled by `cancel`.
    pub(crate) fn new(updates: Updates, cancel: CancellationToken) -> Self {
        Self {
            updates,
            cancel,
            watch: Unwatched,
            is_refused: false,
        }
    }

    /// Asks the user `question` and returns whether the answer is yes.
    pub(crate) async fn ask(&mut self, question: &str) -> bool {
        let is_allowed = ask_permission(&self.updates, &self.cancel, question).await;
        self.is_refused |= !is_allowed;
        is_allowed
    }
}

impl Notes for PromptFront {
    fn note(&mut self, note: &str) {
        let note = note.trim();
        self.updates.send_paragraph(&format!("_{note}_"));
    }

    fn warn(&mut self, warning: &str) {
        self.note(&format!("warning: {warning}"));
    }
}

#[async_trait::async_trait(?Send)]
impl FrontEnd for PromptFront {
    fn begin_debate(&mut self, _debate: &Beginning<'_>) -> Result<CancellationToken, Failure> {
        Ok(self.cancel.clone())
    }

    fn observer(&mut self) -> &mut dyn Observer {
        &mut self.watch
    }

    fn has_person(&self) -> bool {
        true
    }

    async fn confirm(&mut self, question: &str) -> bool {
        self.ask(question).await
    }
}

#[async_trait::async_trait(?Send)]
impl CallFront for PromptFront {
    fn cancel_token(&mut self) -> CancellationToken {
        self.cancel.clone()
    }

    fn can_ask(&self) -> bool {
        true
    }

    async fn is_agreed(&mut self, question: &str) -> bool {
        self.ask(question).await
    }
}

#[cfg(feature = "local-model")]
impl PullFront for PromptFront {
    fn begin_pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken) {
        (Box::new(UnwatchedPull), self.cancel.clone())
    }
}
