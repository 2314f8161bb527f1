mod moved;
mod untouched;

use std::os::unix::fs::symlink;

use agon_testkit::{Sandbox, add, git};

use super::*;

fn place() -> (Sandbox, Caller, PathBuf) {
    let sandbox = Sandbox::new();
    let project = sandbox.project();
    git(&project, &["init", "-q"]);
    add(&project, "a.txt", "one\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "begin"]);
    let vars = sandbox.command_env().into_iter();
    let vars = vars.map(|(name, value)| (name.into(), value.into()));
    let config = sandbox.home().join(".config/agon");
    let vars = vars.chain([("AGON_CONFIG_DIR".into(), config.into())]);
    let caller = Caller::new(vars.collect(), &project);
    (sandbox, caller, project)
}

#[test]
fn a_tree_is_in_its_folder_also_where_a_link_leads_there() {
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("real"), dir.path().join("link"));
    std::fs::create_dir_all(real.join("ada")).unwrap();
    symlink(&real, &link).unwrap();
    assert!(is_in(&link, &real.join("ada")) && is_in(&real, &link.join("ada")));
    assert!(!is_in(&real, &dir.path().join("ada")));
}

#[tokio::test]
async fn trees_that_are_made_at_once_are_all_made() {
    let (sandbox, caller, project) = place();
    let trees: Vec<_> = (0..8)
        .map(|n| sandbox.home().join(format!("trees/{n}")))
        .collect();
    let made = trees.iter().enumerate().map(|(n, tree)| {
        let (caller, branch) = (caller.clone(), format!("agon/members/m{n}"));
        async move { make(&caller, tree, &branch, "HEAD").await }
    });
    let made = futures_util::future::join_all(made).await;
    assert!(made.iter().all(Result::is_ok), "{made:?}");
    let location = TeamLocation::find(&project).unwrap();
    assert!(trees.iter().all(|tree| is_whole(&location, tree)));
    assert_eq!(list(&caller).unwrap().len(), 9);
}

#[tokio::test]
async fn a_link_that_leads_out_is_found_also_where_it_is_ignored() {
    let (sandbox, caller, project) = place();
    add(&project, ".gitignore", "out\n");
    symlink("a.txt", project.join("inside")).unwrap();
    assert_eq!(find_escaping_link(&caller, &project).await, Ok(None));
    symlink(sandbox.home(), project.join("out")).unwrap();
    let found = find_escaping_link(&caller, &project).await;
    assert_eq!(found, Ok(Some("out".to_owned())));
}

#[tokio::test]
async fn a_look_changes_with_every_write_and_with_nothing_else() {
    let (_sandbox, caller, project) = place();
    let first = fingerprint(&caller, &project).await;
    git(&project, &["status"]);
    assert_eq!(fingerprint(&caller, &project).await, first);
    for change in ["two\n", "one\n"] {
        let before = fingerprint(&caller, &project).await;
        std::thread::sleep(std::time::Duration::from_millis(20));
        add(&project, "a.txt", change);
        assert_ne!(fingerprint(&caller, &project).await, before);
    }
    let before = fingerprint(&caller, &project).await;
    add(&project, "b.txt", "new\n");
    assert_ne!(fingerprint(&caller, &project).await, before);
}

#[tokio::test]
async fn what_agon_writes_to_a_tree_is_marked_before_it_is_written() {
    let (sandbox, caller, project) = place();
    let tree = sandbox.home().join("trees/ada");
    let location = TeamLocation::find(&project).unwrap();
    let read = || marks(&location, std::slice::from_ref(&tree)).remove(&tree);
    assert_eq!(read(), None);
    make(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    let made = read();
    // The work tree is complete, so nothing is written.
    make(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    fingerprint(&caller, &tree).await;
    assert_eq!(read(), made);
    check_out(&caller, &tree, "HEAD").await.unwrap();
    let checked_out = read();
    merge(&caller, &tree, "HEAD", None).await.unwrap();
    let all = [None, made, checked_out, read()];
    let different: std::collections::BTreeSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len(), "{all:?}");
}

#[tokio::test]
async fn a_tree_whose_making_was_killed_is_made_again_and_a_whole_one_stays() {
    let (sandbox, caller, project) = place();
    let tree = sandbox.home().join("trees/ada");
    make(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    add(&tree, "work.txt", "kept\n");
    let lock = project.join(".git/worktrees/ada/index.lock");
    std::fs::write(&lock, "").unwrap();
    make(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    assert!(tree.join("work.txt").exists());
    assert!(lock.exists(), "a git that lives may have it");
    make_and_unlock(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    assert!(!lock.exists());
    git(&tree, &["add", "."]);
    // The state in which git leaves it when it is killed midway.
    std::fs::remove_file(tree.join("a.txt")).unwrap();
    add(&project, ".git/worktrees/ada/locked", "initializing");
    std::fs::remove_file(project.join(".git/worktrees/ada/index")).unwrap();
    make(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    assert!(tree.join("a.txt").exists() && !tree.join("work.txt").exists());
}

async fn changed(caller: &Caller, tree: &Path, base: &str) -> Vec<(String, bool)> {
    let changed = changed_paths(caller, tree, base, None).await.unwrap();
    let pair = |it: ChangedPath| (it.path, it.is_gitlink);
    changed.into_iter().map(pair).collect()
}

/// A change to a tree, in words and code, and what is found afterwards.
type Act<T> = (&'static str, fn(&Path), T);

#[tokio::test]
async fn what_a_member_committed_itself_is_changed_since_the_base() {
    let acts: [Act<&[&str]>; 5] = [
        (
            "a commit",
            |tree| {
                add(tree, "b.txt", "b\n");
                git(tree, &["add", "."]);
                git(tree, &["commit", "-q", "-m", "own"]);
            },
            &["b.txt"],
        ),
        (
            "a rename, committed",
            |tree| {
                std::fs::create_dir(tree.join("sub")).unwrap();
                git(tree, &["mv", "a.txt", "sub/moved.txt"]);
                git(tree, &["commit", "-q", "-m", "own"]);
            },
            &["a.txt", "sub/moved.txt"],
        ),
        (
            "a commit, and a change after it",
            |tree| {
                add(tree, "b.txt", "b\n");
                git(tree, &["add", "."]);
                git(tree, &["commit", "-q", "-m", "own"]);
                add(tree, "c.txt", "c\n");
            },
            &["b.txt", "c.txt"],
        ),
        (
            "a commit that replaces the one of the base",
            |tree| {
                add(tree, "a.txt", "other\n");
                git(tree, &["commit", "-q", "-a", "--amend", "-m", "own"]);
            },
            &["a.txt"],
        ),
        (
            "a removal in one of two commits",
            |tree| {
                git(tree, &["rm", "-q", "a.txt"]);
                git(tree, &["commit", "-q", "-m", "own"]);
                git(tree, &["commit", "-q", "--allow-empty", "-m", "more"]);
            },
            &["a.txt"],
        ),
    ];
    for (what, act, expected) in acts {
        let (sandbox, caller, _) = place();
        let tree = sandbox.home().join("trees/ada");
        make(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        let base = head(&caller, &tree).await.unwrap();
        act(&tree);
        let found = changed(&caller, &tree, &base).await;
        let names: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(names, expected, "{what}");
    }
}

#[tokio::test]
async fn a_changed_commit_of_a_submodule_is_found_however_it_was_changed() {
    let acts: [Act<&str>; 5] = [
        (
            "a repository in the folder of the submodule",
            |tree| {
                let sub = tree.join("sub");
                git(&sub, &["init", "-q"]);
                git(&sub, &["commit", "-q", "--allow-empty", "-m", "own"]);
            },
            "sub",
        ),
        (
            "the index alone",
            |tree| {
                let link = format!("160000,{},sub", "2".repeat(40));
                git(tree, &["update-index", "--cacheinfo", &link]);
            },
            "sub",
        ),
        (
            "a commit of its own",
            |tree| {
                let link = format!("160000,{},sub", "2".repeat(40));
                git(tree, &["update-index", "--cacheinfo", &link]);
                git(tree, &["commit", "-q", "-m", "own"]);
            },
            "sub",
        ),
        (
            "a new one, in a commit of its own",
            |tree| {
                std::fs::create_dir_all(tree.join("lib/new")).unwrap();
                let link = format!("160000,{},lib/new", "2".repeat(40));
                git(tree, &["update-index", "--add", "--cacheinfo", &link]);
                git(tree, &["commit", "-q", "-m", "own"]);
            },
            "lib/new",
        ),
        (
            "a file in its place",
            |tree| {
                std::fs::remove_dir(tree.join("sub")).unwrap();
                add(tree, "sub", "a file\n");
            },
            "sub",
        ),
    ];
    for (what, act, expected) in acts {
        let (sandbox, caller, project) = place();
        // The submodule's own settings hide every change of it.
        let modules = "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n";
        add(&project, ".gitmodules", modules);
        let link = format!("160000,{},sub", "1".repeat(40));
        git(&project, &["add", "."]);
        git(&project, &["update-index", "--add", "--cacheinfo", &link]);
        git(&project, &["commit", "-q", "-m", "submodule"]);
        let tree = sandbox.home().join("trees/ada");
        make(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        let base = head(&caller, &tree).await.unwrap();
        act(&tree);
        let found = changed(&caller, &tree, &base).await;
        assert_eq!(found, [(expected.to_owned(), true)], "{what}");
    }
}

#[tokio::test]
async fn a_git_that_takes_too_long_says_that_time_was_up_and_how_to_allow_more() {
    let (sandbox, caller, project) = place();
    let slow = sandbox.home().join("trees/slow");
    let quick = sandbox.home().join("trees/quick");
    make(&caller, &quick, "agon/members/quick", "HEAD")
        .await
        .unwrap();
    add(&project, ".gitattributes", "*.bin filter=slow\n");
    add(&project, "a.bin", "large\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "slow"]);
    let base = head(&caller, &project).await.unwrap();
    let filter = "[filter \"slow\"]\n\tsmudge = sleep 600\n\tclean = sleep 600\n";
    add(&sandbox.home(), ".gitconfig", filter);
    add(
        &sandbox.home(),
        ".config/agon/config.toml",
        "[team]\ncheckout_ms = 400\n",
    );
    let outcomes = [
        (
            "reset",
            make(&caller, &slow, "agon/members/slow", "HEAD")
                .await
                .map(drop),
        ),
        ("checkout", check_out(&caller, &quick, &base).await),
        ("add", {
            add(&quick, ".gitattributes", "*.bin filter=slow\n");
            add(&quick, "b.bin", "large\n");
            let base = head(&caller, &quick).await.unwrap();
            unlock(&TeamLocation::find(&project).unwrap(), &quick);
            changed_paths(&caller, &quick, &base, None).await.map(drop)
        }),
    ];
    for (command, outcome) in outcomes {
        let error = outcome.unwrap_err();
        let said = format!("git {command} timed out after 0.4 s");
        assert_eq!(error.message, said);
        let hint = "raise the limit in config.toml: set `checkout_ms = 800` under `[team]`";
        assert_eq!(error.hint.unwrap().typed(), hint, "{command}");
    }
    // With more time it is created.
    add(
        &sandbox.home(),
        ".gitconfig",
        &filter.replace("sleep 600", "cat"),
    );
    add(&sandbox.home(), ".config/agon/config.toml", "");
    make(&caller, &slow, "agon/members/slow", "HEAD")
        .await
        .unwrap();
    assert!(slow.join("a.bin").exists());
}

#[tokio::test]
async fn a_repository_without_a_commit_is_named_for_what_it_is() {
    let sandbox = Sandbox::new();
    let project = sandbox.project();
    git(&project, &["init", "-q", "-b", "trunk"]);
    let vars = sandbox.command_env().into_iter();
    let vars = vars.map(|(name, value)| (name.into(), value.into()));
    let caller = Caller::new(vars.collect(), &project);
    let tree = sandbox.home().join("trees/ada");
    let made = make(&caller, &tree, "agon/members/ada", "HEAD").await;
    for error in [
        head(&caller, &project).await.unwrap_err(),
        made.map(drop).unwrap_err(),
    ] {
        assert_eq!(
            error.message,
            "this repository has no commit yet, but a work tree needs one"
        );
    }
    let other = make(&caller, &tree, "agon/members/ada", "nowhere").await;
    assert!(other.unwrap_err().message.contains("rev-parse failed"));
}
