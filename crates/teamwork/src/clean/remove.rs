//! Removes work trees, branches and marks, so that a removal that was killed can be begun again.

use std::path::{Path, PathBuf};

use agon_caller::{Code, Failure};
use agon_team::id::MemberName;

use super::{Cleaning, Leftover};
use crate::door::{failure, lock};
use crate::git::run_git;
use crate::trees;

/// What the name of a work tree that is being removed begins with.
const REMOVED: &str = ".removed-";

impl Cleaning<'_> {
    /// Removes all of these; the files of their work trees are moved aside.
    pub(super) async fn remove(&self, leftovers: &[Leftover]) -> Result<(), Failure> {
        for leftover in leftovers {
            self.close(leftover)?;
            self.take_away(leftover)?;
            self.remove_branch(leftover).await?;
            self.let_go(leftover)?;
        }
        Ok(())
    }

    /// Closes its sessions: the watch begins none of them again.
    fn close(&self, leftover: &Leftover) -> Result<(), Failure> {
        let mut team = lock(self.team);
        for session in team.sessions().map_err(failure)? {
            if session.member.as_str() == leftover.name && !session.closed {
                team.close_session(session.session).map_err(failure)?;
            }
        }
        Ok(())
    }

    /// Moves its work tree aside in one step, and forgets its registration.
    fn take_away(&self, leftover: &Leftover) -> Result<(), Failure> {
        let Some(tree) = &leftover.tree else {
            return Ok(());
        };
        let name = tree.file_name().unwrap_or_default().to_string_lossy();
        let aside = tree.with_file_name(format!("{REMOVED}{name}-{}", ulid::Ulid::generate()));
        match std::fs::rename(tree, &aside) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                return Err(self.failed(tree, &cause));
            }
            Ok(()) | Err(_) => {}
        }
        let repository = self.location.repository();
        repository
            .forget_work_tree(tree)
            .map_err(|cause| self.failed(tree, &cause))?;
        trees::unmark(self.location, tree);
        Ok(())
    }

    async fn remove_branch(&self, leftover: &Leftover) -> Result<(), Failure> {
        let Some(branch) = &leftover.branch else {
            return Ok(());
        };
        let reference = format!("refs/heads/{branch}");
        // Git refuses it if there is a commit on it by now that was not looked at.
        let tip = leftover.tip.as_deref().unwrap_or_default();
        let args = ["update-ref", "-d", &reference, tip];
        run_git(self.caller, &self.caller.cwd, &args)
            .await
            .map(drop)
    }

    /// Marks a member as one that left.
    fn let_go(&self, leftover: &Leftover) -> Result<(), Failure> {
        let Ok(name) = leftover.name.parse::<MemberName>() else {
            return Ok(());
        };
        let mut team = lock(self.team);
        let members = team.members().map_err(failure)?;
        let is_there = members
            .iter()
            .any(|it| it.name == name && it.left_ms.is_none());
        match is_there {
            true => team.leave(self.actor, &name).map_err(failure),
            false => Ok(()),
        }
    }

    /// Removes the files of every work tree that was moved aside, also by a removal that was killed.
    pub(super) fn remove_files(&self) -> Result<(), Failure> {
        let folder = trees::folder(self.caller, self.location)?;
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let removed = entries.filter(|it| it.file_name().to_string_lossy().starts_with(REMOVED));
        let removed: Vec<PathBuf> = removed.map(|it| it.path()).collect();
        for tree in removed {
            match std::fs::remove_dir_all(&tree) {
                Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                    return Err(self.failed(&tree, &cause));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn failed(&self, tree: &Path, cause: &std::io::Error) -> Failure {
        let tree = self.caller.display_path(tree);
        Failure::new(Code::Store, format!("cannot remove {tree}: {cause}"))
            .hint("make it writable, then run the command again")
    }
}
