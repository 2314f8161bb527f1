//! Finds what would be lost with a work tree and its branch.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure};
use agon_git::Registration;
use agon_team::store::TeamLocation;

use super::Leftover;
use super::candidates::Candidate;
use crate::git::{location_of, run_git};
use crate::text::clean_line;
use crate::trees;

/// The most changed files that are listed.
const MAX_NAMED: usize = 20;

/// Work that exists nowhere else.
#[derive(Clone, Debug, Default)]
pub(super) struct Loss {
    pub(super) uncommitted: Vec<String>,
    pub(super) unmerged: u64,
}

impl Loss {
    /// Describes a candidate's leftover.
    pub(super) fn describe_leftover(self, candidate: &Candidate) -> Leftover {
        Leftover {
            name: candidate.name.clone(),
            run: candidate.run,
            tree: candidate.tree().map(PathBuf::from),
            branch: candidate.branch.as_ref().map(|it| it.name.clone()),
            uncommitted: self.uncommitted,
            unmerged: self.unmerged,
            why: None,
            is_forceable: false,
            tip: candidate.branch.as_ref().map(|it| it.tip.clone()),
        }
    }
}

/// The commits that stay: commits of all branches not made by Agon, of tags and remote branches,
/// and of a main work tree with a detached HEAD.
pub(super) struct Refs {
    /// Other commits that stay, and branches of Agon's that stay.
    staying: Vec<String>,
}

impl Refs {
    pub(super) async fn read(caller: &Caller, location: &TeamLocation) -> Result<Self, Failure> {
        let mut staying = Vec::new();
        if let Some(main) = main_tree(location)
            && main.branch().is_none()
            && let Ok(head) = trees::head(caller, &main.tree).await
        {
            staying.push(head);
        }
        Ok(Self { staying })
    }

    /// Adds a branch of Agon's that stays.
    pub(super) fn keep(&mut self, branch: Option<&str>) {
        self.staying
            .extend(branch.map(|it| format!("refs/heads/{it}")));
    }

    /// Counts these commits and their ancestors that no remaining ref contains.
    pub(super) async fn unmerged(&self, caller: &Caller, commits: &[&str]) -> Result<u64, Failure> {
        let mut args = vec!["rev-list", "--count"];
        args.extend(commits);
        args.extend([
            "--not",
            "--exclude=agon/*",
            "--branches",
            "--tags",
            "--remotes",
        ]);
        args.extend(self.staying.iter().map(String::as_str));
        args.push("--");
        let counted = run_git(caller, &caller.cwd, &args).await?;
        Ok(counted.trim().parse().unwrap_or(u64::MAX))
    }
}

/// Returns the main work tree as a registration, or `None` for a bare repository.
pub(super) fn main_tree(location: &TeamLocation) -> Option<Registration> {
    let all = location.repository().work_trees().into_iter();
    let mut main = all.filter(|it| it.git_dir == it.common_dir);
    main.find_map(|it| {
        Some(Registration {
            git_dir: it.git_dir,
            tree: it.work_tree?,
        })
    })
}

/// Returns what would be lost with a candidate.
pub(super) async fn find_loss(
    caller: &Caller,
    candidate: &Candidate,
    refs: &Refs,
) -> Result<Loss, Failure> {
    let tree = candidate.tree().filter(|tree| tree.is_dir());
    // Ignore a run's checking tree: the run only merges there, and what it merged is on its branch
    // or was rejected.
    let tree = tree.filter(|_| !candidate.is_checking());
    let is_on_branch = candidate
        .registration
        .as_ref()
        .is_some_and(|it| it.branch().is_some());
    // Commits made on a detached HEAD are reachable from that HEAD alone.
    let detached = match tree.filter(|_| !is_on_branch) {
        Some(tree) => trees::head(caller, tree).await.ok(),
        None => None,
    };
    let tip = candidate.branch.as_ref().map(|it| &it.tip);
    let commits: Vec<&str> = tip
        .into_iter()
        .chain(&detached)
        .map(String::as_str)
        .collect();
    let unmerged = match commits.as_slice() {
        [] => 0,
        commits => refs.unmerged(caller, commits).await?,
    };
    let uncommitted = match tree {
        Some(tree) => match changes_in(caller, tree).await {
            Ok(changed) => {
                let named = changed.iter().take(MAX_NAMED);
                named.map(|path| clean_line(path)).collect()
            }
            // If git fails, the tree may contain changes, so report the error as one.
            Err(error) => vec![format!(
                "cannot list its changes: {}",
                clean_line(&error.message)
            )],
        },
        None => Vec::new(),
    };
    Ok(Loss {
        uncommitted,
        unmerged,
    })
}

async fn changes_in(caller: &Caller, tree: &Path) -> Result<Vec<String>, Failure> {
    let location = location_of(caller, tree)?;
    trees::uncommitted_paths(caller, &location).await
}
