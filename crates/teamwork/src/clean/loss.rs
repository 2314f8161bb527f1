//! What would be lost with a work tree and a branch.

use std::collections::BTreeSet;
use std::path::PathBuf;

use agon_caller::{Caller, Failure};
use agon_team::store::TeamLocation;

use super::Leftover;
use super::candidates::Candidate;
use crate::git::run_git;
use crate::text::clean_line;
use crate::trees;

/// How many changed files are named.
const MAX_NAMED: usize = 20;

/// What is nowhere else.
#[derive(Clone, Debug, Default)]
pub(super) struct Loss {
    pub(super) uncommitted: Vec<String>,
    pub(super) unmerged: u64,
}

impl Loss {
    /// What a candidate left.
    pub(super) fn leftover_of(self, candidate: &Candidate) -> Leftover {
        Leftover {
            name: candidate.name.clone(),
            run: candidate.run,
            tree: candidate.tree().map(PathBuf::from),
            branch: candidate.branch.clone(),
            uncommitted: self.uncommitted,
            unmerged: self.unmerged,
            why: None,
        }
    }
}

/// The commits that stay: those of all branches but Agon's, of tags, and of what is checked out.
pub(super) struct Refs {
    staying: BTreeSet<String>,
}

impl Refs {
    pub(super) async fn read(caller: &Caller, location: &TeamLocation) -> Result<Self, Failure> {
        let args = ["for-each-ref", "--format=%(objectname)%20%(refname)"];
        let listed = run_git(caller, &caller.cwd, &args).await?;
        let own = "refs/heads/agon/";
        let staying = listed.lines().filter_map(|line| line.split_once(' '));
        // A stash has a commit that belongs to no branch.
        let staying = staying.filter(|(_, name)| !name.starts_with(own) && *name != "refs/stash");
        let mut staying: BTreeSet<String> = staying.map(|(_, name)| name.to_owned()).collect();
        for tree in location.repository().work_trees() {
            let is_main = tree.git_dir == tree.common_dir;
            if let Some(root) = tree.work_tree.filter(|_| is_main)
                && let Ok(head) = trees::head(caller, &root).await
            {
                staying.insert(head);
            }
        }
        Ok(Self { staying })
    }

    /// A branch of Agon's that stays.
    pub(super) fn keep(&mut self, branch: Option<&str>) {
        self.staying
            .extend(branch.map(|it| format!("refs/heads/{it}")));
    }

    /// How many commits of a branch are in none that stays.
    pub(super) async fn unmerged(&self, caller: &Caller, branch: &str) -> Result<u64, Failure> {
        let reference = format!("refs/heads/{branch}");
        let mut args = vec!["rev-list", "--count", &reference, "--not"];
        args.extend(self.staying.iter().map(String::as_str));
        args.push("--");
        let counted = run_git(caller, &caller.cwd, &args).await?;
        Ok(counted.trim().parse().unwrap_or(u64::MAX))
    }
}

/// What would be lost with a candidate.
pub(super) async fn find_loss(
    caller: &Caller,
    candidate: &Candidate,
    refs: &Refs,
) -> Result<Loss, Failure> {
    let unmerged = match &candidate.branch {
        Some(branch) => refs.unmerged(caller, branch).await?,
        None => 0,
    };
    let tree = candidate.tree().filter(|tree| tree.is_dir());
    let uncommitted = match tree {
        // A run merges there, and what it merged is on its branch or was refused.
        Some(_) if candidate.is_checking() => Vec::new(),
        Some(tree) => match trees::changed_paths(caller, tree, "HEAD", None).await {
            Ok(changed) => {
                let named = changed.iter().take(MAX_NAMED);
                named.map(|it| clean_line(&it.path)).collect()
            }
            // It may have something in it.
            Err(error) => vec![format!("unknown: {}", clean_line(&error.message))],
        },
        None => Vec::new(),
    };
    Ok(Loss {
        uncommitted,
        unmerged,
    })
}
