//! Calls of git in one repository, with a configuration that Agon wrote.

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
use crate::environment::{environment, environment_of_reader, point_to};
use crate::mirror;
use crate::repository_config::RepositoryConfig;
use crate::run::{Call, Git, GitError, GitLimits};
use crate::user_config::{Setting, acting_settings, write_config};

/// Bytes of the largest file of ignored paths or attributes.
const MAX_INFO_BYTES: u64 = 16 << 20;

/// Calls of git in one repository. Its folder goes when it is dropped.
#[derive(Debug)]
pub struct GitSession {
    pub(crate) git: Git,
    repository: Repository,
    pub(crate) config: RepositoryConfig,
    /// Where git is started, if not in the root of the work tree.
    cwd: Option<PathBuf>,
    /// The user's settings that act.
    pub(crate) user: Vec<Setting>,
    pub(crate) env: BTreeMap<OsString, OsString>,
    pub(crate) folder: PrivateFolder,
}

/// Whose files are looked at for filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterScope<'a> {
    /// All files of the work tree, but for ignored ones.
    WorkTree,
    /// The files of a commit.
    Commit(&'a str),
    /// These files of the work tree, by their paths from its root.
    Paths(&'a [String]),
}

impl GitSession {
    /// Opens the repository: with its own `HEAD`, index, branches and objects.
    ///
    /// # Errors
    ///
    /// If its configuration or the user's cannot be read, or no folder can be made.
    pub async fn open(git: &Git, repository: &Repository) -> Result<Self, GitError> {
        let mut session = Self::open_for_objects(git, repository)?;
        session.user = session.read_user_config().await?;
        session.write_config()?;
        Ok(session)
    }

    /// Opens the repository for commands on commits and branches, which read and write no file of the
    /// work tree: none of the user's settings acts.
    ///
    /// # Errors
    ///
    /// If its configuration cannot be read, or no folder can be made.
    pub fn open_for_objects(git: &Git, repository: &Repository) -> Result<Self, GitError> {
        let places = git.places();
        // What a killed Agon left, once: a command that starts no tool comes by no other sweep.
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

    /// Opens the repository whose root is the folder `dir` inside of a work tree, as
    /// [`Self::open_for_objects`] does; none if there is none.
    ///
    /// # Errors
    ///
    /// If its `.git` leads elsewhere, or as [`Self::open_for_objects`].
    pub fn open_inside(git: &Git, dir: &Path) -> Result<Option<Self>, GitError> {
        if dir.join(".git").symlink_metadata().is_err() {
            return Ok(None);
        }
        let found = Repository::discover(dir)?;
        // What is called `.git` may be no repository: then the one around it was found.
        if found.work_tree.is_none() || found.work_tree != dir.canonicalize().ok() {
            return Ok(None);
        }
        Self::open_for_objects(git, &found).map(Some)
    }

    /// The commit that is checked out.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub async fn head(&self) -> Result<String, GitError> {
        let head = self.text(&["rev-parse", "--verify", "HEAD"]).await?;
        Ok(head.trim().to_owned())
    }

    /// Starts git in this folder of the work tree from now on.
    pub fn set_cwd(&mut self, cwd: PathBuf) {
        self.cwd = Some(cwd);
    }

    /// A session on the same files with an index and an object folder of its own, in the new folder
    /// `scratch`: nothing of the repository changes. Git reads every file again.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
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

    /// The repository.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The repository's own configuration, which git does not get.
    pub fn config(&self) -> &RepositoryConfig {
        &self.config
    }

    /// What git prints, within [`GitLimits::STEP`].
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn run(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        self.run_within(args, input, GitLimits::STEP).await
    }

    /// Like [`Self::run`], started in the root of the work tree.
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

    /// Whether git ignores a path, seen from where the session runs; it need not exist, and one that
    /// ends with `/` is a folder.
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

    /// What git prints, as text.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn text(&self, args: &[&str]) -> Result<String, GitError> {
        let printed = self.run(args, b"").await?;
        Ok(String::from_utf8_lossy(&printed).into_owned())
    }

    /// What git prints, within these limits.
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

    /// Like [`Self::run`], in the root of the work tree, with another index than its own.
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

    /// Where git looks for hooks: the one call in which it reads the repository's configuration,
    /// included files as well, to print a value.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn hooks_folder(&self) -> Result<PathBuf, GitError> {
        let mut env = self.env.clone();
        env.retain(|name, _| !name.as_bytes().starts_with(b"GIT_CONFIG_"));
        env.extend(environment_of_reader(&self.git.vars));
        env.remove(OsStr::new("GIT_COMMON_DIR"));
        let args = ["config", "--list", "--show-scope", "-z"];
        let printed = self.call(env.clone(), &args, b"", GitLimits::STEP).await?;
        // The scope of a setting, then the setting; those of Agon's own arguments are of `command`.
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

    /// The user's settings. Git prints them and starts nothing; conditions such as
    /// `includeIf.gitdir` are seen from this repository.
    async fn read_user_config(&self) -> Result<Vec<Setting>, GitError> {
        let mut env = self.env.clone();
        let reader = environment_of_reader(&self.git.vars);
        env.retain(|name, _| !name.as_bytes().starts_with(b"GIT_CONFIG_"));
        env.extend(reader);
        let args = ["config", "--list", "-z", "--show-scope"];
        let printed = self.call(env, &args, b"", GitLimits::STEP).await?;
        Ok(acting_settings(&printed))
    }

    fn write_config(&self) -> Result<(), GitError> {
        let text = write_config(self.settings());
        mirror::write_config(self.folder.path(), &text).map_err(|cause| GitError::Folder {
            path: self.folder.path().to_owned(),
            cause,
        })
    }

    /// All that git is configured by.
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
            // Its few references are files.
            .filter(|(key, _)| *key != "extensions.refstorage");
        mirror::write_config(path, &write_config(kept))?;
        let common = &self.repository.common_dir;
        let objects = common.join("objects");
        let line = [objects.as_os_str().as_bytes(), b"\n"].concat();
        fs::write(path.join("objects/info/alternates"), line)?;
        // Which files are ignored and how they are converted, neither of which starts a program.
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

/// A session with an index and an object folder of its own.
#[derive(Debug)]
pub struct ScratchSession<'a> {
    pub(crate) session: &'a GitSession,
    pub(crate) env: BTreeMap<OsString, OsString>,
}

impl ScratchSession<'_> {
    /// What git prints, within [`GitLimits::STEP`].
    ///
    /// # Errors
    ///
    /// If it fails.
    pub async fn run(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        let env = self.env.clone();
        self.session.call(env, args, input, GitLimits::STEP).await
    }
}
