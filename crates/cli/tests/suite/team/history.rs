//! What is seen of a team: log, reasons, reviews, exports, and what is wrong with its file.

use std::fs;
use std::time::Duration;

use agon_testkit::add;
use serde_json::Value;

use super::{Repository, commit};
use crate::support::Running;

#[test]
fn a_review_by_another_member_lets_a_task_be_done_or_sends_it_back() {
    let team = Repository::in_review();
    let review = |word, note| vec!["review", "t1", "--epoch", "1", word, "--note", note];
    let (_, message, _) = team.refused("ada", &review("--approve", "fine"));
    assert_eq!(message, "ada may not review what it worked on");
    let back = team.json(
        "bob",
        &review("--send-back", "greets an empty name\u{202e}"),
    );
    assert_eq!(back["task"]["state"], "ready");
    assert_eq!(back["task"]["note"], "greets an empty name");
    team.refused("bob", &review("--approve", "fine"));

    let epoch = team.json("ada", &["task", "claim"])["task"]["epoch"].to_string();
    let held = ["t1", "--epoch", &epoch];
    team.json("ada", &[&["task", "start"], &held[..]].concat());
    commit(&team.tree("ada"), "echo Hello, ${1:-you}\n");
    team.json("ada", &[&["task", "submit"], &held[..]].concat());
    // It looked at the change of the first epoch.
    let (_, message, _) = team.refused("bob", &review("--approve", "fine"));
    assert!(message.contains("claim 1 of t1 is over"), "{message}");
    let both = [
        "review",
        "t1",
        "--epoch",
        &epoch,
        "--note",
        "x",
        "--approve",
        "--send-back",
    ];
    team.refused("bob", &both);
    let approve = [
        "review",
        "t1",
        "--epoch",
        &epoch,
        "--approve",
        "--note",
        "ran it",
    ];
    team.json("bob", &approve);
    let done = team.json("lea", &[&["task", "done"], &held[..]].concat());
    assert_eq!(done["task"]["state"], "done");
}

#[test]
fn the_log_has_every_change_and_no_message() {
    let team = Repository::in_review();
    team.json("ada", &["mail", "send", "bob", "Please review t1."]);
    let log = team.json("bob", &["log"]);
    let events = log["events"].as_array().unwrap();
    let numbers: Vec<i64> = events
        .iter()
        .map(|one| one["seq"].as_i64().unwrap())
        .collect();
    assert_eq!(numbers, (1..=numbers.len() as i64).collect::<Vec<_>>());
    let kinds: Vec<_> = events
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    for kind in [
        "member.joined",
        "task.added",
        "task.claimed",
        "task.submitted",
        "mail.sent",
    ] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    assert!(!log.to_string().contains("Please review"), "{log}");
    let last = log["last"].as_i64().unwrap();
    let after = team.json("bob", &["log", "--after", &(last - 1).to_string()]);
    assert_eq!(after["events"].as_array().unwrap().len(), 1);
    let none = team.json(
        "bob",
        &["log", "--since", "2020-01-01", "--after", &last.to_string()],
    );
    assert_eq!(none["events"], serde_json::json!([]));
    let (_, message, _) = team.refused("bob", &["log", "--since", "tomorrow"]);
    assert!(message.contains("tomorrow"), "{message}");
    let text = team.run("bob", &["log", "--since", "1h"]).stdout;
    assert_eq!(text.lines().count(), events.len(), "{text}");
    assert!(
        text.contains(" ada task.submitted t1 state=review epoch=1 attempt=1\n"),
        "{text}"
    );
}

/// A command of a member that goes on until Ctrl-C.
fn start(team: &Repository, name: &str, args: &[&str], printed: &str) -> Running {
    let line = format!(
        "exec {} team {} >{printed} 2>&1",
        env!("CARGO_BIN_EXE_agon"),
        args.join(" ")
    );
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", &line]).current_dir(team.tree(name));
    command.env_clear().envs(&team.place.env);
    Running::start(command)
}

#[test]
fn log_and_board_are_followed_until_ctrl_c() {
    let team = Repository::with_team();
    let file = |name: &str| team.place.home().join(name);
    let read = |name: &str| fs::read_to_string(file(name)).unwrap_or_default();
    let [log, board] = ["log", "board"].map(|name| file(name).display().to_string());
    let follow = ["log", "--after", "3", "--follow", "--json"];
    let log = start(&team, "bob", &follow, &log);
    let board = start(&team, "bob", &["status", "--watch"], &board);
    board.until("the first board", || {
        read("board").contains("none; add one: agon team task add TITLE\n")
    });
    team.json("lea", &["task", "add", "Greet by name"]);
    log.until("the event", || read("log").lines().count() == 1);
    board.until("the second board", || {
        read("board").contains("Greet by name")
    });
    team.json("ada", &["task", "claim"]);
    board.until("the third board", || read("board").contains("ada, lease "));
    // A lease that gets shorter changes nothing.
    std::thread::sleep(Duration::from_secs(3));
    for running in [log, board] {
        running.interrupt();
        assert_eq!(running.end().code, Some(0));
    }
    let first = read("log").lines().next().unwrap().to_owned();
    let event: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(
        (&event["schema"], &event["kind"]),
        (&"agon.team_event/1".into(), &"task.added".into())
    );
    assert_eq!(
        read("board").matches("Tasks\n").count(),
        3,
        "{}",
        read("board")
    );
    assert!(!read("board").contains('\u{1b}'), "{}", read("board"));
}

#[test]
fn why_tells_what_a_task_waits_for_and_what_a_member_has_and_did() {
    let team = Repository::in_review();
    let task = team.run("bob", &["status", "--why", "t1"]).stdout;
    assert!(
        task.contains("waits for the approval of a member"),
        "{task}"
    );
    assert_eq!(team.run("bob", &["task", "why", "t1"]).stdout, task);
    team.json("lea", &["task", "add", "Document it"]);
    team.json("ada", &["task", "claim", "t2"]);
    team.json(
        "ada",
        &["lock", "take", "docs", "--task", "t2", "--epoch", "1"],
    );
    team.json("bob", &["mail", "send", "ada", "Well done."]);
    let ada = team.json("bob", &["status", "--why", "ada"]);
    assert_eq!(ada["member"]["unread"], 1);
    assert_eq!(ada["tasks"][0]["task"]["id"], "t2");
    assert_eq!(ada["locks"][0]["task"], "t2");
    let last = &ada["events"][0];
    assert_eq!(
        (&last["actor"], &last["kind"]),
        (&"ada".into(), &"lock.asked".into())
    );
    let text = team.run("bob", &["status", "--why", "ada"]).stdout;
    assert!(text.starts_with("ada worker, 1 unread\n"), "{text}");
    for name in ["eve", "Eve!"] {
        team.refused("bob", &["status", "--why", name]);
    }
}

#[test]
fn a_team_is_exported_and_begun_again_elsewhere_without_what_proves_who_one_is() {
    let team = Repository::in_review();
    team.json("ada", &["mail", "send", "bob", "Please review t1."]);
    let printed = team.run("bob", &["export"]).stdout;
    let written = team.json("bob", &["export", "../team.jsonl"]);
    let path = written["path"].as_str().unwrap();
    assert!(path.starts_with('/'), "{path}");
    assert_eq!(fs::read_to_string(path).unwrap(), printed);
    let (code, ..) = team.refused("bob", &["export", "../team.jsonl"]);
    assert_eq!(code, "exists");
    let (code, ..) = team.refused("bob", &["export"]);
    assert_eq!(code, "not_json");
    let token = fs::read_to_string(team.place.project().join(".git/agon/member.json")).unwrap();
    let token: Value = serde_json::from_str(&token).unwrap();
    assert!(!printed.contains(token["token"].as_str().unwrap()));

    let other = Repository::new();
    let imported = other.json("lea", &["import", path]);
    assert_eq!(
        (&imported["tasks"], &imported["members"]),
        (&1.into(), &3.into())
    );
    assert_eq!(
        other.run("lea", &["export"]).stdout.lines().count(),
        printed.lines().count()
    );
    assert_eq!(
        other.json("lea", &["doctor"])["breaches"],
        serde_json::json!([])
    );
    let (_, message, hint) = other.refused("lea", &["import", path]);
    assert_eq!(
        message,
        "this repository already has a team that is not empty"
    );
    assert!(hint.contains("without a team"), "{hint}");

    let cut = printed.lines().take(4).collect::<Vec<_>>().join("\n") + "\n{";
    let third = Repository::new();
    add(&third.tree("lea"), "cut.jsonl", &cut);
    let (_, message, _) = third.refused("lea", &["import", "cut.jsonl"]);
    assert!(message.starts_with("line 5 of the import:"), "{message}");
    assert_eq!(
        third.json("lea", &["status"])["tasks"],
        serde_json::json!([])
    );
}

/// A change of the file by another hand than the program's.
pub(super) fn tamper(team: &Repository, statement: &str) {
    let file = team.place.project().join(".git/agon/team.db");
    let db = rusqlite::Connection::open(file).unwrap();
    db.execute_batch(statement).unwrap();
}

#[test]
fn the_doctor_explains_what_is_wrong_and_repairs_it_when_it_is_told_to() {
    let team = Repository::in_review();
    let fine = team.run("bob", &["doctor"]);
    assert_eq!(fine.code, Some(0));
    assert!(
        fine.stdout.starts_with("no problems found: "),
        "{}",
        fine.stdout
    );
    team.json("lea", &["task", "add", "Document it"]);
    team.json("bob", &["task", "claim", "t2"]);
    team.json(
        "bob",
        &["lock", "take", "docs", "--task", "t2", "--epoch", "1"],
    );
    tamper(&team, "UPDATE path_lock SET epoch = 7");

    let found = team.run("bob", &["doctor"]);
    assert_eq!(found.code, Some(8));
    for line in [
        "locks-have-leases: l1 belongs to claim 7 of t2, which is over\n",
        "  rule: a lock belongs to the current lease of its task\n",
        "  repair: remove l1\n",
        "\nrun `agon team doctor --repair`\n",
    ] {
        assert!(found.stdout.contains(line), "{line}\n{}", found.stdout);
    }
    assert_eq!(
        team.run("bob", &["doctor"]).stdout,
        found.stdout,
        "it changes nothing"
    );
    let (_, message, _) = team.refused("bob", &["doctor", "--repair"]);
    assert_eq!(message, "bob may not repair the team's file");
    let repaired = team.run("lea", &["doctor", "--repair"]);
    assert_eq!(repaired.code, Some(0), "{}", repaired.stdout);
    assert!(
        repaired.stdout.contains("  done: remove l1"),
        "{}",
        repaired.stdout
    );
    assert_eq!(
        team.json("bob", &["doctor"])["breaches"],
        serde_json::json!([])
    );
}
