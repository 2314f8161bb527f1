//! The real AI tools that tests drive: installed from npm, at the versions one lock file pins.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;

use crate::workspace;

/// What npm needs to install the same tools everywhere.
const FILES: [&str; 3] = [".npmrc", "package.json", "package-lock.json"];

/// Holds the text of [`FILES`] as they were when the tools were last installed whole.
const STAMP: &str = "installed";

/// Whether the tests can drive the real tools.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Clis {
    /// They are installed under this folder, as npm does it: programs in `node_modules/.bin`.
    Ready(PathBuf),
    /// They are not, for this reason.
    Skipped(String),
}

/// Installs the tools unless those of the lock file are there already.
///
/// # Errors
/// When the files cannot be copied, or when continuous integration could not install the tools.
pub(crate) fn prepare(metadata: &Metadata) -> Result<Clis> {
    let source = metadata
        .workspace_root
        .join("crates/testkit/clis")
        .into_std_path_buf();
    let target = metadata.target_directory.join("clis").into_std_path_buf();
    let clis = install(&source, &target, &mut Npm)?;
    match &clis {
        Clis::Skipped(reason) if workspace::on_ci() => {
            bail!("continuous integration skips nothing: the real tools are missing, {reason}")
        }
        Clis::Skipped(reason) => println!("skipped: real tools claude, codex, …: {reason}"),
        Clis::Ready(folder) => println!("real tools: {}", folder.display()),
    }
    Ok(clis)
}

/// Fills a folder that holds [`FILES`], or says why it could not.
trait Installer {
    fn install(&mut self, folder: &Path) -> Result<(), String>;
}

struct Npm;

impl Installer for Npm {
    fn install(&mut self, folder: &Path) -> Result<(), String> {
        if let Err(error) = npm(&["--version"], folder) {
            return Err(if error.kind() == ErrorKind::NotFound {
                "because they need npm, which is not installed".to_owned()
            } else {
                format!("because npm does not start: {error}")
            });
        }
        println!("npm installs the real tools, about 1.3 GB, once for each lock file");
        match npm(&["ci"], folder) {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                let last: Vec<&str> = said.lines().rev().take(12).collect();
                eprintln!("{}", last.into_iter().rev().collect::<Vec<_>>().join("\n"));
                Err("because `npm ci` failed".to_owned())
            }
            Err(error) => Err(format!("because npm does not start: {error}")),
        }
    }
}

fn npm(args: &[&str], folder: &Path) -> io::Result<Output> {
    Command::new("npm")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
}

fn install(source: &Path, target: &Path, installer: &mut impl Installer) -> Result<Clis> {
    let mut wanted = String::new();
    for name in FILES {
        let path = source.join(name);
        wanted += &fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
    }
    let stamp = target.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(Clis::Ready(target.to_owned()));
    }
    fs::create_dir_all(target).with_context(|| format!("cannot make {}", target.display()))?;
    // The old tools are no longer whole from here on.
    if stamp.exists() {
        fs::remove_file(&stamp).with_context(|| format!("cannot remove {}", stamp.display()))?;
    }
    for name in FILES {
        fs::copy(source.join(name), target.join(name))
            .with_context(|| format!("cannot copy {name} to {}", target.display()))?;
    }
    if let Err(reason) = installer.install(target) {
        return Ok(Clis::Skipped(reason));
    }
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(Clis::Ready(target.to_owned()))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// Counts how often it is asked, and answers the same each time.
    struct Fake {
        asked: usize,
        answer: Result<(), String>,
    }

    impl Installer for Fake {
        fn install(&mut self, folder: &Path) -> Result<(), String> {
            assert!(FILES.iter().all(|name| folder.join(name).is_file()));
            self.asked += 1;
            self.answer.clone()
        }
    }

    fn folders() -> (TempDir, PathBuf, PathBuf) {
        let all = TempDir::new().unwrap();
        let (source, target) = (all.path().join("source"), all.path().join("target/clis"));
        fs::create_dir(&source).unwrap();
        for name in FILES {
            fs::write(source.join(name), name).unwrap();
        }
        (all, source, target)
    }

    #[test]
    fn tools_are_installed_once_for_each_lock_file() {
        let (_all, source, target) = folders();
        let mut npm = Fake {
            asked: 0,
            answer: Ok(()),
        };
        let ready = Clis::Ready(target.clone());
        assert_eq!(install(&source, &target, &mut npm).unwrap(), ready);
        assert_eq!(install(&source, &target, &mut npm).unwrap(), ready);
        assert_eq!(npm.asked, 1);
        fs::write(source.join("package-lock.json"), "newer").unwrap();
        assert_eq!(install(&source, &target, &mut npm).unwrap(), ready);
        assert_eq!(npm.asked, 2);
    }

    #[test]
    fn a_failed_install_is_tried_again_next_time() {
        let (_all, source, target) = folders();
        let mut npm = Fake {
            asked: 0,
            answer: Ok(()),
        };
        install(&source, &target, &mut npm).unwrap();
        fs::write(source.join("package.json"), "newer").unwrap();
        npm.answer = Err("why".to_owned());
        let skipped = Clis::Skipped("why".to_owned());
        assert_eq!(install(&source, &target, &mut npm).unwrap(), skipped);
        // Back to the files of the first install: what stands there is broken all the same.
        fs::write(source.join("package.json"), "package.json").unwrap();
        assert_eq!(install(&source, &target, &mut npm).unwrap(), skipped);
        assert_eq!(npm.asked, 3);
    }
}
