//! Commands that are killed at every statement of the team's file, and files that cannot be used.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::history::tamper;
use super::{Repository, commit};

/// The commands that change something, in an order in which each can be done: who, and what.
const COMMANDS: [(&str, &[&str]); 26] = [
    ("lea", &["task", "add", "Greet by name", "--review"]),
    ("lea", &["task", "add", "Document it"]),
    ("lea", &["dep", "add", "t2", "t1"]),
    ("lea", &["dep", "rm", "t2", "t1"]),
    ("ada", &["task", "claim", "t1"]),
    ("bob", &["task", "claim", "t2"]),
    (
        "ada",
        &["lock", "take", "src", "--task", "t1", "--epoch", "1"],
    ),
    (
        "bob",
        &["lock", "take", "src/a", "--task", "t2", "--epoch", "1"],
    ),
    ("ada", &["lock", "release", "l1", "--epoch", "1"]),
    ("ada", &["task", "renew", "t1", "--epoch", "1"]),
    ("lea", &["gate", "add", "ok", "--", "true"]),
    ("ada", &["gate", "run", "ok", "--task", "t1"]),
    (
        "ada",
        &[
            "task", "wait", "t1", "--epoch", "1", "--reason", "input", "--for", "5m",
        ],
    ),
    ("ada", &["task", "start", "t1", "--epoch", "1"]),
    (
        "ada",
        &["mail", "send", "bob", "Please review t1.", "--key", "one"],
    ),
    ("bob", &["mail", "fetch"]),
    ("bob", &["mail", "ack", "m1"]),
    ("ada", &["task", "submit", "t1", "--epoch", "1"]),
    (
        "bob",
        &[
            "review",
            "t1",
            "--epoch",
            "1",
            "--approve",
            "--note",
            "ran it",
        ],
    ),
    ("ada", &["task", "done", "t1", "--epoch", "1"]),
    (
        "bob",
        &["task", "release", "t2", "--epoch", "1", "--note", "later"],
    ),
    ("bob", &["task", "claim", "t2"]),
    (
        "bob",
        &["task", "fail", "t2", "--epoch", "3", "--note", "no way"],
    ),
    ("lea", &["task", "add", "Translate it"]),
    ("lea", &["task", "cancel", "t3", "--note", "not wanted"]),
    ("bob", &["leave"]),
];

/// More statements than any command makes.
const MAX_STATEMENTS: u64 = 200;

impl Repository {
    fn folder(&self) -> PathBuf {
        self.place.project().join(".git/agon")
    }

    /// The exit code and the signal that ended a command which kills itself at a statement.
    fn killed_at(&self, nth: u64, name: &str, args: &[&str]) -> (Option<i32>, Option<i32>) {
        let mut command = self.place.command(&[&["team"], args].concat());
        command.current_dir(self.tree(name));
        command.env("AGON_FAILPOINT", format!("team-statement-{nth}"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().unwrap();
        (status.code(), status.signal())
    }

    /// The events, without their times.
    fn events(&self) -> Vec<String> {
        let log = self.json("lea", &["log"]);
        let events = log["events"].as_array().unwrap().iter();
        let told = events.map(|one| format!("{} {} {}", one["actor"], one["kind"], one["subject"]));
        told.collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::remove_dir_all(to).ok();
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

#[test]
fn a_command_that_is_killed_at_any_statement_leaves_all_or_nothing_and_can_be_typed_again() {
    let team = Repository::with_team();
    commit(&team.tree("ada"), "echo Hello, $1\n");
    let is_full = std::env::var_os("AGON_TEAM_CRASHES").is_some();
    let kept = team.place.home().join("kept");
    let token = team
        .place
        .project()
        .join(".git/worktrees/bob/agon/member.json");
    let bound = fs::read(&token).unwrap();
    let mut kills = 0;
    for (at, (name, args)) in COMMANDS.iter().enumerate() {
        copy(&team.folder(), &kept);
        let before = team.events();
        let whole = team.run(name, args).code;
        assert!(matches!(whole, Some(0 | 7)), "{args:?}");
        let after = team.events();
        // Without all of them: those of one command in each run fall on others in the next command.
        let step = if is_full { 1 } else { 7 };
        for nth in (1 + at as u64 % step..MAX_STATEMENTS).step_by(step as usize) {
            copy(&kept, &team.folder());
            fs::write(&token, &bound).unwrap();
            let (code, signal) = team.killed_at(nth, name, args);
            let events = team.events();
            assert_eq!(
                team.run("lea", &["doctor"]).code,
                Some(0),
                "{args:?} at {nth}"
            );
            if signal.is_none() {
                assert_eq!((code, &events), (whole, &after), "{args:?} at {nth}");
                break;
            }
            kills += 1;
            assert_eq!(signal, Some(9), "{args:?} at {nth}");
            // Mail is fetched in one change and delivered in another.
            let is_part = after.starts_with(&events) && args[0] == "mail";
            assert!(
                events == before || events == after || is_part,
                "{args:?} at {nth}: {events:?}"
            );
            let again = team.run(name, &[*args, &["--json"]].concat());
            let is_done = events == after && again.code == Some(2);
            let is_repeated = matches!(again.code, Some(0 | 7));
            assert!(is_done || is_repeated, "{args:?} at {nth}: {again:?}");
            assert_eq!(
                team.run("lea", &["doctor"]).code,
                Some(0),
                "{args:?} at {nth}"
            );
        }
        // As it would have gone on.
        copy(&kept, &team.folder());
        fs::write(&token, &bound).unwrap();
        assert_eq!(team.run(name, args).code, whole);
    }
    eprintln!("{kills} kills");
    assert!(kills > COMMANDS.len(), "{kills}");
}

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
        ("no_team", "begin one with `agon team init`")
    );
    copy(&kept, &team.folder());
    tamper(&team, "PRAGMA application_id = 7");
    let (code, _, message, hint) = ends(&team, &["status"]);
    assert_eq!((code, hint.as_str()), (Some(6), "move that file away"));
    assert!(message.ends_with("is not a file of a team"), "{message}");
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
    assert_eq!(full["error"]["hint"], "make room, then try again");
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
        assert_eq!(error["message"], "the team's file may not be written");
        assert_eq!(error["hint"], "give yourself the right to write it");
    }
}
