//! Work trees of Agon's own after the repository, or the folder that they are in, was moved.

use std::io;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, Hint};
use agon_git::{Registration, Repository, TreeLink};
use agon_team::store::TeamLocation;

use super::lock::lock_work_trees;

/// A work tree of Agon's own that is not where it belongs.
#[derive(Debug)]
pub(crate) struct Displaced {
    registration: Registration,
    /// Where its files are; none where they are gone, or belong to another repository.
    pub(crate) found: Option<PathBuf>,
    /// Where they belong.
    pub(crate) place: PathBuf,
}

impl Displaced {
    /// Where the repository says that it is.
    pub(crate) fn recorded_place(&self) -> &Path {
        &self.registration.tree
    }

    /// Takes the work tree to where it belongs, with all that is in it; forgets one without files.
    fn repair(&self, repository: &Repository) -> io::Result<()> {
        let Some(found) = &self.found else {
            return repository.forget_work_tree(&self.registration.tree);
        };
        if *found != self.place {
            if let Some(parent) = self.place.parent() {
                std::fs::create_dir_all(parent)?;
            }
            // Before the move: a tree that is found here again is known by it.
            self.registration.link_to(found)?;
            std::fs::rename(found, &self.place)?;
        }
        self.registration.link_to(&self.place)
    }
}

/// The work trees of Agon's own that are not where they belong, which is in `folder`.
pub(crate) fn displaced(location: &TeamLocation, folder: &Path) -> Vec<Displaced> {
    let all = location.repository().added_work_trees().into_iter();
    all.filter_map(|it| displaced_to(it, folder)).collect()
}

/// Work trees of people's own that lead to where the repository was.
pub(crate) fn strays(location: &TeamLocation, folder: &Path) -> Vec<PathBuf> {
    let all = location.repository().added_work_trees().into_iter();
    let strays = all.filter(|it| !is_own(it, folder) && it.link_of(&it.tree) == TreeLink::Gone);
    strays.map(|it| it.tree).collect()
}

/// Whether Agon made a work tree: by where the repository has it, and by its branch.
fn is_own(registration: &Registration, folder: &Path) -> bool {
    // `…/agon/teams/NAME-HASH/MEMBER`, also where the folder of the user's state was moved.
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

fn displaced_to(registration: Registration, folder: &Path) -> Option<Displaced> {
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
        let link = registration.link_of(tree);
        matches!(link, TreeLink::Here | TreeLink::Gone)
    });
    // Nothing is there, or it is a work tree of the repository that this one was copied from.
    let is_lost = registration.tree.starts_with(teams)
        && (!former.exists() || registration.link_of(&former) == TreeLink::Elsewhere);
    let found = found.cloned();
    (found.is_some() || is_lost).then_some(Displaced {
        registration,
        found,
        place,
    })
}

/// Whether a folder is called as [`super::folder`] calls that of a repository.
fn is_folder_of_repository(name: &str) -> bool {
    let hash = name.rsplit_once('-').map(|(_, hash)| hash);
    hash.is_some_and(|hash| hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()))
}

fn real(tree: &Path) -> PathBuf {
    tree.canonicalize().unwrap_or_else(|_| tree.to_owned())
}

/// Takes every one of these work trees that `wanted` picks to where it belongs.
///
/// # Errors
///
/// If one cannot be moved.
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
            let message = format!("cannot take the work tree to {place}: {cause}");
            Failure::new(Code::Store, message)
                .hint(Hint::new("move it there yourself, then run ").quoted("team doctor --repair"))
        })?;
    }
    Ok(())
}

/// Takes every work tree of Agon's own to where it belongs.
///
/// # Errors
///
/// If one cannot be moved, or another process is at them for long.
pub(crate) async fn repair_all(
    caller: &Caller,
    location: &TeamLocation,
    folder: &Path,
) -> Result<(), Failure> {
    let _lock = lock_work_trees(caller, &caller.cwd).await?;
    repair(caller, location, folder, |_| true)
}
