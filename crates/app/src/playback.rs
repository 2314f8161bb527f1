//! A record that is played again, at a pace that a person can follow.

use std::time::Duration;

use agon_engine::observer::Observer;
use agon_engine::replay::Replay;
use agon_record::event::Event;
use agon_record::state::{ReplayError, State};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::caller::Caller;
use crate::ending;
use crate::failure::{Failure, FailureKind};
use crate::outcome::Ended;

// The debate of `agon demo` has about thirty events: one a second, at 48 times its speed.
/// What all of a record takes where a person watches, in milliseconds.
const WATCHED_MS: u64 = 30_000;

/// A record: the events of each line that was written.
pub(crate) type Record = Vec<Vec<Event>>;

/// A record that is played again.
#[derive(Debug)]
pub struct Playback {
    replay: Replay,
    /// The events that come after the opening, line by line.
    lines: Record,
    folder: String,
    /// How many times as fast as it was; zero: at once.
    speed: u64,
}

impl Playback {
    /// A debate from its record, as it was when it opened; `folder` is where it is, as it is shown.
    ///
    /// Without a speed it takes half a minute where a person watches, else no time.
    pub(crate) fn open(
        caller: &Caller,
        record: Record,
        folder: String,
        speed: Option<u32>,
    ) -> Result<Self, Failure> {
        let mut lines = record;
        let speed = playback_speed(caller, speed, &lines);
        let opening = lines.first_mut().filter(|line| !line.is_empty());
        let first = opening.ok_or_else(empty)?.remove(0);
        let replay = Replay::open(&first).map_err(|error| broken(&error))?;
        Ok(Self {
            replay,
            lines,
            folder,
            speed,
        })
    }

    /// The debate, as far as it was played.
    pub fn state(&self) -> &State {
        self.replay.state()
    }

    /// Its folder, as it is shown.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// What it came to, as far as it was played.
    pub fn ended(&self) -> Ended {
        ending::ended_earlier(self.state().clone(), self.folder.clone())
    }

    pub(crate) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Plays all that is left of it for `front`, until it is cancelled; whether it came to its end.
    ///
    /// # Errors
    ///
    /// If it does not hold a debate.
    pub async fn play(
        &mut self,
        front: &mut dyn Observer,
        cancel: &CancellationToken,
    ) -> Result<bool, Failure> {
        let mut clock_ms = 0;
        for events in std::mem::take(&mut self.lines) {
            let until = events
                .iter()
                .filter_map(call_clock_ms)
                .max()
                .unwrap_or(clock_ms);
            let wait = until.saturating_sub(clock_ms).checked_div(self.speed);
            clock_ms = until;
            tokio::select! {
                () = cancel.cancelled() => return Ok(false),
                () = sleep(Duration::from_millis(wait.unwrap_or(0))) => {}
            }
            for event in &events {
                self.replay.play(event).map_err(|error| broken(&error))?;
            }
            notify_observer(front, self.replay.state(), &events);
        }
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

/// The debate's clock when a call came back.
fn call_clock_ms(event: &Event) -> Option<u64> {
    if let Event::Given(given) = event {
        return Some(given.clock_ms);
    }
    if let Event::Lost(lost) = event {
        return Some(lost.clock_ms);
    }
    None
}

/// How many times as fast as it was; zero: at once.
fn playback_speed(caller: &Caller, speed: Option<u32>, record: &Record) -> u64 {
    let took = record.iter().flatten().filter_map(call_clock_ms).max();
    match speed {
        Some(speed) => speed.into(),
        None if caller.is_watched => took.unwrap_or(0).div_ceil(WATCHED_MS).max(1),
        None => 0,
    }
}

fn empty() -> Failure {
    Failure::new(
        FailureKind::Store,
        "empty",
        "there is nothing in the record",
    )
}

fn broken(error: &ReplayError) -> Failure {
    Failure::from_error(FailureKind::Store, "store", error)
        .hint("`agon check` says what is wrong with the folder")
}
