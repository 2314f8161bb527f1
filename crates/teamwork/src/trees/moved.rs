//! Repairs Agon's work trees after the repository, or the folder that contains them, was moved.

use std::io;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, Hint};
use agon_git::{Registration, Repository, TreeLink};
use agon_team::store::TeamLocation;

use super::lock::lock_work_trees;

/// One of Agon's work trees that is not in its place.
#[derive(Debug)]
pub(crate) struct Displaced {
    registration: Registration,
    /// Where its files are; `None` if they are gone, or belong to another repository.
    pub(crate) found: Option<PathBuf>,
    /// Where it belongs.
    pub(crate) place: PathBuf,
}

impl Displaced {
    /// Returns the path under which the repository has registered it.
    pub(crate) fn recorded_place(&self) -> &Path {
        &self.registration.tree
    }

    /// Moves the work tree to its place with all of its files, or removes the registration of one
    /// without files.
    fn repair(&self, repository: &Repository) -> io::Result<()> {
        let Some(found) = &self.found else {
            return repository.forget_work_tree(&self.registration.tree);
        };
        if *found != self.place {
            if let Some(parent) = self.place.parent() {
                std::fs::create_dir_all(parent)?;
            }
            // Linked before the move, so that an interrupted repair still recognizes the tree here.
            self.registration.link_to(found)?;
            std::fs::rename(found, &self.place)?;
        }
        self.registration.link_to(&self.place)
    }
}

/// Returns Agon's work trees that are not in their place in `folder`.
pub(crate) fn displaced(location: &TeamLocation, folder: &Path) -> Vec<Displaced> {
    let all = location.repository().added_work_trees().into_iter();
    all.filter_map(|it| find_displaced(it, folder)).collect()
}

/// Returns the users' own work trees that still point to the repository's old place.
pub(crate) fn strays(location: &TeamLocation, folder: &Path) -> Vec<PathBuf> {
    let all = location.repository().added_work_trees().into_iter();
    let strays =
        all.filter(|it| !is_own(it, folder) && it.classify_link(&it.tree) == TreeLink::Gone);
    strays.map(|it| it.tree).collect()
}

/// Returns whether Agon made a work tree, judged by its registered path and its branch.
fn is_own(registration: &Registration, folder: &Path) -> bool {
    // Compare the end of the path, `…/agon/teams/NAME-HASH/MEMBER`: the user's state folder may
    // have been moved.
    let mut above = registration.tree.ancestors().skip(1);
    let of_repository = above
        .next()
        .and_then(Path::file_name)
        .and_then(|it| it.to_str());
    let teams = above.next().and_then(Path::file_name);
    let is_branch_own = |branch: String| branch.starts_with("agon/");
    teams == folder.parent().and_then(Path::file_name)
        && of_repository.is_some_and(is_folder_of_repository)
        && registration.branch().is_none_or(is_branch_own)
}

fn find_displaced(registration: Registration, folder: &Path) -> Option<Displaced> {
    let teams = folder.parent()?;
    let name = registration.tree.file_name()?;
    let place = folder.join(name);
    if !is_own(&registration, folder) || real(&registration.tree) == real(&place) {
        return None;
    }
    let former = teams
        .join(registration.tree.parent()?.file_name()?)
        .join(name);
    let found = [&place, &former].into_iter().find(|tree| {
        let link = registration.classify_link(tree);
        matches!(link, TreeLink::Here | TreeLink::Gone)
    });
    // Its files are lost if nothing is there, or if it is a work tree of the repository that this
    // one was copied from.
    let is_lost = registration.tree.starts_with(teams)
        && (!former.exists() || registration.classify_link(&former) == TreeLink::Elsewhere);
    let found = found.cloned();
    (found.is_some() || is_lost).then_some(Displaced {
        registration,
        found,
        place,
    })
}

/// Returns whether a folder's name has the form that [`super::folder`] gives to a repository's
/// folder.
fn is_folder_of_repository(name: &str) -> bool {
    let hash = name.rsplit_once('-').map(|(_, hash)| hash);
    hash.is_some_and(|hash| hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()))
}

fn real(tree: &Path) -> PathBuf {
    tree.canonicalize().unwrap_or_else(|_| tree.to_owned())
}

/// Moves the displaced work trees of Agon that `wanted` selects to their place.
///
/// # Errors
///
/// Fails if a work tree cannot be moved.
pub(super) fn repair(
    caller: &Caller,
    location: &TeamLocation,
    folder: &Path,
    wanted: impl Fn(&Displaced) -> bool,
) -> Result<(), Failure> {
    let displaced = displaced(location, folder);
    for tree in displaced.iter().filter(|it| wanted(it)) {
        tree.repair(&location.repository()).map_err(|cause| {
            let place = caller.display_path(&tree.place);
            let message = format!("cannot move the work tree to {place}: {cause}");
            Failure::new(Code::Store, message)
                .hint(Hint::new("move it there yourself, then run ").quoted("team doctor --repair"))
        })?;
    }
    Ok(())
}

/// Moves all of Agon's displaced work trees to their place.
///
/// # Errors
///
/// Fails if a work tree cannot be moved, or another process keeps the work trees locked.
pub(crate) async fn repair_all(
    caller: &Caller,
    location: &TeamLocation,
    folder: &Path,
) -> Result<(), Failure> {
    let _lock = lock_work_trees(caller, &caller.cwd).await?;
    repair(caller, location, folder, |_| true)
}
