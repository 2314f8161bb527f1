//! What members who joined by hand are told, from their first task to the end of the team.

use std::fs;

use agon_team::store::{JoinRequest, NewTask};
use agon_teamwork::{
    HolderStep, TaskId, doctor, done, join, leave, mark_unmerged, own_task, release, show, status,
    step,
};
use agon_testkit::git;

use crate::repository::Repository;

fn titled(title: &str) -> NewTask {
    NewTask {
        title: title.to_owned(),
        ..NewTask::default()
    }
}

#[tokio::test]
async fn done_work_is_marked_until_the_branch_of_the_lead_has_it() {
    let team = Repository::with_team();
    let task = team.begin("ada", titled("Greet")).await;
    team.commit("ada", "echo Hello, $1\n");
    team.submit("ada", task).await.unwrap();
    done(&team.caller("lea"), task, None).await.unwrap();
    // The caller does not matter: the lead's branch counts.
    for (asks, unmerged) in [("ada", 1), ("lea", 1), ("lea", 0)] {
        if unmerged == 0 {
            git(&team.tree("lea"), &["merge", "-q", "ada"]);
        }
        let caller = team.caller(asks);
        let mut board = status(&caller).unwrap();
        mark_unmerged(&caller, &mut board).await;
        assert_eq!(board.unmerged.len(), unmerged, "{asks}");
    }
}

#[tokio::test]
async fn a_claim_that_is_released_is_work_only_where_it_was_started_or_has_commits() {
    let team = Repository::with_team();
    let lead = team.caller("lea");
    let task = agon_teamwork::add(&lead, titled("Greet")).unwrap().task.id;
    let give_back = async |who: &str| {
        team.claim(who, task).await;
        let released = release(&team.caller(who), task, None, "later".to_owned()).await;
        let task = released.unwrap().task;
        (task.workers.len(), task.attempt)
    };
    assert_eq!(give_back("lea").await, (0, 0));
    team.claim("ada", task).await;
    team.commit("ada", "echo Hello, $1\n");
    let released = release(&team.caller("ada"), task, None, "later".to_owned()).await;
    let after = released.unwrap().task;
    assert_eq!(after.workers, ["ada".parse().unwrap()].into());
    assert_eq!(after.attempt, 1);
}

#[tokio::test]
async fn a_task_that_is_not_named_is_the_only_one_of_the_member() {
    let team = Repository::with_team();
    let ada = team.caller("ada");
    let none = own_task(&ada, None).unwrap_err();
    assert_eq!(none.message, "no task named, and you hold none");
    let first = team.begin("ada", titled("Greet")).await;
    assert_eq!(own_task(&ada, None).unwrap(), first);
    let second = team.begin("ada", titled("Count")).await;
    let both = own_task(&ada, None).unwrap_err();
    assert_eq!(both.message, "no task named, and you have several: t1, t2");
    assert_eq!(own_task(&ada, Some(second)).unwrap(), second);
    let note = "no".to_owned();
    step(&ada, second, None, HolderStep::GiveUp { note }).unwrap();
    team.commit("ada", "echo Hello, $1\n");
    team.submit("ada", first).await.unwrap();
    // Without a held task, the task in review is meant.
    assert_eq!(own_task(&ada, None).unwrap(), first);
}

#[test]
fn a_task_that_another_needs_shows_it_as_blocked() {
    let team = Repository::with_team();
    let lead = team.caller("lea");
    let first = agon_teamwork::add(&lead, titled("Greet")).unwrap().task.id;
    let needing = NewTask {
        needs: [first].into(),
        ..titled("Document")
    };
    let second: TaskId = agon_teamwork::add(&lead, needing).unwrap().task.id;
    let blocked = |task| {
        let shown = show(&lead, task).unwrap();
        let all = shown.needs.into_iter().chain(shown.needed_by);
        all.map(|it| it.is_blocked).collect::<Vec<_>>()
    };
    assert_eq!((blocked(first), blocked(second)), (vec![true], vec![false]));
}

#[test]
fn a_role_that_the_roster_does_not_have_is_joined_with_a_warning() {
    let team = Repository::with_team();
    let ada = team.caller("ada");
    let join_as = |role: &str| {
        leave(&ada, None).unwrap();
        let request = JoinRequest {
            name: "ada".parse().unwrap(),
            role: role.parse().unwrap(),
            host: "claude".to_owned(),
        };
        join(&ada, &request).unwrap().warning
    };
    let warning = join_as("workr").unwrap();
    assert!(warning.starts_with("unknown role `workr`: "), "{warning}");
    assert!(warning.contains("worker"), "{warning}");
    assert_eq!(join_as("worker"), None);
}

#[tokio::test]
async fn a_member_whose_work_tree_is_gone_is_named() {
    let team = Repository::with_team();
    let lead = team.caller("lea");
    let found = async || {
        let document = doctor(&lead, false).await.unwrap();
        let found = document.breaches.into_iter().map(|it| it.found);
        (found.collect::<Vec<_>>(), document.next)
    };
    assert_eq!(found().await, (vec![], None));
    let tree = team.tree("ada");
    fs::remove_dir_all(&tree).unwrap();
    git(&team.tree("lea"), &["worktree", "prune"]);
    let gone = "the work tree of ada is gone".to_owned();
    let next = Some("agon team leave ada".to_owned());
    assert_eq!(found().await, (vec![gone], next));
    leave(&lead, Some(&"ada".parse().unwrap())).unwrap();
    assert_eq!(found().await, (vec![], None));
}
