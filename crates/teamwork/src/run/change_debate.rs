//! A change is debated before its merge, where the settings of the run say so.

use std::path::Path;

use agon_caller::{CallFront, Failure};
use agon_prompt::team::ShownDiff;
use agon_team::task::Task;

use super::RunContext;
use super::review::Looked;
use crate::text::short_hash;

/// What is debated.
const TOPIC: &str = "Is this change to be merged as it stands?";

impl RunContext<'_> {
    /// Has the change of a task debated that is checked out at `tree`: its verdict says whether it may be
    /// merged. One that says no sends it back; one that does not count lets it wait for a person.
    pub(super) async fn debate_change(
        &self,
        task: &Task,
        tree: &Path,
        diff: Option<&ShownDiff>,
        front: &mut dyn CallFront,
    ) -> Result<Looked, Failure> {
        let Some(evidence) = &task.evidence else {
            return Ok(Looked::MayMerge);
        };
        // By its tree, so that a change which came back is debated again.
        let slug = format!(
            "change-{}-{}-{}",
            self.run,
            task.id,
            short_hash(evidence.tree.as_str())
        );
        let name = format!("agon-change-{}.md", task.id);
        self.say(
            front,
            &format!("the change of {} is debated, as {slug}", task.id),
        );
        let text = describe(task, diff);
        let debated = self
            .hold_debate(tree, (&slug, TOPIC), (&name, &text), front)
            .await?;
        self.say(front, &format!("debate {slug}: {}", debated.said));
        match debated.favours {
            Some(true) => Ok(Looked::MayMerge),
            Some(false) => {
                self.send_back(task, &format!("debate {slug}: {}", debated.said), front)?;
                Ok(Looked::Over)
            }
            None => {
                let why = format!("the debate {slug} did not decide: {}", debated.said);
                self.waits.add(task, &why);
                Ok(Looked::Waits)
            }
        }
    }
}

/// A change as its debaters read it.
fn describe(task: &Task, diff: Option<&ShownDiff>) -> String {
    let (title, spec) = (&task.title, &task.spec);
    let change = match diff {
        None => "It is too large to be shown here: the folder has it.".to_owned(),
        Some(diff) => {
            let rest = match diff.is_cut {
                true => "\nIt was cut here: the rest is in the folder.\n",
                false => "",
            };
            // It cannot begin a part of its own.
            let quoted: Vec<String> = diff
                .text
                .lines()
                .map(|line| format!("    {line}"))
                .collect();
            format!("{}\n{rest}", quoted.join("\n"))
        }
    };
    format!(
        "# Change of {}: {title}\n\n## What was wanted\n\n{spec}\n\n## The change\n\n{change}\n",
        task.id
    )
}
