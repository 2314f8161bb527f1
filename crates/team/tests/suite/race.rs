//! Eight processes claim tasks: from the store, and for comparison from files.

mod peer;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use agon_team::id::TaskId;
use agon_team::store::HolderStep;
use agon_team::store::{
    ClaimRequest, JoinRequest, MemberToken, NewTask, StoreError, StoreErrorClass, SystemClock,
    Team, TeamLimits,
};
use agon_team::task::TaskState;
use serde_json::{Value, json};

use crate::support::{assert_sound, location, name, submit};

const PROCESSES: usize = 8;
const DIR: &str = "AGON_TEAM_RACE_DIR";
const STORE: &str = "AGON_TEAM_RACE_STORE";
const RACER: &str = "AGON_TEAM_RACE_RACER";
const SEED: &str = "AGON_TEAM_RACE_SEED";
/// Short enough that a racer that pauses loses its task.
const LEASE_MS: u64 = 40;
/// The age at which a lock file counts as abandoned; short enough to show the consequences.
const REAP_AFTER: Duration = Duration::from_millis(20);

/// A seeded source of pauses: xorshift is good enough for a race.
struct Chance(u64);

impl Chance {
    fn of(racer: usize) -> Self {
        let seed: u64 = std::env::var(SEED).unwrap().parse().unwrap();
        Self((seed << 8 | racer as u64) | 1)
    }

    /// Returns true once in N times.
    fn one_in(&mut self, times: u64) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.is_multiple_of(times)
    }
}

/// One racer, in a separate process. When the suite itself runs it, it races alone.
#[test]
fn a_racer_in_a_process_of_its_own() {
    let Some(dir) = std::env::var_os(DIR).map(PathBuf::from) else {
        let dir = tempfile::tempdir().unwrap();
        let claims = race("store", dir.path(), 1, 20, 7);
        assert_eq!(claims.double, 0);
        assert_eq!(claims.distinct, 20);
        return;
    };
    let racer: usize = std::env::var(RACER).unwrap().parse().unwrap();
    let mut log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(dir.join(format!("log-{racer}")))
        .unwrap();
    let mut claimed = |task: &str| writeln!(log, "{task}").unwrap();
    // All start at once.
    while !dir.join("go").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let chance = Chance::of(racer);
    match std::env::var(STORE).unwrap().as_str() {
        "store" => from_store(&dir, racer, chance, None, &mut claimed),
        "leases" => from_store(&dir, racer, chance, Some(LEASE_MS), &mut claimed),
        "rename" => from_renamed_file(&dir, racer, &mut claimed),
        "lock-file" => from_locked_file(&dir, racer, chance, &mut claimed),
        "peer" => peer::claim_all(&dir, racer, &mut claimed),
        other => panic!("there is no store {other}"),
    }
}

fn from_store(
    dir: &Path,
    racer: usize,
    mut chance: Chance,
    lease_ms: Option<u64>,
    claimed: &mut dyn FnMut(&str),
) {
    let limits = TeamLimits::default();
    let mut team = Team::open(&location(dir), Arc::new(SystemClock::new()), limits).unwrap();
    let token =
        MemberToken::from_text(&fs::read_to_string(dir.join(format!("token-{racer}"))).unwrap());
    let actor = team.authenticate(&token).unwrap();
    loop {
        let request = ClaimRequest {
            task: None,
            lease_ms,
            base: None,
        };
        let task = match team.claim(&actor, &request) {
            Ok(task) => task,
            Err(StoreError::NothingReady) if lease_ms.is_none() => return,
            Err(StoreError::NothingReady) => {
                // Others may lose theirs.
                let is_over = |state: TaskState| state == TaskState::Review;
                if team.tasks().unwrap().iter().all(|task| is_over(task.state)) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
            // On a very busy machine a turn may not come within five seconds.
            Err(error) if error.class() == StoreErrorClass::Busy => continue,
            Err(error) => panic!("{error}"),
        };
        if lease_ms.is_none() {
            claimed(&task.id.to_string());
            continue;
        }
        if chance.one_in(10) {
            std::thread::sleep(Duration::from_millis(LEASE_MS + 20));
        }
        // What counts is who could submit it: only one ever may.
        match team.step(&actor, task.id, task.epoch, &submit('a')) {
            Ok(_) => claimed(&task.id.to_string()),
            Err(StoreError::Task(_)) => {}
            // Its lease is over by then.
            Err(error) if error.class() == StoreErrorClass::Busy => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn read_board(dir: &Path) -> Vec<Value> {
    serde_json::from_str(&fs::read_to_string(dir.join("board.json")).unwrap()).unwrap()
}

/// Takes the first free task of a file, and replaces the file.
fn claim_from_board(dir: &Path, racer: usize, pause: impl FnOnce()) -> Option<String> {
    let mut board = read_board(dir);
    let task = board.iter_mut().find(|task| task["owner"].is_null())?;
    pause();
    task["owner"] = json!(racer);
    let id = task["id"].to_string();
    let new = dir.join(format!("board.{racer}"));
    fs::write(&new, serde_json::to_string(&board).unwrap()).unwrap();
    fs::rename(new, dir.join("board.json")).unwrap();
    Some(id)
}

fn from_renamed_file(dir: &Path, racer: usize, claimed: &mut dyn FnMut(&str)) {
    while let Some(id) = claim_from_board(dir, racer, || {}) {
        claimed(&id);
    }
}

/// The same with a lock file, which others remove when it is old.
fn from_locked_file(dir: &Path, racer: usize, mut chance: Chance, claimed: &mut dyn FnMut(&str)) {
    let lock = dir.join("lock");
    loop {
        while OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&lock)
            .is_err()
        {
            let age = fs::metadata(&lock)
                .and_then(|meta| meta.modified())
                .map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
            if age.is_ok_and(|age| age > REAP_AFTER) {
                fs::remove_file(&lock).ok();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let pauses = chance.one_in(20);
        let pause = || {
            if pauses {
                std::thread::sleep(REAP_AFTER + Duration::from_millis(10))
            }
        };
        let id = claim_from_board(dir, racer, pause);
        fs::remove_file(&lock).ok();
        match id {
            Some(id) => claimed(&id),
            None => return,
        }
    }
}

/// The result of a race.
#[derive(Debug)]
struct Claims {
    all: usize,
    distinct: usize,
    double: usize,
    took: Duration,
}

impl Claims {
    /// The claimed tasks; claiming one again does not count.
    fn a_second(&self) -> f64 {
        self.distinct as f64 / self.took.as_secs_f64()
    }
}

fn start(store: &str, dir: &Path, racer: usize, seed: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "race::a_racer_in_a_process_of_its_own",
            "--nocapture",
        ])
        .env(DIR, dir)
        .env(STORE, store)
        .env(RACER, racer.to_string())
        .env(SEED, seed.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Lets racers claim all tasks, and counts who reported which.
fn race(store: &str, dir: &Path, racers: usize, tasks: usize, seed: u64) -> Claims {
    let is_store = matches!(store, "store" | "leases");
    if is_store {
        let limits = TeamLimits {
            max_attempts: 1_000,
            ..TeamLimits::default()
        };
        let mut team = Team::create(&location(dir), Arc::new(SystemClock::new()), limits).unwrap();
        let mut lead = None;
        for racer in 0..racers {
            let request = JoinRequest {
                name: name(&format!("racer-{racer}")),
                role: "worker".parse().unwrap(),
                host: "test".to_owned(),
            };
            let token = team.join(&request).unwrap();
            fs::write(dir.join(format!("token-{racer}")), token.reveal()).unwrap();
            lead = Some(team.authenticate(&token).unwrap());
        }
        for number in 0..tasks {
            let new = NewTask {
                title: format!("task {number}"),
                ..NewTask::default()
            };
            team.add_task(lead.as_ref().unwrap(), &new).unwrap();
        }
    } else if store == "peer" {
        peer::begin(dir, tasks);
    } else {
        let board: Vec<Value> = (0..tasks)
            .map(|id| json!({ "id": id, "owner": null }))
            .collect();
        fs::write(
            dir.join("board.json"),
            serde_json::to_string(&board).unwrap(),
        )
        .unwrap();
    }
    let children: Vec<Child> = (0..racers)
        .map(|racer| start(store, dir, racer, seed))
        .collect();
    // Not measured: the time to get ready.
    std::thread::sleep(Duration::from_millis(200));
    let started = Instant::now();
    fs::write(dir.join("go"), "").unwrap();
    for mut child in children {
        assert!(child.wait().unwrap().success(), "a racer failed");
    }
    let took = started.elapsed();
    let mut claimed: BTreeMap<String, usize> = BTreeMap::new();
    for racer in 0..racers {
        let log = fs::read_to_string(dir.join(format!("log-{racer}"))).unwrap_or_default();
        for task in log.lines() {
            *claimed.entry(task.to_owned()).or_default() += 1;
        }
    }
    let all: usize = claimed.values().sum();
    let claims = Claims {
        all,
        distinct: claimed.len(),
        double: all - claimed.len(),
        took,
    };
    if is_store {
        assert_events_agree(dir, tasks, store == "leases", &claims);
    }
    claims
}

/// Every claim has one event, every event has one number, and nothing is lost.
fn assert_events_agree(dir: &Path, tasks: usize, with_leases: bool, claims: &Claims) {
    let mut team = Team::open(
        &location(dir),
        Arc::new(SystemClock::new()),
        TeamLimits::default(),
    )
    .unwrap();
    assert_sound(&team);
    let events = team.events(0, u32::MAX).unwrap();
    let numbers: Vec<i64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=numbers.len() as i64).collect::<Vec<_>>());
    let count = |kind: &str| events.iter().filter(|event| event.kind == kind).count();
    let epochs: i64 = team.tasks().unwrap().iter().map(|task| task.epoch.0).sum();
    assert_eq!(
        epochs,
        (count("task.claimed") + count("task.revoked")) as i64
    );
    if with_leases {
        assert_eq!(count("task.submitted"), claims.all);
        assert!(count("task.revoked") > 0, "no lease ran out");
    } else {
        assert_eq!(count("task.claimed"), claims.all);
    }
    let ended = if with_leases {
        TaskState::Review
    } else {
        TaskState::Claimed
    };
    for number in 1..=tasks {
        let task = team.task(TaskId::new(number as i64)).unwrap();
        assert_eq!(task.state, ended);
    }
}

/// The number of runs of each race in a full run.
const RUNS: u64 = 20;

/// The number of tasks in a race of a full run.
const TASKS: usize = 400;

fn races(store: &str, small: usize, mut check: impl FnMut(&Claims)) {
    let (runs, tasks) = if agon_testkit::is_full() {
        (RUNS, TASKS)
    } else {
        (1, small)
    };
    let (mut all, mut double, mut took) = (0, 0, Duration::ZERO);
    let mut distinct = 0;
    for seed in 1..=runs {
        let dir = tempfile::tempdir().unwrap();
        let claims = race(store, dir.path(), PROCESSES, tasks, seed);
        assert_eq!(claims.distinct, tasks, "{claims:?}");
        check(&claims);
        all += claims.all;
        double += claims.double;
        distinct += claims.distinct;
        took += claims.took;
    }
    let total = Claims {
        all,
        distinct,
        double,
        took,
    };
    println!(
        "{store}: {runs} runs of {tasks} tasks by {PROCESSES} processes: {all} claims, {double} double, \
         {:.0} tasks a second",
        total.a_second()
    );
}

#[test]
fn of_eight_processes_no_two_claim_one_task() {
    races("store", 120, |claims| {
        assert_eq!(claims.double, 0, "{claims:?}")
    });
}

#[test]
fn where_leases_run_out_exactly_one_member_submits_each_task() {
    races("leases", 60, |claims| {
        assert_eq!(claims.double, 0, "{claims:?}")
    });
}

/// The same race with files, for comparison. Without double claims here, the races above would
/// prove nothing.
#[test]
fn files_that_are_renamed_or_locked_by_files_let_two_claim_one_task() {
    let mut double = 0;
    races("rename", 120, |claims| double += claims.double);
    assert!(double > 0);
    let mut double = 0;
    races("lock-file", 120, |claims| double += claims.double);
    // A small race may succeed; twenty do not.
    assert!(double > 0 || !agon_testkit::is_full());
}

/// The race on Backlog.md's board, if it is installed. Only asserts that everything was claimed.
#[test]
fn a_board_of_others_is_raced_for_where_it_is_installed() {
    if peer::program().is_none() {
        println!("peer: not compared, no program is named");
        return;
    }
    // One of its commands takes some hundred milliseconds.
    let tasks = 40;
    let dir = tempfile::tempdir().unwrap();
    let claims = race("peer", dir.path(), PROCESSES, tasks, 1);
    assert_eq!(claims.distinct, tasks, "{claims:?}");
    println!(
        "peer: 1 run of {tasks} tasks by {PROCESSES} processes: {} claims, {} double, {:.1} tasks a second",
        claims.all,
        claims.double,
        claims.a_second()
    );
}

/// A member that is stopped past its lease: its later requests do not count.
#[test]
fn a_member_that_was_stopped_past_its_lease_is_refused() {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = tempfile::tempdir().unwrap();
    let at = location(dir.path());
    let clock = Arc::new(SystemClock::new());
    let mut team = Team::create(&at, clock, TeamLimits::default()).unwrap();
    let mut actors = Vec::new();
    for racer in 0..2 {
        let request = JoinRequest {
            name: name(&format!("racer-{racer}")),
            role: "worker".parse().unwrap(),
            host: "test".to_owned(),
        };
        let token = team.join(&request).unwrap();
        fs::write(dir.path().join(format!("token-{racer}")), token.reveal()).unwrap();
        actors.push(team.authenticate(&token).unwrap());
    }
    let new = NewTask {
        title: "one".to_owned(),
        ..NewTask::default()
    };
    let id = team.add_task(&actors[0], &new).unwrap().id;
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "race::a_member_in_a_process_of_its_own"])
        .env(DIR, dir.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    wait_for(&dir.path().join("claimed"));
    kill_process(pid, Signal::STOP).unwrap();
    std::thread::sleep(Duration::from_millis(350));
    let request = ClaimRequest {
        task: Some(id),
        lease_ms: None,
        base: None,
    };
    let task = team.claim(&actors[1], &request).unwrap();
    assert_eq!(task.attempt, 2);
    fs::write(dir.path().join("submit"), "").unwrap();
    kill_process(pid, Signal::CONT).unwrap();
    assert!(child.wait().unwrap().success());
    let refusal = fs::read_to_string(dir.path().join("refusal")).unwrap();
    assert_eq!(
        refusal,
        "claim 1 of t1 is over: racer-1 now holds it with claim 3"
    );
    team.step(&actors[1], id, task.epoch, &HolderStep::Start)
        .unwrap();
    assert_sound(&team);
}

/// The member of the test above. Alone, it is not stopped and submits in time.
#[test]
fn a_member_in_a_process_of_its_own() {
    let own = tempfile::tempdir().unwrap();
    let dir = std::env::var_os(DIR).map_or_else(|| own.path().to_owned(), PathBuf::from);
    let is_alone = dir == own.path();
    if is_alone {
        let clock = Arc::new(SystemClock::new());
        let mut team = Team::create(&location(&dir), clock, TeamLimits::default()).unwrap();
        let role = "worker".parse().unwrap();
        let request = JoinRequest {
            name: name("racer-0"),
            role,
            host: "test".to_owned(),
        };
        let token = team.join(&request).unwrap();
        fs::write(dir.join("token-0"), token.reveal()).unwrap();
        let new = NewTask {
            title: "one".to_owned(),
            ..NewTask::default()
        };
        team.add_task(&team.authenticate(&token).unwrap(), &new)
            .unwrap();
        fs::write(dir.join("submit"), "").unwrap();
    }
    let clock = Arc::new(SystemClock::new());
    let mut team = Team::open(&location(&dir), clock, TeamLimits::default()).unwrap();
    let token = MemberToken::from_text(&fs::read_to_string(dir.join("token-0")).unwrap());
    let actor = team.authenticate(&token).unwrap();
    let lease_ms = Some(if is_alone { 60_000 } else { 250 });
    let task = team
        .claim(
            &actor,
            &ClaimRequest {
                task: None,
                lease_ms,
                base: None,
            },
        )
        .unwrap();
    fs::write(dir.join("claimed"), "").unwrap();
    wait_for(&dir.join("submit"));
    let refusal = match team.step(&actor, task.id, task.epoch, &submit('a')) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    assert_eq!(refusal.is_empty(), is_alone, "{refusal}");
    fs::write(dir.join("refusal"), refusal).unwrap();
}

fn wait_for(path: &Path) {
    let started = Instant::now();
    while !path.exists() {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{} never came",
            path.display()
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}
