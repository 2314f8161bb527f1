//! Debates a change before its merge, if the run's settings require it.

use std::path::Path;

use agon_caller::{CallFront, Failure};
use agon_prompt::team::ShownDiff;
use agon_team::task::Task;

use super::RunContext;
use super::review::ReviewOutcome;
use crate::text::short_hash;

/// The question of the debate.
const TOPIC: &str = "Should this change be merged as it is?";

impl RunContext<'_> {
    /// Debates the change of a task that is checked out at `tree`. A verdict of "no" sends the
    /// change back; a verdict without the required authority lets it wait for a person.
    pub(super) async fn debate_change(
        &self,
        task: &Task,
        tree: &Path,
        diff: Option<&ShownDiff>,
        front: &mut dyn CallFront,
    ) -> Result<ReviewOutcome, Failure> {
        let Some(evidence) = &task.evidence else {
            return Ok(ReviewOutcome::MayMerge);
        };
        // Named after its tree, so that a revised change is debated again.
        let slug = format!(
            "change-{}-{}-{}",
            self.run,
            task.id,
            short_hash(evidence.tree.as_str())
        );
        let name = format!("agon-change-{}.md", task.id);
        self.say(
            front,
            &format!("debating the change of {}: {slug}", task.id),
        );
        let text = describe(task, diff);
        let debated = self
            .debate_file(tree, (&slug, TOPIC), (&name, &text), front)
            .await?;
        self.say(front, &format!("debate {slug}: {}", debated.said));
        match debated.favours {
            Some(true) => Ok(ReviewOutcome::MayMerge),
            Some(false) => {
                self.send_back(task, &format!("debate {slug}: {}", debated.said), front)?;
                Ok(ReviewOutcome::Over)
            }
            None => {
                let why = format!("the debate {slug} did not decide: {}", debated.said);
                self.waits.add(task, &why);
                Ok(ReviewOutcome::Waits)
            }
        }
    }
}

/// Describes a change for its debaters.
fn describe(task: &Task, diff: Option<&ShownDiff>) -> String {
    let (title, spec) = (&task.title, &task.spec);
    let change = match diff {
        None => "It is too large to print here; read it in the folder.".to_owned(),
        Some(diff) => {
            let rest = match diff.is_cut {
                true => "\nCut here; the rest is in the folder.\n",
                false => "",
            };
            // Indented, so that the diff cannot start a section of its own.
            let quoted: Vec<String> = diff
                .text
                .lines()
                .map(|line| format!("    {line}"))
                .collect();
            format!("{}\n{rest}", quoted.join("\n"))
        }
    };
    format!(
        "# Change of {}: {title}\n\n## The task\n\n{spec}\n\n## The change\n\n{change}\n",
        task.id
    )
}
