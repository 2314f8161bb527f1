//! Third-party programs that tests drive: installed from npm, in the versions pinned by a lock
//! file.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;

use crate::workspace;

/// The programs that tests drive, if they are installed.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) tools: Clis,
    pub(crate) protocol: Clis,
}

impl Programs {
    /// Installs all of them.
    pub(crate) fn prepare(metadata: &Metadata) -> Result<Self> {
        Ok(Self {
            tools: prepare(metadata, &TOOLS)?,
            protocol: prepare(metadata, &PROTOCOL)?,
        })
    }

    /// Returns only `tools`, without the protocol programs.
    pub(crate) fn with_tools_only(tools: Clis) -> Self {
        Self {
            tools,
            protocol: Clis::Skipped("because they are not needed".to_owned()),
        }
    }

    /// Skips all programs, for this reason.
    pub(crate) fn skip_all(reason: &str) -> Self {
        Self {
            tools: Clis::Skipped(reason.to_owned()),
            protocol: Clis::Skipped(reason.to_owned()),
        }
    }

    fn packages(&self) -> [(&'static Package, &Clis); 2] {
        [(&TOOLS, &self.tools), (&PROTOCOL, &self.protocol)]
    }

    /// Sets the variables that tell the tests run by `command` where the programs are.
    pub(crate) fn set_variables(&self, command: &mut Command) {
        for (package, clis) in self.packages() {
            match clis {
                Clis::Ready(folder) => command.env(package.variable, folder),
                Clis::Skipped(_) => command.env_remove(package.variable),
            };
        }
    }

    /// The missing programs, one line each.
    pub(crate) fn skipped(&self) -> Vec<String> {
        let lines = self.packages().into_iter().filter_map(|(package, clis)| {
            let Clis::Skipped(reason) = clis else {
                return None;
            };
            Some(format!("skipped: the tests on {}, {reason}", package.what))
        });
        lines.collect()
    }
}

/// A set of programs that tests drive, pinned by a lock file.
struct Package {
    /// A description in words.
    what: &'static str,
    /// Their folder in `crates/testkit` and in the target folder.
    folder: &'static str,
    /// Their size on disk.
    size: &'static str,
    /// The variable that tells tests where they are.
    variable: &'static str,
}

/// The real AI tools.
const TOOLS: Package = Package {
    what: "real tools",
    folder: "clis",
    size: "1.3 GB",
    variable: "AGON_TEST_CLIS",
};

/// Clients of the Model Context Protocol, its conformance suite, and the Node that it needs.
const PROTOCOL: Package = Package {
    what: "clients of the protocol",
    folder: "protocol",
    size: "250 MB",
    variable: "AGON_TEST_PROTOCOL",
};

/// The files that npm needs for a reproducible installation.
const FILES: [&str; 3] = [".npmrc", "package.json", "package-lock.json"];

/// The file that contains the text of [`FILES`] at the last complete installation.
const STAMP: &str = "installed";

/// Whether the programs of a package are available to tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Clis {
    /// They are installed in this folder in npm's layout: programs in `node_modules/.bin`.
    Ready(PathBuf),
    /// They are not available, for this reason.
    Skipped(String),
}

/// Installs the real tools, as [`Programs::prepare`] does.
pub(crate) fn prepare_tools(metadata: &Metadata) -> Result<Clis> {
    prepare(metadata, &TOOLS)
}

/// Installs the programs of a package, unless the versions of its lock file are installed already.
///
/// # Errors
/// If the files cannot be copied, or if continuous integration cannot install them.
fn prepare(metadata: &Metadata, package: &Package) -> Result<Clis> {
    let Package { what, folder, .. } = package;
    let source = metadata.workspace_root.join("crates/testkit").join(folder);
    let target = metadata.target_directory.join(folder);
    let mut npm = Npm { package };
    let clis = install(source.as_std_path(), target.as_std_path(), &mut npm)?;
    match &clis {
        Clis::Skipped(reason) if workspace::on_ci() => {
            bail!("continuous integration must not skip tests: the {what} are missing, {reason}")
        }
        Clis::Skipped(reason) => println!("skipped: {what}: {reason}"),
        Clis::Ready(folder) => println!("{what}: {}", folder.display()),
    }
    Ok(clis)
}

/// Fills a folder that contains [`FILES`], or returns why it could not.
trait Installer {
    fn install(&mut self, folder: &Path) -> Result<(), String>;
}

struct Npm<'a> {
    package: &'a Package,
}

impl Installer for Npm<'_> {
    fn install(&mut self, folder: &Path) -> Result<(), String> {
        if let Err(error) = npm(&["--version"], folder) {
            return Err(if error.kind() == ErrorKind::NotFound {
                "because they need npm, which is not installed".to_owned()
            } else {
                format!("because npm does not start: {error}")
            });
        }
        let Package { what, size, .. } = self.package;
        println!("npm installs the {what}, about {size}, once for each lock file");
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
    // Remove the stamp first, because from here on the installation is incomplete.
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

    /// Counts its calls and returns the same result each time.
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
        // Restoring the files of the first installation does not make the broken installation
        // valid.
        fs::write(source.join("package.json"), "package.json").unwrap();
        assert_eq!(install(&source, &target, &mut npm).unwrap(), skipped);
        assert_eq!(npm.asked, 3);
    }
}
