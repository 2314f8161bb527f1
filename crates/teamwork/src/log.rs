//! The events of a team, in order.

use agon_caller::moment::parse_moment_ms;
use agon_caller::system::format_time;
use agon_caller::{Caller, Failure};
use agon_team::store::EventDoc;
use schemars::JsonSchema;
use serde::Serialize;

use super::open_team::{failure, open};

/// The name and version of the log document.
pub const TEAM_LOG_SCHEMA: &str = "agon.team_log/1";
/// The name and version of the document of a single event, used while following the log.
pub const TEAM_EVENT_SCHEMA: &str = "agon.team_event/1";

/// How many events are read at once.
const PAGE: u32 = 1_000;

/// The events of a team: `agon.team_log/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLogDoc {
    #[schemars(extend("const" = TEAM_LOG_SCHEMA))]
    schema: &'static str,
    /// The events, the earliest first.
    pub events: Vec<EventDoc>,
    /// The number of the last event that was read; later events have higher numbers.
    pub last: i64,
}

/// One event: `agon.team_event/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamEventDoc {
    #[schemars(extend("const" = TEAM_EVENT_SCHEMA))]
    schema: &'static str,
    /// The event.
    #[serde(flatten)]
    pub event: EventDoc,
}

impl From<EventDoc> for TeamEventDoc {
    fn from(event: EventDoc) -> Self {
        Self {
            schema: TEAM_EVENT_SCHEMA,
            event,
        }
    }
}

/// Which events to return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogRequest {
    /// Only events after the one with this number; 0 means all.
    pub after: i64,
    /// Only events since this time in the past, such as `7d` or `2026-11-01`.
    pub since: Option<String>,
}

/// Returns the events of the team in the caller's repository. They do not contain message texts.
///
/// # Errors
///
/// Fails if there is no team, its file cannot be read, or `since` is not a time in the past.
pub fn log(caller: &Caller, request: &LogRequest) -> Result<TeamLogDoc, Failure> {
    let since = request.since.as_deref().map(parse_moment_ms).transpose()?;
    let since = i64::try_from(since.unwrap_or_default()).unwrap_or(i64::MAX);
    let (team, _) = open(caller)?;
    let mut last = request.after;
    let mut events = Vec::new();
    loop {
        let page = team.events(last, PAGE).map_err(failure)?;
        let Some(end) = page.last() else { break };
        last = end.seq;
        events.extend(page.into_iter().filter(|event| event.at_ms >= since));
    }
    Ok(TeamLogDoc {
        schema: TEAM_LOG_SCHEMA,
        events,
        last,
    })
}

/// Formats the time of an event by the wall clock, in a form that sorts.
pub fn format_event_time(event: &EventDoc) -> String {
    format_time(u64::try_from(event.at_ms).unwrap_or_default())
}
