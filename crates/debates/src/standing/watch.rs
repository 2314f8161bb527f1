//! A debate that another process runs, watched by its journal.

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
use agon_verdict::status::RunState;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::standing::outcome::Ended;
use crate::standing::{DebateSight, ending, inspect_debate};

// Chosen, not measured: a look at the length of a file, seven times a second.
/// From one look at the journal to the next.
const POLL_INTERVAL: Duration = Duration::from_millis(150);
// A process may end without a word in the journal: whether one is at it is looked at more seldom,
// since all of the record is read for it.
/// From one look at who runs it to the next.
const SIGHT_INTERVAL: Duration = Duration::from_secs(1);

/// The name and version of an event as it is published.
pub const EVENT_SCHEMA: &str = "agon.event/1";

/// Who is told what happens.
pub trait Watcher {
    /// The debate as it stands when watching begins, and the calls that are under way, each with the
    /// time since it began.
    fn on_opened(&mut self, state: &State, under_way: &[(AskKey, Duration)]);

    /// A line of the journal was written; `state` has its events applied.
    fn on_line(&mut self, state: &State, line: &[Recorded]);
}

/// Follows the debate in `path` until no process is at it any more or `cancel` says so, and returns how it
/// stands then; none where it was cancelled.
///
/// With `from_start` its watcher hears every line, else those that are written from now on.
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
        let is_over = !is_at_work(&sight);
        // After the look: what was written before its process left is told first.
        followed.tell_news(path, watcher)?;
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
            followed.tell_news(path, watcher)?;
        }
        sight = inspect_debate(path)?;
    }
}

/// Whether a process is at it, be it that a person is asked by it.
fn is_at_work(sight: &DebateSight) -> bool {
    match sight.standing {
        RunState::Running => true,
        RunState::WaitingForPerson => sight.glance.writer.is_present(),
        RunState::Stopped | RunState::Done | RunState::Failed => false,
    }
}

/// A journal, as far as it was read.
struct Followed {
    state: State,
    /// How many of its events were told.
    told: usize,
    /// How long the journal was then.
    bytes: u64,
}

impl Followed {
    fn open(path: &Path, from_start: bool, watcher: &mut dyn Watcher) -> Result<Self, Failure> {
        let bytes = length(path)?;
        let view = find::read(path)?;
        let mut events = view.events.iter().map(|recorded| &recorded.event);
        let Some(Event::Opened(spec)) = events.next() else {
            return Err(unreadable("its journal does not begin with an opening"));
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
        watcher.on_opened(&followed.state, &calls_under_way(&view.events));
        Ok(followed)
    }

    /// Tells what was written since the last look.
    fn tell_news(&mut self, path: &Path, watcher: &mut dyn Watcher) -> Result<(), Failure> {
        let bytes = length(path)?;
        if bytes == self.bytes {
            return Ok(());
        }
        self.bytes = bytes;
        let view = find::read(path)?;
        self.tell(&view, watcher)
    }

    /// Tells the events of `view` that were not told, line by line.
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
        // Every state begins with it.
        if matches!(event, Event::Opened(_)) {
            return Ok(());
        }
        self.state
            .apply(event)
            .map_err(|error| unreadable(&error.to_string()))
    }
}

fn unreadable(why: &str) -> Failure {
    Failure::new(Code::Store, why).hint("`agon check` says what is wrong with the folder")
}

fn length(path: &Path) -> Result<u64, Failure> {
    journal_len(&RealDisk, path).map_err(|error| Failure::from_error(Code::Store, &error))
}

/// The calls that were made and have not come back, each with the time since.
fn calls_under_way(events: &[Recorded]) -> Vec<(AskKey, Duration)> {
    let now = system::now_ms();
    let mut calls: Vec<(AskKey, Duration)> = Vec::new();
    for recorded in events {
        let ended = match &recorded.event {
            Event::Asked(asked) => {
                let since = Duration::from_millis(now.saturating_sub(recorded.at_ms));
                calls.push((asked.key, since));
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

/// What a debate came to that was watched, and its folder as its user would write it.
pub fn ended(caller: &Caller, path: &Path, sight: &DebateSight) -> Ended {
    let state = sight.clone().named_for(caller, path).glance.state;
    ending::ended_earlier(state, caller.display_path(path))
}

/// An event of a debate, for programs: a line of `agon watch --json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EventDoc {
    /// Always `agon.event/1`.
    #[schemars(extend("const" = EVENT_SCHEMA))]
    schema: &'static str,
    /// The debate's unique name.
    id: String,
    /// Its folder's name.
    debate: String,
    /// The line of the journal that it stands in, from 1.
    seq: u64,
    /// When that was written, in milliseconds since 1970.
    at_ms: u64,
    /// What happened, such as `asked`, `given`, `lost`, `admitted` or `closed`.
    kind: String,
    /// The turn, such as `r1.pro`; left out where it is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    /// The seat whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<String>,
    /// The tool in that seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// How long the call took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    took_ms: Option<u64>,
    /// What the call or the turn was lost by.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    /// The stance of a turn that was admitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    stance: Option<String>,
    /// The points of a turn that was admitted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<EventPoint>,
}

/// A point that a turn made.
#[derive(Debug, Serialize, JsonSchema)]
struct EventPoint {
    /// Its id: `agon show DEBATE ID --json` has the rest.
    #[schemars(with = "String")]
    id: NodeId,
    /// What kind of point it is, such as `objection`.
    kind: &'static str,
    /// The point that it speaks of; null for none.
    #[schemars(with = "Option<String>")]
    target: Option<NodeId>,
    /// What it says.
    text: String,
}

impl EventDoc {
    /// The document of an event, which `state` has applied.
    pub fn of(state: &State, recorded: &Recorded) -> Self {
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

/// The name that the record has for what happened.
fn event_kind(event: &Event) -> String {
    let document = serde_json::to_value(event).unwrap_or_default();
    let kind = document.get("event");
    let kind = kind.and_then(serde_json::Value::as_str);
    kind.map_or_else(String::new, str::to_owned)
}
