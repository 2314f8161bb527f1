//! The result of a gate for a tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{GateName, TreeHash};

/// One run of a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GateRun {
    /// The gate.
    pub gate: GateName,
    /// The tree that it ran on; its hash was the same before and after the run.
    pub tree: TreeHash,
    /// Whether it passed.
    pub passed: bool,
    /// How it ended, in a few words, such as an exit code or a verdict.
    pub outcome: String,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The path of its redacted output.
    pub log: Option<String>,
}

/// The result of a gate for a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum GateStanding {
    /// The latest run on exactly this tree passed.
    Passed,
    /// The latest run on exactly this tree failed.
    Failed {
        /// How it ended.
        outcome: String,
    },
    /// It ran, but only on another tree.
    Stale {
        /// The tree of its latest run.
        ran_on: TreeHash,
    },
    /// It never ran.
    NotRun,
}

impl GateStanding {
    /// Returns the result of `gate` for `tree` from `runs`, which start with the earliest.
    ///
    /// The latest of several runs on a tree counts, so that a flaky gate is not judged by its best
    /// run.
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
        // A later run on another tree does not matter: this tree is unchanged.
        assert_eq!(
            standing(&[run("tests", "a", true), run("tests", "b", false)]),
            GateStanding::Passed
        );
    }
}
