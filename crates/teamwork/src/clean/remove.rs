//! Removes work trees, branches and marks. A removal that was killed can be repeated.

use std::path::{Path, PathBuf};

use agon_caller::{Code, Failure};
use agon_team::id::MemberName;

use super::{Cleaning, Leftover};
use crate::git::run_git;
use crate::open_team::{failure, lock};
use crate::trees;

/// The name prefix of a work tree that is being removed.
const REMOVED: &str = ".removed-";

impl Cleaning<'_> {
    /// Removes all of these leftovers; the files of their work trees are only moved aside.
    pub(super) async fn remove(&self, leftovers: &[Leftover]) -> Result<(), Failure> {
        for leftover in leftovers {
            self.close_sessions(leftover)?;
            self.move_aside(leftover)?;
            self.remove_branch(leftover).await?;
            self.mark_member_left(leftover)?;
        }
        Ok(())
    }

    /// Closes the member's sessions, so that the watch does not restart them.
    fn close_sessions(&self, leftover: &Leftover) -> Result<(), Failure> {
        let mut team = lock(self.team);
        for session in team.sessions().map_err(failure)? {
            if session.member.as_str() == leftover.name && !session.closed {
                team.close_session(session.session).map_err(failure)?;
            }
        }
        Ok(())
    }

    /// Moves the work tree aside in one step and removes its registration.
    fn move_aside(&self, leftover: &Leftover) -> Result<(), Failure> {
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
        // Git refuses this if the branch has got a commit since Agon checked it.
        let tip = leftover.tip.as_deref().unwrap_or_default();
        let args = ["update-ref", "-d", &reference, tip];
        run_git(self.caller, &self.caller.cwd, &args)
            .await
            .map(drop)
    }

    /// Marks a member as left.
    fn mark_member_left(&self, leftover: &Leftover) -> Result<(), Failure> {
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

    /// Deletes the files of every work tree that was moved aside, including files left by a killed
    /// removal.
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
