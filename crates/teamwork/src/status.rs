//! How a team stands: its tasks, members and locks.

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

use super::door::{failure, open};
use super::gate::read;
use super::run::TeamRunState;

/// The name and version of the document.
pub const TEAM_STATUS_SCHEMA: &str = "agon.team_status/1";

/// How a team stands: `agon.team_status/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamStatusDoc {
    #[schemars(extend("const" = TEAM_STATUS_SCHEMA))]
    schema: &'static str,
    /// Its tasks, in the order of their numbers.
    pub tasks: Vec<TeamTaskState>,
    /// Its runs, the earliest first.
    pub runs: Vec<TeamRunState>,
    /// Its members, by name, without those who left.
    pub members: Vec<TeamMemberState>,
    /// The locks that are held or waited for, the earliest first.
    pub locks: Vec<PathLock>,
    /// The tasks that are done, and whose commit is not in the branch of the lead's work tree.
    pub unmerged: BTreeSet<TaskId>,
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
    /// Whether it is done, and neither a gate nor another member checked it.
    pub unchecked: bool,
}

impl TeamTaskState {
    /// The tasks that it needs and that are not done; none once it is over.
    pub fn blockers(&self) -> Vec<TaskId> {
        let needs = self.waits_for.iter().filter_map(|one| match one {
            WaitsFor::Need { task, .. } | WaitsFor::LostNeed { task, .. } => Some(*task),
            _ => None,
        });
        needs.collect()
    }

    /// Where it stands, in a word: its state, or `blocked` where it could be claimed but for a task
    /// that it needs.
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
    /// How many messages wait for it.
    pub unread: u64,
    /// Its last session, with what says how it is; null where Agon never started it.
    pub session: Option<SessionDoc>,
}

/// How the team of the caller's repository stands; all who read the repository may see it. What is not
/// merged is left to [`super::mark_unmerged`].
///
/// # Errors
///
/// If there is no team or its file cannot be read.
pub fn status(caller: &Caller) -> Result<TeamStatusDoc, Failure> {
    let (mut team, location) = open(caller)?;
    let tasks = list_states(&mut team)?;
    // The board is shown also where the file of the gates cannot be followed: then no gate runs.
    let defined = read(&location).unwrap_or_default().gates;
    let runs = team.runs().map_err(failure)?.into_iter();
    let runs = runs.map(|run| TeamRunState::new(run, &defined)).collect();
    let unread = team.all_unread().map_err(failure)?;
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

/// Every task with what it waits for, in the order of their numbers.
pub(super) fn list_states(team: &mut Team) -> Result<Vec<TeamTaskState>, Failure> {
    let now = SystemClock::new().now();
    let whys = team.all_whys().map_err(failure)?.into_iter();
    let unchecked = team.unchecked_tasks().map_err(failure)?;
    Ok(whys.map(|why| described(why, &unchecked, &now)).collect())
}

/// A member with its mail and the last of its `sessions`.
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

/// A task with what is left of its lease, and what it waits for.
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
