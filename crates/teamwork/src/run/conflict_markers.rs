//! Handles changes that contain unresolved conflict markers.

use agon_caller::Failure;
use agon_team::task::Task;

use super::{RunContext, branch_of, worker_member_name};
use crate::git::run_git;
use crate::trees;

impl RunContext<'_> {
    /// Returns the files in which a change contains conflict markers.
    pub(super) async fn files_with_conflict_markers(
        &self,
        commit: &str,
    ) -> Result<Vec<String>, Failure> {
        let between = format!("{}...{commit}", branch_of(self.run));
        let tree = self.tree()?;
        let check = ["diff", "--check", "--ignore-submodules=dirty", &between];
        // `--check` also fails on trailing whitespace, so its failure alone proves nothing.
        if run_git(self.caller, &tree, &check).await.is_ok() {
            return Ok(Vec::new());
        }
        let with_mark = [
            "diff",
            "--name-only",
            "--no-renames",
            "--diff-filter=d",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=dirty",
            "-z",
            "-G^<<<<<<< ",
            &between,
        ];
        let listed = run_git(self.caller, &tree, &with_mark).await?;
        let names = listed.split('\0').filter(|name| !name.is_empty());
        Ok(names.map(str::to_owned).collect())
    }

    /// Resets files with conflict markers to the run branch's version and commits that, so that the
    /// author need not sort out the markers. The author's version stays in the previous commit.
    /// Returns the note with which the change goes back.
    pub(super) async fn reset_to_run_branch(
        &self,
        task: &Task,
        commit: &str,
        files: &[String],
    ) -> String {
        let names = files.join(", ");
        match self.restore_files(task, commit, files).await {
            Ok(()) => format!(
                "unresolved conflict markers in {names}. The file is now as on {}, which includes \
                 the other members' changes: make your change there again",
                branch_of(self.run)
            ),
            // The reset failed, so the author resolves the files as they are.
            Err(_) => format!("unresolved conflict markers in {names}"),
        }
    }

    async fn restore_files(
        &self,
        task: &Task,
        commit: &str,
        files: &[String],
    ) -> Result<(), Failure> {
        let name = worker_member_name(self.run, task.id);
        let tree = trees::folder(self.caller, &self.location)?.join(&name);
        let branch = branch_of(self.run);
        let member = name.parse().map_err(|_| {
            let message = format!("{name} is not a valid member name");
            Failure::new(agon_caller::Code::Bug, message)
        })?;
        if trees::head(self.caller, &tree).await? != commit {
            // A run that was killed after the reset gets here again. Later commits are the author's
            // own.
            let mut same = vec!["diff", "--quiet", &branch, "HEAD", "--"];
            same.extend(files.iter().map(String::as_str));
            return run_git(self.caller, &tree, &same).await.map(drop);
        }
        trees::restore(self.caller, &tree, &branch, files).await?;
        let message = format!("Reset files with conflict markers to {branch}");
        let own = trees::branch_of(&member);
        trees::commit(self.caller, &tree, &own, &member, &message).await?;
        Ok(())
    }
}
