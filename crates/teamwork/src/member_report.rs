//! The state of a member, with the facts behind it.

use agon_caller::{Caller, Failure};
use agon_team::id::MemberName;
use agon_team::lock::PathLock;
use agon_team::store::{EventDoc, StoreError};
use schemars::JsonSchema;
use serde::Serialize;

use super::open_team::{failure, open};
use super::status::{TeamMemberState, TeamTaskState, member_state, task_state};

/// The name and version of the document.
pub const TEAM_MEMBER_SCHEMA: &str = "agon.team_member/1";

/// The number of a member's last events that are shown.
const LAST_EVENTS: u32 = 10;

/// The state of a member, with the facts behind it: `agon.team_member/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamMemberDoc {
    #[schemars(extend("const" = TEAM_MEMBER_SCHEMA))]
    schema: &'static str,
    /// The member.
    pub member: TeamMemberState,
    /// The tasks that it holds, with what each waits for.
    pub tasks: Vec<TeamTaskState>,
    /// Its locks, granted and waiting.
    pub locks: Vec<PathLock>,
    /// The last events by it or about it, the latest first.
    pub events: Vec<EventDoc>,
}

/// Returns the state of a member of the caller's team, with the facts behind it.
///
/// # Errors
///
/// If there is no such member.
pub fn member(caller: &Caller, name: &MemberName) -> Result<TeamMemberDoc, Failure> {
    let (mut team, _) = open(caller)?;
    let members = team.members().map_err(failure)?;
    let found = members.into_iter().find(|member| member.name == *name);
    let found = found.ok_or_else(|| failure(StoreError::NoMember(name.clone())))?;
    let mut tasks = Vec::new();
    for task in team.tasks().map_err(failure)? {
        if task
            .lease
            .as_ref()
            .is_some_and(|lease| lease.holder == *name)
        {
            tasks.push(task_state(&mut team, task.id)?);
        }
    }
    let mut locks = team.locks().map_err(failure)?;
    locks.retain(|lock| lock.holder == *name);
    let sessions = team.sessions().map_err(failure)?;
    Ok(TeamMemberDoc {
        schema: TEAM_MEMBER_SCHEMA,
        member: member_state(&mut team, found, &sessions)?,
        tasks,
        locks,
        events: team.events_around(name, LAST_EVENTS).map_err(failure)?,
    })
}
