//! The hook before a commit: what it refuses, what it chains, and that it goes to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use agon_testkit::{add, git};

use super::Repository;

impl Repository {
    /// Commits as a person does, hooks and all.
    fn commit(&self, who: &str, args: &[&str]) -> Output {
        let mut command = Command::new("git");
        command.args([
            "-c",
            "user.name=Test",
            "-c",
            "user.email=test@example.invalid",
        ]);
        command.args(["commit", "-q", "-m", "change"]).args(args);
        command.env_clear().envs(&self.place.env);
        command.current_dir(self.tree(who)).output().unwrap()
    }
}

fn files(dir: &Path) -> BTreeMap<PathBuf, (Vec<u8>, u32)> {
    let entries = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files
        .map(|path| {
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            (path.clone(), (fs::read(&path).unwrap(), mode))
        })
        .collect()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_commit_of_what_another_member_has_locked_is_refused_however_it_is_made() {
    let team = Repository::with_lock();
    team.json("ada", &["precommit", "add"]);
    let tree = team.tree("ada");
    add(&tree, "greet.sh", "echo x\n");
    for args in [&["-a"][..], &["greet.sh"]] {
        let output = team.commit("ada", args);
        assert!(!output.status.success(), "{args:?}");
        let said = said(&output);
        assert!(
            said.contains("greet.sh is locked by bob for t1 until "),
            "{said}"
        );
    }
    git(&tree, &["add", "greet.sh"]);
    assert!(!team.commit("ada", &[]).status.success());
    git(&tree, &["reset", "-q", "--hard"]);
    add(&tree, "free.sh", "echo x\n");
    git(&tree, &["add", "."]);
    let output = team.commit("ada", &[]);
    assert!(output.status.success(), "{}", said(&output));
    // Its holder may, in its own tree.
    add(&team.tree("bob"), "greet.sh", "echo y\n");
    let output = team.commit("bob", &["-a"]);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn a_hook_that_was_there_runs_first_and_is_there_again_afterwards() {
    for named in [None, Some("my hooks")] {
        let team = Repository::with_lock();
        let project = team.place.project();
        let hooks = match named {
            None => project.join(".git/hooks"),
            Some(name) => {
                let dir = project.with_file_name(name);
                git(
                    &project,
                    &["config", "core.hooksPath", dir.to_str().unwrap()],
                );
                dir
            }
        };
        let mark = project.with_file_name("ran");
        let text = format!(
            "#!/bin/sh\necho \"$#\" >> '{}'\n[ ! -e stop ]\n",
            mark.display()
        );
        fs::create_dir_all(&hooks).unwrap();
        fs::write(hooks.join("pre-commit"), text).unwrap();
        fs::set_permissions(hooks.join("pre-commit"), fs::Permissions::from_mode(0o751)).unwrap();
        let before = files(&hooks);

        let added = team.json("ada", &["precommit", "add"]);
        assert_eq!(added["path"], hooks.join("pre-commit").to_str().unwrap());
        // Again: it does not chain itself.
        let after = files(&hooks);
        team.json("ada", &["precommit", "add"]);
        assert_eq!(files(&hooks), after);
        let tree = team.tree("ada");
        add(&tree, "free.sh", "echo x\n");
        git(&tree, &["add", "."]);
        let output = team.commit("ada", &[]);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(fs::read_to_string(&mark).unwrap(), "0\n");
        // What it refuses stays refused.
        add(&tree, "stop", "");
        add(&tree, "free.sh", "echo y\n");
        assert!(!team.commit("ada", &["free.sh"]).status.success());

        let removed = team.json("ada", &["precommit", "rm"]);
        assert_eq!(removed["is_there"], false);
        assert_eq!(files(&hooks), before);
        team.json("ada", &["precommit", "rm"]);
        assert_eq!(files(&hooks), before);
    }
}

#[test]
fn where_there_was_no_hook_there_is_none_afterwards_and_one_that_fails_lets_the_commit_be_made() {
    let team = Repository::with_lock();
    let hooks = team.place.project().join(".git/hooks");
    let before = files(&hooks);
    team.json("ada", &["precommit", "add"]);
    let db = team.place.project().join(".git/agon/team.db");
    let whole = fs::read(&db).unwrap();
    fs::write(&db, b"no database").unwrap();
    add(&team.tree("ada"), "greet.sh", "echo x\n");
    let output = team.commit("ada", &["-a"]);
    assert!(
        output.status.success() && !said(&output).is_empty(),
        "{}",
        said(&output)
    );
    fs::write(&db, whole).unwrap();
    team.json("ada", &["precommit", "rm"]);
    assert_eq!(files(&hooks), before);
}

#[test]
fn a_hook_among_the_files_of_the_repository_is_left_to_its_people() {
    for (folder, links, by_hand) in [
        (".githooks", false, ".githooks/pre-commit"),
        // Where Husky keeps what it makes; what people write is beside it.
        (".husky/_", false, ".husky/pre-commit"),
        ("scripts", true, "scripts/pre-commit"),
    ] {
        let team = Repository::with_lock();
        let project = team.place.project();
        fs::create_dir_all(project.join(folder)).unwrap();
        add(&project, "scripts/pre-commit", "#!/bin/sh\n");
        add(&project, by_hand, "#!/bin/sh\n");
        if links {
            fs::remove_dir_all(project.join(".git/hooks")).unwrap();
            symlink("../scripts", project.join(".git/hooks")).unwrap();
        } else {
            git(&project, &["config", "core.hooksPath", folder]);
        }
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "--no-verify", "-m", "hooks"]);
        let before = files(&project.join(folder));
        let (code, message, hint) = team.refused("lea", &["precommit", "add"]);
        assert_eq!(code, "tracked_hook", "{message}");
        assert!(message.contains("each work tree has its own"), "{message}");
        let path = project.join(by_hand);
        let line = format!(
            "add this line to {} and commit it:\n    if command -v agon >/dev/null 2>&1; then agon hook \
             git pre-commit || exit 1; fi",
            path.display()
        );
        assert_eq!(hint, line);
        assert_eq!(files(&project.join(folder)), before);

        let line = hint.split_once("commit it:\n    ").unwrap().1;
        fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
        assert_eq!(team.json("lea", &["precommit", "add"])["is_there"], true);
        let (_, _, hint) = team.refused("lea", &["precommit", "rm"]);
        assert_eq!(hint, format!("remove it there:\n    {line}"));
    }
}

#[test]
fn a_hook_that_another_repository_tracks_is_left_alone() {
    let team = Repository::with_lock();
    let project = team.place.project();
    let dotfiles = project.with_file_name("dotfiles");
    add(&dotfiles, "hooks/pre-commit", "#!/bin/sh\n");
    git(&dotfiles, &["init", "-q"]);
    let hooks = dotfiles.join("hooks");
    git(
        &project,
        &["config", "core.hooksPath", hooks.to_str().unwrap()],
    );
    // Not tracked: it is put before that one, and is gone again.
    let before = files(&hooks);
    team.json("lea", &["precommit", "add"]);
    team.json("lea", &["precommit", "rm"]);
    assert_eq!(files(&hooks), before);
    git(&dotfiles, &["add", "."]);
    let (code, message, _) = team.refused("lea", &["precommit", "add"]);
    assert_eq!(code, "tracked_hook");
    assert!(
        message.ends_with("which another repository tracks"),
        "{message}"
    );
    assert_eq!(files(&hooks), before);
}

#[test]
fn the_work_trees_in_which_a_hook_does_not_hold_are_named() {
    let team = Repository::with_lock();
    let project = team.place.project();
    git(&project, &["config", "extensions.worktreeConfig", "true"]);
    let apart = project.with_file_name("apart");
    let config = [
        "config",
        "--worktree",
        "core.hooksPath",
        apart.to_str().unwrap(),
    ];
    git(&team.tree("bob"), &config);
    let added = team.json("lea", &["precommit", "add"]);
    assert_eq!(added["not_held_in"], serde_json::json!([team.tree("bob")]));
    let said = team.run("lea", &["precommit", "add"]).stdout;
    assert!(said.contains("It has no effect in "), "{said}");
}
