//! Breaks every invariant by hand: each breach must be found, explained and repaired.

use std::sync::Arc;

use agon_team::lock::LockMode;
use agon_team::store::{
    HolderStep, LockRequest, MailRequest, NewTask, Recipient, SystemClock, Team, TeamLimits,
};
use rusqlite::Connection;

use crate::support::{assert_sound, claim, join, location, name, submit};

/// t1 done, t2 held by ana with a lock on src, t3 held by ben with a lock on docs and waiting for
/// src, t4 ready; two messages of one thread to ben.
fn build(dir: &std::path::Path) {
    let mut team = Team::create(
        &location(dir),
        Arc::new(SystemClock::new()),
        TeamLimits::default(),
    )
    .unwrap();
    let ana = join(&mut team, "ana", "lead");
    let ben = join(&mut team, "ben", "worker");
    for number in 1..=4 {
        let new = NewTask {
            title: format!("task {number}"),
            ..NewTask::default()
        };
        team.add_task(&ana, &new).unwrap();
    }
    let first = claim(&mut team, &ana, None);
    team.step(&ana, first.id, first.epoch, &submit('a'))
        .unwrap();
    let tree = "a".repeat(40).parse().unwrap();
    team.accept(&ana, first.id, first.epoch, &tree).unwrap();
    for (by, globs) in [
        (&ana, ["src"].as_slice()),
        (&ben, ["docs", "src"].as_slice()),
    ] {
        let task = claim(&mut team, by, None);
        team.step(by, task.id, task.epoch, &HolderStep::Start)
            .unwrap();
        for glob in globs {
            let request = LockRequest {
                task: task.id,
                epoch: task.epoch,
                globs: vec![glob.parse().unwrap()].try_into().unwrap(),
                mode: LockMode::Exclusive,
                reason: String::new(),
            };
            team.lock(by, &request).unwrap();
        }
    }
    let mail = MailRequest {
        to: Recipient::Member(name("ben")),
        body: "hello".to_owned(),
        thread: None,
        urgent: false,
        key: None,
    };
    let sent = team.send(&ana, &mail).unwrap();
    team.send(
        &ana,
        &MailRequest {
            thread: Some(sent.thread),
            ..mail
        },
    )
    .unwrap();
    assert_sound(&team);
}

#[test]
fn every_invariant_that_is_broken_is_found_and_what_can_be_is_repaired() {
    let lock = "INSERT INTO path_lock (task, epoch, holder, globs, mode, granted, reason) VALUES ";
    let cases: [(&str, &str, bool); 18] = [
        (
            "references-exist",
            "UPDATE delivery SET member = 'zoe'",
            false,
        ),
        (
            "rows-readable",
            "UPDATE task SET evidence = '{' WHERE id = 1",
            false,
        ),
        (
            "rows-readable",
            "UPDATE task SET state = 'lost' WHERE id = 4",
            false,
        ),
        ("needs-end", "INSERT INTO dep VALUES (4, 4)", true),
        ("needs-end", "INSERT INTO dep VALUES (1, 4), (4, 1)", true),
        ("needs-done-first", "INSERT INTO dep VALUES (2, 4)", true),
        (
            "holders-are-members",
            "UPDATE member SET left_ms = 1, token_hash = NULL WHERE name = 'ben'",
            true,
        ),
        (
            "done-has-evidence",
            "UPDATE task SET evidence = NULL WHERE id = 1",
            true,
        ),
        (
            "done-has-evidence",
            "INSERT INTO task_gate VALUES (1, 'tests')",
            true,
        ),
        (
            "done-has-evidence",
            "UPDATE task SET needs_review = 1 WHERE id = 1",
            true,
        ),
        ("locks-apart", "UPDATE path_lock SET granted = 1", true),
        (
            "locks-have-leases",
            "UPDATE path_lock SET epoch = 9 WHERE id = 1",
            true,
        ),
        (
            "locks-have-leases",
            "UPDATE task SET holder = 'ben' WHERE id = 2",
            true,
        ),
        (
            "waiting-ends",
            "(2, 1, 'ana', '[\"docs\"]', 'shared', 0, '')",
            true,
        ),
        (
            "free-locks-granted",
            "(2, 1, 'ana', '[\"notes\"]', 'shared', 0, '')",
            true,
        ),
        (
            "mail-has-readers",
            "DELETE FROM delivery WHERE message = 1",
            false,
        ),
        (
            "mail-in-order",
            "UPDATE delivery SET state = 'delivered', delivered_ms = 5 WHERE message = 2",
            false,
        ),
        ("events-complete", "DELETE FROM event WHERE seq = 2", false),
    ];
    let events: [(&str, &str); 2] = [
        ("events-agree", "UPDATE task SET epoch = 8 WHERE id = 4"),
        (
            "epochs-grow",
            "UPDATE event SET detail = '{\"state\":\"ready\",\"epoch\":9}'
             WHERE seq = (SELECT min(seq) FROM event WHERE subject = 't2')",
        ),
    ];
    let unrepaired = events.map(|(invariant, sql)| (invariant, sql, false));
    let dir = tempfile::tempdir().unwrap();
    build(dir.path());
    for (invariant, sql, is_repaired) in cases.into_iter().chain(unrepaired) {
        let copy = tempfile::tempdir().unwrap();
        let at = location(copy.path());
        std::fs::create_dir(copy.path().join("agon")).unwrap();
        std::fs::copy(location(dir.path()).database(), at.database()).unwrap();
        let db = Connection::open(at.database()).unwrap();
        db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;")
            .unwrap();
        let sql = if sql.starts_with('(') {
            format!("{lock}{sql}")
        } else {
            sql.to_owned()
        };
        db.execute_batch(&sql).unwrap();
        drop(db);
        let mut team =
            Team::open(&at, Arc::new(SystemClock::new()), TeamLimits::default()).unwrap();
        let before = team.events(0, 1_000).unwrap();
        let report = team.examine().unwrap();
        let breach = report
            .breaches
            .iter()
            .find(|breach| breach.invariant == invariant);
        let breach = breach.unwrap_or_else(|| panic!("{sql}: {:?}", report.breaches));
        assert_eq!(breach.repair.is_some(), is_repaired, "{breach:?}");
        assert!(report.invariants.iter().any(|it| it.name == invariant));
        // Examining changes nothing.
        assert_eq!(team.events(0, 1_000).unwrap(), before);
        if is_repaired {
            let report = team.repair().unwrap();
            assert_eq!(report.remaining, [], "{sql}");
            assert_sound(&team);
            let after = team.events(0, 1_000).unwrap();
            assert!(
                after.iter().any(|event| event.kind == "doctor.repaired"),
                "{sql}"
            );
        }
    }
}

#[test]
fn a_sound_team_is_not_touched() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path());
    let mut team = Team::open(
        &location(dir.path()),
        Arc::new(SystemClock::new()),
        TeamLimits::default(),
    )
    .unwrap();
    let before = team.events(0, 1_000).unwrap();
    let report = team.repair().unwrap();
    assert_eq!((report.breaches, report.remaining), (vec![], vec![]));
    assert_eq!(team.events(0, 1_000).unwrap(), before);
}
