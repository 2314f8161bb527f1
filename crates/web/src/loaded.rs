//! A debate as its page shows it: now, or at an earlier moment.

use std::path::Path;

use agon_caller::{Failure, find, system};
use agon_debates::status::watch::{Recorded, calls_under_way};
use agon_debates::status::{DebateSight, RunState, inspect_debate};
use agon_record::event::Event;
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_verdict::status::{StatusDoc, status_document};
use agon_verdict::verdict::{Verdict, verdict};

/// A debate read for its page.
pub(crate) struct Loaded {
    /// The name of its folder, as in its address.
    pub(crate) name: String,
    pub(crate) state: State,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) run_state: RunState,
    pub(crate) status: StatusDoc,
    /// The earlier moment that is shown, as a line of the record; `None` for now.
    pub(crate) at: Option<u64>,
    /// The last line that is shown.
    pub(crate) seq: u64,
    /// The last line of the record.
    pub(crate) last_seq: u64,
    /// The lines after which the page looks different: a turn ended, the debate did, or the
    /// user decided on its verdict.
    pub(crate) stops: Vec<u64>,
    /// When the last line that is shown was written, in milliseconds since 1970.
    pub(crate) at_ms: u64,
    /// The calls that have no reply yet, and their start in milliseconds since 1970.
    pub(crate) under_way: Vec<(AskKey, u64)>,
}

impl Loaded {
    /// Reads the debate `name` in `path`, as of the line `at` of its record.
    ///
    /// # Errors
    ///
    /// If nothing of it can be read.
    pub(crate) fn read(path: &Path, name: &str, at: Option<u64>) -> Result<Self, Failure> {
        let sight = inspect_debate(path)?;
        let view = find::read(path)?;
        let last_seq = view.lines;
        let at = at.filter(|&at| at < last_seq).map(|at| at.max(1));
        let shown: &[Recorded] = match at {
            Some(at) => {
                let shown = view.events.partition_point(|recorded| recorded.seq <= at);
                &view.events[..shown]
            }
            None => &view.events,
        };
        let stops = stops(&view.events);
        let state = match at {
            Some(_) => state_after(shown).unwrap_or_else(|| view.state.clone()),
            None => view.state,
        };
        let run_state = match at {
            Some(_) => agon_verdict::status::run_state(&state, false),
            None => sight.run_state,
        };
        let under_way = match sight.run_state {
            RunState::Running if at.is_none() => calls_under_way(shown),
            _ => Vec::new(),
        };
        let last = shown.last();
        Ok(Self {
            name: name.to_owned(),
            verdict: verdict(&state),
            status: status(&sight, &state, run_state, at),
            run_state,
            at,
            seq: last.map_or(0, |recorded| recorded.seq),
            last_seq,
            stops,
            at_ms: last.map_or_else(system::now_ms, |recorded| recorded.at_ms),
            under_way,
            state,
        })
    }
}

fn status(sight: &DebateSight, state: &State, run_state: RunState, at: Option<u64>) -> StatusDoc {
    let reason = sight.reason.clone().filter(|_| at.is_none());
    status_document(state, run_state, reason)
}

fn stops(events: &[Recorded]) -> Vec<u64> {
    let is_stop = |recorded: &&Recorded| {
        matches!(
            recorded.event,
            Event::Admitted { .. }
                | Event::TurnLost { .. }
                | Event::Closed { .. }
                | Event::Halted { .. }
                | Event::Decided(_)
        )
    };
    let mut stops: Vec<u64> = events.iter().filter(is_stop).map(|it| it.seq).collect();
    stops.dedup();
    stops
}

/// Returns the state after these events, which begin with the opening.
fn state_after(events: &[Recorded]) -> Option<State> {
    let mut events = events.iter().map(|recorded| &recorded.event);
    let Event::Opened(spec) = events.next()? else {
        return None;
    };
    let rest = events.filter(|event| !matches!(event, Event::Opened(_)));
    Some(State::open((**spec).clone()).with_events(rest))
}
