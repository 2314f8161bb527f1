//! The invariants of tasks, locks and the file itself.

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::id::TaskId;
use crate::lock::LockQueue;
use crate::store::doctor::readable::read_remaining_rows;
use crate::store::doctor::{Case, Repair, case, mail};
use crate::store::error::StoreError;
use crate::store::event::{EventDoc, read_events};
use crate::store::gates::{read_reviews, read_runs};
use crate::store::rows::{read_locks, read_needs, read_tasks};
use crate::task::{Task, TaskState, check_evidence};

/// The invariants, by name.
pub(super) const INVARIANTS: &[(&str, &str)] = &[
    ("file-intact", "the file is not damaged"),
    (
        "references-exist",
        "every row that another row refers to exists",
    ),
    ("rows-readable", "every row can be read"),
    (
        "needs-end",
        "no task needs itself, directly or through others",
    ),
    (
        "needs-done-first",
        "a task that is being worked on needs no unfinished task",
    ),
    ("holders-are-members", "every holder of a task is a member"),
    (
        "done-has-evidence",
        "a done task has a change, gates passed on exactly its tree, and a review if required",
    ),
    (
        "locks-apart",
        "no two granted locks of different tasks overlap, unless both are shared",
    ),
    (
        "locks-have-leases",
        "a lock belongs to the current lease of its task",
    ),
    (
        "waiting-ends",
        "no tasks wait for each other's locks in a cycle",
    ),
    (
        "free-locks-granted",
        "no lock waits although nothing blocks it",
    ),
    ("mail-has-readers", "every message has a recipient"),
    (
        "mail-in-order",
        "each reader gets the messages of a thread in order",
    ),
    ("events-complete", "event numbers have no gaps"),
    ("events-agree", "a task matches its last event"),
    ("epochs-grow", "the claim number of a task never decreases"),
];

/// Returns every breach of an invariant.
pub(super) fn cases(db: &Connection) -> Result<Vec<Case>, StoreError> {
    let mut cases = integrity_cases(db)?;
    let read = || -> Result<(Vec<Task>, LockQueue, Vec<EventDoc>), StoreError> {
        let tasks = read_tasks(db)?;
        read_remaining_rows(db, &tasks)?;
        Ok((tasks, read_locks(db)?, read_events(db, 0, u32::MAX)?))
    };
    let (tasks, queue, events) = match read() {
        Ok(rows) => rows,
        // Stop here: the other checks would fail on the same unreadable rows.
        Err(StoreError::Damaged(found)) => {
            cases.push(case("rows-readable", found, None));
            return Ok(cases);
        }
        Err(error) => return Err(error),
    };
    let tasks: BTreeMap<TaskId, Task> = tasks.into_iter().map(|task| (task.id, task)).collect();
    need_cases(db, &tasks, &mut cases)?;
    for task in tasks.values() {
        task_cases(db, task, &mut cases)?;
    }
    lock_cases(&queue, &tasks, &mut cases);
    mail::cases(db, &mut cases)?;
    event_cases(db, &tasks, &events, &mut cases)?;
    Ok(cases)
}

fn integrity_cases(db: &Connection) -> Result<Vec<Case>, StoreError> {
    let mut cases = Vec::new();
    let mut statement = db.prepare("PRAGMA integrity_check(20)")?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let found: String = row.get(0)?;
        if found != "ok" {
            cases.push(case("file-intact", found, None));
        }
    }
    let mut statement = db.prepare("PRAGMA foreign_key_check")?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        let found = format!("a row of {table} refers to a row of {parent} that does not exist");
        cases.push(case("references-exist", found, None));
    }
    Ok(cases)
}

fn need_cases(
    db: &Connection,
    tasks: &BTreeMap<TaskId, Task>,
    cases: &mut Vec<Case>,
) -> Result<(), StoreError> {
    let needs = read_needs(db)?;
    if let Some(cycle) = needs.find_cycle() {
        let words: Vec<String> = cycle.iter().map(TaskId::to_string).collect();
        let repair = match cycle.as_slice() {
            [.., last, first] => Some(Repair::DropNeed(*last, *first)),
            _ => None,
        };
        cases.push(case("needs-end", words.join(" needs "), repair));
    }
    for task in tasks.values().filter(|task| task.lease.is_some()) {
        let open = needs.needs_of_task(task.id).find(|needed| {
            tasks
                .get(needed)
                .is_none_or(|needed| needed.state != TaskState::Done)
        });
        if let Some(open) = open {
            let found = format!("{} is {} but needs {open}", task.id, task.state);
            cases.push(case(
                "needs-done-first",
                found,
                Some(Repair::Revoke(task.id)),
            ));
        }
    }
    Ok(())
}

fn task_cases(db: &Connection, task: &Task, cases: &mut Vec<Case>) -> Result<(), StoreError> {
    let id = task.id;
    if let Some(lease) = &task.lease {
        let mut statement =
            db.prepare_cached("SELECT 1 FROM member WHERE name = ?1 AND left_ms IS NULL")?;
        // After an import every member has left and every lease has expired, so do not report a
        // holder that left.
        let imported: bool = db.query_row(
            "SELECT NOT EXISTS (SELECT 1 FROM member WHERE left_ms IS NULL)",
            (),
            |row| row.get(0),
        )?;
        if !imported && !statement.exists([lease.holder.as_str()])? {
            let found = format!("{} holds {id} but has left", lease.holder);
            cases.push(case("holders-are-members", found, Some(Repair::Revoke(id))));
        }
    }
    if task.state != TaskState::Done {
        return Ok(());
    }
    let Some(evidence) = &task.evidence else {
        let found = format!("{id} is done but has no change");
        cases.push(case("done-has-evidence", found, Some(Repair::Reopen(id))));
        return Ok(());
    };
    // A later failed run or rejection does not count: it is enough that each gate passed once and
    // that a permitted member approved the tree.
    let runs: Vec<_> = read_runs(db, id)?
        .into_iter()
        .filter(|run| run.passed)
        .collect();
    let reviews: Vec<_> = read_reviews(db, id)?
        .into_iter()
        .filter(|it| it.approved)
        .collect();
    if let Err(missing) = check_evidence(task, &evidence.tree, &runs, &reviews) {
        for missing in missing {
            let found = format!("{id} is done but lacks {missing}");
            cases.push(case("done-has-evidence", found, Some(Repair::Reopen(id))));
        }
    }
    Ok(())
}

fn lock_cases(queue: &LockQueue, tasks: &BTreeMap<TaskId, Task>, cases: &mut Vec<Case>) {
    for lock in queue.locks() {
        let task = tasks.get(&lock.task);
        let lease = task.and_then(|task| Some((task.epoch, &task.lease.as_ref()?.holder)));
        if lease != Some((lock.epoch, &lock.holder)) {
            let found = format!(
                "{} belongs to claim {} of {}, which is over",
                lock.id, lock.epoch, lock.task
            );
            cases.push(case(
                "locks-have-leases",
                found,
                Some(Repair::DropLock(lock.id)),
            ));
        }
    }
    if let Some((first, second)) = queue.find_conflict() {
        let found = format!(
            "{} on {} and {} on {}",
            first.id, first.globs, second.id, second.globs
        );
        cases.push(case("locks-apart", found, Some(Repair::Queue(second.id))));
        return;
    }
    if let Some(cycle) = queue.find_cycle() {
        let words: Vec<String> = cycle.iter().map(TaskId::to_string).collect();
        cases.push(case(
            "waiting-ends",
            words.join(" waits for "),
            Some(Repair::BreakDeadlock),
        ));
    }
    if let Some(free) = queue.clone().grant().first() {
        cases.push(case(
            "free-locks-granted",
            format!("{free} waits although nothing blocks it"),
            Some(Repair::Grant),
        ));
    }
}

fn event_cases(
    db: &Connection,
    tasks: &BTreeMap<TaskId, Task>,
    events: &[EventDoc],
    cases: &mut Vec<Case>,
) -> Result<(), StoreError> {
    for (expected, event) in (1..).zip(events) {
        if event.seq != expected {
            cases.push(case(
                "events-complete",
                format!("event {expected} is missing"),
                None,
            ));
            break;
        }
    }
    let mut last: BTreeMap<&str, (i64, &EventDoc)> = BTreeMap::new();
    for event in events
        .iter()
        .filter(|event| event.kind.starts_with("task."))
    {
        let Some(epoch) = event
            .detail
            .get("epoch")
            .and_then(serde_json::Value::as_i64)
        else {
            continue;
        };
        if let Some((before, _)) = last.get(event.subject.as_str())
            && epoch < *before
        {
            let found = format!(
                "event {} sets {} back to claim {epoch}",
                event.seq, event.subject
            );
            cases.push(case("epochs-grow", found, None));
        }
        last.insert(&event.subject, (epoch, event));
    }
    let mut statement = db.prepare_cached("SELECT changed_seq FROM task WHERE id = ?1")?;
    for task in tasks.values() {
        let changed: i64 = statement.query_row([task.id.number()], |row| row.get(0))?;
        let agrees = last
            .get(task.id.to_string().as_str())
            .is_some_and(|(epoch, event)| {
                let state = event
                    .detail
                    .get("state")
                    .and_then(serde_json::Value::as_str);
                *epoch == task.epoch.0 && state == Some(task.state.as_str()) && event.seq == changed
            });
        if !agrees {
            let found = format!("{} is {} with claim {}", task.id, task.state, task.epoch);
            cases.push(case("events-agree", found, None));
        }
    }
    Ok(())
}
