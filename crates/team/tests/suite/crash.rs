//! Kills a process at every statement: confirmed changes must survive, and the invariants must
//! hold.

mod members;
mod started;
mod tasks;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use agon_team::store::{NewTask, SystemClock, Team, TeamLimits, failpoints};
use agon_testkit::sample;

use crate::support::{assert_sound, claim, join, location};

const DIR: &str = "AGON_TEAM_CRASH_DIR";
const NTH: &str = "AGON_TEAM_CRASH_NTH";

/// What a process records after each confirmed request.
struct Answers {
    log: fs::File,
    /// Whether it also records the events of each request. Reading them takes extra statements,
    /// which a process that will be killed must not make.
    names_events: bool,
    last_event: i64,
    looks: u64,
}

impl Answers {
    fn got(&mut self, team: &Team) {
        let mut kinds = Vec::new();
        if self.names_events {
            self.looks += 1;
            for event in team.events(self.last_event, 1_000).unwrap() {
                self.last_event = event.seq;
                kinds.push(event.kind);
            }
        }
        writeln!(self.log, "{}", kinds.join(" ")).unwrap();
    }
}

fn open(dir: &Path) -> Team {
    let clock = Arc::new(SystemClock::new());
    Team::create(&location(dir), clock, TeamLimits::default()).unwrap()
}

/// Every request that a team supports, at least once.
fn everything(dir: &Path, answers: &mut Answers) {
    let mut team = open(dir);
    tasks::ask(&mut team, answers);
    members::ask(&mut team, answers);
    started::ask(&mut team, answers);
    team.repair().unwrap();
    answers.got(&team);
    let mut lines = Vec::new();
    team.export(&mut lines).unwrap();
    drop(team);
    open(&dir.join("imported")).import(&lines[..]).unwrap();
}

/// The process that dies. When the suite itself runs it, it survives and reports the number of
/// statements.
#[test]
fn a_process_that_asks_everything() {
    let own = tempfile::tempdir().unwrap();
    let dir = std::env::var_os(DIR).map_or_else(|| own.path().to_owned(), PathBuf::from);
    let nth = std::env::var(NTH).map_or(0, |nth| nth.parse().unwrap());
    fs::create_dir(dir.join("imported")).unwrap();
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(dir.join("answered"))
        .unwrap();
    let mut answers = Answers {
        log,
        names_events: nth == 0,
        last_event: 0,
        looks: 0,
    };
    failpoints::arm(nth);
    everything(&dir, &mut answers);
    let statements = failpoints::statements() - answers.looks;
    failpoints::arm(0);
    assert!(statements > 400, "{statements}");
    fs::write(dir.join("statements"), statements.to_string()).unwrap();
    assert_sound(&open(&dir));
    let (mut imported, mut exported) = (open(&dir.join("imported")), open(&dir));
    assert_sound(&imported);
    let events = |team: &Team| team.events(0, 1_000).unwrap();
    assert_eq!(events(&imported), events(&exported));
    let usage = exported.usage().unwrap();
    assert!(usage.iter().any(|session| session.usage.is_some()));
    assert_eq!(imported.usage().unwrap(), usage);
}

/// Runs it in a separate process; returns whether it was killed.
fn is_killed(dir: &Path, nth: u64) -> bool {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::a_process_that_asks_everything"])
        .env(DIR, dir)
        .env(NTH, nth.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success() || status.signal() == Some(9), "{status}");
    status.signal() == Some(9)
}

/// Returns the event kinds that each request leaves, and the total number of statements.
fn whole_run() -> (Vec<Vec<String>>, u64) {
    let dir = tempfile::tempdir().unwrap();
    assert!(!is_killed(dir.path(), 0));
    let answered = fs::read_to_string(dir.path().join("answered")).unwrap();
    let words = |line: &str| line.split_ascii_whitespace().map(str::to_owned).collect();
    let statements = fs::read_to_string(dir.path().join("statements")).unwrap();
    (
        answered.lines().map(words).collect(),
        statements.parse().unwrap(),
    )
}

#[test]
fn a_process_that_is_killed_at_any_statement_leaves_what_it_was_answered_and_no_more_than_one_request()
 {
    let (requests, statements) = whole_run();
    let mut killed = 0;
    for nth in sample("kills of a store", (1..=statements).collect(), 12) {
        let dir = tempfile::tempdir().unwrap();
        assert!(is_killed(dir.path(), nth), "statement {nth}");
        killed += 1;
        let mut team = open(dir.path());
        assert_sound(&team);
        let events = kinds(&team);
        let answered = fs::read_to_string(dir.path().join("answered")).unwrap();
        let answered = answered.lines().count();
        let until = |requests: &[Vec<String>]| requests.concat();
        let next = (answered + 1).min(requests.len());
        assert!(
            events == until(&requests[..answered]) || events == until(&requests[..next]),
            "after statement {nth} and {answered} answers: {events:?}"
        );
        assert_imported(dir.path(), &events);
        let zoe = join(&mut team, "zoe", "worker");
        let new = NewTask {
            title: "next".to_owned(),
            priority: 99,
            ..NewTask::default()
        };
        let id = team.add_task(&zoe, &new).unwrap().id;
        assert_eq!(claim(&mut team, &zoe, None).id, id);
        assert_sound(&team);
    }
    println!(
        "{} requests, {statements} statements, killed at {killed} of them",
        requests.len()
    );
}

/// An import is complete or absent.
fn assert_imported(dir: &Path, exported: &[String]) {
    if !dir.join("imported").exists() {
        return;
    }
    let imported = open(&dir.join("imported"));
    assert_sound(&imported);
    let kinds = kinds(&imported);
    assert!(kinds.is_empty() || kinds == exported, "{kinds:?}");
}

fn kinds(team: &Team) -> Vec<String> {
    let events = team.events(0, 1_000).unwrap();
    events.into_iter().map(|event| event.kind).collect()
}
