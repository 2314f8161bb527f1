//! What the runs of a gate say of a tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{GateName, TreeHash};

/// What came of a gate, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GateRun {
    /// Which gate.
    pub gate: GateName,
    /// The tree it ran on: the hash before and after must have been the same.
    pub tree: TreeHash,
    /// Whether it ended as wanted.
    pub passed: bool,
    /// How it ended, in a few words: an exit code, a verdict.
    pub outcome: String,
    /// How long it took.
    pub took_ms: u64,
    /// Where its redacted output is.
    pub log: Option<String>,
}

/// What the runs of a gate say of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum GateStanding {
    /// The latest run on this very tree passed.
    Passed,
    /// The latest run on this very tree did not.
    Failed {
        /// How it ended.
        outcome: String,
    },
    /// It ran, on another tree.
    Stale {
        /// The tree of its latest run.
        ran_on: TreeHash,
    },
    /// It never ran.
    NotRun,
}

impl GateStanding {
    /// What `runs`, the earliest first, say of `gate` on `tree`.
    ///
    /// Of several runs on one tree the latest counts, so that a gate which passes only now and then
    /// does not count by its best day.
    pub fn of(gate: &GateName, tree: &TreeHash, runs: &[GateRun]) -> Self {
        let mut latest = runs.iter().rev().filter(|run| run.gate == *gate);
        let on_tree = latest.clone().find(|run| run.tree == *tree);
        match (on_tree, latest.next()) {
            (Some(run), _) if run.passed => Self::Passed,
            (Some(run), _) => Self::Failed {
                outcome: run.outcome.clone(),
            },
            (None, Some(run)) => Self::Stale {
                ran_on: run.tree.clone(),
            },
            (None, None) => Self::NotRun,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(digit: &str) -> TreeHash {
        digit.repeat(40).parse().unwrap()
    }

    fn run(gate: &str, digit: &str, passed: bool) -> GateRun {
        GateRun {
            gate: gate.parse().unwrap(),
            tree: tree(digit),
            passed,
            outcome: "exit 1".to_owned(),
            took_ms: 1,
            log: None,
        }
    }

    fn standing(runs: &[GateRun]) -> GateStanding {
        GateStanding::of(&"tests".parse().unwrap(), &tree("a"), runs)
    }

    #[test]
    fn a_result_counts_for_its_tree_only() {
        assert_eq!(standing(&[]), GateStanding::NotRun);
        assert_eq!(standing(&[run("tests", "a", true)]), GateStanding::Passed);
        assert_eq!(
            standing(&[run("tests", "b", true)]),
            GateStanding::Stale { ran_on: tree("b") }
        );
        assert_eq!(standing(&[run("lint", "a", true)]), GateStanding::NotRun);
    }

    #[test]
    fn of_several_runs_on_one_tree_the_latest_counts() {
        let failed = GateStanding::Failed {
            outcome: "exit 1".to_owned(),
        };
        assert_eq!(
            standing(&[run("tests", "a", true), run("tests", "a", false)]),
            failed
        );
        assert_eq!(
            standing(&[run("tests", "a", false), run("tests", "a", true)]),
            GateStanding::Passed
        );
        // A run on another tree since then takes nothing back: this tree is as it was.
        assert_eq!(
            standing(&[run("tests", "a", true), run("tests", "b", false)]),
            GateStanding::Passed
        );
    }
}
