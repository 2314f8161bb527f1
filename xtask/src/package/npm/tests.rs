use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::*;
use crate::package::content;
use crate::package::release;
use crate::package::target::TARGETS;
use crate::workspace::on_ci;

/// Prints its words and exits with 7. With the word `wait`, waits for a signal first.
const PROGRAM: &str = "\
#!/bin/sh
trap 'kill $!; echo ended; exit 3' TERM
if [ \"$1\" = wait ]; then sleep 60 & fi
echo \"$0 $*\" | sed 's|.*/node_modules/||'
if [ \"$1\" = wait ]; then wait; fi
exit 7
";

/// Installs packages from their files into an empty project; `None` without npm on x86-64 Linux.
fn install(names: &[&str]) -> Option<tempfile::TempDir> {
    let release = release::example();
    let content = content::example(PROGRAM);
    let packages = [
        write_main(&release, &[content.target], Vec::new()).unwrap(),
        write_platform(&release, &content).unwrap(),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in packages {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let is_known = cfg!(all(
        target_os = "linux",
        target_arch = "x86_64",
        target_env = "gnu"
    ));
    if !is_known || Command::new("npm").arg("--version").output().is_err() {
        assert!(!on_ci(), "npm is missing");
        println!("skipped: npm on x86-64 Linux is not here");
        return None;
    }
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--offline",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
    ]);
    npm.args(names).current_dir(folder.path());
    npm.env("HOME", folder.path())
        .env("npm_config_cache", folder.path().join("cache"));
    let done = npm.output().unwrap();
    assert!(done.status.success(), "{done:?}");
    Some(folder)
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let program = folder.join("node_modules/.bin/agon");
    Command::new(program).args(words).output().unwrap()
}

#[test]
fn an_installed_program_gets_its_words_and_gives_its_exit_code() {
    let packages = [
        "./agon-debate-linux-x64-1.2.3.tgz",
        "./agon-debate-1.2.3.tgz",
    ];
    let Some(folder) = install(&packages) else {
        return;
    };
    let ran = run(folder.path(), &["debate", "a b"]);
    let printed = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(printed, "agon-debate-linux-x64/bin/agon debate a b\n");
    assert_eq!(ran.status.code(), Some(7));
}

#[test]
fn without_the_package_of_the_system_a_message_names_it() {
    let Some(folder) = install(&["./agon-debate-1.2.3.tgz", "--omit=optional"]) else {
        return;
    };
    let ran = run(folder.path(), &["demo"]);
    let printed = String::from_utf8(ran.stderr).unwrap();
    let expected = "error: the package agon-debate-linux-x64, which contains the program, is not \
                    installed\n  hint: run \"npm install --global --include=optional agon-debate\"";
    assert!(printed.starts_with(expected), "{printed}");
    assert_eq!(ran.status.code(), Some(4));
}

#[test]
fn a_signal_reaches_the_program() {
    let packages = [
        "./agon-debate-linux-x64-1.2.3.tgz",
        "./agon-debate-1.2.3.tgz",
    ];
    let Some(folder) = install(&packages) else {
        return;
    };
    let program = folder.path().join("node_modules/.bin/agon");
    let mut run = Command::new(program);
    let mut child = run.arg("wait").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(
        lines.next().unwrap().unwrap(),
        "agon-debate-linux-x64/bin/agon wait"
    );
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(killed.success());
    assert_eq!(lines.next().unwrap().unwrap(), "ended");
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn a_system_without_a_program_is_named() {
    let Some(folder) = install(&["./agon-debate-1.2.3.tgz"]) else {
        return;
    };
    let script = "Object.defineProperty(process, 'arch', { value: 'mips' });\n\
                  require('./node_modules/agon-debate/bin/agon.js');";
    let mut node = Command::new("node");
    let ran = node
        .args(["-e", script])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let printed = String::from_utf8(ran.stderr).unwrap();
    let expected = "error: there is no program of Agon for this system (linux mips glibc)\n  \
                    hint: build it from its source\n";
    assert_eq!((ran.status.code(), printed.as_str()), (Some(4), expected));
}

#[test]
fn the_small_package_names_only_the_targets_that_were_built() {
    let (name, _) = write_main(&release::example(), &[], Vec::new()).unwrap();
    assert_eq!(name, "agon-debate-1.2.3.tgz");
    let [built, other, ..] = TARGETS else {
        panic!("there are at least two targets")
    };
    let launcher = launcher(&[built]);
    let names = |target: &Target| launcher.contains(&format!("name: \"{}\"", target.npm));
    assert!(names(built) && !names(other), "{launcher}");
}
