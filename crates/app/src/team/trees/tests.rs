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
    let caller = Caller::new(vars.collect(), &project);
    (sandbox, caller, project)
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
    assert_eq!(find_way_out(&caller, &project).await, Ok(None));
    symlink(sandbox.home(), project.join("out")).unwrap();
    let found = find_way_out(&caller, &project).await;
    assert_eq!(found, Ok(Some("out".to_owned())));
}

#[tokio::test]
async fn a_look_changes_with_every_write_and_with_nothing_else() {
    let (_sandbox, caller, project) = place();
    let first = look(&caller, &project).await;
    git(&project, &["status"]);
    assert_eq!(look(&caller, &project).await, first);
    for change in ["two\n", "one\n"] {
        let before = look(&caller, &project).await;
        std::thread::sleep(std::time::Duration::from_millis(20));
        add(&project, "a.txt", change);
        assert_ne!(look(&caller, &project).await, before);
    }
    let before = look(&caller, &project).await;
    add(&project, "b.txt", "new\n");
    assert_ne!(look(&caller, &project).await, before);
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
    // It is whole, so nothing is written.
    make(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    look(&caller, &tree).await;
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
    // As git leaves it when it is killed in the middle.
    std::fs::remove_file(tree.join("a.txt")).unwrap();
    add(&project, ".git/worktrees/ada/locked", "initializing");
    std::fs::remove_file(project.join(".git/worktrees/ada/index")).unwrap();
    make(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    assert!(tree.join("a.txt").exists() && !tree.join("work.txt").exists());
}
