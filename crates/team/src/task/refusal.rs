//! Why a step of a task is refused.

use agon_hint::{Hint, quoted};

use crate::id::{Epoch, MemberName, TaskId};
use crate::task::assignee::Assignee;
use crate::task::state::TaskState;

/// Why a step is refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskRefusal {
    /// The epoch of the write is not the task's: the lease it was made under is over.
    #[error("{}: {}", describe_epoch(*task, *given, *current), describe_holder(holder.as_ref(), *current, *state))]
    Stale {
        /// The task.
        task: TaskId,
        /// The epoch of the write.
        given: Epoch,
        /// The task's epoch now.
        current: Epoch,
        /// Who holds it now.
        holder: Option<MemberName>,
        /// Where it stands now.
        state: TaskState,
    },
    /// The member holds the task, at another epoch.
    #[error("{task} is yours at epoch {current}, not {given}")]
    WrongEpoch {
        /// The task.
        task: TaskId,
        /// The epoch of the write.
        given: Epoch,
        /// The task's epoch now.
        current: Epoch,
    },
    /// The epoch is right and the member is not.
    #[error("{task} is held by {holder}, not by {member}")]
    NotHolder {
        /// The task.
        task: TaskId,
        /// Who holds it.
        holder: MemberName,
        /// Who wrote.
        member: MemberName,
    },
    /// It is not in a state from which this step leads.
    #[error("{task} is {state}, so it cannot be {step}")]
    State {
        /// The task.
        task: TaskId,
        /// Where it stands.
        state: TaskState,
        /// What was to be done to it.
        step: &'static str,
    },
    /// Only the holder of the lease may do this.
    #[error("only the member who holds {task} can have it {step}")]
    NeedsLease {
        /// The task.
        task: TaskId,
        /// What was to be done to it.
        step: &'static str,
    },
    /// Something that it needs is not done.
    #[error("{task} needs {}", list(needs))]
    Blocked {
        /// The task.
        task: TaskId,
        /// What it needs that is not done.
        needs: Vec<TaskId>,
    },
    /// It is kept for another.
    #[error("{task} is kept for {assignee}")]
    Kept {
        /// The task.
        task: TaskId,
        /// For whom.
        assignee: Assignee,
    },
    /// A change that was approved is not replaced.
    #[error("{task} was approved as it was submitted, so it cannot be submitted again")]
    Approved {
        /// The task.
        task: TaskId,
    },
    /// Tasks are under way that need it done.
    #[error("{task} cannot be reopened: {} {} it done", list(held), if held.len() == 1 { "needs" } else { "need" })]
    NeededBy {
        /// The task.
        task: TaskId,
        /// Those tasks.
        held: Vec<TaskId>,
    },
}

impl TaskRefusal {
    /// What to do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Stale {
                task,
                current,
                state: TaskState::Review,
                ..
            } => Hint::new("look at the submitted change with ")
                .quoted(format!("team task show {task}"))
                .text(", then give ")
                .flag_with("epoch", current),
            Self::Stale { task, state, .. } | Self::State { task, state, .. }
                if !state.is_final() && !state.is_leased() =>
            {
                why_hint(*task).then("claim it again if it is ready")
            }
            Self::WrongEpoch { current, .. } => Hint::new("leave out ")
                .flag("epoch")
                .or(Hint::new("give ").flag_with("epoch", current)),
            Self::Kept { .. } => Hint::new("claim another task, or have the lead run ")
                .quoted("team task unassign TASK"),
            Self::Approved { task } => {
                Hint::new("finish it with ").quoted(format!("team task done {task}"))
            }
            Self::NeededBy { .. } => {
                Hint::new("wait until they are submitted, or have the lead cancel them")
            }
            Self::Stale { task, .. } | Self::NotHolder { task, .. } => {
                let more = quoted(format!("team task why {task}")).text(" says more");
                Hint::new("keep your change aside and claim another task").then(more)
            }
            Self::State { task, .. }
            | Self::NeedsLease { task, .. }
            | Self::Blocked { task, .. } => why_hint(*task),
        }
    }
}

fn why_hint(task: TaskId) -> Hint {
    Hint::new("look with ").quoted(format!("team task why {task}"))
}

fn describe_epoch(task: TaskId, given: Epoch, current: Epoch) -> String {
    match given > current {
        true => format!("{task} has no epoch {given} yet"),
        false => format!("epoch {given} of {task} is over"),
    }
}

fn describe_holder(holder: Option<&MemberName>, current: Epoch, state: TaskState) -> String {
    match holder {
        Some(holder) => format!("{holder} holds it at epoch {current}"),
        None => format!("no member holds it, it is {state} at epoch {current}"),
    }
}

fn list(tasks: &[TaskId]) -> String {
    let words: Vec<String> = tasks.iter().map(TaskId::to_string).collect();
    words.join(", ")
}
