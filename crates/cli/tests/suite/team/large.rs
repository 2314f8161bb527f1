//! A team with ten thousand tasks, a thousand locks and ten thousand messages.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::Repository;

/// Beside the first task, which ada has: done, had by ada with a lock each, and ready with needs.
const TASKS: &str = "
    WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO task (id, title, spec, state, priority, epoch, holder, lease_boot, lease_uptime_ms,
        lease_wall_ms, attempt, max_attempts, needs_review, evidence, claimed_seq, changed_seq)
    SELECT i, 'Task ' || i, 'What is wanted, and the check that shows it.',
        CASE WHEN i <= 4000 THEN 'done' WHEN i <= 5000 THEN 'claimed' ELSE 'ready' END, 0, 1,
        CASE WHEN i BETWEEN 4001 AND 5000 THEN 'ada' END,
        CASE WHEN i BETWEEN 4001 AND 5000 THEN first.lease_boot END,
        CASE WHEN i BETWEEN 4001 AND 5000 THEN first.lease_uptime_ms END,
        CASE WHEN i BETWEEN 4001 AND 5000 THEN first.lease_wall_ms END,
        1, 3, 0,
        CASE WHEN i <= 4000 THEN json_object('author', 'bob', 'tree', printf('%040d', i),
            'change', json_object('kind', 'commit', 'id', printf('%040d', i))) END, i, 0
    FROM n JOIN task AS first ON first.id = 1;
    WITH RECURSIVE n (i) AS (VALUES (5009) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO dep (task, needs) SELECT i, i - 1 FROM n UNION ALL SELECT i, i - 7 FROM n;";

/// Every tenth waits for the one before it.
const LOCKS: &str = r#"
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO path_lock (task, epoch, holder, globs, mode, granted, reason)
    SELECT 4000 + i, 1, 'ada', '["src/part-' || (i - (i % 10 = 0)) || '/**"]', 'exclusive',
        i % 10 <> 0, '' FROM n;"#;

/// Every tenth waits to be fetched.
const MAIL: &str = "
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO message (id, thread, sender, trust, recipient, body, sent_ms)
    SELECT i, i, 'lea', 'lead', 'bob', 'Please look at task ' || i, 1 FROM n;
    INSERT INTO delivery (message, member, state, fetch, delivered_ms, acknowledged_ms)
    SELECT id, 'bob', CASE WHEN id % 10 THEN 'acknowledged' ELSE 'queued' END, 1,
        CASE WHEN id % 10 THEN 1 END, CASE WHEN id % 10 THEN 1 END FROM message;";

fn fill(team: &Repository) {
    team.json("lea", &["task", "add", "Task 1"]);
    team.json("ada", &["task", "claim", "t1"]);
    let path = team.place.project().join(".git/agon/team.db");
    let db = rusqlite::Connection::open(path).unwrap();
    let all = format!("BEGIN; {TASKS} {LOCKS} {MAIL} COMMIT;");
    db.execute_batch(&all).unwrap();
}

/// The shortest of three runs.
fn time(team: &Repository, args: &[&str]) -> (Duration, Value) {
    let runs = (0..3).map(|_| {
        let begun = Instant::now();
        let document = team.json("bob", args);
        (begun.elapsed(), document)
    });
    runs.min_by_key(|(took, _)| *took).unwrap()
}

#[test]
fn ten_thousand_tasks_a_thousand_locks_and_as_many_messages_are_shown_at_once() {
    let team = Repository::with_team();
    let (small, _) = time(&team, &["status"]);
    fill(&team);
    let (large, board) = time(&team, &["status"]);
    let tasks = board["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 10_000);
    assert_eq!(board["locks"].as_array().unwrap().len(), 1_000);
    let bob = &board["members"][1];
    assert_eq!(
        (&bob["name"], &bob["unread"]),
        (&"bob".into(), &1_000.into())
    );
    // What is read for all at once is what is read for one.
    for task in ["t4010", "t5001", "t9999"] {
        let why = team.json("bob", &["task", "why", task]);
        let row = tasks.iter().find(|it| it["task"]["id"] == task).unwrap();
        assert_eq!(row["waits_for"], why["waits_for"], "{task}");
        assert!(!row["waits_for"].as_array().unwrap().is_empty(), "{task}");
    }
    let mut figures = vec![format!("status: {small:.0?} empty, {large:.0?} large")];
    for args in [
        &["task", "why", "t9999"][..],
        &["task", "add", "One more", "--needs", "t9999"],
        &["task", "claim"],
        &["lock", "list"],
        &["mail", "fetch"],
        &["usage"],
    ] {
        let begun = Instant::now();
        team.json("bob", args);
        let took = begun.elapsed();
        figures.push(format!("{}: {took:.0?}", args.join(" ")));
        assert!(took < Duration::from_secs(10), "{figures:?}");
    }
    println!("{}", figures.join(", "));
    // What grew with the square of the tasks took minutes; the rest is room for a busy machine.
    assert!(large < Duration::from_secs(20), "{figures:?}");
}
