//! Why a step of a task is refused.

use agon_hint::{Hint, quoted};

use crate::id::{Epoch, MemberName, TaskId};
use crate::task::assignee::Assignee;
use crate::task::state::TaskState;

/// Why a step is refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskRefusal {
    /// The epoch of the write is not the task's current one: its lease is over.
    #[error("{}: {}", describe_epoch(*task, *given, *current), describe_holder(*task, holder.as_ref(), *current, *state))]
    Stale {
        /// The task.
        task: TaskId,
        /// The epoch of the write.
        given: Epoch,
        /// The task's current epoch.
        current: Epoch,
        /// The current holder.
        holder: Option<MemberName>,
        /// The current state.
        state: TaskState,
    },
    /// The member holds the task, at another epoch.
    #[error("{task} is yours with claim {current}, not claim {given}")]
    WrongEpoch {
        /// The task.
        task: TaskId,
        /// The epoch of the write.
        given: Epoch,
        /// The task's current epoch.
        current: Epoch,
    },
    /// The epoch is right, but another member holds the task.
    #[error("{task} is held by {holder}, not by {member}")]
    NotHolder {
        /// The task.
        task: TaskId,
        /// The holder.
        holder: MemberName,
        /// The member that tried to write.
        member: MemberName,
    },
    /// The task's state does not allow the step.
    #[error("{}", describe_state(*task, *state, step))]
    State {
        /// The task.
        task: TaskId,
        /// Its state.
        state: TaskState,
        /// The refused step, as a participle.
        step: &'static str,
    },
    /// Only the holder of the lease may do this.
    #[error("{task} can only be {step} by the member that holds it")]
    NeedsLease {
        /// The task.
        task: TaskId,
        /// The refused step, as a participle.
        step: &'static str,
    },
    /// A task that it needs is not done.
    #[error("{task} still needs {}", joined_ids(needs))]
    Blocked {
        /// The task.
        task: TaskId,
        /// The unfinished tasks that it needs.
        needs: Vec<TaskId>,
    },
    /// It is assigned to someone else.
    #[error("{task} is assigned to {assignee}")]
    Kept {
        /// The task.
        task: TaskId,
        /// The assignee.
        assignee: Assignee,
    },
    /// An approved change cannot be replaced.
    #[error("{task} was already approved, so it cannot be submitted again")]
    Approved {
        /// The task.
        task: TaskId,
    },
    /// Tasks in progress need it done.
    #[error("{task} cannot be reopened: {} {} it done", joined_ids(held), if held.len() == 1 { "needs" } else { "need" })]
    NeededBy {
        /// The task.
        task: TaskId,
        /// The tasks in progress.
        held: Vec<TaskId>,
    },
}

impl TaskRefusal {
    /// Returns what to do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Stale {
                task,
                current,
                state: TaskState::Review,
                ..
            } => Hint::new("read the submitted change with ")
                .quoted(format!("team task show {task}"))
                .text(", then name it with ")
                .flag_with("epoch", current),
            Self::Stale { task, state, .. } | Self::State { task, state, .. }
                if !state.is_final() && !state.is_leased() =>
            {
                why_hint(*task).then("claim it again if it is ready")
            }
            Self::WrongEpoch { current, .. } => Hint::new("omit ")
                .flag("epoch")
                .or(Hint::new("use ").flag_with("epoch", current)),
            Self::Kept { .. } => Hint::new("claim another task, or have the lead run ")
                .quoted("team task unassign TASK"),
            Self::Approved { task } => {
                Hint::new("finish it with ").quoted(format!("team task done {task}"))
            }
            Self::NeededBy { .. } => {
                Hint::new("wait until they are submitted, or have the lead cancel them")
            }
            Self::Stale { task, .. } | Self::NotHolder { task, .. } => {
                let more = quoted(format!("team task why {task}")).text(" shows why");
                Hint::new("put your change aside and claim another task").then(more)
            }
            Self::State { task, .. }
            | Self::NeedsLease { task, .. }
            | Self::Blocked { task, .. } => why_hint(*task),
        }
    }
}

fn why_hint(task: TaskId) -> Hint {
    Hint::new("see why with ").quoted(format!("team task why {task}"))
}

fn describe_state(task: TaskId, state: TaskState, step: &str) -> String {
    match (state, step) {
        (TaskState::Review, "submitted") => {
            format!("{task} was submitted already and waits for a review")
        }
        (TaskState::Review, _) => format!("{task} waits for a review, so it cannot be {step}"),
        _ => format!("{task} is {state}, so it cannot be {step}"),
    }
}

fn describe_epoch(task: TaskId, given: Epoch, current: Epoch) -> String {
    match given > current {
        true => format!("{task} has no claim {given} yet"),
        false => format!("claim {given} of {task} is over"),
    }
}

fn describe_holder(
    task: TaskId,
    holder: Option<&MemberName>,
    current: Epoch,
    state: TaskState,
) -> String {
    match (holder, state) {
        (Some(holder), _) => format!("{holder} now holds it with claim {current}"),
        (None, TaskState::Review) => format!("{task} is already in review under claim {current}"),
        (None, _) => format!("{task} is {state}, and no member holds it"),
    }
}

fn joined_ids(tasks: &[TaskId]) -> String {
    let words: Vec<String> = tasks.iter().map(TaskId::to_string).collect();
    words.join(", ")
}
