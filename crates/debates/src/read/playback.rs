//! Plays a record line by line.

use std::collections::VecDeque;

use agon_caller::{Code, Failure, FailureKind};
use agon_engine::observer::Observer;
use agon_engine::replay::Replay;
use agon_record::event::Event;
use agon_record::state::{ReplayError, State};

use crate::status::ending;
use crate::status::outcome::Ended;

/// The events of each journal line.
pub(crate) type Record = Vec<Vec<Event>>;

/// A record that is being played.
#[derive(Debug)]
pub struct Playback {
    replay: Replay,
    /// The lines that are not yet played.
    lines: VecDeque<Vec<Event>>,
    folder: String,
    /// The debate's clock at the last finished call.
    clock_ms: u64,
}

impl Playback {
    /// Opens a debate from its record, at its beginning; `folder` is its folder as printed.
    pub(crate) fn open(record: Record, folder: String) -> Result<Self, Failure> {
        let mut lines = VecDeque::from(record);
        let opening = lines.front_mut().filter(|line| !line.is_empty());
        let first = opening.ok_or_else(empty_record_failure)?.remove(0);
        let replay = Replay::open(&first).map_err(|error| broken_record_failure(&error))?;
        Ok(Self {
            replay,
            lines,
            folder,
            clock_ms: 0,
        })
    }

    /// Returns the debate as far as it was played.
    pub fn played_state(&self) -> &State {
        self.replay.state()
    }

    /// Returns its folder, as printed.
    pub fn folder_name(&self) -> &str {
        &self.folder
    }

    /// Returns the result as far as it was played.
    pub fn ended(&self) -> Ended {
        ending::ended_earlier(self.played_state().clone(), self.folder.clone())
    }

    pub(crate) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Returns how long the debate waited for the calls of the next line, in milliseconds.
    ///
    /// `None` if no call came back in that line, or no line is left.
    pub fn ms_until_next_line(&self) -> Option<u64> {
        Some(returned_ms(self.lines.front()?)?.saturating_sub(self.clock_ms))
    }

    /// Plays the next line for `front`. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the record does not contain a debate.
    pub fn play_line(&mut self, front: &mut dyn Observer) -> Result<bool, Failure> {
        let Some(events) = self.lines.pop_front() else {
            return Ok(false);
        };
        self.clock_ms = returned_ms(&events).unwrap_or(self.clock_ms);
        for event in &events {
            self.replay
                .play(event)
                .map_err(|error| broken_record_failure(&error))?;
        }
        notify_observer(front, self.replay.state(), &events);
        Ok(true)
    }
}

fn notify_observer(front: &mut dyn Observer, state: &State, events: &[Event]) {
    for event in events {
        if let Event::Asked(asked) = event {
            front.on_call_started(state, asked.key);
        }
    }
    front.on_events_recorded(state, events);
}

/// Returns the debate's clock when the calls of a line finished; `None` if none did.
fn returned_ms(events: &[Event]) -> Option<u64> {
    let clock_ms = |event: &Event| match event {
        Event::Given(given) => Some(given.clock_ms),
        Event::Lost(lost) => Some(lost.clock_ms),
        _ => None,
    };
    events.iter().filter_map(clock_ms).max()
}

fn empty_record_failure() -> Failure {
    Failure::new(Code::Empty, "the record is empty").kind(FailureKind::Store)
}

fn broken_record_failure(error: &ReplayError) -> Failure {
    Failure::from_error(Code::Store, error)
        .hint("run `agon check` to see what is wrong with the folder")
}
