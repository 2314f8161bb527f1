//! A folder with files, under git if a test needs it.

#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(
    clippy::disallowed_types,
    reason = "the tests make repositories with the git that is installed"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

pub(crate) struct Repo {
    dir: TempDir,
}

impl Repo {
    /// An empty folder.
    pub(crate) fn folder() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// An empty repository.
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// An empty repository, created with these arguments of `git init`.
    pub(crate) fn with(args: &[String]) -> Self {
        let repo = Self::folder();
        let args = args.iter().map(String::as_str);
        let args: Vec<&str> = ["init", "--quiet"].into_iter().chain(args).collect();
        repo.git(&args);
        repo
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn link(&self, path: &str, target: &str) -> &Self {
        std::os::unix::fs::symlink(target, self.dir.path().join(path)).unwrap();
        self
    }

    /// Commits everything and returns the commit's id.
    pub(crate) fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "more"]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(self.dir.path(), args)
    }
}

/// Runs git without the user's configuration.
pub(crate) fn git(at: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args(args)
        .current_dir(at)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}
