//! Writes by commands, which no hook sees before they are made: found afterwards.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use agon_testkit::add;
use serde_json::{Value, json};

use super::Repository;
use super::judged::script;
use super::started::Team;

/// Each host, and the event in which it can be told.
const HOSTS: [(&str, &str); 5] = [
    ("claude", "stop"),
    ("codex", "stop"),
    ("gemini", "stop"),
    ("copilot", "stop"),
    ("opencode", "post-tool"),
];

/// What a host is answered in ada's work tree; empty where it is answered nothing of locks.
fn said(team: &Repository, (host, event): (&str, &str), was_stopped: bool) -> String {
    let call = json!({"cwd": team.tree("ada"), "stop_hook_active": was_stopped});
    let (answer, warning) = team.hook(host, event, &call);
    assert_eq!(warning, "", "{host}");
    let text = answer.unwrap_or_default().to_string();
    match text.contains("locked") {
        true => text,
        false => String::new(),
    }
}

/// The clock by which the system stamps files is some milliseconds behind.
fn wait_for_the_clock_of_files() {
    sleep(Duration::from_millis(50));
}

fn mails(team: &Repository, who: &str) -> String {
    team.json(who, &["mail", "fetch"])["letters"].to_string()
}

#[test]
fn a_write_past_the_hook_is_said_once_with_the_lock_in_every_host() {
    let team = Repository::with_lock();
    let tree = team.tree("ada");
    wait_for_the_clock_of_files();
    for host in HOSTS {
        assert_eq!(said(&team, host, false), "", "{host:?}");
        // As `sed -i` does it: another file takes the place of the first.
        fs::write(tree.join("new"), format!("echo {}\n", host.0)).unwrap();
        fs::rename(tree.join("new"), tree.join("greet.sh")).unwrap();
        add(&tree, "src/deep/made.txt", host.0);
        add(&tree, "free.txt", host.0);
        let first = said(&team, host, false);
        let words = "greet.sh, locked by bob for t1, src/deep/made.txt, locked by bob for t1";
        assert!(
            first.contains(words) && !first.contains("free.txt"),
            "{host:?}: {first}"
        );
        assert_eq!(said(&team, host, true), "", "{host:?}");
        assert_eq!(said(&team, host, false), "", "{host:?}: it was said");
    }
    let told = mails(&team, "bob");
    assert_eq!(
        told.matches("ada changed files that your lock l1 covers")
            .count(),
        1,
        "{told}"
    );
    fs::remove_file(tree.join("greet.sh")).unwrap();
    let gone = said(&team, HOSTS[0], false);
    assert!(gone.contains("greet.sh, locked by bob"), "{gone}");
}

#[test]
fn a_holder_is_told_of_each_path_once() {
    let team = Repository::with_lock();
    let tree = team.tree("ada");
    wait_for_the_clock_of_files();
    for path in ["greet.sh", "src/deep/made.txt"] {
        add(&tree, path, "ada's\n");
        assert!(said(&team, HOSTS[0], false).contains(path));
    }
    let told = mails(&team, "bob");
    for path in ["greet.sh", "src/deep/made.txt"] {
        assert_eq!(told.matches(path).count(), 1, "{path}: {told}");
    }
}

#[test]
fn what_was_written_before_the_lock_and_what_the_holder_writes_break_nothing() {
    let team = Repository::with_team();
    add(&team.tree("ada"), "greet.sh", "before\n");
    wait_for_the_clock_of_files();
    team.json("lea", &["task", "add", "Greet"]);
    team.json("bob", &["task", "claim", "t1"]);
    team.json("bob", &["lock", "take", "greet.sh", "--task", "t1"]);
    wait_for_the_clock_of_files();
    add(&team.tree("bob"), "greet.sh", "mine\n");
    for host in HOSTS {
        assert_eq!(said(&team, host, false), "", "{host:?}");
    }
    let call = json!({"cwd": team.tree("bob")});
    let (answer, _) = team.hook("claude", "stop", &call);
    let text = answer.unwrap_or_default().to_string();
    // bob has a task and says nothing of it; that is all.
    assert!(
        text.contains("You still hold t1") && !text.contains("locked"),
        "{text}"
    );
}

#[test]
fn of_a_member_that_agon_started_the_turn_says_it() {
    let team = Team::new();
    let own = team.task("Mine");
    team.json(&["task", "claim", &own]);
    team.json(&["lock", "take", "greet.sh", "--task", &own]);
    wait_for_the_clock_of_files();
    let task = team.task("Greet");
    script(&team, "ada", "echo more >> greet.sh; echo made > made.txt");
    let started = team.start("ada", Some(&task), true);
    let turn = &started["turn"];
    assert_eq!(turn["state"], "finished", "{started}");
    let broken = json!([{"path": "greet.sh", "lock": "l1", "holder": "lea", "task": own}]);
    assert_eq!(turn["broken_locks"], broken, "{started}");
    let words = format!("it wrote to locked files: greet.sh, locked by lea for {own}");
    assert!(turn["said"].as_str().unwrap().contains(&words), "{started}");
    let letters: Value = team.json(&["mail", "fetch"])["letters"].clone();
    assert!(
        letters
            .to_string()
            .contains("ada changed files that your lock l1 covers"),
        "{letters}"
    );
}
