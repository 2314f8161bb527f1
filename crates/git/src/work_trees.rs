//! Finds the work trees of a repository from the repository's own folder.
//!
//! A work tree's file `.git` points to its git folder, but anyone who can write there can change
//! it. Work trees are therefore found from the other end of that link, in the repository.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::discover::{
    DiscoverError, Repository, common_dir_of, follow_dot_git, read_path, registered_tree,
};
use crate::run::GitError;
use crate::session::GitSession;

impl Repository {
    /// Returns the work tree at `tree`, with the git folder that the repository has registered for
    /// it.
    ///
    /// # Errors
    ///
    /// Fails if it is not a work tree of this repository, or its `.git` points elsewhere now.
    pub fn work_tree_at(&self, tree: &Path) -> Result<Self, DiscoverError> {
        let none = || DiscoverError::None(tree.to_owned());
        let real = tree.canonicalize().map_err(|_| none())?;
        let found = self
            .work_trees()
            .into_iter()
            .find(|it| it.work_tree.as_ref() == Some(&real))
            .ok_or_else(none)?;
        let dot_git = real.join(".git");
        let elsewhere = |git_dir: PathBuf| DiscoverError::Elsewhere {
            dot_git: dot_git.clone(),
            git_dir,
        };
        // Refuse a symbolic link as `.git`: even with the right target now, it can change a moment
        // later.
        let meta = dot_git
            .symlink_metadata()
            .map_err(|_| DiscoverError::Broken(dot_git.clone()))?;
        let is_main = found.git_dir == found.common_dir;
        if !is_main && !meta.is_file() {
            return Err(elsewhere(dot_git.clone()));
        }
        match follow_dot_git(&dot_git)? {
            Some(git_dir) if git_dir == found.git_dir => Ok(found),
            Some(git_dir) => Err(elsewhere(git_dir)),
            None => Err(DiscoverError::Broken(dot_git)),
        }
    }

    /// Returns every work tree whose folder exists: the main one and the added ones.
    pub fn work_trees(&self) -> Vec<Self> {
        let mut all: Vec<Self> = self.main_work_tree().into_iter().collect();
        let linked = self.registrations().into_iter().filter_map(|git_dir| {
            Some(Self {
                work_tree: Some(registered_tree(&git_dir)?),
                common_dir: self.common_dir.clone(),
                git_dir,
            })
        });
        all.extend(linked);
        all
    }

    /// Returns the git folders of the added work trees.
    fn registrations(&self) -> Vec<PathBuf> {
        let folder = self.common_dir.join("worktrees");
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        // Skip links: git creates folders here, and writing through a link would go elsewhere.
        let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let mut all: Vec<_> = entries
            .filter(is_folder)
            .map(|entry| entry.path())
            .filter(|path| common_dir_of(path) == self.common_dir && *path != self.common_dir)
            .collect();
        all.sort();
        all
    }

    /// Returns the git folder of the work tree that was added at `tree`, whether that exists or
    /// not.
    pub fn registration_of(&self, tree: &Path) -> Option<PathBuf> {
        let wanted = resolve_parent(tree)?;
        let mut all = self.registrations().into_iter();
        all.find(|git_dir| named_tree(git_dir).as_ref() == Some(&wanted))
    }

    fn main_work_tree(&self) -> Option<Self> {
        if self.git_dir == self.common_dir {
            return self.work_tree.is_some().then(|| self.clone());
        }
        // From here, a main work tree can only be found in the usual place, beside its `.git`.
        let folder = self.common_dir.parent()?;
        let is_usual = self.common_dir.file_name() == Some(".git".as_ref());
        let found = is_usual.then(|| Self::discover(folder).ok()).flatten()?;
        (found.git_dir == self.common_dir && found.work_tree.is_some()).then_some(found)
    }

    /// Removes the registration of the work tree that was added at `tree`, and no other one.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be removed.
    pub fn forget_work_tree(&self, tree: &Path) -> io::Result<()> {
        match self.registration_of(tree) {
            Some(git_dir) => fs::remove_dir_all(git_dir),
            None => Ok(()),
        }
    }
}

/// The registration of an added work tree, whose folder may be gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Its git folder.
    pub git_dir: PathBuf,
    /// The path that the repository has registered.
    pub tree: PathBuf,
}

/// The target of a work tree's `.git` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeLink {
    /// Its git folder in this repository.
    Here,
    /// The former place of its git folder, before the repository was moved.
    Gone,
    /// A git folder of another repository, such as the one that this was copied from.
    Elsewhere,
    /// There is no such work tree, or git did not write its `.git`.
    None,
}

impl Repository {
    /// Returns the registration of every added work tree, whether its folder exists or not.
    pub fn added_work_trees(&self) -> Vec<Registration> {
        let all = self.registrations().into_iter();
        all.filter_map(|git_dir| {
            let dot_git = git_dir.join(read_path(&git_dir.join("gitdir"))?);
            let tree = dot_git.parent()?.to_owned();
            Some(Registration { git_dir, tree })
        })
        .collect()
    }
}

impl Registration {
    /// Returns the checked-out branch from its `HEAD` file, or `None` if references are stored as
    /// tables.
    pub fn branch(&self) -> Option<String> {
        let head = read_path(&self.git_dir.join("HEAD"))?;
        let branch = head.to_str()?.strip_prefix("ref: refs/heads/")?;
        (branch != ".invalid").then(|| branch.to_owned())
    }

    /// Returns where the `.git` file in the folder `tree` points, as seen from this registration.
    pub fn classify_link(&self, tree: &Path) -> TreeLink {
        let dot_git = tree.join(".git");
        if !dot_git.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
            return TreeLink::None;
        }
        match follow_dot_git(&dot_git) {
            Ok(Some(git_dir)) if git_dir == self.git_dir => TreeLink::Here,
            Ok(Some(_)) => TreeLink::Elsewhere,
            Ok(None) | Err(_) => match read_dot_git_target(&dot_git) {
                // The folder that `.git` names is gone. If its path ends like this registration's,
                // it was the git folder of this work tree, before the repository was moved.
                Some(named) if named.ends_with(self.path_in_common_dir()) && !named.exists() => {
                    TreeLink::Gone
                }
                Some(_) | None => TreeLink::None,
            },
        }
    }

    /// Links the folder `tree` and this registration to each other, wherever both were before.
    ///
    /// # Errors
    ///
    /// Fails if one of the two links cannot be written.
    pub fn link_to(&self, tree: &Path) -> io::Result<()> {
        let line = [b"gitdir: ", self.git_dir.as_os_str().as_bytes(), b"\n"].concat();
        replace_file(&tree.join(".git"), &line)?;
        let line = [tree.join(".git").as_os_str().as_bytes(), b"\n"].concat();
        replace_file(&self.git_dir.join("gitdir"), &line)
    }

    /// Returns the path of its git folder, relative to the common folder.
    fn path_in_common_dir(&self) -> PathBuf {
        let name = self.git_dir.file_name().unwrap_or_default();
        Path::new("worktrees").join(name)
    }
}

/// Replaces a file in one step, durably.
fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    agon_files::replace(path, bytes, 0o666, agon_files::Durable::Yes)
}

/// Returns the path that a `.git` file names.
fn read_dot_git_target(dot_git: &Path) -> Option<PathBuf> {
    let text = read_path(dot_git)?;
    let named = text.to_str()?.strip_prefix("gitdir:")?.trim_start();
    Some(dot_git.parent()?.join(named))
}

impl GitSession {
    /// Adds a work tree at `tree` on an existing branch, without writing its files.
    ///
    /// # Errors
    ///
    /// Fails if git fails, or the file `.git` in it cannot be written.
    pub async fn add_work_tree(&self, tree: &Path, branch: &str) -> Result<Repository, GitError> {
        let failed = |cause| GitError::Folder {
            path: tree.to_owned(),
            cause,
        };
        let place = tree.to_string_lossy();
        let args = ["worktree", "add", "-q", "--no-checkout", &place, branch];
        self.run(&args, b"").await?;
        let added = self.repository().registration_of(tree);
        let git_dir = added.ok_or_else(|| DiscoverError::None(tree.to_owned()))?;
        // Replace the `.git` that git wrote: it names this session's temporary folder.
        let line = [b"gitdir: ", git_dir.as_os_str().as_bytes(), b"\n"].concat();
        replace_file(&tree.join(".git"), &line).map_err(failed)?;
        Ok(self.repository().work_tree_at(tree)?)
    }
}

/// Returns the work tree that a registration names.
fn named_tree(git_dir: &Path) -> Option<PathBuf> {
    let named = git_dir.join(read_path(&git_dir.join("gitdir"))?);
    resolve_parent(named.parent()?)
}

/// Resolves links in a path except in its last part, which need not exist.
fn resolve_parent(path: &Path) -> Option<PathBuf> {
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}
