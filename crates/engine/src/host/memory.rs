//! A debate that leaves nothing behind.

use agon_record::event::Event;
use agon_record::spec::Spec;
use agon_record::state::{ReplayError, State};

use crate::host::Host;

/// Keeps the record in memory.
#[derive(Clone, Debug)]
pub struct MemoryHost {
    state: State,
    events: Vec<Event>,
}

impl MemoryHost {
    /// A debate in which nothing has been said yet.
    pub fn open(spec: Spec) -> Self {
        let state = State::open(spec.clone());
        let events = vec![Event::Opened(Box::new(spec))];
        Self { state, events }
    }

    /// The record so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

impl Host for MemoryHost {
    type Error = ReplayError;

    fn state(&self) -> &State {
        &self.state
    }

    fn record(&mut self, events: &[Event]) -> Result<(), ReplayError> {
        for event in events {
            self.state.apply(event)?;
        }
        self.events.extend_from_slice(events);
        Ok(())
    }

    /// Nothing is kept: what the record rests on is still where it came from.
    fn store_blob(&mut self, _bytes: &[u8]) -> Result<(), ReplayError> {
        Ok(())
    }

    fn publish_documents(&mut self) -> Result<(), ReplayError> {
        Ok(())
    }
}
