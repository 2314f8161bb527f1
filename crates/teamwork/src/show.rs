//! Shows a task in full, and lists tasks, for people.

use agon_caller::{Caller, Failure};
use agon_team::change::Review;
use agon_team::gate::GateStanding;
use agon_team::id::{GateName, TaskId};
use agon_team::lock::PathLock;
use agon_team::store::EventDoc;
use agon_team::task::{Label, TaskState};
use schemars::JsonSchema;
use serde::Serialize;

use super::open_team::{failure, open};
use super::status::{TeamTaskState, list_states, task_state};
use super::text::fence_spec;

/// The name and version of the task detail document.
pub const TEAM_SHOWN_SCHEMA: &str = "agon.team_shown/1";
/// The name and version of the task list document.
pub const TEAM_TASKS_SCHEMA: &str = "agon.team_tasks/1";

/// The number of a task's last events that are shown.
const LAST_EVENTS: usize = 20;

/// A task in full: `agon.team_shown/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamShownDoc {
    #[schemars(extend("const" = TEAM_SHOWN_SCHEMA))]
    schema: &'static str,
    /// The task, with what it waits for.
    #[serde(flatten)]
    pub state: TeamTaskState,
    /// The title, description and note, as members wrote them, in a fence that they cannot leave.
    pub text: String,
    /// The tasks that it needs done first.
    pub needs: Vec<NeededTask>,
    /// The tasks that need it.
    pub needed_by: Vec<NeededTask>,
    /// The results of its gates for the submitted tree.
    pub gates: Vec<ShownGate>,
    /// The locks taken for it, granted and waiting.
    pub locks: Vec<PathLock>,
    /// The reviews, the earliest first.
    pub reviews: Vec<Review>,
    /// Its last events, the earliest first.
    pub events: Vec<EventDoc>,
}

/// A task that another needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NeededTask {
    /// Its id.
    pub task: TaskId,
    /// Its title.
    pub title: String,
    /// Its state.
    pub state: TaskState,
    /// Whether it is ready except for a task that it needs.
    pub is_blocked: bool,
}

impl NeededTask {
    fn of(row: &TeamTaskState) -> Self {
        let task = &row.task;
        Self {
            task: task.id,
            title: task.title.clone(),
            state: task.state,
            is_blocked: task.state == TaskState::Ready && !row.blockers().is_empty(),
        }
    }
}

/// A gate of a task with its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShownGate {
    /// Its name.
    pub gate: GateName,
    /// Its result; null before anything was submitted.
    pub standing: Option<GateStanding>,
}

/// Tasks of a team: `agon.team_tasks/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamTasksDoc {
    #[schemars(extend("const" = TEAM_TASKS_SCHEMA))]
    schema: &'static str,
    /// The tasks: open ones first, in the order in which they are claimed.
    pub tasks: Vec<TeamTaskState>,
}

/// Which tasks to list; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Only those with all of these labels.
    pub labels: Vec<Label>,
    /// Only those assigned to or held by this member or role.
    pub assignee: Option<String>,
    /// Only those in this state, which may be `blocked`.
    pub state: Option<String>,
}

impl TaskFilter {
    fn admits(&self, row: &TeamTaskState) -> bool {
        let task = &row.task;
        let holder = task.lease.as_ref().map(|lease| lease.holder.as_str());
        let kept_for = task.assignee.as_ref().map(|it| it.as_str());
        let is_whose = |name: &String| {
            let name = Some(name.as_str());
            name == holder || name == kept_for
        };
        self.labels.iter().all(|it| task.labels.contains(it))
            && self.assignee.as_ref().is_none_or(is_whose)
            && self.state.as_ref().is_none_or(|state| row.word() == state)
    }
}

/// Returns the tasks of the caller's team that match a filter.
///
/// # Errors
///
/// If there is no team or its file cannot be read.
pub fn tasks(caller: &Caller, filter: &TaskFilter) -> Result<TeamTasksDoc, Failure> {
    let (mut team, _) = open(caller)?;
    let mut tasks = list_states(&mut team)?;
    tasks.retain(|row| filter.admits(row));
    tasks.sort_by_key(|row| {
        let task = &row.task;
        (
            task.state.is_final(),
            std::cmp::Reverse(task.priority),
            task.place,
            task.id,
        )
    });
    Ok(TeamTasksDoc {
        schema: TEAM_TASKS_SCHEMA,
        tasks,
    })
}

/// Returns everything known about a task.
///
/// # Errors
///
/// Fails if there is no such task.
pub fn show(caller: &Caller, id: TaskId) -> Result<TeamShownDoc, Failure> {
    let (mut team, _) = open(caller)?;
    let state = task_state(&mut team, id)?;
    let task = &state.task;
    let all = list_states(&mut team)?;
    let needs = team.needs().map_err(failure)?;
    let of = |ids: &[TaskId]| -> Vec<NeededTask> {
        let found = all.iter().filter(|it| ids.contains(&it.task.id));
        found.map(NeededTask::of).collect()
    };
    let needed: Vec<TaskId> = needs.needs_of_task(id).collect();
    let dependents = all.iter().map(|it| it.task.id);
    let dependents: Vec<TaskId> = dependents
        .filter(|other| needs.needs_of_task(*other).any(|it| it == id))
        .collect();
    let runs = team.gate_runs(id).map_err(failure)?;
    let submitted = task.evidence.as_ref();
    let gates = task.gates.iter().map(|gate| ShownGate {
        standing: submitted.map(|it| GateStanding::of(gate, &it.tree, &runs)),
        gate: gate.clone(),
    });
    let gates = gates.collect();
    let mut locks = team.locks().map_err(failure)?;
    locks.retain(|lock| lock.task == id);
    let events = team.task_events(id).map_err(failure)?;
    let earlier = events.len().saturating_sub(LAST_EVENTS);
    let mut text = task.title.clone();
    if !task.spec.is_empty() {
        text = format!("{text}\n\n{}", task.spec);
    }
    if let Some(note) = &task.note {
        text = format!("{text}\n\nNote: {note}");
    }
    Ok(TeamShownDoc {
        schema: TEAM_SHOWN_SCHEMA,
        text: fence_spec(&id.to_string(), &text)?,
        needs: of(&needed),
        needed_by: of(&dependents),
        gates,
        locks,
        reviews: team.reviews(id).map_err(failure)?,
        events: events.into_iter().skip(earlier).collect(),
        state,
    })
}
