//! A `git` wrapper for the beginning of `PATH`, which records each call and then runs the real one.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// One call of git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitCall {
    /// Its working directory.
    pub cwd: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment.
    pub env: BTreeMap<String, String>,
    /// The configuration of its git folder.
    pub config: String,
}

/// A folder with a git that records each of its calls.
#[derive(Debug)]
pub struct GitLog {
    dir: PathBuf,
}

impl GitLog {
    /// Creates it in the new folder `dir`.
    ///
    /// # Panics
    ///
    /// If it cannot be created, or git is not installed.
    pub fn new(dir: &Path) -> Self {
        let log = Self {
            dir: dir.to_owned(),
        };
        fs::create_dir_all(log.bin()).unwrap();
        fs::create_dir_all(dir.join("calls")).unwrap();
        let path = std::env::var_os("PATH").unwrap();
        let mut found = std::env::split_paths(&path).map(|it| it.join("git"));
        let git = found.find(|it| it.is_file()).unwrap();
        // Writes each part to its own file, because shell variables cannot hold every byte.
        let script = format!(
            "#!/bin/sh\n\
             call=$(/usr/bin/mktemp -d '{calls}/XXXXXXXXXX')\n\
             printf '%s' \"$PWD\" > \"$call/cwd\"\n\
             [ $# -eq 0 ] || printf '%s\\0' \"$@\" > \"$call/args\"\n\
             /usr/bin/cp /proc/self/environ \"$call/env\"\n\
             /usr/bin/cp \"${{GIT_COMMON_DIR:-${{GIT_DIR:-.git}}}}/config\" \"$call/config\" 2>/dev/null\n\
             : > \"$call/whole\"\n\
             exec '{git}' \"$@\"\n",
            calls = dir.join("calls").display(),
            git = git.display(),
        );
        let program = log.bin().join("git");
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        log
    }

    /// The folder to put at the beginning of `PATH`.
    pub fn bin(&self) -> PathBuf {
        self.dir.join("bin")
    }

    /// Takes the calls recorded so far, except one that is still being written.
    ///
    /// # Panics
    ///
    /// If a record cannot be read.
    pub fn take(&self) -> Vec<GitCall> {
        let mut calls = Vec::new();
        for entry in fs::read_dir(self.dir.join("calls")).unwrap() {
            let call = entry.unwrap().path();
            if !call.join("whole").exists() {
                continue;
            }
            let text = |name: &str| {
                let bytes = fs::read(call.join(name)).unwrap_or_default();
                String::from_utf8_lossy(&bytes).into_owned()
            };
            let words = |name: &str| -> Vec<String> {
                let text = text(name);
                text.split_terminator('\0').map(str::to_owned).collect()
            };
            let env = words("env").into_iter().filter_map(|line| {
                let (name, value) = line.split_once('=')?;
                Some((name.to_owned(), value.to_owned()))
            });
            calls.push(GitCall {
                cwd: text("cwd"),
                args: words("args"),
                env: env.collect(),
                config: text("config"),
            });
            fs::remove_dir_all(call).unwrap();
        }
        calls
    }
}
