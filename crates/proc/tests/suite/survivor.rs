//! Groups that outlived the program that started them.

use std::mem;
use std::process::Command;
use std::sync::Arc;

use agon_proc::{ChildLine, Group, MARK, OpenChild, Survivor, Unwatched, end_survivor};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::common::{running, sh};

/// Starts `script`, waits for its first line, and abandons it as a crash would.
async fn abandon(script: &str) -> (Group, String) {
    let held = OpenChild::start(&sh(script), 100, Arc::new(Unwatched)).unwrap();
    let ChildLine::Text(line) = held.next_line().await else {
        panic!("no first line");
    };
    let group = held.group().clone();
    mem::forget(held);
    (group, String::from_utf8(line).unwrap())
}

/// Kills and reaps the leader, so that only the rest of the group remains.
fn lose_leader(group: &Group) {
    let leader = Pid::from_raw(group.pgid).unwrap();
    kill_process(leader, Signal::KILL).unwrap();
    waitpid(Some(leader), WaitOptions::empty()).unwrap();
}

#[tokio::test]
async fn a_survivor_is_ended() {
    let (group, _) = abandon("sleep 1000 & echo ready; wait").await;
    assert_eq!(running(group.pgid).len(), 2);
    assert_eq!(end_survivor(&group), Survivor::Ended);
    assert_eq!(running(group.pgid), Vec::<i32>::new());
    assert_eq!(end_survivor(&group), Survivor::Gone);
}

#[tokio::test]
async fn a_survivor_that_ignores_term_is_ended() {
    let (group, _) = abandon("trap '' TERM; echo ready; while :; do sleep 1; done").await;
    assert_eq!(end_survivor(&group), Survivor::Ended);
    assert_eq!(running(group.pgid), Vec::<i32>::new());
}

#[tokio::test]
async fn a_member_without_its_leader_is_known_by_its_mark() {
    let (group, _) = abandon("sleep 1000 & echo ready; wait").await;
    lose_leader(&group);
    assert_eq!(running(group.pgid).len(), 1);

    let other = Group {
        mark: "00000000-0000-4000-8000-000000000000".to_owned(),
        ..group.clone()
    };
    assert_eq!(end_survivor(&other), Survivor::Reused);
    assert_eq!(running(group.pgid).len(), 1);

    assert_eq!(end_survivor(&group), Survivor::Ended);
    assert_eq!(running(group.pgid), Vec::<i32>::new());
}

#[tokio::test]
async fn a_reused_number_is_left_alone() {
    let (group, _) = abandon("echo ready; exec sleep 1000").await;
    let other = Group {
        leader_start: group.leader_start - 1,
        mark: String::new(),
        ..group.clone()
    };
    assert_eq!(end_survivor(&other), Survivor::Reused);
    assert_eq!(running(group.pgid), [group.pgid]);
    assert_eq!(end_survivor(&group), Survivor::Ended);
}

#[tokio::test]
async fn a_group_of_another_boot_is_left_alone() {
    let (group, _) = abandon("echo ready; exec sleep 1000").await;
    let other = Group {
        boot: "another".to_owned(),
        ..group.clone()
    };
    assert_eq!(end_survivor(&other), Survivor::Gone);
    assert_eq!(running(group.pgid), [group.pgid]);
    assert_eq!(end_survivor(&group), Survivor::Ended);
}

#[tokio::test]
async fn a_stray_whose_number_is_below_its_groups_is_ended() {
    let (group, _) = abandon("echo ready; exec sleep 1000").await;
    let mut stray = Command::new("sleep");
    let mut stray = stray.arg("1000").env(MARK, &group.mark).spawn().unwrap();
    // Later numbers have been assigned, and they have not wrapped around since.
    assert!(Command::new("true").status().unwrap().success());
    let numbered_later = Group {
        pgid: i32::try_from(stray.id()).unwrap() + 1,
        ..group.clone()
    };
    assert_eq!(end_survivor(&numbered_later), Survivor::Gone);
    assert_eq!(stray.wait().unwrap().code(), None);
    end_survivor(&group);
}
