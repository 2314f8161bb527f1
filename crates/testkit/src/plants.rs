//! Repositories that name a program in every place where git accepts one, and the git commands that
//! run it.
//!
//! The table is `plants/plants.txt`, and the repository is created by `plants/base.sh`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A program planted in one place of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plant {
    /// Its group in the table.
    pub group: String,
    /// The name of the place.
    pub name: String,
    /// The shell lines that plant the program `$P`.
    pub lines: String,
    /// A shell line with a plain git command that should run the program.
    pub control: String,
    /// Why no version of git runs the program; `None` if `control` runs it.
    pub dead: Option<String>,
}

/// Returns all plants of the table.
///
/// # Panics
///
/// If the table is malformed.
pub fn plants() -> Vec<Plant> {
    let mut all: Vec<Plant> = Vec::new();
    let mut group = String::new();
    for line in include_str!("../plants/plants.txt").lines() {
        let text = line.trim_start();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let Some(named) = text.strip_prefix('[').filter(|_| line == text) {
            group = named.trim_end_matches(']').to_owned();
        } else if line == text {
            all.push(Plant {
                group: group.clone(),
                name: text.to_owned(),
                lines: String::new(),
                control: String::new(),
                dead: None,
            });
        } else {
            let plant = all.last_mut().expect("a plant has a name");
            if let Some(control) = text.strip_prefix("run: ") {
                plant.control = control.to_owned();
            } else if let Some(control) = text.strip_prefix("dead: ") {
                let (control, why) = control
                    .split_once("  # ")
                    .expect("a dead plant has a reason");
                plant.control = control.to_owned();
                plant.dead = Some(why.to_owned());
            } else {
                plant.lines.push_str(&format!("{text}\n"));
            }
        }
    }
    all
}

/// A repository for planting programs, each of which leaves a file when it runs.
#[derive(Debug)]
pub struct PlantedRepository {
    dir: PathBuf,
    repository: PathBuf,
}

impl PlantedRepository {
    /// Creates the repository `name` in the existing folder `dir`, and beside it the one that it
    /// was cloned from. With `submodules`, it contains some, for planting in them.
    ///
    /// # Panics
    ///
    /// If it cannot be created.
    pub fn new(dir: &Path, name: &str, submodules: bool) -> Self {
        let planted = Self {
            dir: dir.to_owned(),
            repository: dir.join(name),
        };
        for folder in ["ran", "programs", "plant-home"] {
            fs::create_dir_all(dir.join(folder)).unwrap();
        }
        let base = include_str!("../plants/base.sh");
        let mut shell = planted.shell(base, dir);
        shell.env("REPO", name);
        shell.env("NESTED", if submodules { "1" } else { "" });
        succeed(shell.output().unwrap(), "the repository");
        planted
    }

    /// The path of the repository.
    pub fn path(&self) -> &Path {
        &self.repository
    }

    /// Plants a program.
    ///
    /// # Panics
    ///
    /// If it cannot be planted.
    pub fn plant(&self, plant: &Plant) {
        let program = self.dir.join("programs").join(&plant.name);
        let ran = self.dir.join("ran").join(&plant.name);
        let text = format!("#!/bin/sh\n: > '{}'\nexit 1\n", ran.display());
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let mut shell = self.shell(&format!("set -e\n{}", plant.lines), &self.repository);
        shell.env("P", &program);
        succeed(shell.output().unwrap(), &plant.name);
    }

    /// Runs the plain git command that should run a plant, in the repository.
    ///
    /// # Panics
    ///
    /// If no shell is installed.
    pub fn run_control(&self, plant: &Plant) -> Output {
        self.shell(&plant.control, &self.repository)
            .output()
            .unwrap()
    }

    /// Takes the plants that ran, sorted, and clears the list.
    ///
    /// # Panics
    ///
    /// If the folder cannot be read.
    pub fn take_ran(&self) -> Vec<String> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.dir.join("ran")).unwrap() {
            let entry = entry.unwrap();
            names.push(entry.file_name().to_str().unwrap().to_owned());
            fs::remove_file(entry.path()).unwrap();
        }
        names.sort();
        names
    }

    fn shell(&self, lines: &str, cwd: &Path) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", lines]).current_dir(cwd);
        shell.env_clear().stdin(Stdio::null());
        let home = self.dir.join("plant-home");
        for (name, value) in [
            ("HOME", home.to_str().unwrap()),
            ("TERM", "dumb"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "Ann"),
            ("GIT_AUTHOR_EMAIL", "ann@example.invalid"),
            ("GIT_COMMITTER_NAME", "Ann"),
            ("GIT_COMMITTER_EMAIL", "ann@example.invalid"),
        ] {
            shell.env(name, value);
        }
        shell.env("PATH", std::env::var_os("PATH").unwrap());
        shell
    }
}

fn succeed(output: Output, what: &str) {
    assert!(output.status.success(), "{what}: {output:?}");
}
