//! The steps of a task.

use crate::change::TaskEvidence;
use crate::id::{Epoch, MemberName, RoleName, TaskId};
use crate::task::evidence::Complete;
use crate::task::origin::TaskBase;
use crate::task::refusal::TaskRefusal;
use crate::task::state::{Lease, Task, TaskState, Waiting};
use crate::time::Deadline;

/// The lease under which a write is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// The member that writes.
    pub member: MemberName,
    /// The epoch of its claim.
    pub epoch: Epoch,
}

/// A step of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskStep {
    /// Draft to ready.
    Publish,
    /// Ready to claimed: a new epoch and a lease.
    Claim {
        /// The member that gets the lease.
        by: MemberName,
        /// When the lease ends.
        until: Deadline,
        /// The member's role.
        role: RoleName,
        /// The unfinished tasks that it needs; the step is refused unless there are none.
        open_needs: Vec<TaskId>,
        /// The commit that the member starts from, if known.
        base: Option<String>,
    },
    /// Extends the lease.
    Renew {
        /// The new end of the lease.
        until: Deadline,
    },
    /// Claimed to running.
    Start,
    /// Claimed or running to waiting.
    Wait(Waiting),
    /// Waiting to running.
    Resume,
    /// Any leased state to review: the lease ends; the epoch stays until the review is over.
    Submit(TaskEvidence),
    /// Review to review, under a new epoch: the author replaces the submitted change. The caller
    /// must check that no member approved the old one.
    Replace(TaskEvidence),
    /// Any leased state to ready: the member releases it. Without a start it does not count as an
    /// attempt.
    Release {
        /// The reason.
        note: String,
        /// Whether commits were made since the claim; the task then counts as started.
        has_commits: bool,
    },
    /// Any leased state to failed: the member gives it up.
    GiveUp {
        /// The reason.
        note: String,
    },
    /// Review to done. The evidence was checked: `Complete` cannot be created otherwise.
    Accept(Complete),
    /// Review to ready, or to failed after the last attempt.
    SendBack {
        /// The findings.
        note: String,
    },
    /// Review to ready: reviewers found something. This counts as a review round but not as an
    /// attempt.
    Return {
        /// The findings.
        note: String,
    },
    /// Any leased state to ready, or to failed after the last attempt: the lease expired or was
    /// revoked.
    Revoke {
        /// The reason.
        note: String,
    },
    /// Any leased state to ready: the attempt was interrupted from outside and does not count.
    Interrupt {
        /// The cause of the interruption.
        note: String,
    },
    /// Ready to failed: it was attempted often enough.
    Fail {
        /// The result of the attempts.
        note: String,
    },
    /// Any state that is not final to cancelled.
    Cancel {
        /// The reason.
        note: String,
    },
    /// Done, failed or cancelled to ready, with more attempts.
    Reopen {
        /// The number of additional attempts.
        attempts: u32,
        /// The reason.
        note: String,
        /// The tasks in progress that need it done; the step is refused unless there are none.
        held: Vec<TaskId>,
    },
}

impl TaskStep {
    /// Returns the step as a participle, as in "cannot be …"; it is also the kind of its event.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Publish => "published",
            Self::Claim { .. } => "claimed",
            Self::Renew { .. } => "renewed",
            Self::Start => "started",
            Self::Wait(_) => "set waiting",
            Self::Resume => "resumed",
            Self::Submit(_) => "submitted",
            Self::Replace(_) => "submitted again",
            Self::Release { .. } => "released",
            Self::GiveUp { .. } => "given up",
            Self::Accept(_) => "accepted",
            Self::SendBack { .. } => "sent back",
            Self::Return { .. } => "returned",
            Self::Revoke { .. } => "revoked",
            Self::Interrupt { .. } => "interrupted",
            Self::Fail { .. } => "failed",
            Self::Cancel { .. } => "cancelled",
            Self::Reopen { .. } => "reopened",
        }
    }

    /// Returns whether only the holder of the lease may take it.
    const fn needs_lease(&self) -> bool {
        match self {
            Self::Renew { .. }
            | Self::Start
            | Self::Wait(_)
            | Self::Resume
            | Self::Submit(_)
            | Self::Release { .. }
            | Self::GiveUp { .. } => true,
            Self::Publish
            | Self::Claim { .. }
            | Self::Replace(_)
            | Self::Accept(_)
            | Self::SendBack { .. }
            | Self::Return { .. }
            | Self::Revoke { .. }
            | Self::Interrupt { .. }
            | Self::Fail { .. }
            | Self::Cancel { .. }
            | Self::Reopen { .. } => false,
        }
    }
}

impl Task {
    /// Refuses a write under an epoch that is not the task's.
    ///
    /// # Errors
    ///
    /// Returns [`TaskRefusal::Stale`] with the current holder.
    pub fn check_epoch(&self, given: Epoch) -> Result<(), TaskRefusal> {
        if given == self.epoch {
            return Ok(());
        }
        Err(TaskRefusal::Stale {
            task: self.id,
            given,
            current: self.epoch,
            holder: self.lease.as_ref().map(|lease| lease.holder.clone()),
            state: self.state,
        })
    }

    /// Refuses a write that is not made under the task's lease.
    ///
    /// # Errors
    ///
    /// Fails if the epoch is over or another member has the lease, and with [`TaskRefusal::State`]
    /// if there is no lease.
    pub fn check_fence(&self, fence: &Fence, step: &'static str) -> Result<(), TaskRefusal> {
        let is_holder = matches!(&self.lease, Some(lease) if lease.holder == fence.member);
        if is_holder && fence.epoch != self.epoch {
            return Err(TaskRefusal::WrongEpoch {
                task: self.id,
                given: fence.epoch,
                current: self.epoch,
            });
        }
        self.check_epoch(fence.epoch)?;
        match &self.lease {
            Some(_) if is_holder => Ok(()),
            Some(lease) => Err(TaskRefusal::NotHolder {
                task: self.id,
                holder: lease.holder.clone(),
                member: fence.member.clone(),
            }),
            None => Err(self.wrong_state(step)),
        }
    }

    /// Returns the task after a step. A step that needs the lease is checked against `fence`; other
    /// steps are not fenced here.
    ///
    /// # Errors
    ///
    /// Fails if the task's state does not allow the step, or the fence does not match the lease.
    pub fn apply(&self, step: &TaskStep, fence: Option<&Fence>) -> Result<Self, TaskRefusal> {
        let word = step.as_str();
        if step.needs_lease() {
            let Some(fence) = fence else {
                return Err(TaskRefusal::NeedsLease {
                    task: self.id,
                    step: word,
                });
            };
            self.check_fence(fence, word)?;
        }
        let mut next = self.clone();
        next.record_worker(step);
        match (self.state, step) {
            (TaskState::Draft, TaskStep::Publish) => next.state = TaskState::Ready,
            (
                TaskState::Ready,
                TaskStep::Claim {
                    by,
                    until,
                    role,
                    open_needs,
                    base,
                },
            ) => {
                if !open_needs.is_empty() {
                    return Err(TaskRefusal::Blocked {
                        task: self.id,
                        needs: open_needs.clone(),
                    });
                }
                if let Some(assignee) = &self.assignee
                    && !assignee.admits(by, role)
                {
                    return Err(TaskRefusal::Kept {
                        task: self.id,
                        assignee: assignee.clone(),
                    });
                }
                next.claim(by, until, base.as_ref());
            }
            (state, TaskStep::Renew { until }) if state.is_leased() => {
                if let Some(lease) = &mut next.lease {
                    lease.until = until.clone();
                }
            }
            (TaskState::Claimed, TaskStep::Start) => next.state = TaskState::Running,
            (TaskState::Claimed | TaskState::Running, TaskStep::Wait(waiting)) => {
                next.state = TaskState::Waiting;
                next.waiting = Some(waiting.clone());
            }
            (TaskState::Waiting, TaskStep::Resume) => {
                next.state = TaskState::Running;
                next.waiting = None;
            }
            (state, TaskStep::Submit(evidence)) if state.is_leased() => {
                next.state = TaskState::Review;
                next.lease = None;
                next.waiting = None;
                next.evidence = Some(evidence.clone());
            }
            (TaskState::Review, TaskStep::Replace(evidence))
                if self.evidence.as_ref().map(|it| &it.author) == Some(&evidence.author) =>
            {
                next.epoch = self.epoch.next();
                next.evidence = Some(evidence.clone());
            }
            (state, TaskStep::Release { note, has_commits }) if state.is_leased() => {
                if state == TaskState::Claimed && !has_commits {
                    next.attempt = self.attempt.saturating_sub(1);
                }
                next.end_lease(TaskState::Ready, note);
            }
            (state, TaskStep::GiveUp { note }) if state.is_leased() => {
                next.end_lease(TaskState::Failed, note);
            }
            (TaskState::Review, TaskStep::Accept(complete)) if complete.is_for_task(self) => {
                next.state = TaskState::Done;
            }
            (TaskState::Review, TaskStep::SendBack { note }) => next.retry_or_fail(note),
            (TaskState::Review, TaskStep::Return { note }) => {
                next.end_lease(TaskState::Ready, note);
                next.max_attempts = self.max_attempts.saturating_add(1);
            }
            (state, TaskStep::Revoke { note }) if state.is_leased() => next.retry_or_fail(note),
            (state, TaskStep::Interrupt { note }) if state.is_leased() => {
                next.attempt = self.attempt.saturating_sub(1);
                // Keep an earlier note: it contains the review findings, which still apply.
                next.end_lease(TaskState::Ready, self.note.as_ref().unwrap_or(note));
            }
            (TaskState::Ready, TaskStep::Fail { note }) => {
                next.end_lease(TaskState::Failed, note);
            }
            (state, TaskStep::Cancel { note }) if !state.is_final() => {
                next.end_lease(TaskState::Cancelled, note);
            }
            (
                state,
                TaskStep::Reopen {
                    attempts,
                    note,
                    held,
                },
            ) if state.is_final() => {
                if !held.is_empty() {
                    return Err(TaskRefusal::NeededBy {
                        task: self.id,
                        held: held.clone(),
                    });
                }
                next.end_lease(TaskState::Ready, note);
                next.max_attempts = self.attempt.saturating_add((*attempts).max(1));
            }
            _ => return Err(self.wrong_state(word)),
        }
        Ok(next)
    }

    fn claim(&mut self, by: &MemberName, until: &Deadline, base: Option<&String>) {
        // A member that claims a task again may already have changes for it, so its earlier base
        // stays. If another member had the task in between, that base is lost.
        if self.base.as_ref().map(|base| &base.member) != Some(by) {
            let base = base.filter(|_| !self.workers.contains(by));
            self.base = base.map(|commit| TaskBase {
                member: by.clone(),
                commit: commit.clone(),
            });
        }
        self.state = TaskState::Claimed;
        self.epoch = self.epoch.next();
        self.attempt = self.attempt.saturating_add(1);
        self.evidence = None;
        self.lease = Some(Lease {
            holder: by.clone(),
            until: until.clone(),
        });
    }

    /// Records that the lease's holder worked on the task. A member that releases an untouched
    /// claim did not; any other step may hide a change.
    fn record_worker(&mut self, step: &TaskStep) {
        let is_untouched = matches!(
            step,
            TaskStep::Renew { .. }
                | TaskStep::Release {
                    has_commits: false,
                    ..
                }
        );
        if let Some(lease) = &self.lease
            && !is_untouched
        {
            self.workers.insert(lease.holder.clone());
        }
    }

    /// Ends the lease, or the submission under it: later writes of its holder are stale.
    fn end_lease(&mut self, state: TaskState, note: &str) {
        self.state = state;
        self.epoch = self.epoch.next();
        self.lease = None;
        self.waiting = None;
        self.evidence = None;
        self.note = Some(note.to_owned());
    }

    fn retry_or_fail(&mut self, note: &str) {
        if self.attempt < self.max_attempts {
            self.end_lease(TaskState::Ready, note);
        } else {
            let note = format!("{note} (attempt {} of {})", self.attempt, self.max_attempts);
            self.end_lease(TaskState::Failed, &note);
        }
    }

    fn wrong_state(&self, step: &'static str) -> TaskRefusal {
        TaskRefusal::State {
            task: self.id,
            state: self.state,
            step,
        }
    }
}
