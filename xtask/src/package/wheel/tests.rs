use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;
use crate::package::content;
use crate::package::release;
use crate::workspace::{on_ci, stdout_of};

/// Writes the wheel into a folder and returns its name.
fn write_into(folder: &Path) -> String {
    let (name, bytes) = write(&release::example(), &content::example("#!/bin/sh\n")).unwrap();
    fs::write(folder.join(&name), bytes).unwrap();
    name
}

/// Returns a Python of its own with pip, or `None` if there is none.
fn python(folder: &Path) -> Option<Command> {
    let made = Command::new("python3")
        .args(["-m", "venv", "venv"])
        .current_dir(folder)
        .output();
    if !made.is_ok_and(|it| it.status.success()) {
        assert!(!on_ci(), "Python with venv is missing");
        println!("skipped: Python with venv is not installed");
        return None;
    }
    let mut python = Command::new(folder.join("venv/bin/python"));
    python.current_dir(folder);
    Some(python)
}

#[test]
fn pip_installs_the_program_and_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut python) = python(folder.path()) else {
        return;
    };
    let name = write_into(folder.path());
    python.args([
        "-m",
        "pip",
        "install",
        "--no-index",
        "--disable-pip-version-check",
        "--quiet",
    ]);
    stdout_of(python.arg(&name)).unwrap();
    let venv = folder.path().join("venv");
    let ran = Command::new(venv.join("bin/agon")).status().unwrap();
    assert!(ran.success(), "{ran}");
    for file in [
        "share/man/man1/agon.1.gz",
        "share/bash-completion/completions/agon",
        "share/fish/vendor_completions.d/agon.fish",
        "share/zsh/site-functions/_agon",
    ] {
        assert!(venv.join(file).is_file(), "{file}");
    }
    let mut pip = Command::new(venv.join("bin/python"));
    let shown = stdout_of(pip.args(["-m", "pip", "show", "agon-debate"])).unwrap();
    assert!(shown.contains("Summary: Makes AI tools argue\n"), "{shown}");
}

#[test]
fn python_reads_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    let name = write_into(folder.path());
    let stem = "agon_debate-1.2.3-py3-none";
    let expected = format!("{stem}-manylinux_2_17_x86_64.manylinux2014_x86_64.whl");
    assert_eq!(name, expected);
    let script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n\
                  for i in z.infolist(): print(oct(i.external_attr >> 16), i.filename)\n";
    let mut python = Command::new("python3");
    let listed = match python
        .args(["-c", script, &name])
        .current_dir(folder.path())
        .output()
    {
        Ok(output) => String::from_utf8(output.stdout).unwrap(),
        Err(_) => {
            assert!(!on_ci(), "Python is missing");
            println!("skipped: Python is not installed");
            return;
        }
    };
    let expected = "\
0o100755 agon_debate-1.2.3.data/scripts/agon
0o100644 agon_debate-1.2.3.data/data/share/man/man1/agon.1.gz
0o100644 agon_debate-1.2.3.data/data/share/bash-completion/completions/agon
0o100644 agon_debate-1.2.3.data/data/share/fish/vendor_completions.d/agon.fish
0o100644 agon_debate-1.2.3.data/data/share/zsh/site-functions/_agon
0o100644 agon_debate-1.2.3.dist-info/METADATA
0o100644 agon_debate-1.2.3.dist-info/WHEEL
0o100644 agon_debate-1.2.3.dist-info/licenses/LICENSE-APACHE
0o100644 agon_debate-1.2.3.dist-info/licenses/LICENSE-MIT
0o100644 agon_debate-1.2.3.dist-info/licenses/THIRD-PARTY-LICENSES.txt
0o100644 agon_debate-1.2.3.dist-info/RECORD
";
    assert_eq!(listed, expected);
}

#[test]
fn the_platform_is_the_oldest_on_which_the_program_starts() {
    let mut content = content::example("");
    content.needs.glibc = Some((2, 4));
    assert_eq!(
        platforms(&content),
        ["manylinux_2_17_x86_64", "manylinux2014_x86_64"]
    );
    content.needs.glibc = Some((2, 36));
    assert_eq!(platforms(&content), ["manylinux_2_36_x86_64"]);
    content.target = Target::of_triple("aarch64-unknown-linux-musl").unwrap();
    assert_eq!(platforms(&content), ["musllinux_1_2_aarch64"]);
}
