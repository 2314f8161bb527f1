//! An observer that also sends the words of a debate to its socket.

use std::sync::Arc;

use agon_engine::observer::{Listener, Observer};
use agon_record::event::Event;
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_record::user::Item;
use agon_rules::plan::PersonQuestion;
use agon_rules::steer::CommandRefusal;
use async_trait::async_trait;

use super::{LiveFeed, LiveWords};

/// Forwards everything to another observer, and the seats' words to a feed.
pub(crate) struct LiveObserver<'a> {
    /// The caller's observer.
    inner: &'a mut dyn Observer,
    /// The feed, if there is one.
    feed: Option<Arc<LiveFeed>>,
}

impl<'a> LiveObserver<'a> {
    /// Returns an observer that forwards to `inner` and `feed`.
    pub(crate) fn new(inner: &'a mut dyn Observer, feed: Option<&Arc<LiveFeed>>) -> Self {
        Self {
            inner,
            feed: feed.cloned(),
        }
    }
}

#[async_trait]
impl Observer for LiveObserver<'_> {
    fn on_call_started(&mut self, state: &State, key: AskKey) {
        self.inner.on_call_started(state, key);
    }

    fn listener(&self, key: AskKey) -> Option<Arc<dyn Listener>> {
        let shown = self.inner.listener(key);
        match &self.feed {
            None => shown,
            Some(feed) => Some(Arc::new(LiveListener {
                call: key,
                feed: Arc::clone(feed),
                shown,
            })),
        }
    }

    fn on_events_recorded(&mut self, state: &State, events: &[Event]) {
        self.inner.on_events_recorded(state, events);
    }

    async fn next_request(&mut self) -> Item {
        self.inner.next_request().await
    }

    fn on_request_refused(&mut self, state: &State, why: &CommandRefusal) {
        self.inner.on_request_refused(state, why);
    }

    async fn answer_yes_or_no(&mut self, wanted: &PersonQuestion) -> bool {
        self.inner.answer_yes_or_no(wanted).await
    }
}

#[derive(Debug)]
struct LiveListener {
    call: AskKey,
    feed: Arc<LiveFeed>,
    shown: Option<Arc<dyn Listener>>,
}

impl Listener for LiveListener {
    fn show_words(&self, words: &str) {
        if let Some(shown) = &self.shown {
            shown.show_words(words);
        }
        self.feed.send(&LiveWords {
            call: self.call,
            words: words.to_owned(),
        });
    }

    fn hear_bytes(&self, bytes: usize) {
        if let Some(shown) = &self.shown {
            shown.hear_bytes(bytes);
        }
    }
}
