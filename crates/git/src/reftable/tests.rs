use std::path::PathBuf;

use agon_testkit::{git, git_has_reftable};

use super::*;

/// A repository with references in tables, and its folder; none if git is too old for them.
fn repository(format: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    if !git_has_reftable() {
        eprintln!("skipped: this git has no tables of references");
        return None;
    }
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("p");
    std::fs::create_dir(&root).unwrap();
    let format = format!("--object-format={format}");
    let init = ["init", "-q", "-b", "main", "--ref-format=reftable", &format];
    git(&root, &init);
    Some((dir, root))
}

#[test]
fn every_reference_that_git_writes_is_found() {
    for format in ["sha1", "sha256"] {
        let Some((dir, root)) = repository(format) else {
            return;
        };
        let here = || Repository::discover(&root).unwrap();
        let id = |name: &str| git(&root, &["rev-parse", name]).trim().to_owned();
        assert!(here().has_reftable());
        assert_eq!(here().find_in_reftable("HEAD").unwrap(), None);
        git(&root, &["commit", "-q", "--allow-empty", "-m", "one"]);
        let one = id("HEAD");
        git(&root, &["tag", "-a", "-m", "x", "v1"]);
        // As many as fill several blocks, in several tables and in one.
        let branch = |n: u32| format!("refs/heads/{}/{n:04}", "a long topic".replace(' ', "-"));
        for n in 0..40 {
            git(&root, &["update-ref", &branch(n), &one]);
        }
        let name = "x".repeat(150);
        for n in 40..60 {
            git(
                &root,
                &["update-ref", &format!("{}-{name}", branch(n)), &one],
            );
        }
        git(&root, &["update-ref", "-d", &branch(25)]);
        git(&root, &["commit", "-q", "--allow-empty", "-m", "two"]);
        for is_packed in [false, true] {
            if is_packed {
                git(&root, &["pack-refs", "--all"]);
            }
            let find = |name: &str| here().find_in_reftable(name).unwrap();
            let listed = git(
                &root,
                &["for-each-ref", "--format=%(refname) %(objectname)"],
            );
            assert_eq!(listed.lines().count(), 61);
            for line in listed.lines() {
                let (name, id) = line.split_once(' ').unwrap();
                assert_eq!(find(name).as_deref(), Some(id), "{name}");
            }
            assert_eq!(find("HEAD"), Some(id("HEAD")));
            assert_eq!(find(&branch(25)), None);
            assert_eq!(find("refs/tags/v2"), None);
        }
        // Each work tree has a HEAD of its own.
        let tree = dir.path().canonicalize().unwrap().join("t");
        let path = tree.to_str().unwrap();
        git(&root, &["worktree", "add", "-q", "-b", "t", path, &one]);
        let linked = Repository::discover(&tree).unwrap();
        assert_eq!(linked.find_in_reftable("HEAD").unwrap(), Some(one));
    }
}

#[test]
fn a_damaged_table_is_an_error_and_ends() {
    let Some((_dir, root)) = repository("sha1") else {
        return;
    };
    git(&root, &["commit", "-q", "--allow-empty", "-m", "one"]);
    git(&root, &["pack-refs", "--all"]);
    let stack = root.join(".git/reftable");
    let list = std::fs::read_to_string(stack.join("tables.list")).unwrap();
    let table = std::fs::read(stack.join(list.trim())).unwrap();
    let name = b"refs/heads/main";
    for at in 0..table.len() {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut changed = table.clone();
            changed[at] = byte;
            find_in_table(&changed, name);
        }
        assert_eq!(find_in_table(&table[..at.min(60)], name), None);
    }
}
