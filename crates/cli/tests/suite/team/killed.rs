//! Commands that are killed at statements of the team's file and at calls that write to a disk: what
//! they were to change is changed whole or not at all, and they can be typed again.

mod calls;
mod members;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use agon_testkit::{is_full, pick, sample};

use self::calls::{Traced, can_trace, traced};
use super::{Repository, commit, copy};

/// A command: of whose work tree, and what is typed.
type Typed = (&'static str, &'static [&'static str]);

/// The commands that change something, in an order in which each can be done.
const COMMANDS: [Typed; 33] = [
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
    // The commit was made before the claim.
    (
        "ada",
        &["task", "submit", "t1", "--no-change", "it was done before"],
    ),
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
    (
        "lea",
        &[
            "task",
            "edit",
            "t3",
            "--title",
            "Translate",
            "--priority",
            "2",
            "--gate",
            "ok",
        ],
    ),
    ("lea", &["task", "label", "t3", "words", "docs"]),
    ("lea", &["task", "assign", "t3", "bob"]),
    ("lea", &["task", "move", "t3", "--after", "t2"]),
    ("lea", &["task", "unassign", "t3"]),
    ("lea", &["task", "cancel", "t3", "--note", "not wanted"]),
    ("lea", &["task", "reopen", "t3", "--note", "wanted"]),
    ("lea", &["mail", "send", "ada", "Stop.", "--urgent"]),
    ("bob", &["leave"]),
];

/// More statements than any command makes.
const MAX_STATEMENTS: u64 = 200;

/// About as many statements as a command makes.
const STATEMENTS: u64 = 24;

/// How many commands are killed by default, once each; a full run kills each everywhere.
const SAMPLE: usize = 12;

impl Repository {
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
        let has_begun = self.run("lea", &["status"]).code == Some(0);
        if !has_begun {
            return Vec::new();
        }
        let log = self.json("lea", &["log"]);
        let events = log["events"].as_array().unwrap().iter();
        let told = events.map(|one| format!("{} {} {}", one["actor"], one["kind"], one["subject"]));
        told.collect()
    }
}

#[test]
fn a_command_that_is_killed_at_any_statement_leaves_all_or_nothing_and_can_be_typed_again() {
    let team = Repository::with_team();
    commit(&team.tree("ada"), "echo Hello, $1\n");
    let chosen = sample("commands and statements", COMMANDS.to_vec(), SAMPLE);
    let kept = team.place.home().join("kept");
    let token = team
        .place
        .project()
        .join(".git/worktrees/bob/agon/member.json");
    let bound = fs::read(&token).unwrap();
    let mut kills = 0;
    for typed in &COMMANDS {
        let (name, args) = typed;
        if !chosen.contains(typed) {
            assert!(matches!(team.run(name, args).code, Some(0 | 7)), "{args:?}");
            continue;
        }
        copy(&team.folder(), &kept);
        let before = team.events();
        let whole = team.run(name, args).code;
        assert!(matches!(whole, Some(0 | 7)), "{args:?}");
        let after = team.events();
        for nth in statements(args) {
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
                if is_full() {
                    break;
                }
                continue;
            }
            kills += 1;
            assert_eq!(signal, Some(9), "{args:?} at {nth}");
            // Mail is fetched in one change and delivered in another.
            let is_part = after.starts_with(&events) && args[0] == "mail";
            assert!(
                events == before || events == after || is_part,
                "{args:?} at {nth}: {events:?}"
            );
            let again = team.run(name, &[args, &["--json"][..]].concat());
            let is_done = events == after && again.code == Some(2);
            let is_repeated = matches!(again.code, Some(0 | 7));
            assert!(is_done || is_repeated, "{args:?} at {nth}: {again:?}");
            assert_eq!(
                team.run("lea", &["doctor"]).code,
                Some(0),
                "{args:?} at {nth}"
            );
            if !is_full() {
                break;
            }
        }
        // As it would have gone on.
        copy(&kept, &team.folder());
        fs::write(&token, &bound).unwrap();
        assert_eq!(team.run(name, args).code, whole);
    }
    eprintln!("{kills} kills");
    assert!(kills >= SAMPLE, "{kills}");
}

/// The statements that a command is killed at: in a full run each, else one that is drawn, halved until
/// the command reaches it.
fn statements(args: &[&str]) -> Vec<u64> {
    if is_full() {
        return (1..MAX_STATEMENTS).collect();
    }
    let drawn = pick(&args.join(" "), STATEMENTS);
    let halved = std::iter::successors(Some(drawn), |nth| (*nth > 1).then_some(nth / 2));
    halved.collect()
}

/// What changes files besides, before there is a team and with one: it is killed at calls only.
const BEGIN: [Typed; 4] = [
    ("lea", &["init"]),
    (
        "lea",
        &["join", "lea", "--role", "lead", "--host", "claude"],
    ),
    (
        "ada",
        &["join", "ada", "--role", "worker", "--host", "claude"],
    ),
    (
        "bob",
        &["join", "bob", "--role", "worker", "--host", "claude"],
    ),
];
const BESIDE: [Typed; 18] = [
    ("lea", &["precommit", "add"]),
    ("lea", &["export", ".git/team.jsonl"]),
    ("lea", &["doctor", "--repair"]),
    ("lea", &["status"]),
    ("lea", &["status", "--why", "ada"]),
    ("lea", &["task", "why", "t1"]),
    ("lea", &["gate", "show"]),
    ("ada", &["mail", "thread", "m1"]),
    ("lea", &["lock", "list"]),
    ("lea", &["policy", "check"]),
    (
        "ada",
        &[
            "policy", "explain", "--role", "worker", "--tool", "edit", "--path", "src/a",
        ],
    ),
    ("ada", &["policy", "compile", "--host", "claude"]),
    ("lea", &["usage"]),
    ("lea", &["log"]),
    ("lea", &["doctor"]),
    ("lea", &["gate", "rm", "ok"]),
    ("lea", &["precommit", "rm"]),
    ("ada", &["leave"]),
];

impl Repository {
    /// How a command ends that is killed at the nth of these calls, and what it does before.
    fn traced(&self, (name, args): Typed, at: Option<(&str, usize)>) -> Traced {
        let mut command = self.place.command(&[&["team"], args].concat());
        command.current_dir(self.tree(name));
        traced(&command, &self.place.home().join("calls"), at)
    }

    /// The files below the git folder that are not the database, by name: what is in each.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        read(&self.place.project().join(".git"), &mut files);
        let of_the_team = |path: &Path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // A token is another each time, and git's index has times in it.
            let is_known = name.starts_with("team.db") || name == "member.json" || name == "index";
            // What is being written is not yet what it is to be.
            !is_known && !name.ends_with(".new") && !name.ends_with(".tmp")
        };
        // What a command makes for itself alone goes a day later.
        let is_scratch = |path: &Path| path.to_string_lossy().contains("/agon/scratch-");
        files.retain(|path, _| of_the_team(path) && !is_scratch(path));
        files
    }

    /// Whether what the doctor looks at is sound, where there is a team.
    fn is_sound(&self) -> bool {
        !self.folder().join("team.db").exists() || self.run("lea", &["doctor"]).code != Some(8)
    }
}

fn read(dir: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => read(&path, files),
            path => drop(files.insert(path.clone(), fs::read(path).unwrap())),
        }
    }
}

/// Kills a command at a call that writes, in a full run at each, and checks what it left; gives how
/// often.
fn kill_at_calls(team: &Repository, typed: Typed) -> u64 {
    let (name, args) = typed;
    let git_dir = team.place.project().join(".git");
    let kept = team.place.home().join("kept");
    copy(&git_dir, &kept);
    let (before, files_before) = (team.events(), team.files());
    let whole = team.traced(typed, None);
    assert!(
        matches!(whole.code, Some(0 | 7)),
        "{args:?}: {:?}",
        whole.code
    );
    let (after, files_after) = (team.events(), team.files());
    let mut kills = 0;
    let mut instants = whole.instants();
    if !is_full() && !instants.is_empty() {
        let drawn = pick(&args.join(" "), instants.len() as u64);
        instants = vec![instants[drawn as usize - 1]];
    }
    for (call, nth) in instants {
        let at = format!("{args:?} at {call} {nth}");
        copy(&kept, &git_dir);
        if team.traced(typed, Some((call, nth))).code.is_some() {
            // The work is not shared among threads as it was before.
            continue;
        }
        kills += 1;
        assert!(team.is_sound(), "{at}");
        for (path, bytes) in &team.files() {
            let known = [files_before.get(path), files_after.get(path)];
            assert!(known.contains(&Some(bytes)), "{at}: {}", path.display());
        }
        let events = team.events();
        let is_part = after.starts_with(&events) && args[0] == "mail";
        assert!(
            events == before || events == after || is_part,
            "{at}: {events:?}"
        );
        let again = team.run(name, &[args, &["--json"][..]].concat());
        let is_done = events == after && again.code == Some(2);
        assert!(
            is_done || matches!(again.code, Some(0 | 7)),
            "{at}: {again:?}"
        );
        assert!(team.is_sound(), "{at}");
        if args[0] == "join" {
            let own = team.run(name, &["mail", "fetch"]).code;
            assert_eq!(own, Some(0), "{at}: its token is in its work tree");
        }
    }
    copy(&kept, &git_dir);
    assert_eq!(team.run(name, args).code, whole.code);
    kills
}

#[test]
fn a_command_that_is_killed_at_any_call_that_writes_leaves_all_or_nothing_and_can_be_typed_again() {
    if !can_trace() {
        return;
    }
    let team = Repository::with_trees();
    let import: Typed = ("lea", &["import", ".git/team.jsonl"]);
    let all = BEGIN
        .iter()
        .chain(&COMMANDS)
        .chain(&BESIDE)
        .chain([&import]);
    let chosen = sample("commands and calls", all.copied().collect(), SAMPLE);
    let run = |typed: &Typed| {
        if chosen.contains(typed) {
            return kill_at_calls(&team, *typed);
        }
        let (name, args) = typed;
        assert!(matches!(team.run(name, args).code, Some(0 | 7)), "{args:?}");
        0
    };
    let begin: u64 = BEGIN.iter().map(run).sum();
    commit(&team.tree("ada"), "echo Hello, $1\n");
    let rest: u64 = COMMANDS.iter().chain(&BESIDE).map(run).sum();
    fs::remove_dir_all(team.folder()).unwrap();
    let kills = begin + rest + run(&import);
    eprintln!("{kills} kills");
    assert!(kills as usize > SAMPLE / 2, "{kills}");
}
