//! What happened in a team, in order.

use agon_caller::moment::moment_ms;
use agon_caller::system::format_time;
use agon_caller::{Caller, Failure};
use agon_team::store::EventDoc;
use schemars::JsonSchema;
use serde::Serialize;

use super::door::{failure, open};

/// The name and version of the document of events.
pub const TEAM_LOG_SCHEMA: &str = "agon.team_log/1";
/// The name and version of the document of one event, as it is followed.
pub const TEAM_EVENT_SCHEMA: &str = "agon.team_event/1";

/// How many events are read at once.
const PAGE: u32 = 1_000;

/// What happened in a team: `agon.team_log/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLogDoc {
    #[schemars(extend("const" = TEAM_LOG_SCHEMA))]
    schema: &'static str,
    /// The events, the earliest first.
    pub events: Vec<EventDoc>,
    /// The number of the last event that was looked at: what comes later is after it.
    pub last: i64,
}

/// One thing that happened: `agon.team_event/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamEventDoc {
    #[schemars(extend("const" = TEAM_EVENT_SCHEMA))]
    schema: &'static str,
    /// What.
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

/// Which events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogRequest {
    /// After the event with this number; 0 is before all.
    pub after: i64,
    /// Since a moment in the past, such as `7d` or `2026-11-01`.
    pub since: Option<String>,
}

/// What happened in the team of the caller's repository. What messages say is in none of it.
///
/// # Errors
///
/// If there is no team, its file cannot be read, or `since` names no moment in the past.
pub fn log(caller: &Caller, request: &LogRequest) -> Result<TeamLogDoc, Failure> {
    let since = request.since.as_deref().map(moment_ms).transpose()?;
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

/// When an event was, by the wall clock, in words that sort.
pub fn format_event_time(event: &EventDoc) -> String {
    format_time(u64::try_from(event.at_ms).unwrap_or_default())
}
