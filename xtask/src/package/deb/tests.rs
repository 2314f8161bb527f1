use std::fs;
use std::process::Command;

use super::*;
use crate::package::content;
use crate::package::release::{self, Contact};
use crate::workspace::{on_ci, stdout_of};

/// Writes a package and returns what `dpkg-deb` prints about it, or `None` without that program.
fn read_back(flag: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let content = content::example("#!/bin/sh\n");
    let (name, bytes) = write(&release::example(), &content, "amd64").unwrap();
    assert_eq!(name, "agon-debate_1.2.3_amd64.deb");
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        assert!(!on_ci(), "dpkg-deb is missing");
        println!("skipped: dpkg-deb is not installed");
        return None;
    }
    let mut dpkg = Command::new("dpkg-deb");
    Some(stdout_of(dpkg.arg(flag).arg(&path).env("TZ", "UTC")).unwrap())
}

#[test]
fn dpkg_reads_the_fields() {
    let Some(fields) = read_back("--field") else {
        return;
    };
    let expected = "\
Package: agon-debate
Version: 1.2.3
Architecture: amd64
Maintainer: Agon maintainers
Installed-Size: 9
Depends: libc6 (>= 2.17), libgcc-s1 | libgcc1
Recommends: git
Section: utils
Priority: optional
Description: Makes AI tools argue
";
    let (fields, about) = fields.split_at(expected.len());
    assert_eq!(fields, expected);
    for line in about.lines() {
        assert!(line.starts_with(' '), "{line}");
    }
    assert_eq!(about, LONG_ABOUT);
}

#[test]
fn dpkg_lists_the_files() {
    let Some(listed) = read_back("--contents") else {
        return;
    };
    let rows = listed.lines().map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!(words[1], "root/root", "{line}");
        assert_eq!(words[3..5], ["2026-02-28", "23:59"], "{line}");
        format!("{} {}", words[0], words[5])
    });
    let files: Vec<_> = rows.filter(|row| row.starts_with('-')).collect();
    let expected = [
        "-rwxr-xr-x ./usr/bin/agon",
        "-rw-r--r-- ./usr/share/bash-completion/completions/agon",
        "-rw-r--r-- ./usr/share/doc/agon-debate/LICENSE-APACHE.gz",
        "-rw-r--r-- ./usr/share/doc/agon-debate/LICENSE-MIT.gz",
        "-rw-r--r-- ./usr/share/doc/agon-debate/THIRD-PARTY-LICENSES.txt.gz",
        "-rw-r--r-- ./usr/share/doc/agon-debate/copyright",
        "-rw-r--r-- ./usr/share/fish/vendor_completions.d/agon.fish",
        "-rw-r--r-- ./usr/share/man/man1/agon.1.gz",
        "-rw-r--r-- ./usr/share/zsh/vendor-completions/_agon",
    ];
    assert_eq!(files, expected);
}

#[test]
fn an_address_appears_once_there_is_one() {
    let mut release = release::example();
    release.contact = Contact::parse("https://example.com/agon agon@example.com");
    let control = control(&release, &content::example(""), "amd64", &[]).unwrap();
    assert!(
        control.contains("\nMaintainer: Agon maintainers <agon@example.com>\n"),
        "{control}"
    );
    assert!(
        control.contains("\nHomepage: https://example.com/agon\n"),
        "{control}"
    );
}

#[test]
fn a_library_without_a_known_package_is_refused() {
    let mut content = content::example("");
    content.needs.libraries.insert("libz.so.1".to_owned());
    let refused = depends(&content).unwrap_err().to_string();
    assert_eq!(
        refused,
        "which Debian package has libz.so.1? Add it to package/deb.rs"
    );
}
