//! Merges changes one at a time onto the run's branch, which moves only to commits that passed the
//! gates.

use agon_caller::{CallFront, Failure};
use agon_team::task::Task;

use super::{RunContext, branch_of};
use crate::git::{open_tree, run_git};
use crate::open_team::failure;
use crate::trees;

impl RunContext<'_> {
    /// Returns whether a commit is on the run's branch.
    pub(super) async fn is_merged(&self, commit: &str) -> Result<bool, Failure> {
        let between = format!("{}..{commit}", branch_of(self.run));
        let counted = run_git(
            self.caller,
            &self.tree()?,
            &["rev-list", "--count", &between],
        )
        .await?;
        Ok(counted.trim() == "0")
    }

    /// Returns the lines of a merge message that say which checks are missing.
    fn checks_of(&self, task: &Task) -> Result<String, Failure> {
        let mut lines = Vec::new();
        if self.team().has_no_check(task.id).map_err(failure)? {
            lines.push(
                "Unchecked: no gate judged this change, and no member reviewed it.".to_owned(),
            );
        } else if self.gates.is_empty() {
            lines.push("Reviewed. Nothing was executed: the run has no gate.".to_owned());
        }
        for role in &self.policy.checked_by {
            // Without any approval, only a gate judged the change; the first line already covers
            // that.
            if self.is_approved(task)? && !self.is_approved_by(task, role)? {
                lines.push(format!("No verdict from: {role}."));
            }
        }
        Ok(lines.join("\n"))
    }

    /// Merges a change, runs the gates on the result, and moves the branch to it. The inner error
    /// says why the change cannot be merged: a conflict or a failed gate. The branch does not move
    /// then.
    pub(super) async fn merge(
        &self,
        task: &Task,
        commit: &str,
        front: &mut dyn CallFront,
    ) -> Result<Result<(), String>, Failure> {
        let (caller, branch) = (self.caller, branch_of(self.run));
        let check = self.check_tree().await?;
        trees::check_out(caller, &check, &branch).await?;
        let checks = self.checks_of(task)?;
        let message = format!("Merge {}: {}\n\n{checks}", task.id, task.title);
        if let Err(error) = trees::merge(caller, &check, commit, Some(message.trim_end())).await {
            let files = trees::conflicts(caller, &check).await?;
            trees::check_out(caller, &check, &branch).await?;
            return match files.is_empty() {
                true => Err(error),
                false => Ok(Err(format!("conflict in {}", files.join(", ")))),
            };
        }
        let merged = trees::head(caller, &check).await?;
        let tree_of = |commit: String| async move {
            run_git(
                caller,
                &self.tree()?,
                &["rev-parse", &format!("{commit}^{{tree}}")],
            )
            .await
        };
        // If the merge did not add changes of other members, the gates already passed on this exact
        // tree.
        if tree_of(merged.clone()).await? != tree_of(commit.to_owned()).await?
            && let Some(failed) = self.pass_gates(task, &check, front).await?
        {
            return Ok(Err(format!("merged with the other changes, {failed}")));
        }
        let tree = self.tree()?;
        // Reset the run's work tree: only a killed run leaves changes there.
        let session = open_tree(caller, &tree).await?;
        trees::require_branch(&session, &branch).await?;
        trees::clear(caller, &session).await?;
        trees::forward(caller, &session, &merged).await?;
        Ok(Ok(()))
    }
}
