//! Finds the repository that a folder is in, only by reading files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::repository_config::{ConfigError, RepositoryConfig};

/// Maximum size of a file that holds a path, in bytes, such as `.git` in a linked work tree.
const MAX_PATH_BYTES: u64 = 64 * 1024;

/// A repository, as seen from one of its work trees. All paths are absolute and without links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The git folder of this work tree, with its `HEAD` and index.
    pub git_dir: PathBuf,
    /// The git folder shared by all work trees, with objects and branches.
    pub common_dir: PathBuf,
    /// The work tree; `None` if the repository is bare.
    pub work_tree: Option<PathBuf>,
}

/// Why Agon cannot use a folder's repository.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// Neither the folder nor a parent has a `.git`.
    #[error("{} is not in a git repository", .0.display())]
    None(PathBuf),
    /// The folder or a parent is a bare repository.
    #[error("{} is a bare repository", .0.display())]
    Bare(PathBuf),
    /// A `.git` points to a folder that is not a git folder.
    #[error("{} does not point to a git folder", .0.display())]
    Broken(PathBuf),
    /// A `.git` points to the git folder of another work tree.
    #[error("{} points to the git folder of another work tree, {}", dot_git.display(), git_dir.display())]
    Elsewhere {
        /// The `.git` file.
        dot_git: PathBuf,
        /// The git folder that it points to.
        git_dir: PathBuf,
    },
    /// The repository's configuration places its files in another folder.
    #[error("the repository in {} keeps its files elsewhere, in {}", found.display(), work_tree.display())]
    WorkTreeElsewhere {
        /// The folder that contains the `.git`.
        found: PathBuf,
        /// The folder named in the configuration.
        work_tree: PathBuf,
    },
    /// The configuration of the repository cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl DiscoverError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::None(_) => "run the command in a repository, or create one with `git init`",
            Self::Bare(_) => {
                "run the command in a work tree; create one with `git worktree add PATH`"
            }
            Self::Broken(_) => {
                "check `.git`; `git worktree repair` fixes a work tree that was moved"
            }
            Self::Elsewhere { .. } => {
                "check `.git`: it was changed, or the folder was moved, which `git worktree repair` fixes"
            }
            Self::WorkTreeElsewhere { .. } => {
                "run the command in that folder, or run `git config --unset core.worktree`"
            }
            Self::Config(_) => "find the error with `git config --list`",
        }
    }
}

impl Repository {
    /// Finds the repository that `dir` is in. Environment variables are ignored, and the
    /// repository's files cannot redirect to another work tree's files.
    ///
    /// # Errors
    ///
    /// Fails if there is none, it is bare, or its `.git` or configuration points elsewhere.
    pub fn discover(dir: &Path) -> Result<Self, DiscoverError> {
        let none = || DiscoverError::None(dir.to_owned());
        let start = dir.canonicalize().map_err(|_| none())?;
        for folder in start.ancestors() {
            let dot_git = folder.join(".git");
            if let Some(git_dir) = follow_dot_git(&dot_git)? {
                return Self::at(folder, git_dir);
            }
            let is_inside_git_dir = folder.iter().any(|name| name == ".git");
            if !is_inside_git_dir && is_git_dir(folder) {
                return Err(DiscoverError::Bare(folder.to_owned()));
            }
        }
        Err(none())
    }

    fn at(folder: &Path, git_dir: PathBuf) -> Result<Self, DiscoverError> {
        let common_dir = common_dir_of(&git_dir);
        let mut repository = Self {
            work_tree: Some(folder.to_owned()),
            git_dir,
            common_dir,
        };
        repository.check_link(folder)?;
        if repository.git_dir == repository.common_dir {
            let config = RepositoryConfig::read(&repository.common_dir, &repository.git_dir)?;
            if let Some(named) = config.work_tree() {
                let named = repository.git_dir.join(named);
                if named.canonicalize().ok().as_deref() != Some(folder) {
                    return Err(DiscoverError::WorkTreeElsewhere {
                        found: folder.to_owned(),
                        work_tree: named,
                    });
                }
            } else if config.is_bare() {
                repository.work_tree = None;
            }
        }
        Ok(repository)
    }

    /// Refuses a git folder that belongs to another work tree than the one in `folder`.
    pub(crate) fn check_link(&self, folder: &Path) -> Result<(), DiscoverError> {
        let is_own = if self.git_dir == self.common_dir {
            // A git folder named `.git` belongs to the folder around it. A separate one
            // (`git init --separate-git-dir`, a submodule) has another name.
            self.git_dir.file_name() != Some(".git".as_ref())
                || self.git_dir.parent() == Some(folder)
        } else {
            registered_tree(&self.git_dir).as_deref() == Some(folder)
        };
        match is_own {
            true => Ok(()),
            false => Err(DiscoverError::Elsewhere {
                dot_git: folder.join(".git"),
                git_dir: self.git_dir.clone(),
            }),
        }
    }
}

/// Returns the work tree that a linked git folder belongs to, according to its file `gitdir`.
pub(crate) fn registered_tree(git_dir: &Path) -> Option<PathBuf> {
    let dot_git = git_dir.join(read_path(&git_dir.join("gitdir"))?);
    let parent = dot_git.parent()?.canonicalize().ok()?;
    (dot_git.file_name() == Some(".git".as_ref())).then_some(parent)
}

/// Returns the git folder that a `.git` is or points to, or `None` if there is none.
pub(crate) fn follow_dot_git(dot_git: &Path) -> Result<Option<PathBuf>, DiscoverError> {
    let broken = || DiscoverError::Broken(dot_git.to_owned());
    let Ok(meta) = fs::metadata(dot_git) else {
        return match dot_git.symlink_metadata() {
            Ok(_) => Err(broken()),
            Err(_) => Ok(None),
        };
    };
    if meta.is_dir() {
        let real = dot_git.canonicalize().map_err(|_| broken())?;
        return Ok(is_git_dir(&real).then_some(real));
    }
    let text = read_path(dot_git).ok_or_else(broken)?;
    let text = text.to_str().and_then(|text| text.strip_prefix("gitdir:"));
    let named = text.ok_or_else(broken)?.trim_start();
    let parent = dot_git.parent().unwrap_or(dot_git);
    let real = parent.join(named).canonicalize().map_err(|_| broken())?;
    match is_git_dir(&real) {
        true => Ok(Some(real)),
        false => Err(broken()),
    }
}

/// Returns the git folder shared by all work trees.
pub(crate) fn common_dir_of(git_dir: &Path) -> PathBuf {
    let named = read_path(&git_dir.join("commondir"));
    let common = named.and_then(|named| git_dir.join(named).canonicalize().ok());
    common.unwrap_or_else(|| git_dir.to_owned())
}

/// Returns whether a folder has the files by which git recognizes a git folder.
fn is_git_dir(folder: &Path) -> bool {
    let common = common_dir_of(folder);
    folder.join("HEAD").symlink_metadata().is_ok()
        && common.join("objects").is_dir()
        && common.join("refs").is_dir()
}

/// Returns the path in a one-line file, or `None` if the file cannot be read or is too long.
pub(crate) fn read_path(file: &Path) -> Option<PathBuf> {
    let text = agon_files::read_to_string(file, MAX_PATH_BYTES).ok()?;
    let text = text.trim_end_matches(['\n', '\r']);
    (!text.is_empty()).then(|| PathBuf::from(text))
}
