//! What comes next after a step of a task.

use agon_teamwork::{Change, Task, TaskId, TaskState, WaitsFor, describe_missing};

use crate::args::TeamTaskCommand;

/// What a member does after a step.
pub(super) fn next_step(
    command: &TeamTaskCommand,
    task: &Task,
    waits_for: &[WaitsFor],
) -> Option<String> {
    let id = task.id;
    let needs = list_needs(waits_for);
    match command {
        TeamTaskCommand::Add(_) | TeamTaskCommand::Reopen(_) | TeamTaskCommand::Release(_)
            if task.state == TaskState::Ready =>
        {
            Some(match (&task.assignee, needs.is_empty()) {
                (_, false) => format!("it can be claimed once {needs} is done"),
                (Some(who), true) => format!("{who} takes it: agon team task claim {id}"),
                (None, true) => format!("a member takes it: agon team task claim {id}"),
            })
        }
        TeamTaskCommand::Assign { .. } => assigned(task),
        TeamTaskCommand::Claim(_) => Some(format!(
            "agon team task start {id}, then commit the change and agon team task submit {id}"
        )),
        TeamTaskCommand::Submit(_) => Some(
            describe_missing(task, waits_for)
                .unwrap_or_else(|| format!("agon team task done {id}")),
        ),
        TeamTaskCommand::Done(_) => Some(match commit_of(task) {
            Some(commit) => format!(
                "it is not merged by this: git merge {commit} in the branch that is to have it"
            ),
            None => "claim another: agon team task claim, or see agon team status".to_owned(),
        }),
        _ => None,
    }
}

/// Who can claim a task now that it is kept for someone.
fn assigned(task: &Task) -> Option<String> {
    let (id, who) = (task.id, task.assignee.as_ref()?);
    Some(match &task.lease {
        Some(lease) => format!(
            "{} holds it, and it is kept for {who} from then on: {0} gives it back with agon team task release {id} --note WHY",
            lease.holder
        ),
        None => format!("{who} still claims it: agon team task claim {id}"),
    })
}

/// The tasks that must be done first.
pub(super) fn list_needs(waits_for: &[WaitsFor]) -> String {
    let needs = waits_for.iter().filter_map(|one| match one {
        WaitsFor::Need { task, .. } | WaitsFor::LostNeed { task, .. } => Some(*task),
        _ => None,
    });
    let needs: Vec<String> = needs.map(|it: TaskId| it.to_string()).collect();
    needs.join(", ")
}

/// The commit of a change, in a few characters.
fn commit_of(task: &Task) -> Option<String> {
    match &task.evidence.as_ref()?.change {
        Change::Commit { id } => Some(id.chars().take(10).collect()),
        Change::Diff { .. } | Change::Elsewhere { .. } => None,
    }
}
