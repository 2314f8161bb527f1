//! A temporary home and repository.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use agon_git::{Git, GitSession, Repository};
use agon_testkit::{add, git};

/// A home, and a repository `repo` with a commit beside it.
pub(crate) struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        for folder in ["home", "ran", "repo"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        let repo = place.repo();
        git(&repo, &["init", "-q", "-b", "main"]);
        add(&repo, "a.txt", "one\n");
        git(&repo, &["add", "."]);
        git(&repo, &["commit", "-q", "-m", "begin"]);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.path("repo")
    }

    /// Returns the variables of a user with this home.
    pub(crate) fn vars(&self) -> BTreeMap<OsString, OsString> {
        let path = std::env::var_os("PATH").unwrap();
        BTreeMap::from([
            ("PATH".into(), path),
            ("HOME".into(), self.path("home").into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ])
    }

    pub(crate) fn git(&self) -> Git {
        Git::find(&self.vars()).unwrap()
    }

    pub(crate) async fn open(&self) -> GitSession {
        let repository = Repository::discover(&self.repo()).unwrap();
        GitSession::open(&self.git(), &repository).await.unwrap()
    }

    /// Sets a key of the user's own configuration.
    pub(crate) fn set_global(&self, key: &str, value: &str) {
        let file = self.path("home/.gitconfig");
        let file = file.to_str().unwrap();
        git(
            &self.repo(),
            &["config", "--file", file, "--add", key, value],
        );
    }

    /// Returns a command line that records that it ran, then copies its input to its output.
    pub(crate) fn program(&self, name: &str) -> String {
        let script = self.path(&format!("{name}.sh"));
        let ran = self.path("ran").join(name);
        let text = format!("#!/bin/sh\n: > '{}'\nexec cat\n", ran.display());
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        script.to_str().unwrap().to_owned()
    }

    /// Returns the programs that ran, sorted, and clears the record.
    pub(crate) fn take_ran(&self) -> Vec<String> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path("ran")).unwrap() {
            let entry = entry.unwrap();
            names.push(entry.file_name().to_str().unwrap().to_owned());
            fs::remove_file(entry.path()).unwrap();
        }
        names.sort();
        names
    }

    /// Runs git as a user would, whatever the result.
    pub(crate) fn plain(&self, dir: &Path, args: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=p", "-c", "user.email=p@example.invalid"])
            .args(args)
            .current_dir(dir)
            .env_clear()
            .envs(self.vars())
            .env("TERM", "dumb")
            .stdin(std::process::Stdio::null())
            .output();
        output.unwrap();
    }
}
