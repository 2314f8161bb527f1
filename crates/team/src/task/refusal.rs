//! Why a step of a task is refused.

use agon_hint::{Hint, quoted};

use crate::id::{Epoch, MemberName, TaskId};
use crate::task::state::TaskState;

/// Why a step is refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskRefusal {
    /// The epoch of the write is not the task's: the lease it was made under is over.
    #[error("epoch {given} of {task} is over: {}", describe_holder(holder.as_ref(), *current, *state))]
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
}

impl TaskRefusal {
    /// What to do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Stale { task, state, .. } | Self::State { task, state, .. }
                if !state.is_final() && !state.is_leased() =>
            {
                why_hint(*task).then("claim it again if it is ready")
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
