//! What watches a debate and answers for the person behind it.

use std::fmt;
use std::sync::Arc;

use agon_record::event::Event;
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::user::Item;
use agon_rules::plan::PersonQuestion;
use agon_rules::steer::CommandRefusal;
use async_trait::async_trait;

/// Hears what a tool says while it says it.
pub trait Listener: fmt::Debug + Send + Sync {
    /// Its last words so far, on one line: without secrets and without what a terminal would obey.
    fn show_words(&self, words: &str);

    /// It wrote so many more bytes, whether they may be shown yet or not.
    fn hear_bytes(&self, _bytes: usize) {}
}

/// Watches a debate while it runs.
#[async_trait(?Send)]
pub trait Observer {
    /// A call is under way.
    fn on_call_started(&mut self, state: &State, key: AskKey);

    /// Who hears what the tool says in the call that is under way; none where it is not shown.
    fn listener(&self, _key: AskKey) -> Option<Arc<dyn Listener>> {
        None
    }

    /// Events were recorded; `state` has them applied.
    fn on_events_recorded(&mut self, state: &State, events: &[Event]);

    /// The next request of the user; waits until there is one.
    ///
    /// Nothing is lost when it is dropped before that.
    async fn next_request(&mut self) -> Item {
        std::future::pending().await
    }

    /// A wish was not granted.
    fn on_request_refused(&mut self, _state: &State, _why: &CommandRefusal) {}

    /// Answers a question of the debate with yes or no.
    async fn answer_yes_or_no(&mut self, wanted: &PersonQuestion) -> bool;
}

/// Watches nothing, and never stops a debate early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

#[async_trait(?Send)]
impl Observer for Unwatched {
    fn on_call_started(&mut self, _state: &State, _key: AskKey) {}

    fn on_events_recorded(&mut self, _state: &State, _events: &[Event]) {}

    async fn answer_yes_or_no(&mut self, _wanted: &PersonQuestion) -> bool {
        false
    }
}
