//! Keeps a debate only in memory.

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
    /// Opens a new debate.
    pub fn open(spec: Spec) -> Self {
        let state = State::open(spec.clone());
        let events = vec![Event::Opened(Box::new(spec))];
        Self { state, events }
    }

    /// Returns the record so far.
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

    /// Stores nothing, since the original files are still available.
    fn store_blob(&mut self, _bytes: &[u8]) -> Result<(), ReplayError> {
        Ok(())
    }

    fn publish_documents(&mut self) -> Result<(), ReplayError> {
        Ok(())
    }
}
