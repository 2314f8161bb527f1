//! Describes what a resumed run does next.

use agon_caller::Failure;
use agon_team::run_policy::{AfterObjections, RunPolicy};
use agon_team::store::{RunDoc, RunStage};
use agon_team::task::TaskState;

use super::RunContext;
use super::objections::has_objectors;
use super::plan::PLANNER;

impl RunContext<'_> {
    /// Describes what the run does next, in one line.
    ///
    /// # Errors
    ///
    /// If its tasks cannot be read.
    pub(super) fn next_steps(&self, run: &RunDoc) -> Result<String, Failure> {
        let steps = match run.stage {
            RunStage::Planning if self.policy.has(PLANNER) => "planning".to_owned(),
            RunStage::Planning => "the goal becomes the only task".to_owned(),
            RunStage::Debating if run.agreed => "its tasks start".to_owned(),
            RunStage::Debating => step_after_plan(&self.policy).to_owned(),
            RunStage::Working => {
                let open = self.open_tasks(run)?;
                let steps = open.iter().map(|task| {
                    let step = match task.state {
                        TaskState::Review => "is reviewed",
                        TaskState::Done => "is merged",
                        TaskState::Failed => "has failed",
                        TaskState::Cancelled => "was cancelled",
                        _ => "is worked on",
                    };
                    format!("{} {step}", task.id)
                });
                let steps: Vec<String> = steps.collect();
                steps.join(", ")
            }
            RunStage::Done | RunStage::Stopped => "nothing left to do".to_owned(),
        };
        Ok(format!("{} continues: {steps}", run.run))
    }
}

/// Describes what follows the plan of a run.
fn step_after_plan(policy: &RunPolicy) -> &'static str {
    match policy.step_after_objections(has_objectors(policy)) {
        AfterObjections::Debate => "its plan is debated",
        AfterObjections::Answer => "the planner answers the objections to its plan",
        AfterObjections::Work => "its tasks start",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_run_says_what_comes_after_its_plan() {
        let member = |role: &str| (role.to_owned(), 1);
        let policy = |debate_plans, members: &[&str]| RunPolicy {
            debate_plans,
            members: members.iter().copied().map(member).collect(),
            ..RunPolicy::default()
        };
        for (policy, expected) in [
            (policy(true, &["worker"]), "its plan is debated"),
            (
                policy(false, &["worker", "critic"]),
                "the planner answers the objections to its plan",
            ),
            (policy(false, &["worker"]), "its tasks start"),
        ] {
            assert_eq!(step_after_plan(&policy), expected);
        }
    }
}
