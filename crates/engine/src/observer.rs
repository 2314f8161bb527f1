//! Observes a debate and answers for its user.

use std::fmt;
use std::sync::Arc;

use agon_record::event::Event;
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::user::Item;
use agon_rules::plan::PersonQuestion;
use agon_rules::steer::CommandRefusal;
use async_trait::async_trait;

/// Receives the words of a tool while they arrive.
pub trait Listener: fmt::Debug + Send + Sync {
    /// Called with the latest words on one line, without secrets and control characters.
    fn show_words(&self, words: &str);

    /// Called when the tool has written `bytes` more bytes, whether they may be shown yet or not.
    fn hear_bytes(&self, _bytes: usize) {}
}

/// Observes a debate while it runs.
#[async_trait]
pub trait Observer: Send {
    /// Called when a call has started.
    fn on_call_started(&mut self, state: &State, key: AskKey);

    /// Returns the listener for the running call; `None` if its words are not shown.
    fn listener(&self, _key: AskKey) -> Option<Arc<dyn Listener>> {
        None
    }

    /// Called when events were recorded; `state` includes them.
    fn on_events_recorded(&mut self, state: &State, events: &[Event]);

    /// Waits for the next request of the user.
    ///
    /// Dropping the future loses nothing.
    async fn next_request(&mut self) -> Item {
        std::future::pending().await
    }

    /// Called when a request was rejected.
    fn on_request_refused(&mut self, _state: &State, _why: &CommandRefusal) {}

    /// Answers a yes-or-no question of the debate.
    async fn answer_yes_or_no(&mut self, wanted: &PersonQuestion) -> bool;
}

/// Observes nothing and never stops a debate early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

#[async_trait]
impl Observer for Unwatched {
    fn on_call_started(&mut self, _state: &State, _key: AskKey) {}

    fn on_events_recorded(&mut self, _state: &State, _events: &[Event]) {}

    async fn answer_yes_or_no(&mut self, _wanted: &PersonQuestion) -> bool {
        false
    }
}
