//! What a task is.

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

/// Where a task stands. That it is blocked is computed from its dependencies, never stored.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Not yet to be claimed.
    Draft,
    /// To be claimed, once all that it needs is done.
    Ready,
    /// A member has its lease and has not begun.
    Claimed,
    /// A member works on it.
    Running,
    /// Its member said what it waits for.
    Waiting,
    /// Its change is submitted, and its evidence is looked at.
    Review,
    /// Done, with evidence.
    Done,
    /// Given up, or tried too often.
    Failed,
    /// No longer wanted.
    Cancelled,
}

impl TaskState {
    /// Every state, in the order of a task's life.
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

    /// Its word in documents and in the store.
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

    /// Whether a member has the lease of a task in this state.
    pub const fn is_leased(self) -> bool {
        matches!(self, Self::Claimed | Self::Running | Self::Waiting)
    }

    /// Whether nothing more happens to it, unless it is opened again.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

impl fmt::Display for TaskState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a member says that it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// A person's answer.
    Input,
    /// A message.
    Mail,
    /// A lock that others have.
    Lock,
    /// A gate that runs.
    Gate,
    /// The provider of its model, which asked it to slow down.
    RateLimit,
}

impl WaitReason {
    /// Its word in documents and in the store.
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
    /// For what.
    pub reason: WaitReason,
    /// Until when it is taken for healthy.
    pub until: Deadline,
}

/// Who may write to a task, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lease {
    /// The member.
    pub holder: MemberName,
    /// When it ends unless it is renewed.
    pub until: Deadline,
}

/// A piece of work.
///
/// It has a lease exactly while it is claimed, running or waiting, a declared wait exactly while it
/// is waiting, and evidence from its submission on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its number.
    pub id: TaskId,
    /// One line.
    pub title: String,
    /// What is wanted, with the check that shows it.
    pub spec: String,
    /// Where it stands.
    pub state: TaskState,
    /// Higher is claimed first.
    pub priority: i64,
    /// Of two tasks of one priority the one with the lower number is claimed first.
    pub place: i64,
    /// What it is found by.
    pub labels: BTreeSet<Label>,
    /// For whom it is kept; any member may claim it where this is null.
    pub assignee: Option<Assignee>,
    /// How often it changed hands.
    pub epoch: Epoch,
    /// Who holds it.
    pub lease: Option<Lease>,
    /// What its holder waits for.
    pub waiting: Option<Waiting>,
    /// How often it was claimed, without claims that were given back before a start.
    pub attempt: u32,
    /// After so many claims a lease that ends without a submission fails it. Each round of review adds
    /// one.
    pub max_attempts: u32,
    /// The gates that must pass.
    pub gates: BTreeSet<GateName>,
    /// Whether a member who never worked on it must approve.
    pub needs_review: bool,
    /// Everyone who ever worked on it: none of them reviews it.
    pub workers: BTreeSet<MemberName>,
    /// What was submitted.
    pub evidence: Option<TaskEvidence>,
    /// Why it failed, was cancelled, was sent back or was opened again.
    pub note: Option<String>,
    /// Where the work of its last holder began; null where that is not known.
    pub base: Option<TaskBase>,
    /// Where it was imported from; null for a task of the team's own.
    pub origin: Option<TaskOrigin>,
}
