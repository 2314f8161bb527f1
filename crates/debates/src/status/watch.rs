//! Watches a debate that another process runs, by its journal.

use std::path::Path;
use std::time::Duration;

use agon_caller::{Caller, Code, Failure, find, system};
pub use agon_folder::Recorded;
use agon_folder::{View, journal_len};
use agon_record::event::Event;
use agon_record::id::{AskKey, NodeId, Seat, TurnId};
use agon_record::point::points;
use agon_record::state::State;
use agon_store::RealDisk;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::status::outcome::Ended;
use crate::status::{DebateSight, ending, inspect_debate};

// A check of the file's length takes 2 µs. A page shows an event within 100 ms, of which this is at
// most half.
/// The time between two checks of the journal.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
// A process may end without a journal entry. This check is less frequent because it reads the whole
// record.
/// The time between two checks whether a process is running.
const SIGHT_INTERVAL: Duration = Duration::from_secs(1);

/// The schema id of a published event.
pub const EVENT_SCHEMA: &str = "agon.event/1";

/// Receives the events of a watched debate.
pub trait Watcher {
    /// Called with the debate when watching begins, and with the running calls and their durations.
    fn on_opened(&mut self, state: &State, under_way: &[(AskKey, Duration)]);

    /// Called for each new journal line; `state` includes its events.
    fn on_line(&mut self, state: &State, line: &[Recorded]);
}

/// Follows the debate in `path` until it is no longer running or `cancel` is cancelled. Returns its
/// final state, or `None` if cancelled.
///
/// With `from_start`, the watcher receives every line, otherwise only new ones.
///
/// # Errors
///
/// If nothing of it can be read.
pub async fn follow(
    path: &Path,
    from_start: bool,
    watcher: &mut dyn Watcher,
    cancel: &CancellationToken,
) -> Result<Option<DebateSight>, Failure> {
    let mut followed = Followed::open(path, from_start, watcher)?;
    let mut sight = inspect_debate(path)?;
    loop {
        let is_over = !sight.is_running_or_waiting();
        // Read the journal after the check, so that lines written before the process ended are
        // passed on.
        followed.pass_on_new_lines(path, watcher)?;
        if is_over {
            return Ok(Some(sight));
        }
        let mut waited = Duration::ZERO;
        while waited < SIGHT_INTERVAL {
            tokio::select! {
                () = cancel.cancelled() => return Ok(None),
                () = sleep(POLL_INTERVAL) => {}
            }
            waited += POLL_INTERVAL;
            followed.pass_on_new_lines(path, watcher)?;
        }
        sight = inspect_debate(path)?;
    }
}

/// A journal that is being followed.
struct Followed {
    state: State,
    /// The number of events passed on.
    told: usize,
    /// The length of the journal at that time.
    bytes: u64,
}

impl Followed {
    fn open(path: &Path, from_start: bool, watcher: &mut dyn Watcher) -> Result<Self, Failure> {
        let bytes = journal_length(path)?;
        let view = find::read(path)?;
        let mut events = view.events.iter().map(|recorded| &recorded.event);
        let Some(Event::Opened(spec)) = events.next() else {
            return Err(unreadable_failure(
                "the journal does not begin with the opening event",
            ));
        };
        let mut followed = Self {
            state: State::open((**spec).clone()),
            told: 1,
            bytes,
        };
        if from_start {
            followed.told = 0;
            watcher.on_opened(&followed.state, &[]);
            followed.tell(&view, watcher)?;
            return Ok(followed);
        }
        for event in events {
            followed.apply(event)?;
        }
        followed.told = view.events.len();
        let now = system::now_ms();
        let calls = calls_under_way(&view.events).into_iter();
        let calls: Vec<_> = calls
            .map(|(key, since)| (key, Duration::from_millis(now.saturating_sub(since))))
            .collect();
        watcher.on_opened(&followed.state, &calls);
        Ok(followed)
    }

    /// Passes on the lines written since the last check.
    fn pass_on_new_lines(&mut self, path: &Path, watcher: &mut dyn Watcher) -> Result<(), Failure> {
        let bytes = journal_length(path)?;
        if bytes == self.bytes {
            return Ok(());
        }
        self.bytes = bytes;
        let view = find::read(path)?;
        self.tell(&view, watcher)
    }

    /// Passes on the new events of `view`, line by line.
    fn tell(&mut self, view: &View, watcher: &mut dyn Watcher) -> Result<(), Failure> {
        let news = view.events.get(self.told..).unwrap_or_default();
        for line in news.chunk_by(|one, other| one.seq == other.seq) {
            for recorded in line {
                self.apply(&recorded.event)?;
            }
            self.told += line.len();
            watcher.on_line(&self.state, line);
        }
        Ok(())
    }

    fn apply(&mut self, event: &Event) -> Result<(), Failure> {
        // Skip the opening, because the state was created from it.
        if matches!(event, Event::Opened(_)) {
            return Ok(());
        }
        self.state
            .apply(event)
            .map_err(|error| unreadable_failure(&error.to_string()))
    }
}

fn unreadable_failure(why: &str) -> Failure {
    Failure::new(Code::Store, why).hint("run `agon check` to see what is wrong with the folder")
}

fn journal_length(path: &Path) -> Result<u64, Failure> {
    journal_len(&RealDisk, path).map_err(|error| Failure::from_error(Code::Store, &error))
}

/// Returns the running calls, each with its start in milliseconds since 1970.
pub fn calls_under_way(events: &[Recorded]) -> Vec<(AskKey, u64)> {
    let mut calls: Vec<(AskKey, u64)> = Vec::new();
    for recorded in events {
        let ended = match &recorded.event {
            Event::Asked(asked) => {
                calls.push((asked.key, recorded.at_ms));
                continue;
            }
            Event::Given(given) => given.key,
            Event::Lost(lost) => lost.key,
            _ => continue,
        };
        calls.retain(|(key, _)| *key != ended);
    }
    calls
}

/// Returns the result of a watched debate, with its folder as the user would type it.
pub fn ended(caller: &Caller, path: &Path, sight: &DebateSight) -> Ended {
    let state = sight.clone().with_name_for(caller, path).glance.state;
    ending::ended_earlier(state, caller.display_path(path))
}

/// An event of a debate, for programs: one line of `agon watch --json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EventDoc {
    /// Always `agon.event/1`.
    #[schemars(extend("const" = EVENT_SCHEMA))]
    schema: &'static str,
    /// The debate's unique id.
    id: String,
    /// Its folder's name.
    debate: String,
    /// The line number of the event in the journal, from 1.
    seq: u64,
    /// When it was written, in milliseconds since 1970.
    at_ms: u64,
    /// The kind of event, such as `asked`, `given`, `lost`, `admitted` or `closed`.
    kind: String,
    /// The turn, such as `r1.pro`; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    /// The seat of the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<String>,
    /// The tool in that seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// How long the call took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    took_ms: Option<u64>,
    /// Why the call or turn was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    /// The stance of an admitted turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    stance: Option<String>,
    /// The points of an admitted turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<EventPoint>,
}

/// A point of a turn.
#[derive(Debug, Serialize, JsonSchema)]
struct EventPoint {
    /// Its id; `agon show DEBATE ID --json` shows the point.
    #[schemars(with = "String")]
    id: NodeId,
    /// Its kind, such as `objection`.
    kind: &'static str,
    /// The point that it refers to; null if none.
    #[schemars(with = "Option<String>")]
    target: Option<NodeId>,
    /// Its title.
    text: String,
}

impl EventDoc {
    /// Returns the document of an event that `state` already includes.
    pub fn new(state: &State, recorded: &Recorded) -> Self {
        let event = &recorded.event;
        let (turn, took_ms, cause) = match event {
            Event::Asked(asked) => (Some(asked.key.turn), None, None),
            Event::Given(given) => (Some(given.key.turn), Some(given.took_ms), None),
            Event::Lost(lost) => (
                Some(lost.key.turn),
                Some(lost.took_ms),
                Some(lost.cause.code.name()),
            ),
            Event::SentBack { key, .. } | Event::Admitted { key, .. } => {
                (Some(key.turn), None, None)
            }
            Event::TurnLost { turn, cause, .. } => (Some(*turn), None, Some(cause.code.name())),
            _ => (None, None, None),
        };
        let seat = turn.map(|turn: TurnId| turn.seat);
        let tool = |seat: Seat| Some(state.seats.get(&seat)?.tool.to_string());
        let admitted = match event {
            Event::Admitted { key, .. } => state.admitted(key.turn),
            _ => None,
        };
        let made = admitted.into_iter().flat_map(|said| {
            let made = said.ids.iter().zip(points(&said.moves));
            made.map(|(&id, point)| EventPoint {
                id,
                kind: point.kind(),
                target: point.target(),
                text: point.main_text().to_owned(),
            })
        });
        Self {
            schema: EVENT_SCHEMA,
            id: state.spec.ulid.to_string(),
            debate: state.spec.slug.clone(),
            seq: recorded.seq,
            at_ms: recorded.at_ms,
            kind: event_kind(event),
            turn: turn.map(|turn| turn.to_string()),
            seat: seat.map(|seat| seat.to_string()),
            tool: seat.and_then(tool),
            took_ms,
            cause,
            stance: admitted.and_then(|said| said.moves.stance().map(str::to_owned)),
            points: made.collect(),
        }
    }
}

/// Returns the name of the event in the record.
fn event_kind(event: &Event) -> String {
    let document = serde_json::to_value(event).unwrap_or_default();
    let kind = document.get("event");
    let kind = kind.and_then(serde_json::Value::as_str);
    kind.map_or_else(String::new, str::to_owned)
}
