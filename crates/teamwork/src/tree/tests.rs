#![expect(
    clippy::disallowed_types,
    reason = "git and cp are started as a person would"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use agon_testkit::{add, git};

use super::*;

/// A repository with a commit, in a folder that is deleted with it.
struct Repository {
    dir: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let repository = Self { dir };
        let root = repository.root();
        fs::create_dir(&root).unwrap();
        git(&root, &["init", "-q", "-b", "main"]);
        add(&root, "a.txt", "a\n");
        add(&root, "src/b.sh", "echo b\n");
        add(&root, ".gitignore", "ignored\n*.log\n");
        git(&root, &["add", "."]);
        git(&root, &["commit", "-q", "-m", "begin"]);
        repository
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("repo")
    }

    fn caller(&self) -> Caller {
        let home = self.dir.path().as_os_str().to_owned();
        let path = std::env::var_os("PATH").unwrap();
        let vars = BTreeMap::from([("PATH".into(), path), ("HOME".into(), home)]);
        Caller::new(vars, self.root())
    }

    fn try_hash(&self) -> Result<TreeHash, Failure> {
        let location = TeamLocation::find(&self.root()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        runtime.block_on(hash_work_tree(&self.caller(), &location))
    }

    fn hash(&self) -> String {
        self.try_hash().unwrap().to_string()
    }

    /// Adds the submodule `sub` and commits it.
    fn add_submodule(&self) {
        let lib = self.dir.path().join("lib");
        fs::create_dir(&lib).unwrap();
        git(&lib, &["init", "-q", "-b", "main"]);
        add(&lib, "l.txt", "l\n");
        git(&lib, &["add", "."]);
        git(&lib, &["commit", "-q", "-m", "begin"]);
        let path = lib.to_str().unwrap();
        self.git(&[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "add",
            "-q",
            path,
            "sub",
        ]);
        self.git(&["commit", "-q", "-m", "sub"]);
    }

    fn git(&self, args: &[&str]) -> String {
        git(&self.root(), args).trim().to_owned()
    }

    /// Returns the tree that git itself makes from a commit of everything, in a copy.
    fn committed(&self) -> String {
        let copy = self.dir.path().join("copy");
        let status = std::process::Command::new("cp")
            .args(["-a", "repo", "copy"])
            .current_dir(self.dir.path())
            .status();
        assert!(status.unwrap().success());
        git(&copy, &["add", "-A"]);
        let tree = git(&copy, &["write-tree"]).trim().to_owned();
        fs::remove_dir_all(copy).unwrap();
        tree
    }

    /// Returns every file of the git folder, except the empty folder for scratch folders.
    fn git_files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn walk(dir: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => walk(&path, all),
                    false => drop(all.insert(path.clone(), fs::read(&path).unwrap())),
                }
            }
        }
        let mut all = BTreeMap::new();
        walk(&self.root().join(".git"), &mut all);
        all
    }
}

#[test]
fn a_clean_tree_is_that_of_its_commit_and_nothing_of_the_repository_is_touched() {
    let repository = Repository::new();
    let before = repository.git_files();
    assert_eq!(
        repository.hash(),
        repository.git(&["rev-parse", "HEAD^{tree}"])
    );
    assert_eq!(repository.git_files(), before);
}

#[test]
fn every_change_makes_the_tree_that_a_commit_of_everything_would_have() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 9] = [
        ("unstaged", |root| add(root, "a.txt", "b\n")),
        ("staged", |root| {
            add(root, "a.txt", "b\n");
            git(root, &["add", "a.txt"]);
        }),
        ("staged and changed again", |root| add(root, "a.txt", "c\n")),
        ("new", |root| add(root, "new dir/ü\n.txt", "n\n")),
        ("removed", |root| {
            fs::remove_file(root.join("a.txt")).unwrap()
        }),
        ("a link", |root| {
            symlink("nowhere", root.join("link")).unwrap()
        }),
        ("a mode", |root| {
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(root.join("src/b.sh"), mode).unwrap();
        }),
        ("ignored but staged", |root| {
            add(root, "x.log", "x\n");
            git(root, &["add", "-f", "x.log"]);
        }),
        ("a folder in place of a file", |root| {
            fs::remove_file(root.join("link")).unwrap();
            add(root, "link/inside", "x\n");
        }),
    ];
    let repository = Repository::new();
    let mut seen = vec![repository.hash()];
    for (name, change) in changes {
        change(&repository.root());
        let before = repository.git_files();
        let hash = repository.hash();
        assert_eq!(hash, repository.committed(), "{name}");
        assert_eq!(repository.git_files(), before, "{name}");
        // The staged content equals the existing one.
        assert_eq!(seen.contains(&hash), name == "staged", "{name}");
        seen.push(hash);
    }
    add(&repository.root(), "ignored", "x\n");
    assert_eq!(seen.last(), Some(&repository.hash()));
}

#[test]
fn a_mark_that_hides_a_change_from_git_does_not_hide_it_here() {
    for mark in ["--assume-unchanged", "--skip-worktree"] {
        let repository = Repository::new();
        repository.git(&["update-index", mark, "a.txt"]);
        let before = repository.hash();
        add(&repository.root(), "a.txt", "b\n");
        assert_eq!(repository.git(&["status", "--porcelain"]), "", "{mark}");
        assert_ne!(repository.hash(), before, "{mark}");
    }
}

#[test]
fn a_part_of_a_tree_has_no_hash() {
    let repository = Repository::new();
    repository.git(&["sparse-checkout", "set", "src"]);
    let refusal = repository.try_hash().unwrap_err();
    assert!(
        refusal.message.contains("only a part"),
        "{}",
        refusal.message
    );
}

/// Writes settings that start `sh mark` at every opportunity, and the files that make git use them.
fn make_hostile(root: &Path, mark: &Path) {
    let dir = mark.parent().unwrap();
    let script = dir.join("hostile.sh");
    fs::write(
        &script,
        format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display()),
    )
    .unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.to_str().unwrap();
    let hooks = dir.join("hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in ["post-index-change", "pre-commit", "reference-transaction"] {
        fs::copy(script, hooks.join(hook)).unwrap();
    }
    let included = dir.join("included");
    fs::write(
        &included,
        format!("[filter \"x\"]\n\tclean = {script}\n\tprocess = {script}\n"),
    )
    .unwrap();
    for (key, value) in [
        ("core.fsmonitor", script),
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("filter.x.clean", script),
        ("filter.x.smudge", script),
        ("filter.x.required", "true"),
        ("diff.external", script),
        ("diff.x.textconv", script),
        ("core.pager", script),
        ("core.editor", script),
        ("core.sshCommand", script),
        ("include.path", included.to_str().unwrap()),
    ] {
        git(root, &["config", key, value]);
    }
    let attributes = git(root, &["rev-parse", "--git-path", "info/attributes"]);
    let attributes = root.join(attributes.trim());
    fs::create_dir_all(attributes.parent().unwrap()).unwrap();
    fs::write(attributes, "* filter=x diff=x\n").unwrap();
}

#[test]
fn no_program_that_the_repository_names_is_started() {
    let repository = Repository::new();
    let root = repository.root();
    repository.add_submodule();
    let clean = repository.git(&["rev-parse", "HEAD^{tree}"]);

    let mark = repository.dir.path().join("started");
    add(&root, ".gitattributes", "* filter=x diff=x\n");
    git(&root, &["add", ".gitattributes"]);
    let with_attributes = repository.git(&["write-tree"]);
    assert_ne!(with_attributes, clean);
    make_hostile(&root, &mark);
    make_hostile(&root.join("sub"), &mark);
    // The index times suggest that each file may have changed.
    for file in ["a.txt", "src/b.sh", "sub/l.txt"] {
        let text = fs::read(root.join(file)).unwrap();
        fs::write(root.join(file), text).unwrap();
    }
    assert!(!mark.exists());
    let refusal = repository.try_hash().unwrap_err();
    assert_eq!(
        refusal.message,
        ".gitattributes needs the filter `x`, which only this repository's own configuration defines"
    );
    assert!(!mark.exists(), "a program of the repository was started");
    // Even if no file needs the filter, the rest of the configuration must start nothing.
    fs::write(root.join(".gitattributes"), "").unwrap();
    fs::write(root.join(".git/info/attributes"), "").unwrap();
    fs::write(root.join(".git/modules/sub/info/attributes"), "").unwrap();
    assert_ne!(repository.hash(), with_attributes);
    assert!(!mark.exists(), "a program of the repository was started");
    fs::write(root.join(".git/info/attributes"), "* filter=x\n").unwrap();
    // Control: where the settings apply, they do start it.
    std::process::Command::new("git")
        .args(["add", "-A"])
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(mark.exists());
}

#[test]
fn a_submodule_counts_by_its_commit_and_changes_beyond_it_are_refused() {
    let repository = Repository::new();
    repository.add_submodule();
    let clean = repository.hash();
    assert_eq!(clean, repository.git(&["rev-parse", "HEAD^{tree}"]));
    let sub = repository.root().join("sub");
    add(&sub, "new.txt", "n\n");
    let refusal = repository.try_hash().unwrap_err();
    assert_eq!(refusal.message, "the submodule sub has uncommitted changes");
    git(&sub, &["add", "."]);
    git(&sub, &["commit", "-q", "-m", "more"]);
    assert_ne!(repository.hash(), clean);
    // A submodule that is not checked out keeps its commit.
    repository.git(&["add", "sub"]);
    let staged = repository.hash();
    repository.git(&["submodule", "deinit", "-f", "-q", "sub"]);
    assert_eq!(repository.hash(), staged);
}

#[test]
fn new_files_of_a_debate_do_not_count() {
    let repository = Repository::new();
    let before = repository.hash();
    let root = repository.root();
    fs::create_dir_all(root.join("debates/tabs/.agon")).unwrap();
    add(&root, "debates/tabs/.agon/journal.jsonl", "{}\n");
    add(&root, "debates/tabs/verdict.md", "Tabs\n");
    assert_eq!(repository.hash(), before);
    // A file without a debate around it is the member's own, even in that folder.
    fs::create_dir_all(root.join("debates/notes")).unwrap();
    add(&root, "debates/notes/mine.md", "mine\n");
    assert_ne!(repository.hash(), before);
    fs::remove_file(root.join("debates/notes/mine.md")).unwrap();
    assert_eq!(repository.hash(), before);
    // A debate that was committed is part of the tree.
    repository.git(&["add", "."]);
    assert_ne!(repository.hash(), before);
}
