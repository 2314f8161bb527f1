//! The next step after a step of a task.

use agon_teamwork::{Change, Task, TaskId, TaskState, WaitsFor, describe_missing};

use crate::args::TeamTaskCommand;

/// Returns what a member should do after a step.
pub(super) fn next_step(
    command: &TeamTaskCommand,
    task: &Task,
    waits_for: &[WaitsFor],
) -> Option<String> {
    let id = task.id;
    let needs = list_unfinished_dependencies(waits_for);
    match command {
        TeamTaskCommand::Add(_) | TeamTaskCommand::Reopen(_) | TeamTaskCommand::Release(_)
            if task.state == TaskState::Ready =>
        {
            Some(match (&task.assignee, needs.is_empty()) {
                (_, false) => {
                    let verb = if needs.contains(',') { "are" } else { "is" };
                    format!("can be claimed once {needs} {verb} done")
                }
                (Some(who), true) => format!("{who} claims it: agon team task claim {id}"),
                (None, true) => format!("a member claims it: agon team task claim {id}"),
            })
        }
        TeamTaskCommand::Assign { .. } => assignment_next_step(task),
        TeamTaskCommand::Claim(_) => Some(format!(
            "agon team task start {id}, then commit the change and agon team task submit {id}"
        )),
        TeamTaskCommand::Submit(_) => Some(
            describe_missing(task, waits_for)
                .unwrap_or_else(|| format!("agon team task done {id}")),
        ),
        TeamTaskCommand::Done(_) => Some(match short_commit(task) {
            Some(commit) => {
                format!("merge it yourself: git merge {commit}, in the branch that needs it")
            }
            None => "agon team task claim, or agon team status".to_owned(),
        }),
        _ => None,
    }
}

/// Describes who can claim a reserved task.
fn assignment_next_step(task: &Task) -> Option<String> {
    let (id, who) = (task.id, task.assignee.as_ref()?);
    Some(match &task.lease {
        Some(lease) => format!(
            "reserved for {who}, once {} releases it: agon team task release {id} --note WHY",
            lease.holder
        ),
        None => format!("{who} must claim it: agon team task claim {id}"),
    })
}

/// Lists the tasks that must be done first.
pub(super) fn list_unfinished_dependencies(waits_for: &[WaitsFor]) -> String {
    let needs = waits_for.iter().filter_map(|one| match one {
        WaitsFor::Need { task, .. } | WaitsFor::LostNeed { task, .. } => Some(*task),
        _ => None,
    });
    let needs: Vec<String> = needs.map(|it: TaskId| it.to_string()).collect();
    needs.join(", ")
}

/// Returns the abbreviated commit of a change.
fn short_commit(task: &Task) -> Option<String> {
    match &task.evidence.as_ref()?.change {
        Change::Commit { id } => Some(id.chars().take(10).collect()),
        Change::Diff { .. } | Change::Elsewhere { .. } => None,
    }
}
