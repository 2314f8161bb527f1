//! The state of a team: its tasks, runs, members and locks.

use std::collections::{BTreeMap, BTreeSet};

use agon_caller::{Caller, Failure};
use agon_team::id::{MemberName, TaskId};
use agon_team::lock::PathLock;
use agon_team::store::{Clock as _, MemberDoc, SessionDoc, SystemClock, TaskWhy, Team};
use agon_team::task::{Task, TaskState};
use agon_team::time::Moment;
use agon_team::why::WaitsFor;
use schemars::JsonSchema;
use serde::Serialize;

use super::gate::read;
use super::open_team::{failure, open};
use super::run::TeamRunState;

/// The name and version of the document.
pub const TEAM_STATUS_SCHEMA: &str = "agon.team_status/1";

/// The state of a team: `agon.team_status/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamStatusDoc {
    #[schemars(extend("const" = TEAM_STATUS_SCHEMA))]
    schema: &'static str,
    /// Its tasks, sorted by id.
    pub tasks: Vec<TeamTaskState>,
    /// Its runs, the earliest first.
    pub runs: Vec<TeamRunState>,
    /// Its current members, sorted by name.
    pub members: Vec<TeamMemberState>,
    /// The locks, granted and waiting, the earliest first.
    pub locks: Vec<PathLock>,
    /// The done tasks whose commit is not in the branch of the lead's work tree.
    pub unmerged: BTreeSet<TaskId>,
}

/// A task on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamTaskState {
    /// The task.
    pub task: Task,
    /// The time left on its lease, in seconds; null without a lease.
    pub lease_left_s: Option<u64>,
    /// What it waits for.
    pub waits_for: Vec<WaitsFor>,
    /// Whether it is done without a gate and without a review by another member.
    pub unchecked: bool,
}

impl TeamTaskState {
    /// Returns the unfinished tasks that it needs; empty once the task is over.
    pub fn blockers(&self) -> Vec<TaskId> {
        let needs = self.waits_for.iter().filter_map(|one| match one {
            WaitsFor::Need { task, .. } | WaitsFor::LostNeed { task, .. } => Some(*task),
            _ => None,
        });
        needs.collect()
    }

    /// Returns its state as a word. `blocked` means ready except for an unfinished task that it
    /// needs.
    pub fn word(&self) -> &'static str {
        match self.task.state {
            TaskState::Ready if !self.blockers().is_empty() => "blocked",
            state => state.as_str(),
        }
    }
}

/// A member on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamMemberState {
    /// The member.
    #[serde(flatten)]
    pub member: MemberDoc,
    /// The number of its unread messages.
    pub unread: u64,
    /// Its last session; null if Agon never started it.
    pub session: Option<SessionDoc>,
}

/// Returns the state of the team in the caller's repository. Everyone who can read the repository
/// may see it. [`super::mark_unmerged`] fills in the unmerged tasks.
///
/// # Errors
///
/// If there is no team or its file cannot be read.
pub fn status(caller: &Caller) -> Result<TeamStatusDoc, Failure> {
    let (mut team, location) = open(caller)?;
    let tasks = list_states(&mut team)?;
    // An invalid gate file must not hide the board; no gate runs then.
    let defined = read(&location).unwrap_or_default().gates;
    let runs = team.runs().map_err(failure)?.into_iter();
    let runs = runs.map(|run| TeamRunState::new(run, &defined)).collect();
    let unread = team.unread_by_member().map_err(failure)?;
    let sessions = team.sessions().map_err(failure)?;
    let mut last: BTreeMap<MemberName, SessionDoc> = BTreeMap::new();
    for session in sessions {
        last.insert(session.member.clone(), session);
    }
    let members = team.members().map_err(failure)?.into_iter();
    let members = members.filter(|member| member.left_ms.is_none());
    let members = members.map(|member| TeamMemberState {
        unread: unread.get(&member.name).copied().unwrap_or_default() as u64,
        session: last.remove(&member.name),
        member,
    });
    let members = members.collect();
    Ok(TeamStatusDoc {
        schema: TEAM_STATUS_SCHEMA,
        tasks,
        runs,
        members,
        locks: team.locks().map_err(failure)?,
        unmerged: BTreeSet::new(),
    })
}

/// Returns every task with what it waits for, sorted by id.
pub(super) fn list_states(team: &mut Team) -> Result<Vec<TeamTaskState>, Failure> {
    let now = SystemClock::new().now();
    let whys = team.explain_all().map_err(failure)?.into_iter();
    let unchecked = team.unchecked_tasks().map_err(failure)?;
    Ok(whys.map(|why| described(why, &unchecked, &now)).collect())
}

/// Returns a member with its mail count and the last of its `sessions`.
pub(super) fn member_state(
    team: &mut Team,
    member: MemberDoc,
    sessions: &[SessionDoc],
) -> Result<TeamMemberState, Failure> {
    let unread = team.unread(&member.name).map_err(failure)? as u64;
    let mut own = sessions.iter();
    let session = own.rfind(|it| it.member == member.name).cloned();
    Ok(TeamMemberState {
        member,
        unread,
        session,
    })
}

/// Returns a task with the time left on its lease and what it waits for.
pub(super) fn task_state(team: &mut Team, task: TaskId) -> Result<TeamTaskState, Failure> {
    let why = team.why(task).map_err(failure)?;
    let unchecked = team.unchecked_tasks().map_err(failure)?;
    Ok(described(why, &unchecked, &SystemClock::new().now()))
}

fn described(why: TaskWhy, unchecked: &BTreeSet<TaskId>, now: &Moment) -> TeamTaskState {
    let lease = why.task.lease.as_ref();
    TeamTaskState {
        lease_left_s: lease.map(|lease| lease.until.remaining(now).as_secs()),
        waits_for: why.waits_for,
        unchecked: unchecked.contains(&why.task.id),
        task: why.task,
    }
}
