//! The work trees of a repository, by what its own folder says of them.
//!
//! A work tree has a file `.git` that leads to its git folder, and anyone who can write there can change
//! it. So a work tree is found here by the other end of that link, in the repository.

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
    /// The work tree at `tree`, with the git folder that the repository has for it.
    ///
    /// # Errors
    ///
    /// If it is not of this repository, or its `.git` leads elsewhere by now.
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
        // A link, even one that leads to the right place now, can lead elsewhere a moment later.
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

    /// Every work tree whose folder is there: the main one, and those that were added.
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

    /// The git folders of the work trees that were added.
    fn registrations(&self) -> Vec<PathBuf> {
        let folder = self.common_dir.join("worktrees");
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        // Git makes folders: what is written to a link would go elsewhere.
        let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let mut all: Vec<_> = entries
            .filter(is_folder)
            .map(|entry| entry.path())
            .filter(|path| common_dir_of(path) == self.common_dir && *path != self.common_dir)
            .collect();
        all.sort();
        all
    }

    /// The git folder of the work tree that was added at `tree`, whether that is there or not.
    pub fn registration_of(&self, tree: &Path) -> Option<PathBuf> {
        let wanted = real_place(tree)?;
        let mut all = self.registrations().into_iter();
        all.find(|git_dir| named_tree(git_dir).as_ref() == Some(&wanted))
    }

    fn main_work_tree(&self) -> Option<Self> {
        if self.git_dir == self.common_dir {
            return self.work_tree.is_some().then(|| self.clone());
        }
        // Any other place is known to the one alone who stands in it.
        let folder = self.common_dir.parent()?;
        let is_usual = self.common_dir.file_name() == Some(".git".as_ref());
        let found = is_usual.then(|| Self::discover(folder).ok()).flatten()?;
        (found.git_dir == self.common_dir && found.work_tree.is_some()).then_some(found)
    }

    /// Forgets that a work tree was added at `tree`: its registration is removed, and no other one.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn forget_work_tree(&self, tree: &Path) -> io::Result<()> {
        match self.registration_of(tree) {
            Some(git_dir) => fs::remove_dir_all(git_dir),
            None => Ok(()),
        }
    }
}

/// A work tree that was added, by what the repository has of it. Its folder may be gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Its git folder.
    pub git_dir: PathBuf,
    /// Where the repository says that it is.
    pub tree: PathBuf,
}

/// Where the file `.git` of a work tree leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeLink {
    /// To its git folder in this repository.
    Here,
    /// To where its git folder was before the repository was moved.
    Gone,
    /// To a git folder of another repository, such as the one that this is a copy of.
    Elsewhere,
    /// There is no such work tree, or its `.git` is not the one that git wrote.
    None,
}

impl Repository {
    /// Every work tree that was added, whether its folder is there or not.
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
    /// The branch that is checked out, as far as its file says; none where references are tables.
    pub fn branch(&self) -> Option<String> {
        let head = read_path(&self.git_dir.join("HEAD"))?;
        let branch = head.to_str()?.strip_prefix("ref: refs/heads/")?;
        (branch != ".invalid").then(|| branch.to_owned())
    }

    /// Where the `.git` in the folder `tree`, taken for this work tree, leads.
    pub fn link_of(&self, tree: &Path) -> TreeLink {
        let dot_git = tree.join(".git");
        if !dot_git.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
            return TreeLink::None;
        }
        match follow_dot_git(&dot_git) {
            Ok(Some(git_dir)) if git_dir == self.git_dir => TreeLink::Here,
            Ok(Some(_)) => TreeLink::Elsewhere,
            Ok(None) | Err(_) => match written_link(&dot_git) {
                // Of another repository too the last parts say that it was a work tree of this name.
                Some(named) if named.ends_with(self.place_inside()) && !named.exists() => {
                    TreeLink::Gone
                }
                Some(_) | None => TreeLink::None,
            },
        }
    }

    /// Makes the folder `tree` this work tree, wherever it and the repository were before.
    ///
    /// # Errors
    ///
    /// If one of the two links cannot be written.
    pub fn link_to(&self, tree: &Path) -> io::Result<()> {
        let line = [b"gitdir: ", self.git_dir.as_os_str().as_bytes(), b"\n"].concat();
        replace_file(&tree.join(".git"), &line)?;
        let line = [tree.join(".git").as_os_str().as_bytes(), b"\n"].concat();
        replace_file(&self.git_dir.join("gitdir"), &line)
    }

    /// The path of its git folder from the common folder on.
    fn place_inside(&self) -> PathBuf {
        let name = self.git_dir.file_name().unwrap_or_default();
        Path::new("worktrees").join(name)
    }
}

/// Replaces a file in one step, durably.
fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    agon_files::replace(path, bytes, 0o666, agon_files::Durable::Yes)
}

/// The path that a file `.git` names.
fn written_link(dot_git: &Path) -> Option<PathBuf> {
    let text = read_path(dot_git)?;
    let named = text.to_str()?.strip_prefix("gitdir:")?.trim_start();
    Some(dot_git.parent()?.join(named))
}

impl GitSession {
    /// Adds a work tree at `tree` on a branch that is there; none of its files is made.
    ///
    /// # Errors
    ///
    /// If git refuses, or the file `.git` in it cannot be written.
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
        // Git wrote the path of this session's folder, which goes.
        let line = [b"gitdir: ", git_dir.as_os_str().as_bytes(), b"\n"].concat();
        replace_file(&tree.join(".git"), &line).map_err(failed)?;
        Ok(self.repository().work_tree_at(tree)?)
    }
}

/// The work tree that a registration names.
fn named_tree(git_dir: &Path) -> Option<PathBuf> {
    let named = git_dir.join(read_path(&git_dir.join("gitdir"))?);
    real_place(named.parent()?)
}

/// A path without links, but for its last part, which may not be there.
fn real_place(path: &Path) -> Option<PathBuf> {
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}
