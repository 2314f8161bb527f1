//! Tasks: their states and the steps between them.

mod assignee;
mod evidence;
mod label;
mod origin;
mod refusal;
mod state;
mod step;

pub use self::assignee::Assignee;
pub use self::evidence::{Complete, MissingEvidence, check_evidence, is_approved};
pub use self::label::{Label, LabelError};
pub use self::origin::{TaskBase, TaskOrigin};
pub use self::refusal::TaskRefusal;
pub use self::state::{Lease, Task, TaskState, WaitReason, Waiting};
pub use self::step::{Fence, TaskStep};

#[cfg(test)]
mod tests;
