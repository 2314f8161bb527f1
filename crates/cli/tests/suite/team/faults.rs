//! Files of a team that cannot be used.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::history::tamper;
use super::{Repository, copy};

/// How a command ends where the file cannot be used: exit code, code, message and hint.
fn ends(team: &Repository, args: &[&str]) -> (Option<i32>, String, String, String) {
    let ran = team.run("ada", &[args, &["--json"]].concat());
    let error = &ran.json()["error"];
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
    (ran.code, text("code"), text("message"), text("hint"))
}

#[test]
fn a_file_that_cannot_be_used_is_said_to_be_with_what_to_do() {
    let team = Repository::with_team();
    team.json("lea", &["task", "add", "Greet by name"]);
    let kept = team.place.home().join("kept");
    copy(&team.folder(), &kept);
    let db = team.folder().join("team.db");

    // Of a newer version.
    tamper(&team, "PRAGMA user_version = 999");
    let (code, _, message, hint) = ends(&team, &["status"]);
    assert_eq!((code, hint.as_str()), (Some(6), "update agon"));
    assert!(message.contains("version 999"), "{message}");
    copy(&kept, &team.folder());

    // Damaged, at its beginning and in the middle.
    let mut bytes = fs::read(&db).unwrap();
    bytes[..16].copy_from_slice(b"not a database!!");
    for name in ["team.db-wal", "team.db-shm"] {
        fs::remove_file(team.folder().join(name)).ok();
    }
    fs::write(&db, &bytes).unwrap();
    let (code, name, _, hint) = ends(&team, &["task", "claim"]);
    assert_eq!((code, name.as_str()), (Some(6), "damaged"));
    assert!(hint.contains("agon team doctor"), "{hint}");
    let ran = team.run("ada", &["doctor", "--json"]);
    assert_eq!(ran.code, Some(8));
    let found = ran.json();
    assert_eq!(found["breaches"][0]["invariant"], "file-intact");
    assert!(
        found["next"].as_str().unwrap().contains("agon team import"),
        "{found}"
    );
    copy(&kept, &team.folder());
    let mut bytes = fs::read(&db).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xa5);
    for name in ["team.db-wal", "team.db-shm"] {
        fs::remove_file(team.folder().join(name)).ok();
    }
    fs::write(&db, &bytes).unwrap();
    assert_eq!(team.run("ada", &["doctor"]).code, Some(8));
    copy(&kept, &team.folder());

    // Another program's.
    fs::write(&db, "").unwrap();
    for name in ["team.db-wal", "team.db-shm"] {
        fs::remove_file(team.folder().join(name)).ok();
    }
    let (_, name, _, hint) = ends(&team, &["status"]);
    assert_eq!(
        (name.as_str(), hint.as_str()),
        ("no_team", "create one with `agon team init`")
    );
    copy(&kept, &team.folder());
    tamper(&team, "PRAGMA application_id = 7");
    let (code, _, message, hint) = ends(&team, &["status"]);
    assert_eq!((code, hint.as_str()), (Some(6), "move that file away"));
    assert!(message.ends_with("is not a team's file"), "{message}");
    copy(&kept, &team.folder());
}

/// A shell with a disk of its own on the folder that it is given, of a size that is soon used up.
fn small_disk(folder: &Path, script: &str) -> Command {
    let mut command = Command::new("unshare");
    let line = format!("set -e; mount -t tmpfs -o size=512k none \"$0\"; cd \"$0\"; {script}");
    command.args(["-rm", "sh", "-c", &line]).arg(folder);
    command
}

#[test]
fn a_full_disk_refuses_a_change_whole_and_one_that_may_not_be_written_is_said_to_be() {
    let team = Repository::new();
    let folder = team.place.home().join("disk");
    fs::create_dir(&folder).unwrap();
    let can_mount = small_disk(&folder, "true").output();
    if !can_mount.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: this system lets a user have no disk of its own");
        return;
    }
    let agon = env!("CARGO_BIN_EXE_agon");
    let add = format!("{agon} team task add Greet --json; echo \"exit $?\"");
    let script = format!(
        "git init -q .; set +e; {agon} team init --json; \
         {agon} team join lea --role lead --host claude --json; {add}; \
         head -c 4m /dev/zero >fill 2>/dev/null; {add}; rm fill; {add}; \
         {agon} team doctor --json; echo \"exit $?\"; \
         mount -o remount,ro .; {add}; {agon} team status --json; echo \"exit $?\""
    );
    let mut command = small_disk(&folder, &script);
    command.env_clear().envs(&team.place.env);
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let at = |nth: usize| -> (Value, &str) {
        let document = serde_json::from_str(lines[nth]);
        let document = document.unwrap_or_else(|_| panic!("{said}"));
        (document, lines[nth + 1])
    };
    assert_eq!(
        (&at(2).0["task"]["id"], at(2).1),
        (&"t1".into(), "exit 0"),
        "{said}"
    );
    let (full, exit) = at(4);
    assert_eq!(
        (&full["error"]["message"], exit),
        (&"the disk is full".into(), "exit 6"),
        "{said}"
    );
    assert_eq!(full["error"]["hint"], "free some space, then try again");
    assert_eq!(
        (&at(6).0["task"]["id"], at(6).1),
        (&"t2".into(), "exit 0"),
        "{said}"
    );
    assert_eq!(
        (&at(8).0["breaches"], at(8).1),
        (&json!([]), "exit 0"),
        "{said}"
    );
    for nth in [10, 12] {
        let (locked, exit) = at(nth);
        assert_eq!(exit, "exit 6", "{said}");
        let error = &locked["error"];
        assert_eq!(error["message"], "the team's file is not writable");
        assert_eq!(error["hint"], "make it writable for you");
    }
}
