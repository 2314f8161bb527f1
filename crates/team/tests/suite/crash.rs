//! A process that is killed at every statement: what it was answered is there, and what must hold
//! does.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use agon_team::gate::GateRun;
use agon_team::lock::LockMode;
use agon_team::store::{
    Actor, HolderStep, LockRequest, MailRequest, NewTask, Recipient, ReviewWord, SystemClock, Team,
    TeamLimits, TeamStep, failpoints,
};

use crate::support::{assert_sound, claim, join, location, name, submit, tree};

const DIR: &str = "AGON_TEAM_CRASH_DIR";
const NTH: &str = "AGON_TEAM_CRASH_NTH";

/// Everything that a team can be asked, once; `answered` is called after each request with the event
/// that it must have left.
fn everything(dir: &Path, answered: &mut dyn FnMut(&str)) {
    let limits = TeamLimits::default();
    let mut team = Team::create(&location(dir), Arc::new(SystemClock::new()), limits).unwrap();
    let lena = join(&mut team, "lena", "lead");
    answered("member.joined");
    let ana = join(&mut team, "ana", "worker");
    answered("member.joined");
    let mut tasks = Vec::new();
    for at in 0..4 {
        let new = NewTask {
            title: format!("task {at}"),
            needs: tasks
                .first()
                .copied()
                .filter(|_| at == 1)
                .into_iter()
                .collect(),
            gates: if at == 0 {
                ["tests".parse().unwrap()].into()
            } else {
                [].into()
            },
            needs_review: at == 0,
            draft: at == 3,
            ..NewTask::default()
        };
        tasks.push(team.add_task(&lena, &new).unwrap().id);
        answered("task.added");
    }
    let first = claim(&mut team, &ana, Some(tasks[0]));
    answered("task.claimed");
    let third = claim(&mut team, &lena, Some(tasks[2]));
    answered("task.claimed");
    let lock = |task, epoch, glob: &str| LockRequest {
        task,
        epoch,
        globs: vec![glob.parse().unwrap()].try_into().unwrap(),
        mode: LockMode::Exclusive,
        reason: String::new(),
    };
    team.lock(&ana, &lock(first.id, first.epoch, "src"))
        .unwrap();
    answered("lock.asked");
    team.lock(&lena, &lock(third.id, third.epoch, "src/a.rs"))
        .unwrap();
    answered("lock.asked");
    for (step, event) in [
        (HolderStep::Start, "task.started"),
        (HolderStep::Renew { lease_ms: None }, "task.renewed"),
        (submit('a'), "task.submitted"),
    ] {
        team.step(&ana, first.id, first.epoch, &step).unwrap();
        answered(event);
    }
    let run = GateRun {
        gate: "tests".parse().unwrap(),
        tree: tree('a'),
        passed: true,
        outcome: "exit 0".to_owned(),
        took_ms: 1,
        log: None,
    };
    team.record_gate(&ana, first.id, &run).unwrap();
    answered("gate.ran");
    let word = ReviewWord {
        tree: &tree('a'),
        approved: true,
        note: "good",
    };
    team.review(&lena, first.id, first.epoch, &word).unwrap();
    answered("task.reviewed");
    team.accept(&ana, first.id, first.epoch, &tree('a'))
        .unwrap();
    answered("task.accepted");
    let mail = MailRequest {
        to: Recipient::Member(name("lena")),
        body: "done".to_owned(),
        thread: None,
        key: Some("one".to_owned()),
    };
    team.send(&ana, &mail).unwrap();
    answered("mail.sent");
    let letter = team.fetch(&lena, 5).unwrap().remove(0);
    answered("mail.fetched");
    team.deliver(&lena, letter.message, letter.fetch).unwrap();
    answered("mail.delivered");
    team.acknowledge(&lena, letter.message).unwrap();
    answered("mail.acknowledged");
    team.add_need(&lena, tasks[3], tasks[1]).unwrap();
    answered("need.added");
    team.remove_need(&lena, tasks[3], tasks[1]).unwrap();
    answered("need.removed");
    team.direct(&lena, tasks[3], &TeamStep::Publish).unwrap();
    answered("task.published");
    let note = "not wanted".to_owned();
    team.direct(&Actor::person(), tasks[3], &TeamStep::Cancel { note })
        .unwrap();
    answered("task.cancelled");
    team.leave(&lena, &name("lena")).unwrap();
    answered("member.left");
    team.repair().unwrap();
    let mut lines = Vec::new();
    team.export(&mut lines).unwrap();
}

/// The process that dies; run by the suite itself it lives, and says how many statements there are.
#[test]
fn a_process_that_asks_everything() {
    let own = tempfile::tempdir().unwrap();
    let dir = std::env::var_os(DIR).map_or_else(|| own.path().to_owned(), PathBuf::from);
    let nth = std::env::var(NTH).map_or(0, |nth| nth.parse().unwrap());
    let mut log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(dir.join("answered"))
        .unwrap();
    failpoints::arm(nth);
    everything(&dir, &mut |event| writeln!(log, "{event}").unwrap());
    let statements = failpoints::statements();
    failpoints::arm(0);
    assert!(statements > 100);
    fs::write(dir.join("statements"), statements.to_string()).unwrap();
    assert_sound(
        &Team::open(
            &location(&dir),
            Arc::new(SystemClock::new()),
            TeamLimits::default(),
        )
        .unwrap(),
    );
}

/// Runs it in a process of its own, and says whether it was killed.
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

#[test]
fn a_process_that_is_killed_at_any_statement_leaves_what_it_was_answered_and_no_more_than_one_request()
 {
    let dir = tempfile::tempdir().unwrap();
    assert!(!is_killed(dir.path(), 0));
    let statements: u64 = fs::read_to_string(dir.path().join("statements"))
        .unwrap()
        .parse()
        .unwrap();
    // Every one in a full run.
    let stride = if std::env::var_os("AGON_TEAM_CRASHES").is_some() {
        1
    } else {
        9
    };
    let mut killed = 0;
    for nth in (1..=statements).step_by(stride) {
        let dir = tempfile::tempdir().unwrap();
        if !is_killed(dir.path(), nth) {
            // The last statements are those of the test itself.
            continue;
        }
        killed += 1;
        let limits = TeamLimits::default();
        let mut team = Team::create(&location(dir.path()), Arc::new(SystemClock::new()), limits)
            .unwrap_or_else(|error| panic!("after statement {nth}: {error}"));
        assert_sound(&team);
        let mut events: BTreeMap<String, i64> = BTreeMap::new();
        for event in team.events(0, 1_000).unwrap() {
            *events.entry(event.kind).or_default() += 1;
        }
        let answered = fs::read_to_string(dir.path().join("answered")).unwrap();
        let mut requests = 0;
        for event in answered.lines() {
            requests += 1;
            *events.entry(event.to_owned()).or_default() -= 1;
        }
        let unanswered: Vec<(&String, &i64)> = events
            .iter()
            .filter(|(kind, left)| {
                **left != 0
                    && !matches!(
                        kind.as_str(),
                        "lock.granted" | "lock.released" | "task.revoked"
                    )
            })
            .collect();
        assert!(
            unanswered.iter().all(|(_, left)| **left == 1) && unanswered.len() <= 1,
            "after statement {nth} and {requests} answers: {unanswered:?}"
        );
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
    assert!(
        killed * stride as u64 * 10 > statements * 9,
        "{killed} of {statements}"
    );
    println!("{statements} statements, killed at {killed} of them");
}
