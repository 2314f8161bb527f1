//! The state of a task.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::TaskEvidence;
use crate::id::{Epoch, GateName, MemberName, TaskId};
use crate::task::assignee::Assignee;
use crate::task::label::Label;
use crate::task::origin::{TaskBase, TaskOrigin};
use crate::time::Deadline;

/// The state of a task. Whether it is blocked is computed from its needs and never stored.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Cannot be claimed yet.
    Draft,
    /// Can be claimed once everything that it needs is done.
    Ready,
    /// A member has its lease and has not started.
    Claimed,
    /// A member is working on it.
    Running,
    /// Its holder declared what it waits for.
    Waiting,
    /// Its change is submitted and being reviewed.
    Review,
    /// Done, with evidence.
    Done,
    /// Given up, or attempted too often.
    Failed,
    /// No longer wanted.
    Cancelled,
}

impl TaskState {
    /// Every state, in the order of a task's life cycle.
    pub const ALL: [Self; 9] = [
        Self::Draft,
        Self::Ready,
        Self::Claimed,
        Self::Running,
        Self::Waiting,
        Self::Review,
        Self::Done,
        Self::Failed,
        Self::Cancelled,
    ];

    /// Returns its name in documents and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Ready => "ready",
            Self::Claimed => "claimed",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Review => "review",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Returns whether a member has the lease of a task in this state.
    pub const fn is_leased(self) -> bool {
        matches!(self, Self::Claimed | Self::Running | Self::Waiting)
    }

    /// Returns whether the task is over unless it is reopened.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

impl fmt::Display for TaskState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The cause of a wait, as a member declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// A person's answer.
    Input,
    /// A message.
    Mail,
    /// A lock held by others.
    Lock,
    /// A running gate.
    Gate,
    /// A rate limit of the model's provider.
    RateLimit,
}

impl WaitReason {
    /// Returns its name in documents and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Mail => "mail",
            Self::Lock => "lock",
            Self::Gate => "gate",
            Self::RateLimit => "rate_limit",
        }
    }
}

/// A declared wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    /// What the member waits for.
    pub reason: WaitReason,
    /// The deadline of the wait.
    pub until: Deadline,
}

/// The right to write to a task, until a deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lease {
    /// The member.
    pub holder: MemberName,
    /// When it ends, unless it is renewed.
    pub until: Deadline,
}

/// A piece of work.
///
/// It has a lease exactly while it is claimed, running or waiting, a declared wait exactly while it
/// is waiting, and evidence once it was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// Its title, in one line.
    pub title: String,
    /// Its description, with the check that proves it.
    pub spec: String,
    /// Its state.
    pub state: TaskState,
    /// Its priority; tasks with a higher one are claimed first.
    pub priority: i64,
    /// Its position; of two tasks with the same priority, the lower one is claimed first.
    pub place: i64,
    /// Its labels.
    pub labels: BTreeSet<Label>,
    /// The member or role that it is assigned to; null if any member may claim it.
    pub assignee: Option<Assignee>,
    /// The number of times it changed hands.
    pub epoch: Epoch,
    /// The lease of its holder.
    pub lease: Option<Lease>,
    /// What its holder waits for.
    pub waiting: Option<Waiting>,
    /// The number of attempts, without claims that were released before a start.
    pub attempt: u32,
    /// The number of attempts after which a lease without a submission fails the task. Each review
    /// round adds one.
    pub max_attempts: u32,
    /// The gates that must pass.
    pub gates: BTreeSet<GateName>,
    /// Whether a member who never worked on it must approve it.
    pub needs_review: bool,
    /// Everyone who ever worked on it; none of them may review it.
    pub workers: BTreeSet<MemberName>,
    /// The submitted change.
    pub evidence: Option<TaskEvidence>,
    /// Why it failed, was cancelled, was sent back or was reopened.
    pub note: Option<String>,
    /// The commit that its last holder started from; null if unknown.
    pub base: Option<TaskBase>,
    /// Where it was imported from; null if it was created in the team.
    pub origin: Option<TaskOrigin>,
}
