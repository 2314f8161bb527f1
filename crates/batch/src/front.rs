//! The front end of one debate of a batch: no person answers, and the usage is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use agon_caller::{CallFront, Failure, Notes};
use agon_debates::front::{Beginning, FrontEnd};
use agon_debates::questions::consult::{ConsultAnswer, ConsultFront};
use agon_debates::request::ToolName;
use agon_debates::steer::observer::{AskKey, Event, Observer, PersonQuestion, State};
#[cfg(feature = "local-model")]
use agon_seats::model::{PullFront, PullProgress, UnwatchedPull};
use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use crate::usage::Used;

/// What a running debate and the earlier attempts at it have used.
#[derive(Debug, Default)]
pub(crate) struct Live {
    /// What all attempts used.
    tokens: AtomicU64,
    cost_micros: AtomicU64,
    /// What the earlier attempts used.
    earlier_tokens: AtomicU64,
    earlier_cost_micros: AtomicU64,
}

impl Live {
    /// Returns the tokens, and the cost in millionths of a dollar.
    pub(crate) fn used(&self) -> (u64, u64) {
        let [tokens, cost_micros] = [&self.tokens, &self.cost_micros];
        (
            tokens.load(Ordering::Relaxed),
            cost_micros.load(Ordering::Relaxed),
        )
    }

    /// Sets what is known of the debate before it runs.
    pub(crate) fn begin(&self, (tokens, cost_micros): (u64, u64)) {
        self.tokens.store(tokens, Ordering::Relaxed);
        self.cost_micros.store(cost_micros, Ordering::Relaxed);
    }

    /// Sets what the attempts before the running one used.
    pub(crate) fn set_earlier(&self, earlier: Used) {
        self.earlier_tokens.store(earlier.tokens, Ordering::Relaxed);
        let cost = earlier.cost_micros;
        self.earlier_cost_micros.store(cost, Ordering::Relaxed);
    }

    /// Sets what the running attempt has used.
    fn update(&self, state: &State) {
        let (tokens, cost) = (state.spent.total_tokens(), state.spent.total_cost_micros());
        let tokens = tokens.saturating_add(self.earlier_tokens.load(Ordering::Relaxed));
        let cost = cost.saturating_add(self.earlier_cost_micros.load(Ordering::Relaxed));
        self.begin((tokens, cost));
    }
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

impl CallFront for RowFront {
    fn cancel_token(&mut self) -> CancellationToken {
        self.cancel.clone()
    }
}

impl ConsultFront for RowFront {
    fn ask_started(&mut self, _: usize, _: &ToolName) {}

    fn ask_finished(&mut self, _: usize, _: &ConsultAnswer, note: Option<&str>) {
        if let Some(note) = note {
            self.note(note);
        }
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
        self.0.update(state);
    }

    async fn answer_yes_or_no(&mut self, _: &PersonQuestion) -> bool {
        false
    }
}
