//! Checks the invariants of a team's file, explains breaches, and repairs them.

mod checks;
mod mail;
mod readable;

use rusqlite::Connection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::id::{LockId, TaskId};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::{
    apply_step, break_deadlocks, describe, grant_unblocked_locks, remove_lock, set_granted,
};
use crate::store::rows::{read_task, write_task};
use crate::store::task_needs::remove_need;
use crate::store::team::Team;
use crate::store::write::Write;
use crate::task::{Task, TaskState, TaskStep};

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InvariantDoc {
    /// Its name.
    pub name: String,
    /// The rule, in words.
    pub says: String,
}

/// Something in the file that breaks an invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Breach {
    /// The name of the invariant.
    pub invariant: String,
    /// The problem.
    pub found: String,
    /// The repair that would fix it; null if a person has to.
    pub repair: Option<String>,
}

/// The breaches of a team's file, before and after repairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorReport {
    /// Everything that was checked.
    pub invariants: Vec<InvariantDoc>,
    /// The broken invariants.
    pub breaches: Vec<Breach>,
    /// The breaches left after the repairs; the same as `breaches` if nothing was repaired.
    pub remaining: Vec<Breach>,
}

/// A repair of a breach.
#[derive(Clone, Debug)]
enum Repair {
    DropNeed(TaskId, TaskId),
    Revoke(TaskId),
    Reopen(TaskId),
    Queue(LockId),
    DropLock(LockId),
    BreakDeadlock,
    Grant,
}

impl Repair {
    fn describe(&self) -> String {
        match self {
            Self::DropNeed(task, needed) => format!("remove the need of {task} for {needed}"),
            Self::Revoke(task) => {
                format!("revoke the lease of {task} and make it ready again")
            }
            Self::Reopen(task) => format!("make {task} ready again"),
            Self::Queue(lock) => format!("put {lock} back into the queue"),
            Self::DropLock(lock) => format!("remove {lock}"),
            Self::BreakDeadlock => "withdraw the waiting locks of the last-claimed task".to_owned(),
            Self::Grant => "grant every lock that nothing blocks".to_owned(),
        }
    }
}

/// A breach with its repair, if there is one.
struct Case {
    breach: Breach,
    repair: Option<Repair>,
}

fn case(invariant: &str, found: String, repair: Option<Repair>) -> Case {
    Case {
        breach: Breach {
            invariant: invariant.to_owned(),
            found,
            repair: repair.as_ref().map(Repair::describe),
        },
        repair,
    }
}

/// Returns the breaches of all invariants.
pub(super) fn breaches(db: &Connection) -> Result<Vec<Breach>, StoreError> {
    Ok(checks::cases(db)?
        .into_iter()
        .map(|case| case.breach)
        .collect())
}

// A repair can reveal another breach: a lock that ends lets another be granted. Each round removes
// at least one.
/// Maximum number of rounds of repairs.
const MAX_ROUNDS: usize = 20;

impl Team {
    /// Checks every invariant without changing anything. Reads every row.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read at all.
    pub fn examine(&self) -> Result<DoctorReport, StoreError> {
        let found = breaches(self.db())?;
        Ok(report(found.clone(), found))
    }

    /// Checks every invariant and repairs what can be repaired, in one transaction with an event
    /// for each repair. A person requests this after seeing the result of [`Team::examine`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn repair(&mut self) -> Result<DoctorReport, StoreError> {
        self.write(&Actor::person(), |write| {
            let found = breaches(write.db)?;
            for _ in 0..MAX_ROUNDS {
                let cases = checks::cases(write.db)?;
                let Some(repair) = cases.into_iter().find_map(|case| case.repair) else {
                    break;
                };
                apply_repair(write, &repair)?;
            }
            Ok(report(found, breaches(write.db)?))
        })
    }
}

fn report(breaches: Vec<Breach>, remaining: Vec<Breach>) -> DoctorReport {
    let doc = |(name, says): &(&str, &str)| InvariantDoc {
        name: (*name).to_owned(),
        says: (*says).to_owned(),
    };
    DoctorReport {
        invariants: checks::INVARIANTS.iter().map(doc).collect(),
        breaches,
        remaining,
    }
}

fn apply_repair(write: &Write<'_>, repair: &Repair) -> Result<(), StoreError> {
    let note = "repaired".to_owned();
    write.event(
        "doctor.repaired",
        "team",
        &json!({ "repair": repair.describe() }),
    )?;
    match repair {
        Repair::DropNeed(task, needed) => remove_need(write, *task, *needed),
        Repair::Revoke(task) => {
            apply_step(write, *task, &TaskStep::Revoke { note }, None)?;
            Ok(())
        }
        Repair::Reopen(id) => {
            // No regular step leads from done to ready, so the task is written directly.
            let task = read_task(write.db, *id)?;
            let task = Task {
                state: TaskState::Ready,
                epoch: task.epoch.next(),
                evidence: None,
                note: Some("it was done without evidence".to_owned()),
                ..task
            };
            let event = write.event("task.repaired", &id.to_string(), &describe(&task))?;
            write_task(write.db, &task, event, false)
        }
        Repair::Queue(lock) => {
            write.event("lock.queued", &lock.to_string(), &json!({}))?;
            set_granted(write, *lock, false)
        }
        Repair::DropLock(lock) => {
            remove_lock(write, *lock, "lock.released")?;
            grant_unblocked_locks(write)
        }
        Repair::BreakDeadlock => break_deadlocks(write, None).map(drop),
        Repair::Grant => grant_unblocked_locks(write),
    }
}
