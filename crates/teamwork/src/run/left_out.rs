//! Tasks of a run whose changes are not on its branch.

use agon_caller::Failure;
use agon_team::id::TaskId;
use agon_team::store::{RunDoc, Team};
use agon_team::task::{Task, TaskState};
use agon_team::why::WaitsFor;
use schemars::JsonSchema;
use serde::Serialize;

use crate::open_team::failure;
use crate::text::clean_line;

/// A task of a run whose change is not on its branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOutTask {
    /// Its id.
    pub task: TaskId,
    /// Its title.
    pub title: String,
    /// Its state.
    pub state: TaskState,
    /// Why its change is missing, in a sentence.
    pub why: String,
}

/// Returns the tasks of a run whose changes are not on its branch.
///
/// # Errors
///
/// If the store cannot be read.
pub(super) fn left_out(team: &mut Team, run: &RunDoc) -> Result<Vec<LeftOutTask>, Failure> {
    let open = run.tasks.iter().filter(|it| it.merged.is_none());
    open.map(|it| {
        let task = team.task(it.task).map_err(failure)?;
        Ok(LeftOutTask {
            task: task.id,
            title: clean_line(&task.title),
            state: task.state,
            why: reason(team, &task)?,
        })
    })
    .collect()
}

/// Explains why a task is not on its run's branch: its state, the tasks that it needs, and its last
/// note.
///
/// # Errors
///
/// If the store cannot be read.
pub(super) fn reason(team: &mut Team, task: &Task) -> Result<String, Failure> {
    let waits_for = team.why(task.id).map_err(failure)?.waits_for;
    let needs: Vec<String> = waits_for
        .iter()
        .filter_map(|one| match one {
            WaitsFor::Need { task, state, .. } | WaitsFor::LostNeed { task, state } => {
                Some(format!("{task} ({state})"))
            }
            _ => None,
        })
        .collect();
    let mut why = format!("{} is {}", task.id, task.state);
    if !needs.is_empty() {
        why.push_str(&format!(" and needs {}", needs.join(", ")));
    }
    if let Some(note) = &task.note {
        why.push_str(&format!(" ({})", clean_line(note)));
    }
    Ok(why)
}
