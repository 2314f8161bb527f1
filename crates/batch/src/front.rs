//! The front end of one debate of a batch: no person answers, and the usage is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use agon_caller::{Failure, Notes};
use agon_debates::front::{Beginning, FrontEnd};
use agon_debates::steer::observer::{AskKey, Event, Observer, PersonQuestion, State};
#[cfg(feature = "local-model")]
use agon_seats::model::{PullFront, PullProgress, UnwatchedPull};
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

/// What a running debate has used.
#[derive(Debug, Default)]
pub(crate) struct Live {
    pub(crate) tokens: AtomicU64,
    pub(crate) cost_micros: AtomicU64,
}

/// A note or warning of a debate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RowNote {
    Note(String),
    Warning(String),
}

impl RowNote {
    pub(crate) fn pass_on(&self, notes: &mut dyn Notes) {
        match self {
            Self::Note(text) => notes.note(text),
            Self::Warning(text) => notes.warn(text),
        }
    }
}

/// The front end of one debate.
#[derive(Debug)]
pub(crate) struct RowFront {
    cancel: CancellationToken,
    notes: Option<UnboundedSender<RowNote>>,
    observer: Counter,
}

#[derive(Debug)]
struct Counter(Arc<Live>);

impl RowFront {
    pub(crate) fn new(
        cancel: CancellationToken,
        notes: UnboundedSender<RowNote>,
        live: Arc<Live>,
    ) -> Self {
        Self {
            cancel,
            notes: Some(notes),
            observer: Counter(live),
        }
    }

    /// Returns a front end that drops notes.
    pub(crate) fn silent(cancel: CancellationToken) -> Self {
        Self {
            cancel,
            notes: None,
            observer: Counter(Arc::default()),
        }
    }

    fn send(&self, note: RowNote) {
        if let Some(notes) = &self.notes {
            // The receiver is gone only after the run has ended.
            drop(notes.send(note));
        }
    }
}

impl Notes for RowFront {
    fn note(&mut self, note: &str) {
        self.send(RowNote::Note(note.to_owned()));
    }

    fn warn(&mut self, warning: &str) {
        self.send(RowNote::Warning(warning.to_owned()));
    }
}

#[cfg(feature = "local-model")]
impl PullFront for RowFront {
    fn begin_pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken) {
        (Box::new(UnwatchedPull), self.cancel.clone())
    }
}

#[async_trait(?Send)]
impl FrontEnd for RowFront {
    fn begin_debate(&mut self, _: &Beginning<'_>) -> Result<CancellationToken, Failure> {
        Ok(self.cancel.clone())
    }

    fn observer(&mut self) -> &mut dyn Observer {
        &mut self.observer
    }
}

#[async_trait]
impl Observer for Counter {
    fn on_call_started(&mut self, _: &State, _: AskKey) {}

    fn on_events_recorded(&mut self, state: &State, _: &[Event]) {
        let Live {
            tokens,
            cost_micros,
        } = &*self.0;
        tokens.store(state.spent.total_tokens(), Ordering::Relaxed);
        cost_micros.store(state.spent.total_cost_micros(), Ordering::Relaxed);
    }

    async fn answer_yes_or_no(&mut self, _: &PersonQuestion) -> bool {
        false
    }
}
