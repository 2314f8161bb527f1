//! Runs git in a repository, with a configuration written by Agon.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Once;

use agon_proc::PrivateFolder;

use crate::discover::Repository;
use crate::environment::{config_reader_environment, environment, point_to};
use crate::mirror;
use crate::repository_config::RepositoryConfig;
use crate::run::{Call, Git, GitError, GitLimits};
use crate::user_config::{Setting, applied_settings, write_config};

/// Maximum size of a file of ignored paths or attributes, in bytes.
const MAX_INFO_BYTES: u64 = 16 << 20;

/// A session for running git in a repository. Its folder is deleted when it is dropped.
#[derive(Debug)]
pub struct GitSession {
    pub(crate) git: Git,
    repository: Repository,
    pub(crate) config: RepositoryConfig,
    /// The folder in which git is started, if not the root of the work tree.
    cwd: Option<PathBuf>,
    /// The user's settings that apply.
    pub(crate) user: Vec<Setting>,
    pub(crate) env: BTreeMap<OsString, OsString>,
    pub(crate) folder: PrivateFolder,
}

/// The files that are checked for filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterScope<'a> {
    /// All files of the work tree except ignored ones.
    WorkTree,
    /// The files of a commit.
    Commit(&'a str),
    /// These files of the work tree, relative to its root.
    Paths(&'a [String]),
}

impl GitSession {
    /// Opens a repository with its own `HEAD`, index, branches and objects.
    ///
    /// # Errors
    ///
    /// Fails if the repository's or the user's configuration cannot be read, or no folder can be
    /// created.
    pub async fn open(git: &Git, repository: &Repository) -> Result<Self, GitError> {
        let mut session = Self::open_for_objects(git, repository)?;
        session.user = session.read_user_config().await?;
        session.write_config()?;
        Ok(session)
    }

    /// Opens a repository for commands on commits and branches, which do not touch files of the
    /// work tree. None of the user's settings applies.
    ///
    /// # Errors
    ///
    /// Fails if the repository's configuration cannot be read, or no folder can be created.
    pub fn open_for_objects(git: &Git, repository: &Repository) -> Result<Self, GitError> {
        let places = git.places();
        // Removes leftovers of a killed Agon once, because commands without AI tools do not clean
        // up otherwise.
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| {
            places.remove_orphans();
        });
        let folder = places.make_folder()?;
        let path = folder.path().to_owned();
        let failed = |cause| GitError::Folder {
            path: path.clone(),
            cause,
        };
        mirror::fill(&path, &repository.common_dir).map_err(failed)?;
        let mut env = environment(&git.vars);
        let tree = repository.work_tree.as_deref();
        point_to(&mut env, &repository.git_dir, Some(&path), tree);
        let session = Self {
            git: git.clone(),
            repository: repository.clone(),
            config: RepositoryConfig::read(&repository.common_dir, &repository.git_dir)?,
            cwd: None,
            user: Vec::new(),
            env,
            folder,
        };
        session.write_config()?;
        Ok(session)
    }

    /// Opens the nested repository whose root is the folder `dir`, like [`Self::open_for_objects`].
    /// Returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if its `.git` points elsewhere, or like [`Self::open_for_objects`].
    pub fn open_inside(git: &Git, dir: &Path) -> Result<Option<Self>, GitError> {
        if dir.join(".git").symlink_metadata().is_err() {
            return Ok(None);
        }
        let found = Repository::discover(dir)?;
        // If this `.git` is not a repository, discovery finds the one around it.
        if found.work_tree.is_none() || found.work_tree != dir.canonicalize().ok() {
            return Ok(None);
        }
        Self::open_for_objects(git, &found).map(Some)
    }

    /// Returns the checked-out commit.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub async fn head(&self) -> Result<String, GitError> {
        let head = self.text(&["rev-parse", "--verify", "HEAD"]).await?;
        Ok(head.trim().to_owned())
    }

    /// Makes git start in this folder of the work tree from now on.
    pub fn set_cwd(&mut self, cwd: PathBuf) {
        self.cwd = Some(cwd);
    }

    /// Creates a session on the same files with a separate index and object folder in the new
    /// folder `scratch`, so that the repository does not change. Git reads every file again.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created.
    pub fn with_scratch(&self, scratch: &Path) -> Result<ScratchSession<'_>, GitError> {
        self.fill_scratch(scratch)
            .map_err(|cause| GitError::Folder {
                path: scratch.to_owned(),
                cause,
            })?;
        let mut env = self.env.clone();
        env.remove(OsStr::new("GIT_COMMON_DIR"));
        point_to(
            &mut env,
            scratch,
            None,
            self.repository.work_tree.as_deref(),
        );
        Ok(ScratchSession { session: self, env })
    }

    /// Returns the repository.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Returns the repository's own configuration, which git does not get.
    pub fn config(&self) -> &RepositoryConfig {
        &self.config
    }

    /// Runs git within [`GitLimits::STEP`] and returns its output.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn run(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        self.run_within(args, input, GitLimits::STEP).await
    }

    /// Like [`Self::run`], but starts git in the root of the work tree.
    pub(crate) async fn run_at_root(
        &self,
        args: &[&str],
        input: &[u8],
    ) -> Result<Vec<u8>, GitError> {
        let call = Call {
            git: &self.git,
            env: self.env.clone(),
            cwd: self.root(),
            settings: &[],
            args,
            input,
            limits: GitLimits::STEP,
        };
        call.run().await
    }

    /// Returns whether git ignores a path, relative to the session's folder. The path need not
    /// exist; a final `/` marks a folder.
    ///
    /// # Errors
    ///
    /// If git fails.
    pub async fn is_ignored(&self, path: &str) -> Result<bool, GitError> {
        let args = ["check-ignore", "-q", "--no-index", "--", path];
        match self.run(&args, b"").await {
            Ok(_) => Ok(true),
            Err(GitError::Failed { code: Some(1), .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Runs git and returns its output as text.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn text(&self, args: &[&str]) -> Result<String, GitError> {
        let printed = self.run(args, b"").await?;
        Ok(String::from_utf8_lossy(&printed).into_owned())
    }

    /// Runs git within these limits and returns its output.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn run_within(
        &self,
        args: &[&str],
        input: &[u8],
        limits: GitLimits,
    ) -> Result<Vec<u8>, GitError> {
        self.call(self.env.clone(), args, input, limits).await
    }

    /// Like [`Self::run`], but in the root of the work tree and with another index.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn run_with_index(
        &self,
        index: &Path,
        args: &[&str],
        input: &[u8],
    ) -> Result<Vec<u8>, GitError> {
        let mut env = self.env.clone();
        env.insert("GIT_INDEX_FILE".into(), index.into());
        let call = Call {
            git: &self.git,
            env,
            cwd: self.root(),
            settings: &[],
            args,
            input,
            limits: GitLimits::STEP,
        };
        call.run().await
    }

    pub(crate) async fn call(
        &self,
        env: BTreeMap<OsString, OsString>,
        args: &[&str],
        input: &[u8],
        limits: GitLimits,
    ) -> Result<Vec<u8>, GitError> {
        let call = Call {
            git: &self.git,
            env,
            cwd: self.cwd(),
            settings: &[],
            args,
            input,
            limits,
        };
        call.run().await
    }

    pub(crate) fn cwd(&self) -> &Path {
        self.cwd.as_deref().unwrap_or(self.root())
    }

    fn root(&self) -> &Path {
        let tree = self.repository.work_tree.as_deref();
        tree.unwrap_or(&self.repository.git_dir)
    }

    /// Returns the folder where git looks for hooks. This is the only call in which git reads the
    /// repository's configuration, including included files, and only to print a value.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn hooks_folder(&self) -> Result<PathBuf, GitError> {
        let mut env = self.env.clone();
        env.retain(|name, _| !name.as_bytes().starts_with(b"GIT_CONFIG_"));
        env.extend(config_reader_environment(&self.git.vars));
        env.remove(OsStr::new("GIT_COMMON_DIR"));
        let args = ["config", "--list", "--show-scope", "-z"];
        let printed = self.call(env.clone(), &args, b"", GitLimits::STEP).await?;
        // Pairs of scope and setting; the settings from Agon's own arguments have the scope
        // `command`.
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let fields: Vec<&str> = printed.split('\0').collect();
        let mut values = fields.chunks_exact(2).filter_map(|pair| match pair {
            ["command", _] => None,
            [_, entry] => entry.strip_prefix("core.hookspath\n"),
            _ => None,
        });
        let root = self.root();
        Ok(match values.next_back() {
            Some(value) => match (value.strip_prefix("~/"), env.get(OsStr::new("HOME"))) {
                (Some(rest), Some(home)) => Path::new(home).join(rest),
                _ => root.join(value),
            },
            None => self.repository.common_dir.join("hooks"),
        })
    }

    /// Reads the user's settings. Git prints them and starts nothing; conditions such as
    /// `includeIf.gitdir` are evaluated for this repository.
    async fn read_user_config(&self) -> Result<Vec<Setting>, GitError> {
        let mut env = self.env.clone();
        let reader = config_reader_environment(&self.git.vars);
        env.retain(|name, _| !name.as_bytes().starts_with(b"GIT_CONFIG_"));
        env.extend(reader);
        let args = ["config", "--list", "-z", "--show-scope"];
        let printed = self.call(env, &args, b"", GitLimits::STEP).await?;
        Ok(applied_settings(&printed))
    }

    fn write_config(&self) -> Result<(), GitError> {
        let text = write_config(self.settings());
        mirror::write_config(self.folder.path(), &text).map_err(|cause| GitError::Folder {
            path: self.folder.path().to_owned(),
            cause,
        })
    }

    /// Returns all settings that git gets.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let version = [
            ("core.repositoryformatversion", "0"),
            ("core.bare", "false"),
        ];
        let user = self.user.iter().map(|(key, value)| (&**key, &**value));
        version
            .into_iter()
            .chain(user)
            .chain(self.config.safe_settings())
    }

    fn fill_scratch(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(path)?;
        for dir in ["refs", "objects", "objects/info", "info"] {
            DirBuilder::new().mode(0o700).create(path.join(dir))?;
        }
        fs::write(path.join("HEAD"), "ref: refs/heads/none\n")?;
        let kept = self
            .settings()
            // Leave this setting out: a scratch folder stores its few references as files.
            .filter(|(key, _)| *key != "extensions.refstorage");
        mirror::write_config(path, &write_config(kept))?;
        let common = &self.repository.common_dir;
        let objects = common.join("objects");
        let line = [objects.as_os_str().as_bytes(), b"\n"].concat();
        fs::write(path.join("objects/info/alternates"), line)?;
        // Copies the ignore and attribute rules, neither of which starts a program.
        for name in ["exclude", "attributes"] {
            let name = PathBuf::from("info").join(name);
            match agon_files::read(&common.join(&name), MAX_INFO_BYTES) {
                Ok(text) => fs::write(path.join(&name), text)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A session with a separate index and object folder.
#[derive(Debug)]
pub struct ScratchSession<'a> {
    pub(crate) session: &'a GitSession,
    pub(crate) env: BTreeMap<OsString, OsString>,
}

impl ScratchSession<'_> {
    /// Runs git within [`GitLimits::STEP`] and returns its output.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn run(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        let env = self.env.clone();
        self.session.call(env, args, input, GitLimits::STEP).await
    }
}
