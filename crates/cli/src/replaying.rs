//! Plays a record on the screen, at a pace that a person can follow.

use std::time::Duration;

use agon_engine::observer::Observer;
use agon_engine::replay::Replay;
use agon_record::event::Event;
use agon_record::state::{ReplayError, State};
use tokio::time::sleep;

use crate::args::PaceArgs;
use crate::edge::Edge;
use crate::error::{Failure, FailureKind};
use crate::screen::Screen;
use crate::stop;

/// What all of a record takes on a terminal, in milliseconds.
const WATCHED_MS: u64 = 30_000;

/// A record: the events of each line that was written.
pub(crate) type Record = Vec<Vec<Event>>;

/// Plays `record` on `screen`.
///
/// # Errors
///
/// If it is no record of a debate, or the user stops it.
pub(crate) async fn play(
    edge: &Edge,
    (record, folder): (&Record, &str),
    pace: PaceArgs,
    screen: &mut Screen,
) -> Result<Replay, Failure> {
    let cancel = stop::token();
    let mut lines = record.iter();
    let opening = lines.next().map_or(&[][..], Vec::as_slice);
    let (first, rest) = opening.split_first().ok_or_else(empty)?;
    let mut replay = Replay::open(first).map_err(|error| broken(&error))?;
    screen.header(replay.state(), folder, None);
    let speed = speed(edge, pace, record);
    let mut clock_ms = 0;
    for events in std::iter::once(rest).chain(lines.map(Vec::as_slice)) {
        let until = events.iter().filter_map(clock).max().unwrap_or(clock_ms);
        let wait = until.saturating_sub(clock_ms).checked_div(speed);
        clock_ms = until;
        tokio::select! {
            () = cancel.cancelled() => {
                screen.end();
                return Err(Failure::new(FailureKind::Cancelled, "cancelled", "stopped"));
            }
            () = sleep(Duration::from_millis(wait.unwrap_or(0))) => {}
        }
        for event in events {
            replay.play(event).map_err(|error| broken(&error))?;
        }
        show(screen, replay.state(), events);
    }
    screen.end();
    Ok(replay)
}

fn show(screen: &mut Screen, state: &State, events: &[Event]) {
    for event in events {
        if let Event::Asked(asked) = event {
            screen.calling(state, asked.key);
        }
    }
    screen.recorded(state, events);
}

/// The debate's clock when a call came back.
fn clock(event: &Event) -> Option<u64> {
    if let Event::Given(given) = event {
        return Some(given.clock_ms);
    }
    if let Event::Lost(lost) = event {
        return Some(lost.clock_ms);
    }
    None
}

/// How many times as fast as it was; zero: at once.
fn speed(edge: &Edge, pace: PaceArgs, record: &Record) -> u64 {
    let took = record.iter().flatten().filter_map(clock).max();
    match pace.speed {
        Some(speed) => speed.into(),
        None if edge.terminal => took.unwrap_or(0).div_ceil(WATCHED_MS).max(1),
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
