//! Locks: granting, waiting and releasing.

use std::time::Duration;

use agon_caller::Failure;
use agon_team::store::{ClaimRequest, HolderStep, LockRequest, NewTask};
use agon_teamwork::{
    Epoch, GlobSet, LockMode, PathGlob, TeamLockDoc, add as add_task, claim, lock, locks,
    locks_on_submitted_paths, step, unlock,
};
use agon_testkit::add;
use tokio_util::sync::CancellationToken;

use crate::repository::{Repository, id};

/// A team in which ada has t1 and bob has t2.
async fn at_work() -> Repository {
    let team = Repository::with_team();
    for title in ["Greet by name", "Document it"] {
        let new = NewTask {
            title: title.to_owned(),
            ..NewTask::default()
        };
        add_task(&team.caller("lea"), new).unwrap();
    }
    for (name, task) in [("ada", "t1"), ("bob", "t2")] {
        assert_eq!(claim_task(&team, name, task).await, task);
    }
    team
}

async fn claim_task(team: &Repository, name: &str, task: &str) -> String {
    let request = ClaimRequest {
        task: Some(task.parse().unwrap()),
        ..ClaimRequest::default()
    };
    id(claim(&team.caller(name), &request).await)
}

/// Returns a member's request for a lock, in the first epoch of its task.
fn wanted(name: &str, globs: &[&str]) -> LockRequest {
    let task = if name == "ada" { "t1" } else { "t2" };
    let globs: Vec<PathGlob> = globs.iter().map(|glob| glob.parse().unwrap()).collect();
    LockRequest {
        task: task.parse().unwrap(),
        epoch: Epoch(1),
        globs: GlobSet::try_from(globs).unwrap(),
        mode: LockMode::Exclusive,
        reason: String::new(),
    }
}

async fn take(team: &Repository, name: &str, globs: &[&str]) -> Result<TeamLockDoc, Failure> {
    ask(team, name, &wanted(name, globs)).await
}

async fn ask(team: &Repository, name: &str, request: &LockRequest) -> Result<TeamLockDoc, Failure> {
    let cancel = CancellationToken::new();
    lock(&team.caller(name), request, Duration::ZERO, &cancel).await
}

fn release(team: &Repository, name: &str, lock: &str) -> Result<String, Failure> {
    let lock = lock.parse().unwrap();
    unlock(&team.caller(name), lock, Some(Epoch(1))).map(|ended| ended.lock.to_string())
}

/// Returns the existing locks, and whether each is granted.
fn standing(team: &Repository) -> Vec<(String, bool)> {
    let found = locks(&team.caller("lea")).unwrap().locks.into_iter();
    found.map(|one| (one.id.to_string(), one.granted)).collect()
}

fn is(id: &str, granted: bool) -> (String, bool) {
    (id.to_owned(), granted)
}

#[tokio::test]
async fn a_lock_that_overlaps_waits_and_is_granted_when_the_other_ends() {
    let team = at_work().await;
    let granted = take(&team, "ada", &["src/**", "greet.sh"]).await.unwrap();
    assert!(granted.lock.granted, "{granted:?}");
    let waits = take(&team, "bob", &["src/*.rs"]).await.unwrap();
    assert!(!waits.lock.granted, "{waits:?}");
    let behind: Vec<_> = waits.behind.iter().map(|it| it.id.to_string()).collect();
    assert_eq!(behind, ["l1"]);
    let apart = take(&team, "bob", &["docs/**"]).await.unwrap();
    assert!(apart.lock.granted, "{apart:?}");

    let of_another = release(&team, "bob", "l1").unwrap_err();
    assert_eq!(of_another.message, "t1 is held by ada, not by bob");
    let unknown = release(&team, "ada", "l9").unwrap_err();
    assert_eq!(unknown.message, "this task has no lock l9");
    assert_eq!(release(&team, "ada", "l1").unwrap(), "l1");
    assert_eq!(standing(&team), [is("l2", true), is("l3", true)]);
}

#[tokio::test]
async fn shared_locks_go_together_and_a_stale_epoch_gets_none() {
    let team = at_work().await;
    for name in ["ada", "bob"] {
        let shared = LockRequest {
            mode: LockMode::Shared,
            ..wanted(name, &["Cargo.toml"])
        };
        let taken = ask(&team, name, &shared).await.unwrap();
        assert!(taken.lock.granted, "{taken:?}");
    }
    let later = HolderStep::Release {
        note: "later".to_owned(),
        has_commits: false,
    };
    let task = "t1".parse().unwrap();
    step(&team.caller("ada"), task, Some(Epoch(1)), later).unwrap();
    assert_eq!(standing(&team), [is("l2", true)], "they end with the lease");
    claim_task(&team, "ada", "t1").await;
    let stale = take(&team, "ada", &["a"]).await.unwrap_err();
    assert_eq!(stale.message, "t1 is yours with claim 3, not claim 1");
}

#[tokio::test]
async fn who_waits_gets_the_lock_when_the_other_ends_or_stops_at_its_time() {
    let team = at_work().await;
    take(&team, "ada", &["src"]).await.unwrap();
    let (bob, request) = (team.caller("bob"), wanted("bob", &["src"]));
    let cancel = CancellationToken::new();
    let soon = Duration::from_millis(20);
    let late = lock(&bob, &request, soon, &cancel).await.unwrap();
    assert!(!late.lock.granted, "{late:?}");
    release(&team, "bob", "l2").unwrap();

    let waiting = lock(&bob, &request, Duration::from_secs(300), &cancel);
    let freed = async {
        while standing(&team).len() < 2 {
            tokio::task::yield_now().await;
        }
        release(&team, "ada", "l1").unwrap();
    };
    let (granted, ()) = tokio::join!(waiting, freed);
    assert!(granted.unwrap().lock.granted);

    // A deadlock of two: the one that was claimed last gives way.
    take(&team, "ada", &["docs"]).await.unwrap();
    let waits = take(&team, "ada", &["src"]).await.unwrap();
    assert!(!waits.lock.granted, "{waits:?}");
    let never = take(&team, "bob", &["docs"]).await.unwrap_err();
    assert!(never.message.contains("would never end"), "{never:?}");
    assert!(never.hint.unwrap().typed().contains("release a lock"));
}

#[tokio::test]
async fn a_path_as_it_is_on_the_disk_is_what_is_locked() {
    let team = at_work().await;
    let tree = team.tree("ada");
    for path in [
        "app/[slug]/page.tsx",
        "app/[user-id]/page.tsx",
        "etc/conf.d/x.conf",
        "{{name}}/a*b.py",
    ] {
        add(&tree, path, "x\n");
    }
    for (glob, written, inside) in [
        (
            "app/[slug]/page.tsx",
            r"app/\[slug]/page.tsx",
            "app/[slug]/page.tsx",
        ),
        ("app/[user-id]", r"app/\[user-id]", "app/[user-id]/page.tsx"),
        ("etc/conf.d", "etc/conf.d/", "etc/conf.d/x.conf"),
        ("{{name}}", r"\{\{name\}\}", "{{name}}/a*b.py"),
        // The file does not exist yet.
        (
            "app/[slug]/new.tsx",
            "app/[slug]/new.tsx",
            "app/[slug]/new.tsx",
        ),
    ] {
        let taken = take(&team, "ada", &[glob]).await.unwrap().lock;
        assert_eq!(taken.globs.to_string(), written);
        // bob's tree has none of these files.
        let waits = take(&team, "bob", &[inside]).await.unwrap().lock;
        assert!(!waits.granted, "{glob}: {waits:?}");
        release(&team, "bob", &waits.id.to_string()).unwrap();
        release(&team, "ada", &taken.id.to_string()).unwrap();
    }
}

#[tokio::test]
async fn a_submitted_change_names_the_locks_of_others_that_it_touches() {
    let team = at_work().await;
    for (name, task) in [("ada", "t1"), ("bob", "t2")] {
        step(
            &team.caller(name),
            task.parse().unwrap(),
            None,
            HolderStep::Start,
        )
        .unwrap();
    }
    take(&team, "bob", &["greet.sh"]).await.unwrap();
    team.commit("ada", "echo Hello, $1\n");
    let t1 = "t1".parse().unwrap();
    team.submit("ada", t1).await.unwrap();
    let locked = locks_on_submitted_paths(&team.caller("ada"), t1).await;
    let locked: Vec<String> = locked
        .unwrap()
        .iter()
        .map(|it| it.describe_lock())
        .collect();
    assert_eq!(locked, ["greet.sh, locked by bob for t2"]);
    // The holder's own lock is not a reason for a warning.
    let own = locks_on_submitted_paths(&team.caller("bob"), t1).await;
    assert!(own.unwrap().is_empty());
}

#[tokio::test]
async fn a_debate_in_the_work_tree_is_no_uncommitted_change() {
    let team = at_work().await;
    let t1 = "t1".parse().unwrap();
    step(&team.caller("ada"), t1, None, HolderStep::Start).unwrap();
    team.commit("ada", "echo Hello, $1\n");
    let tree = team.tree("ada");
    add(&tree, "debates/tabs/.agon/journal.jsonl", "{}\n");
    add(&tree, "debates/tabs/verdict.md", "Tabs\n");
    add(&tree, "new.txt", "n\n");
    let refused = team.submit("ada", t1).await.unwrap_err();
    assert_eq!(refused.message, "uncommitted changes: new.txt");
    std::fs::remove_file(tree.join("new.txt")).unwrap();
    team.submit("ada", t1).await.unwrap();
}
