//! Finds the task that a member means if it names none.

use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::id::TaskId;
use agon_team::store::StoreError;
use agon_team::task::{Task, TaskState};

use super::member::actor;
use super::open_team::{failure, open};

/// Returns the named task, otherwise the only task that the caller's member holds, otherwise its
/// only task in review.
///
/// # Errors
///
/// Fails if no task is named and there is not exactly one candidate.
pub fn own_task(caller: &Caller, named: Option<TaskId>) -> Result<TaskId, Failure> {
    if let Some(task) = named {
        return Ok(task);
    }
    let (mut team, location) = open(caller)?;
    let asking = actor(caller, &team, &location)?;
    let Some(member) = asking.name() else {
        return Err(failure(StoreError::NotMember));
    };
    let tasks = team.tasks().map_err(failure)?;
    let ids = |is_own: &dyn Fn(&Task) -> bool| -> Vec<TaskId> {
        let own = tasks.iter().filter(|task| is_own(task));
        own.map(|task| task.id).collect()
    };
    let mut own = ids(&|task| {
        let holder = task.lease.as_ref().map(|lease| &lease.holder);
        holder == Some(member)
    });
    if own.is_empty() {
        own = ids(&|task| {
            let author = task.evidence.as_ref().map(|it| &it.author);
            task.state == TaskState::Review && author == Some(member)
        });
    }
    match own.as_slice() {
        [task] => Ok(*task),
        several => Err(ambiguous_task_failure(several)),
    }
}

fn ambiguous_task_failure(own: &[TaskId]) -> Failure {
    let names: Vec<String> = own.iter().map(TaskId::to_string).collect();
    let (message, hint) = match names.is_empty() {
        true => (
            "no task named, and you hold none".to_owned(),
            Hint::new("claim one with ").quoted("team task claim"),
        ),
        false => (
            format!("no task named, and you have several: {}", names.join(", ")),
            Hint::new(format!("name one of {}", names.join(", "))),
        ),
    };
    Failure::new(Code::MissingParameter, message)
        .parameter("task")
        .hint(hint)
}
