//! The evidence that a task must have to be done.

use agon_hint::Hint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::Review;
use crate::gate::{GateRun, GateStanding};
use crate::id::{Epoch, GateName, TaskId, TreeHash};
use crate::task::state::Task;

/// Evidence that a task still lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "missing", rename_all = "snake_case")]
pub enum MissingEvidence {
    /// No change was submitted.
    Evidence,
    /// The current tree is not the submitted one.
    Tree {
        /// The submitted tree.
        submitted: TreeHash,
        /// The current tree.
        now: TreeHash,
    },
    /// A gate has not passed on the submitted tree.
    Gate {
        /// The gate.
        gate: GateName,
        /// Its result.
        standing: GateStanding,
    },
    /// Only members who worked on the task approved the submitted tree.
    Review,
}

impl MissingEvidence {
    /// Returns the hint for everything that a task lacks.
    pub fn hint(missing: &[Self], task: TaskId, epoch: Epoch) -> Hint {
        let mut hints = missing.iter().map(|one| one.remedy(task, epoch));
        let first = hints.next().unwrap_or_else(|| Hint::new("submit a change"));
        hints.fold(first, Hint::then)
    }

    fn remedy(&self, task: TaskId, epoch: Epoch) -> Hint {
        match self {
            Self::Evidence | Self::Tree { .. } => {
                Hint::new("submit the change with ").quoted(format!("team task submit {task}"))
            }
            Self::Gate {
                gate,
                standing: GateStanding::Failed { .. },
            } => Hint::new("fix what ")
                .text(format!("{gate} found, commit, and submit again with "))
                .quoted(format!("team task submit {task}")),
            Self::Gate { gate, .. } => {
                Hint::new("run its gate in the work tree of the change with ")
                    .quoted(format!("team gate run {gate} --task {task}"))
            }
            Self::Review => Hint::new("have another member read it with ")
                .quoted(format!("team task show {task}"))
                .text(" and approve it with ")
                .quoted(format!(
                    "team review {task} --epoch {epoch} --approve --note WHY"
                )),
        }
    }
}

impl std::fmt::Display for MissingEvidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Evidence => f.write_str("a commit or a diff"),
            Self::Tree { submitted, now } => {
                write!(f, "the submitted tree {submitted}: the tree is now {now}")
            }
            Self::Gate { gate, standing } => match standing {
                GateStanding::Passed => write!(f, "gate {gate}"),
                GateStanding::Failed { outcome } => {
                    write!(f, "gate {gate}, which failed: {outcome}")
                }
                GateStanding::Stale { .. } => {
                    write!(
                        f,
                        "gate {gate}, which must run again: files changed since it last ran"
                    )
                }
                GateStanding::NotRun => write!(f, "gate {gate}, which has not run"),
            },
            Self::Review => f.write_str("the approval of a member who did not work on it"),
        }
    }
}

/// Proof that the evidence of a task at one epoch is complete; only [`check_evidence`] creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complete {
    task: TaskId,
    epoch: Epoch,
}

impl Complete {
    pub(super) fn is_for_task(&self, task: &Task) -> bool {
        self.task == task.id && self.epoch == task.epoch
    }
}

/// Checks the evidence of a task: a change whose tree is still `tree`, a pass of every gate on it,
/// and an approval if the task requires one.
///
/// `tree` is the current tree of the place that contains the change. `runs` and `reviews` belong to
/// the task and start with the earliest. The latest verdict of each reviewer counts.
///
/// # Errors
///
/// Returns everything that is missing.
pub fn check_evidence(
    task: &Task,
    tree: &TreeHash,
    runs: &[GateRun],
    reviews: &[Review],
) -> Result<Complete, Vec<MissingEvidence>> {
    let mut missing = Vec::new();
    let Some(evidence) = &task.evidence else {
        return Err(vec![MissingEvidence::Evidence]);
    };
    if evidence.tree != *tree {
        missing.push(MissingEvidence::Tree {
            submitted: evidence.tree.clone(),
            now: tree.clone(),
        });
    }
    for gate in &task.gates {
        let standing = GateStanding::of(gate, &evidence.tree, runs);
        if standing != GateStanding::Passed {
            let gate = gate.clone();
            missing.push(MissingEvidence::Gate { gate, standing });
        }
    }
    if task.needs_review && !is_approved(task, &evidence.tree, reviews) {
        missing.push(MissingEvidence::Review);
    }
    if missing.is_empty() {
        Ok(Complete {
            task: task.id,
            epoch: task.epoch,
        })
    } else {
        Err(missing)
    }
}

/// Returns whether a permitted reviewer approved the tree and no permitted reviewer's latest
/// verdict rejects it.
pub fn is_approved(task: &Task, tree: &TreeHash, reviews: &[Review]) -> bool {
    let counts =
        |review: &&Review| review.tree == *tree && !task.workers.contains(&review.reviewer);
    let mut latest = std::collections::BTreeMap::new();
    for review in reviews.iter().filter(counts) {
        latest.insert(&review.reviewer, review.approved);
    }
    !latest.is_empty() && latest.values().all(|approved| *approved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{Change, TaskEvidence};
    use crate::task::TaskState;

    fn tree(digit: &str) -> TreeHash {
        digit.repeat(40).parse().unwrap()
    }

    fn task() -> Task {
        Task {
            id: TaskId::new(1),
            title: "a".to_owned(),
            spec: String::new(),
            state: TaskState::Review,
            priority: 0,
            place: 1,
            labels: [].into(),
            assignee: None,
            epoch: Epoch(1),
            lease: None,
            waiting: None,
            attempt: 1,
            max_attempts: 3,
            gates: ["tests".parse().unwrap()].into(),
            needs_review: true,
            workers: ["ana".parse().unwrap(), "ben".parse().unwrap()].into(),
            evidence: Some(TaskEvidence {
                change: Change::Commit { id: "c".repeat(40) },
                tree: tree("a"),
                author: "ana".parse().unwrap(),
                no_change: None,
            }),
            note: None,
            base: None,
            origin: None,
        }
    }

    fn gate(digit: &str, passed: bool) -> GateRun {
        GateRun {
            gate: "tests".parse().unwrap(),
            tree: tree(digit),
            passed,
            outcome: "exit 1".to_owned(),
            took_ms: 1,
            log: None,
        }
    }

    fn review(by: &str, digit: &str, approved: bool) -> Review {
        Review {
            reviewer: by.parse().unwrap(),
            tree: tree(digit),
            approved,
            note: String::new(),
        }
    }

    fn missing(runs: &[GateRun], reviews: &[Review]) -> Vec<MissingEvidence> {
        check_evidence(&task(), &tree("a"), runs, reviews)
            .err()
            .unwrap_or_default()
    }

    #[test]
    fn a_task_with_gates_passed_and_an_approval_is_done() {
        assert_eq!(missing(&[gate("a", true)], &[review("eve", "a", true)]), []);
    }

    #[test]
    fn a_task_without_a_change_is_not_done() {
        let empty = Task {
            evidence: None,
            ..task()
        };
        assert_eq!(
            check_evidence(
                &empty,
                &tree("a"),
                &[gate("a", true)],
                &[review("eve", "a", true)]
            ),
            Err(vec![MissingEvidence::Evidence])
        );
    }

    #[test]
    fn a_tree_that_changed_is_not_the_one_that_was_checked() {
        let now = check_evidence(
            &task(),
            &tree("b"),
            &[gate("a", true)],
            &[review("eve", "a", true)],
        );
        assert_eq!(
            now,
            Err(vec![MissingEvidence::Tree {
                submitted: tree("a"),
                now: tree("b")
            }])
        );
        let stale = MissingEvidence::Gate {
            gate: "tests".parse().unwrap(),
            standing: GateStanding::Stale { ran_on: tree("b") },
        };
        assert_eq!(
            missing(&[gate("b", true)], &[review("eve", "a", true)]),
            [stale]
        );
    }

    #[test]
    fn those_who_worked_on_a_task_do_not_approve_it() {
        for reviewer in ["ana", "ben"] {
            assert_eq!(
                missing(&[gate("a", true)], &[review(reviewer, "a", true)]),
                [MissingEvidence::Review]
            );
        }
        assert_eq!(
            missing(&[gate("a", true)], &[review("eve", "b", true)]),
            [MissingEvidence::Review]
        );
    }

    #[test]
    fn a_reviewer_who_changed_their_mind_counts_once() {
        let [no, yes] = [review("eve", "a", false), review("eve", "a", true)];
        assert_eq!(missing(&[gate("a", true)], &[no.clone(), yes.clone()]), []);
        assert_eq!(
            missing(&[gate("a", true)], &[yes, no.clone()]),
            [MissingEvidence::Review]
        );
        assert_eq!(
            missing(&[gate("a", true)], &[no, review("dan", "a", true)]),
            [MissingEvidence::Review]
        );
    }

    #[test]
    fn evidence_of_an_earlier_epoch_accepts_nothing() {
        let complete = check_evidence(
            &task(),
            &tree("a"),
            &[gate("a", true)],
            &[review("eve", "a", true)],
        )
        .unwrap();
        let later = Task {
            epoch: Epoch(3),
            ..task()
        };
        assert!(complete.is_for_task(&task()));
        assert!(!complete.is_for_task(&later));
    }
}
