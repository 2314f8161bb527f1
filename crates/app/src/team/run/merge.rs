//! Changes are merged one at a time, onto the branch of the run and in its work tree.

use agon_team::task::Task;

use super::{RunContext, branch_of};
use crate::context::run_git;
use crate::failure::Failure;

impl RunContext<'_> {
    /// Whether a commit is on the branch of the run.
    pub(super) async fn is_merged(&self, commit: &str) -> Result<bool, Failure> {
        let tree = self.tree()?;
        let branch = branch_of(self.run);
        let counted = run_git(
            self.caller,
            &tree,
            &["rev-list", "--count", &format!("{branch}..{commit}")],
        )
        .await?;
        Ok(counted.trim() == "0")
    }

    /// Merges a change; the names of the files that conflict where it cannot be.
    pub(super) async fn merge(
        &self,
        task: &Task,
        commit: &str,
    ) -> Result<Result<(), String>, Failure> {
        let tree = self.tree()?;
        // What a run that was killed in a merge left is undone: nothing else is ever written there.
        run_git(self.caller, &tree, &["reset", "-q", "--hard", "HEAD"]).await?;
        let message = format!("Merge {}: {}", task.id, task.title);
        let args = [
            "-c",
            "user.name=agon",
            "-c",
            "user.email=agon@agon.invalid",
            "merge",
            "-q",
            "--no-ff",
            "--no-verify",
            "--no-gpg-sign",
            "-m",
            &message,
            commit,
        ];
        let Err(error) = run_git(self.caller, &tree, &args).await else {
            return Ok(Ok(()));
        };
        let files = run_git(
            self.caller,
            &tree,
            &["diff", "--name-only", "--diff-filter=U"],
        )
        .await?;
        run_git(self.caller, &tree, &["reset", "-q", "--hard", "HEAD"]).await?;
        let files: Vec<&str> = files.lines().collect();
        match files.is_empty() {
            true => Err(error),
            false => Ok(Err(format!("conflict in {}", files.join(", ")))),
        }
    }
}
