//! What a run does when it goes on.

use agon_caller::Failure;
use agon_team::store::{RunDoc, RunStage};
use agon_team::task::TaskState;

use super::RunContext;

impl RunContext<'_> {
    /// What the run does next, in a line.
    ///
    /// # Errors
    ///
    /// If its tasks cannot be read.
    pub(super) fn next_steps(&self, run: &RunDoc) -> Result<String, Failure> {
        let steps = match run.stage {
            RunStage::Planning => "a plan is made".to_owned(),
            RunStage::Debating if run.agreed => "its plan is carried out".to_owned(),
            RunStage::Debating => "its plan is debated".to_owned(),
            RunStage::Working => {
                let open = self.tasks()?;
                let steps = open.iter().map(|task| {
                    let step = match task.state {
                        TaskState::Review => "is checked and reviewed",
                        TaskState::Done => "is merged",
                        TaskState::Failed | TaskState::Cancelled => "stays as it is",
                        _ => "is worked on",
                    };
                    format!("{} {step}", task.id)
                });
                let steps: Vec<String> = steps.collect();
                steps.join(", ")
            }
            RunStage::Done | RunStage::Stopped => "nothing is left to do".to_owned(),
        };
        Ok(format!("{} continues: {steps}", run.run))
    }
}
