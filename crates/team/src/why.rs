//! Explains what a task waits for.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::Review;
use crate::gate::GateRun;
use crate::glob::GlobSet;
use crate::id::{LockId, MemberName, TaskId};
use crate::lock::{LockQueue, PathLock};
use crate::task::{Assignee, MissingEvidence, Task, TaskState, WaitReason, check_evidence};
use crate::time::Deadline;

/// One thing that a task waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "waits_for", rename_all = "snake_case")]
pub enum WaitsFor {
    /// Its publication, because it is a draft.
    Publication,
    /// Another task that is not done yet.
    Need {
        /// The other task.
        task: TaskId,
        /// Its state.
        state: TaskState,
        /// The member that holds it.
        holder: Option<MemberName>,
    },
    /// Another task that will never be done: it failed or was cancelled.
    LostNeed {
        /// The other task.
        task: TaskId,
        /// How it ended.
        state: TaskState,
    },
    /// A member to claim it.
    Claim {
        /// The assignee; null if any member may claim it.
        kept_for: Option<Assignee>,
    },
    /// The member that holds it.
    Holder {
        /// The member.
        holder: MemberName,
        /// When the lease ends unless it is renewed.
        until: Deadline,
    },
    /// The wait that its holder declared.
    Declared {
        /// The reason.
        reason: WaitReason,
        /// The deadline of the wait.
        until: Deadline,
    },
    /// A lock.
    Lock {
        /// The waiting lock.
        lock: LockId,
        /// The paths of the lock.
        globs: GlobSet,
        /// The tasks that hold conflicting locks or requested them earlier.
        behind: Vec<TaskId>,
    },
    /// Missing evidence.
    Evidence(MissingEvidence),
    /// A member to mark it as done; its evidence is complete.
    Acceptance,
}

/// The facts around a task that decide what it waits for.
#[derive(Clone, Debug, Default)]
pub struct TaskContext<'a> {
    /// The tasks that it needs.
    pub needs: Vec<&'a Task>,
    /// The locks that it waits for.
    pub locks: Vec<(LockId, GlobSet, Vec<TaskId>)>,
    /// Runs of its gates, the earliest first.
    pub runs: Vec<GateRun>,
    /// Its reviews, the earliest first.
    pub reviews: Vec<Review>,
}

/// Returns a waiting lock with the tasks that it waits for.
pub fn waiting_lock(queue: &LockQueue, lock: &PathLock) -> (LockId, GlobSet, Vec<TaskId>) {
    let behind: BTreeSet<TaskId> = queue.blockers(lock).map(|other| other.task).collect();
    (lock.id, lock.globs.clone(), behind.into_iter().collect())
}

/// Returns everything that a task waits for; empty if the task is over.
pub fn why(task: &Task, context: &TaskContext<'_>) -> Vec<WaitsFor> {
    if task.state.is_final() {
        return Vec::new();
    }
    let mut all: Vec<WaitsFor> = context.needs.iter().filter_map(|it| unmet(it)).collect();
    match task.state {
        TaskState::Draft => all.insert(0, WaitsFor::Publication),
        TaskState::Ready if all.is_empty() => all.push(WaitsFor::Claim {
            kept_for: task.assignee.clone(),
        }),
        TaskState::Review => {
            // Compare the submitted tree with itself: only in the work tree can Agon see whether
            // its files changed since.
            let tree = task.evidence.as_ref().map(|evidence| &evidence.tree);
            let missing = match tree {
                Some(tree) => check_evidence(task, tree, &context.runs, &context.reviews).err(),
                None => Some(vec![MissingEvidence::Evidence]),
            };
            match missing {
                Some(missing) => all.extend(missing.into_iter().map(WaitsFor::Evidence)),
                None => all.push(WaitsFor::Acceptance),
            }
        }
        TaskState::Ready
        | TaskState::Claimed
        | TaskState::Running
        | TaskState::Waiting
        | TaskState::Done
        | TaskState::Failed
        | TaskState::Cancelled => {}
    }
    if let Some(waiting) = &task.waiting {
        all.push(WaitsFor::Declared {
            reason: waiting.reason,
            until: waiting.until.clone(),
        });
    }
    let locks = context.locks.iter().cloned();
    all.extend(locks.map(|(lock, globs, behind)| WaitsFor::Lock {
        lock,
        globs,
        behind,
    }));
    if let Some(lease) = &task.lease {
        all.push(WaitsFor::Holder {
            holder: lease.holder.clone(),
            until: lease.until.clone(),
        });
    }
    all
}

fn unmet(needed: &Task) -> Option<WaitsFor> {
    let (task, state) = (needed.id, needed.state);
    match state {
        TaskState::Done => None,
        TaskState::Failed | TaskState::Cancelled => Some(WaitsFor::LostNeed { task, state }),
        TaskState::Draft
        | TaskState::Ready
        | TaskState::Claimed
        | TaskState::Running
        | TaskState::Waiting
        | TaskState::Review => Some(WaitsFor::Need {
            task,
            state,
            holder: needed.lease.as_ref().map(|lease| lease.holder.clone()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{Change, TaskEvidence};
    use crate::gate::GateStanding;
    use crate::id::Epoch;
    use crate::task::{Lease, Waiting};
    use crate::time::Moment;

    fn until() -> Deadline {
        let start = Moment {
            boot: "one".into(),
            uptime_ms: 0,
            wall_ms: 0,
        };
        start.after(std::time::Duration::from_secs(1))
    }

    fn task(id: i64, state: TaskState) -> Task {
        Task {
            id: TaskId::new(id),
            title: String::new(),
            spec: String::new(),
            state,
            priority: 0,
            place: 1,
            labels: [].into(),
            assignee: None,
            epoch: Epoch(1),
            lease: state.is_leased().then(|| Lease {
                holder: "ana".parse().unwrap(),
                until: until(),
            }),
            waiting: (state == TaskState::Waiting).then(|| Waiting {
                reason: WaitReason::Lock,
                until: until(),
            }),
            attempt: 1,
            max_attempts: 3,
            gates: ["tests".parse().unwrap()].into(),
            needs_review: false,
            workers: [].into(),
            evidence: (state == TaskState::Review).then(|| TaskEvidence {
                change: Change::Diff {
                    hash: "d".repeat(40),
                },
                tree: "a".repeat(40).parse().unwrap(),
                author: "ana".parse().unwrap(),
                no_change: None,
            }),
            note: None,
            base: None,
            origin: None,
        }
    }

    fn holder() -> WaitsFor {
        WaitsFor::Holder {
            holder: "ana".parse().unwrap(),
            until: until(),
        }
    }

    #[test]
    fn a_blocked_task_names_each_need_and_whether_it_can_come() {
        let needs = [
            task(2, TaskState::Done),
            task(3, TaskState::Running),
            task(4, TaskState::Failed),
        ];
        let context = TaskContext {
            needs: needs.iter().collect(),
            ..TaskContext::default()
        };
        let need = WaitsFor::Need {
            task: TaskId::new(3),
            state: TaskState::Running,
            holder: Some("ana".parse().unwrap()),
        };
        let lost = WaitsFor::LostNeed {
            task: TaskId::new(4),
            state: TaskState::Failed,
        };
        assert_eq!(
            why(&task(1, TaskState::Ready), &context),
            [need.clone(), lost.clone()]
        );
        assert_eq!(
            why(&task(1, TaskState::Draft), &context),
            [WaitsFor::Publication, need, lost]
        );
    }

    #[test]
    fn a_task_waits_for_a_claim_its_holder_or_nothing() {
        let none = TaskContext::default();
        assert_eq!(
            why(&task(1, TaskState::Ready), &none),
            [WaitsFor::Claim { kept_for: None }]
        );
        assert_eq!(why(&task(1, TaskState::Running), &none), [holder()]);
        assert_eq!(why(&task(1, TaskState::Done), &none), []);
    }

    #[test]
    fn a_declared_wait_stands_beside_its_lock() {
        let globs = GlobSet::try_from(vec!["src".parse().unwrap()]).unwrap();
        let context = TaskContext {
            locks: vec![(LockId::new(7), globs.clone(), vec![TaskId::new(2)])],
            ..TaskContext::default()
        };
        let declared = WaitsFor::Declared {
            reason: WaitReason::Lock,
            until: until(),
        };
        let lock = WaitsFor::Lock {
            lock: LockId::new(7),
            globs,
            behind: vec![TaskId::new(2)],
        };
        assert_eq!(
            why(&task(1, TaskState::Waiting), &context),
            [declared, lock, holder()]
        );
    }

    #[test]
    fn a_task_in_review_waits_for_what_its_evidence_lacks() {
        let none = TaskContext::default();
        let missing = MissingEvidence::Gate {
            gate: "tests".parse().unwrap(),
            standing: GateStanding::NotRun,
        };
        assert_eq!(
            why(&task(1, TaskState::Review), &none),
            [WaitsFor::Evidence(missing)]
        );
        let run = GateRun {
            gate: "tests".parse().unwrap(),
            tree: "a".repeat(40).parse().unwrap(),
            passed: true,
            outcome: String::new(),
            took_ms: 1,
            log: None,
        };
        let context = TaskContext {
            runs: vec![run],
            ..TaskContext::default()
        };
        assert_eq!(
            why(&task(1, TaskState::Review), &context),
            [WaitsFor::Acceptance]
        );
    }
}
