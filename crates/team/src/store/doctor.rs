//! What must hold of a team's file at every instant: checked, explained, repaired.

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
    apply_step, break_circles, describe, grant_waiting, remove_lock, set_granted,
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
    /// What it says.
    pub says: String,
}

/// Something in the file that breaks an invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Breach {
    /// Which invariant.
    pub invariant: String,
    /// What was found.
    pub found: String,
    /// What would be done about it; null where a person has to.
    pub repair: Option<String>,
}

/// What was found, and whether it was repaired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorReport {
    /// Everything that was checked.
    pub invariants: Vec<InvariantDoc>,
    /// What breaks any of it.
    pub breaches: Vec<Breach>,
    /// What is still broken after the repairs; the same as `breaches` where nothing was to be done.
    pub remaining: Vec<Breach>,
}

/// What can be done about a breach.
#[derive(Clone, Debug)]
enum Repair {
    DropNeed(TaskId, TaskId),
    Revoke(TaskId),
    Reopen(TaskId),
    Queue(LockId),
    DropLock(LockId),
    BreakCircle,
    Grant,
}

impl Repair {
    fn describe(&self) -> String {
        match self {
            Self::DropNeed(task, needed) => format!("{task} no longer needs {needed}"),
            Self::Revoke(task) => {
                format!("the lease of {task} is revoked, the task is ready again")
            }
            Self::Reopen(task) => format!("{task} is ready again"),
            Self::Queue(lock) => format!("{lock} goes back into the queue"),
            Self::DropLock(lock) => format!("{lock} ends"),
            Self::BreakCircle => "the task that was claimed last waits no more".to_owned(),
            Self::Grant => "what nothing stands before is granted".to_owned(),
        }
    }
}

/// A breach, and what can be done about it.
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

/// What breaks an invariant.
pub(super) fn breaches(db: &Connection) -> Result<Vec<Breach>, StoreError> {
    Ok(checks::cases(db)?
        .into_iter()
        .map(|case| case.breach)
        .collect())
}

// A repair can bring up another, as a lock that ends lets another be granted; each round takes at
// least one away.
/// The most rounds of repairs.
const MAX_ROUNDS: usize = 20;

impl Team {
    /// Checks every invariant, and changes nothing. Costs a look at every row.
    ///
    /// # Errors
    ///
    /// If the file cannot be read at all.
    pub fn examine(&self) -> Result<DoctorReport, StoreError> {
        let found = breaches(self.db())?;
        Ok(report(found.clone(), found))
    }

    /// Checks every invariant, and repairs what can be, all in one change with an event for each. A
    /// person asks for it, after a look at what [`Team::examine`] says.
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
                carry_out(write, &repair)?;
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

fn carry_out(write: &Write<'_>, repair: &Repair) -> Result<(), StoreError> {
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
            // No step leads from done to ready: this is not one of the team's.
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
            grant_waiting(write)
        }
        Repair::BreakCircle => break_circles(write, None).map(drop),
        Repair::Grant => grant_waiting(write),
    }
}
