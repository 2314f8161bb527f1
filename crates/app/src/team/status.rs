//! How a team stands: its tasks, members and locks.

use agon_team::id::TaskId;
use agon_team::lock::PathLock;
use agon_team::store::{Clock as _, MemberDoc, SystemClock, Team};
use agon_team::task::Task;
use agon_team::why::WaitsFor;
use schemars::JsonSchema;
use serde::Serialize;

use super::door::{failure, open};
use crate::caller::Caller;
use crate::failure::Failure;

/// The name and version of the document.
pub const TEAM_STATUS_SCHEMA: &str = "agon.team_status/1";

/// How a team stands: `agon.team_status/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamStatusDoc {
    #[schemars(extend("const" = TEAM_STATUS_SCHEMA))]
    schema: &'static str,
    /// Its tasks, in the order of their numbers.
    pub tasks: Vec<TeamTaskState>,
    /// Its members, by name, without those who left.
    pub members: Vec<TeamMemberState>,
    /// The locks that are held or waited for, the earliest first.
    pub locks: Vec<PathLock>,
}

/// A task on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamTaskState {
    /// The task.
    pub task: Task,
    /// What is left of its lease, in seconds; null without one.
    pub lease_left_s: Option<u64>,
    /// What it waits for.
    pub waits_for: Vec<WaitsFor>,
}

/// A member on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamMemberState {
    /// The member.
    #[serde(flatten)]
    pub member: MemberDoc,
    /// How many messages wait for it.
    pub unread: u64,
}

/// How the team of the caller's repository stands; all who read the repository may see it.
///
/// # Errors
///
/// If there is no team or its file cannot be read.
pub fn status(caller: &Caller) -> Result<TeamStatusDoc, Failure> {
    let (mut team, _) = open(caller)?;
    let mut tasks = Vec::new();
    for task in team.tasks().map_err(failure)? {
        tasks.push(task_state(&mut team, task.id)?);
    }
    let mut members = Vec::new();
    for member in team.members().map_err(failure)? {
        if member.left_ms.is_none() {
            let unread = team.unread(&member.name).map_err(failure)? as u64;
            members.push(TeamMemberState { member, unread });
        }
    }
    Ok(TeamStatusDoc {
        schema: TEAM_STATUS_SCHEMA,
        tasks,
        members,
        locks: team.locks().map_err(failure)?,
    })
}

/// A task with what is left of its lease, and what it waits for.
pub(super) fn task_state(team: &mut Team, task: TaskId) -> Result<TeamTaskState, Failure> {
    let why = team.why(task).map_err(failure)?;
    let now = SystemClock::new().now();
    let lease = why.task.lease.as_ref();
    Ok(TeamTaskState {
        lease_left_s: lease.map(|lease| lease.until.remaining(&now).as_secs()),
        waits_for: why.waits_for,
        task: why.task,
    })
}
