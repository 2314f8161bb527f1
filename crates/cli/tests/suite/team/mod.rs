//! `agon team`, as members type it: one repository, three members in work trees of their own.

mod board;
mod brought;
mod budget;
mod by_hand;
mod checked;
mod cleaned;
mod compiled;
mod escapes_real;
mod evaded;
mod faults;
mod gate_tool;
mod gates;
mod history;
mod hooks;
mod hostile;
mod judged;
mod killed;
mod landed;
mod large;
mod locks;
mod moved;
mod policy;
mod precommit;
mod ran;
mod ran_real;
mod real;
mod real_text;
mod run_settings;
mod skilled;
pub(crate) mod started;
mod supervised;
mod talk;
mod tools;
mod used;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agon_testkit::{Sandbox, add, git};
use serde_json::Value;

use crate::support::{Place, Ran, Running};

/// A repository with a commit and work trees beside it.
pub(crate) struct Repository {
    place: Place,
}

impl Repository {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let env = sandbox.command_env();
        let place = Place::new(sandbox, env);
        let project = place.project();
        git(&project, &["init", "-q", "-b", "main"]);
        add(&project, "greet.sh", "echo Hello\n");
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "begin"]);
        Self { place }
    }

    /// The work tree of a member; that of the lead is the project.
    fn tree(&self, name: &str) -> PathBuf {
        match name {
            "lea" => self.place.project(),
            other => self.place.project().with_file_name(other),
        }
    }

    /// Where the team's file lies.
    fn folder(&self) -> PathBuf {
        self.place.project().join(".git/agon")
    }

    /// A team with a task of ada's in review.
    fn in_review() -> Self {
        let team = Self::with_team();
        team.json("lea", &["task", "add", "Greet by name", "--review"]);
        team.json("ada", &["task", "claim"]);
        team.json("ada", &["task", "start", "t1", "--epoch", "1"]);
        commit(&team.tree("ada"), "echo Hello, $1\n");
        team.json("ada", &["task", "submit", "t1", "--epoch", "1"]);
        team
    }

    fn run(&self, name: &str, args: &[&str]) -> Ran {
        let mut command = self.place.command(&[&["team"], args].concat());
        command.current_dir(self.tree(name));
        Running::start(command).end()
    }

    /// The document that a command of a member ends with. The flag stands first: what comes after
    /// `--` is a gate's own.
    fn json(&self, name: &str, args: &[&str]) -> Value {
        let ran = self.run(name, &[&["--json"], args].concat());
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stdout);
        ran.json()
    }

    /// How a command of a member is refused: code, message and hint.
    fn refused(&self, name: &str, args: &[&str]) -> (String, String, String) {
        let ran = self.run(name, &[&["--json"], args].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.stdout);
        let error = &ran.json()["error"];
        let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
        (text("code"), text("message"), text("hint"))
    }

    /// A repository with work trees for two workers, and no team yet.
    fn with_trees() -> Self {
        let repository = Self::new();
        for name in ["ada", "bob"] {
            let tree = repository.tree(name);
            let args = ["worktree", "add", "-q", "-b", name, tree.to_str().unwrap()];
            git(&repository.place.project(), &args);
        }
        repository
    }

    /// A team with a lead, who has the project, and two workers.
    pub(crate) fn with_team() -> Self {
        let repository = Self::with_trees();
        repository.json("lea", &["init"]);
        for (name, role) in [("lea", "lead"), ("ada", "worker"), ("bob", "worker")] {
            let args = ["join", name, "--role", role, "--host", "claude"];
            repository.json(name, &args);
        }
        repository
    }
}

/// Makes the second folder what the first is, with its modes and times.
fn copy(from: &Path, to: &Path) {
    fs::remove_dir_all(to).ok();
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(copied.unwrap().success());
}

fn commit(tree: &Path, text: &str) {
    add(tree, "greet.sh", text);
    git(tree, &["commit", "-q", "-a", "-m", "change"]);
}

#[test]
fn a_piece_of_work_goes_from_added_to_done_on_the_evidence_of_a_commit() {
    let team = Repository::with_team();
    let added = team.json("lea", &["task", "add", "Greet by name"]);
    assert_eq!(added["task"]["state"], "ready");
    team.json("lea", &["task", "add", "Document it"]);
    team.json("lea", &["dep", "add", "t2", "t1"]);
    let (_, message, hint) = team.refused("bob", &["task", "claim", "t2"]);
    assert_eq!(message, "t2 still needs t1");
    assert_eq!(hint, "see why with `agon team task why t2`");
    let (_, message, _) = team.refused("lea", &["dep", "add", "t1", "t2"]);
    assert!(message.contains("t1"), "{message}");

    let claimed = team.json("ada", &["task", "claim"]);
    assert_eq!(claimed["task"]["lease"]["holder"], "ada");
    assert_eq!(claimed["task"]["epoch"], 1);
    let (_, message, _) = team.refused("bob", &["task", "claim", "t1"]);
    assert!(message.contains("t1 is claimed"), "{message}");
    let (_, message, _) = team.refused("bob", &["task", "start", "t1", "--epoch", "1"]);
    assert_eq!(message, "t1 is held by ada, not by bob");
    let why = team.json("bob", &["task", "why", "t2"]);
    assert_eq!(why["waits_for"][0]["task"], "t1");
    assert_eq!(why["waits_for"][0]["holder"], "ada");

    let held = ["t1", "--epoch", "1"];
    team.json("ada", &[&["task", "start"], &held[..]].concat());
    let waits = ["--reason", "input", "--for", "1m"];
    let waiting = team.json("ada", &[&["task", "wait"], &held[..], &waits].concat());
    assert_eq!(waiting["task"]["state"], "waiting");
    let running = team.json("ada", &[&["task", "start"], &held[..]].concat());
    assert_eq!(running["task"]["state"], "running");
    team.refused("ada", &[&["task", "done"], &held[..]].concat());
    let nowhere = ["--commit", "nosuch"];
    let (code, ..) = team.refused("ada", &[&["task", "submit"], &held[..], &nowhere].concat());
    assert_eq!(code, "no_commit");
    commit(&team.tree("ada"), "echo Hello, $1\n");
    let submitted = team.json("ada", &[&["task", "submit"], &held[..]].concat());
    let head = git(&team.tree("ada"), &["rev-parse", "HEAD", "HEAD^{tree}"]);
    let evidence = &submitted["task"]["evidence"];
    let shown = [&evidence["change"]["id"], &evidence["tree"]].map(|text| text.as_str().unwrap());
    assert_eq!(
        shown,
        [head.lines().next().unwrap(), head.lines().nth(1).unwrap()]
    );
    let done = team.json("lea", &[&["task", "done"], &held[..]].concat());
    assert_eq!(done["task"]["state"], "done");
    team.json("bob", &["task", "claim", "t2"]);
}

#[test]
fn a_lease_that_ran_out_leaves_its_epoch_refused_with_who_holds_the_task_now() {
    let team = Repository::with_team();
    team.json("lea", &["task", "add", "Greet by name"]);
    team.json("ada", &["task", "claim", "t1", "--for", "1s"]);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let claimed = team.json("bob", &["task", "claim", "t1"]);
    assert_eq!(claimed["task"]["lease"]["holder"], "bob");
    let epoch = claimed["task"]["epoch"].to_string();
    let (_, message, hint) = team.refused("ada", &["task", "submit", "t1", "--epoch", "1"]);
    assert!(
        message.contains(&format!("bob now holds it with claim {epoch}")),
        "{message}"
    );
    assert!(hint.contains("claim another task"), "{hint}");
}

#[test]
fn a_task_that_asks_for_a_review_is_not_done_without_one() {
    let team = Repository::in_review();
    let (code, message, _) = team.refused("lea", &["task", "done", "t1", "--epoch", "1"]);
    assert_eq!(code, "no_evidence");
    assert!(message.contains("the approval of a member"), "{message}");
}

#[test]
fn who_is_not_of_the_team_is_told_what_to_do() {
    let bare = Repository::new();
    let (code, _, hint) = bare.refused("lea", &["status"]);
    assert_eq!(
        (code.as_str(), hint.as_str()),
        ("no_team", "create one with `agon team init`")
    );
    assert_eq!(bare.json("lea", &["init"])["begun"], true);
    assert_eq!(bare.json("lea", &["init"])["begun"], false);
    let (code, _, hint) = bare.refused("lea", &["task", "add", "Greet by name"]);
    assert_eq!(code, "not_member");
    assert!(hint.contains("agon team join"), "{hint}");

    let team = Repository::with_team();
    let again = ["join", "eve", "--role", "worker", "--host", "codex"];
    let (code, message, _) = team.refused("ada", &again);
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("bound", "this work tree belongs to ada")
    );
    let (_, message, _) = team.refused("ada", &["leave", "bob"]);
    assert!(message.contains("ada may not"), "{message}");
    let (_, message, _) = team.refused("ada", &["task", "cancel", "t9", "--note", "no"]);
    assert!(message.contains("ada may not"), "{message}");
    team.json("ada", &["leave"]);
    let (code, ..) = team.refused("ada", &["task", "claim"]);
    assert_eq!(code, "not_member");
    team.json("ada", &again);
}

#[test]
fn the_board_shows_tasks_with_owner_lease_and_what_blocks_them_and_never_a_token() {
    let team = Repository::with_team();
    team.json("lea", &["task", "add", "Greet by name"]);
    team.json("lea", &["task", "add", "Document it", "--needs", "t1"]);
    let mut seen = team.run("ada", &["task", "claim", "t1"]).stdout;
    let board = team.run("bob", &["status"]).stdout;
    for line in [
        "Greet by name; ada, lease ",
        "t2  blocked  Document it; waits for t1 (claimed, held by ada)",
        "ada  worker  claude",
    ] {
        assert!(board.contains(line), "{line}\n{board}");
    }
    let why = team.run("bob", &["status", "--why", "t2"]).stdout;
    assert!(why.starts_with("t2 Document it: blocked by t1\n"), "{why}");
    seen.push_str(&board);
    seen.push_str(&team.json("ada", &["status"]).to_string());
    for file in [
        ".git/agon/member.json",
        ".git/worktrees/ada/agon/member.json",
        ".git/worktrees/bob/agon/member.json",
    ] {
        let file = fs::read_to_string(team.place.project().join(file)).unwrap();
        let file: Value = serde_json::from_str(&file).unwrap();
        let token = file["token"].as_str().unwrap();
        assert_eq!(token.len(), 64);
        assert!(!seen.contains(token), "a token is shown");
    }
}
