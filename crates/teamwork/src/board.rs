//! A compact view of a team, for models.

use agon_caller::{Caller, Failure};
use agon_team::id::{Epoch, LockId, MemberName, RoleName, TaskId};
use agon_team::lock::LockMode;
use agon_team::store::{Actor, Team};
use agon_team::task::{Task, TaskState};
use agon_team::why::WaitsFor;
use agon_tokens::{count_tokens, truncate_to_tokens};
use schemars::JsonSchema;
use serde::Serialize;

use super::member::actor;
use super::open_team::{failure, open};
use super::status::{TeamTaskState, task_state};
use super::text::fence_spec;
use super::wait_text::describe_wait;

/// The name and version of a team's board document.
pub const TEAM_BOARD_SCHEMA: &str = "agon.team_board/1";
/// The name and version of a task's work document.
pub const TEAM_WORK_SCHEMA: &str = "agon.team_work/1";

// A tool result may have 1,500 tokens; names, members and locks take the rest.
/// The most tokens for the tasks on a board.
const TASK_TOKENS: usize = 900;
/// The most tokens for a task's description.
const SPEC_TOKENS: usize = 1_000;
/// The most members, and the most locks, on a board.
const MAX_ROWS: usize = 10;

/// The team as one of its members sees it: `agon.team_board/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamBoardDoc {
    #[schemars(extend("const" = TEAM_BOARD_SCHEMA))]
    schema: &'static str,
    /// The member that asks; null for a caller that is not a member.
    pub you: Option<MemberName>,
    /// The open tasks: the caller's first, then those being worked on.
    pub tasks: Vec<BoardTask>,
    /// The other members, at most ten.
    pub members: Vec<BoardMember>,
    /// The locks, at most ten.
    pub locks: Vec<BoardLock>,
    /// The number of unread messages for the caller.
    pub unread: u64,
    /// The number of tasks that are done.
    pub done: u64,
    /// The number of rows left out for lack of room.
    pub left_out: u64,
}

/// A task on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoardTask {
    /// Its id.
    pub task: TaskId,
    /// What to do, as a member wrote it.
    pub title: String,
    /// Its state, or `blocked` if it needs a task that is not done.
    pub state: String,
    /// The member that holds it.
    pub holder: Option<MemberName>,
    /// What it waits for, other than its holder.
    pub waits_for: Vec<String>,
}

/// A member on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoardMember {
    /// Its name.
    pub name: MemberName,
    /// Its role.
    pub role: RoleName,
}

/// A lock on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoardLock {
    /// Its id.
    pub lock: LockId,
    /// The task that it was taken for.
    pub task: TaskId,
    /// The member that holds it.
    pub holder: MemberName,
    /// The paths that it covers.
    pub globs: String,
    /// Whether it is shared or exclusive.
    pub mode: LockMode,
    /// Whether it is granted; otherwise it is waiting in the queue.
    pub granted: bool,
}

/// A task, with what the member working on it needs: `agon.team_work/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamWorkDoc {
    #[schemars(extend("const" = TEAM_WORK_SCHEMA))]
    schema: &'static str,
    /// Its id.
    pub task: TaskId,
    /// Its state.
    pub state: TaskState,
    /// Its epoch, which every step of its holder must name.
    pub epoch: Epoch,
    /// The member that holds it.
    pub holder: Option<MemberName>,
    /// The time left on its lease, in seconds.
    pub lease_left_s: Option<u64>,
    /// What to do: its title and description as a member wrote them, in a fence.
    pub text: String,
    /// What it waits for, other than its holder.
    pub waits_for: Vec<String>,
    /// The commit that was submitted.
    pub commit: Option<String>,
    /// The note from the last change of hands, as a member wrote it.
    pub note: Option<String>,
}

/// Returns the team of the caller's repository, as the caller's member sees it.
///
/// # Errors
///
/// If there is no team or its file cannot be read.
pub fn board(caller: &Caller) -> Result<TeamBoardDoc, Failure> {
    let (mut team, location) = open(caller)?;
    let you = actor(caller, &team, &location).ok();
    let you = you.as_ref().and_then(Actor::name).cloned();
    let all = team.tasks().map_err(failure)?;
    let done = all
        .iter()
        .filter(|task| task.state == TaskState::Done)
        .count() as u64;
    let mut open_tasks: Vec<Task> = all.into_iter().filter(|it| !it.state.is_final()).collect();
    open_tasks.sort_by_key(|task| {
        let holder = task.lease.as_ref().map(|lease| &lease.holder);
        (holder.is_none() || holder != you.as_ref(), rank(task.state))
    });
    let mut left_out = 0;
    let mut tasks = Vec::new();
    let mut tokens = 0;
    for task in &open_tasks {
        if tokens > TASK_TOKENS {
            left_out += 1;
            continue;
        }
        let row = board_task(&task_state(&mut team, task.id)?);
        tokens += count_tokens(&serde_json::to_string(&row).unwrap_or_default());
        match tokens > TASK_TOKENS {
            true => left_out += 1,
            false => tasks.push(row),
        }
    }
    let mut locks = board_locks(&mut team)?;
    let mut members = board_members(&mut team, you.as_ref())?;
    left_out += locks.len().saturating_sub(MAX_ROWS) + members.len().saturating_sub(MAX_ROWS);
    locks.truncate(MAX_ROWS);
    members.truncate(MAX_ROWS);
    let unread = match &you {
        Some(you) => team.unread(you).map_err(failure)? as u64,
        None => 0,
    };
    Ok(TeamBoardDoc {
        schema: TEAM_BOARD_SCHEMA,
        you,
        tasks,
        members,
        locks,
        unread,
        done,
        left_out: left_out as u64,
    })
}

fn board_locks(team: &mut Team) -> Result<Vec<BoardLock>, Failure> {
    let row = |lock: agon_team::lock::PathLock| BoardLock {
        lock: lock.id,
        task: lock.task,
        holder: lock.holder,
        globs: truncate_to_tokens(&lock.globs.to_string(), 60),
        mode: lock.mode,
        granted: lock.granted,
    };
    Ok(team
        .locks()
        .map_err(failure)?
        .into_iter()
        .map(row)
        .collect())
}

fn board_members(team: &mut Team, you: Option<&MemberName>) -> Result<Vec<BoardMember>, Failure> {
    let all = team.members().map_err(failure)?.into_iter();
    let others = all.filter(|it| it.left_ms.is_none() && Some(&it.name) != you);
    let row = |it: agon_team::store::MemberDoc| BoardMember {
        name: it.name,
        role: it.role,
    };
    Ok(others.map(row).collect())
}

/// The sort order of tasks on a board: worked on, in review, ready to claim, the rest.
const fn rank(state: TaskState) -> u8 {
    match state {
        TaskState::Claimed | TaskState::Running | TaskState::Waiting => 0,
        TaskState::Review => 1,
        TaskState::Ready => 2,
        TaskState::Draft => 3,
        TaskState::Done | TaskState::Failed | TaskState::Cancelled => 4,
    }
}

fn board_task(row: &TeamTaskState) -> BoardTask {
    let task = &row.task;
    BoardTask {
        task: task.id,
        title: truncate_to_tokens(&task.title, 40),
        state: row.word().to_owned(),
        holder: task.lease.as_ref().map(|lease| lease.holder.clone()),
        waits_for: waits(row),
    }
}

/// Describes what a task waits for, other than its holder.
fn waits(row: &TeamTaskState) -> Vec<String> {
    let is_held = |one: &&WaitsFor| matches!(one, WaitsFor::Holder { .. });
    let others = row.waits_for.iter().filter(|one| !is_held(one));
    others.take(MAX_ROWS).map(describe_wait).collect()
}

/// Returns a task with what the member working on it needs.
///
/// # Errors
///
/// Fails if there is no such task.
pub fn work(caller: &Caller, task: TaskId) -> Result<TeamWorkDoc, Failure> {
    let (mut team, _) = open(caller)?;
    let row = task_state(&mut team, task)?;
    let waits_for = waits(&row);
    let task = row.task;
    let whole = match task.spec.is_empty() {
        true => task.title.clone(),
        false => format!("{}\n\n{}", task.title, task.spec),
    };
    let shown = match count_tokens(&whole) > SPEC_TOKENS {
        true => format!(
            "{}\n[…] `agon team task show {}` prints all of it",
            truncate_to_tokens(&whole, SPEC_TOKENS),
            task.id
        ),
        false => whole,
    };
    let commit = task
        .evidence
        .as_ref()
        .and_then(|evidence| match &evidence.change {
            agon_team::change::Change::Commit { id } => Some(id.clone()),
            agon_team::change::Change::Diff { .. }
            | agon_team::change::Change::Elsewhere { .. } => None,
        });
    Ok(TeamWorkDoc {
        schema: TEAM_WORK_SCHEMA,
        text: fence_spec(&task.id.to_string(), &shown)?,
        task: task.id,
        state: task.state,
        epoch: task.epoch,
        holder: task.lease.map(|lease| lease.holder),
        lease_left_s: row.lease_left_s,
        waits_for,
        commit,
        note: task.note.map(|note| truncate_to_tokens(&note, 120)),
    })
}
