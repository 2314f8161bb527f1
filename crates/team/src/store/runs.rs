//! Runs: a goal, its plan and its progress. Every step is recorded before the next one, so that a
//! killed run continues where it was.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::id::{GateName, RunId, TaskId};
use crate::run_policy::{RunPolicy, TaskWeight};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::rows::{from_json, parse_word};
use crate::store::tasks::{NewTask, add_task};
use crate::store::team::Team;
use crate::store::write::{Write, check_length, to_json};

/// The stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStage {
    /// A plan is being made.
    Planning,
    /// The plan is being debated.
    Debating,
    /// Its tasks are being worked on.
    Working,
    /// Every task that could be done is done.
    Done,
    /// It has stopped; only a person can resume it.
    Stopped,
}

impl RunStage {
    /// Returns the name of the stage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Planning => "planning",
            Self::Debating => "debating",
            Self::Working => "working",
            Self::Done => "done",
            Self::Stopped => "stopped",
        }
    }
}

/// A run to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// The goal.
    pub goal: String,
    /// The AI tools of its members; tasks take turns with them.
    pub hosts: Vec<String>,
    /// The gates that each of its tasks must pass.
    pub gates: BTreeSet<GateName>,
    /// The commit that it starts from.
    pub base: String,
    /// Whether its plan is approved without a debate.
    pub agreed: bool,
    /// The most tokens that it may use, if limited.
    pub max_tokens: Option<u64>,
    /// The settings that apply until it ends.
    pub policy: RunPolicy,
}

/// A task of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedTask {
    /// The title, in one line.
    pub title: String,
    /// The description, with the check that proves it.
    #[serde(default)]
    pub spec: String,
    /// The tasks of the plan that must be done first, by their position in it, from 1.
    #[serde(default)]
    pub needs: BTreeSet<usize>,
    /// Its weight, which decides the role that works on it.
    #[serde(default)]
    pub weight: TaskWeight,
    /// Whether it affects money, permissions or stored formats, or is irreversible.
    #[serde(default)]
    pub risky: bool,
    /// Whether its effect is irreversible.
    #[serde(default)]
    pub irreversible: bool,
}

/// A task of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunTask {
    /// The task.
    pub task: TaskId,
    /// The commit with which its change was merged to the run's branch; null before that.
    pub merged: Option<String>,
    /// How often its change was sent back to its author with findings.
    #[serde(default)]
    pub returned: u32,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunDoc {
    /// Its id.
    pub run: RunId,
    /// The goal.
    pub goal: String,
    /// The AI tools of its members; tasks take turns with them.
    pub hosts: Vec<String>,
    /// The gates that each of its tasks must pass, on its own tree and on the merged one.
    pub gates: BTreeSet<GateName>,
    /// The settings that it started with.
    pub policy: RunPolicy,
    /// The commit that it started from.
    pub base: String,
    /// Its current stage.
    pub stage: RunStage,
    /// The plan; null before there is one.
    pub plan: Option<Vec<PlannedTask>>,
    /// Whether a person or the lead approved its plan without a debate.
    pub agreed: bool,
    /// The debate of its plan with its verdict; null if there was none yet.
    pub debate: Option<String>,
    /// Why it stopped.
    pub note: Option<String>,
    /// The most tokens that it may use.
    pub max_tokens: Option<u64>,
    /// The tokens that it used, as far as its tools report them.
    pub tokens: u64,
    /// Its tasks, in the order of the plan.
    pub tasks: Vec<RunTask>,
}

pub(super) fn read_run(db: &Connection, id: RunId) -> Result<RunDoc, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT goal, hosts, base, stage, plan, agreed, note, max_tokens, tokens, debate, gates, policy
         FROM run WHERE id = ?1",
    )?;
    let found = statement
        .query_row([id.number()], |row| {
            let stage: String = row.get(3)?;
            let plan: Option<String> = row.get(4)?;
            let doc = RunDoc {
                run: id,
                goal: row.get(0)?,
                hosts: Vec::new(),
                gates: BTreeSet::new(),
                policy: RunPolicy::default(),
                base: row.get(2)?,
                stage: RunStage::Planning,
                plan: None,
                agreed: row.get(5)?,
                debate: row.get(9)?,
                note: row.get(6)?,
                max_tokens: row
                    .get::<_, Option<i64>>(7)?
                    .map(|it| u64::try_from(it).unwrap_or_default()),
                tokens: u64::try_from(row.get::<_, i64>(8)?).unwrap_or_default(),
                tasks: Vec::new(),
            };
            let lists: (String, String, String) = (row.get(1)?, row.get(10)?, row.get(11)?);
            Ok((doc, stage, plan, lists))
        })
        .optional()?;
    let (mut doc, stage, plan, (hosts, gates, policy)) = found.ok_or(StoreError::NoRun(id))?;
    doc.stage = parse_word(&stage)?;
    doc.hosts = from_json(&hosts)?;
    doc.gates = from_json(&gates)?;
    doc.policy = match policy.as_str() {
        // The column's default: the run started before runs stored their settings.
        "{}" => RunPolicy::without_settings(),
        kept => from_json(kept)?,
    };
    doc.plan = plan.as_deref().map(from_json).transpose()?;
    let mut statement = db.prepare_cached(
        "SELECT task, merged, returned FROM run_task WHERE run = ?1 ORDER BY task",
    )?;
    let mut rows = statement.query([id.number()])?;
    while let Some(row) = rows.next()? {
        doc.tasks.push(RunTask {
            task: TaskId::new(row.get(0)?),
            merged: row.get(1)?,
            returned: row.get(2)?,
        });
    }
    Ok(doc)
}

fn set_stage(
    write: &Write<'_>,
    id: RunId,
    stage: RunStage,
    detail: &serde_json::Value,
) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached("UPDATE run SET stage = ?2 WHERE id = ?1")?
        .execute((id.number(), stage.as_str()))?;
    write.event(&format!("run.{}", stage.as_str()), &id.to_string(), detail)?;
    Ok(())
}

fn write_plan(write: &Write<'_>, id: RunId, plan: &[PlannedTask]) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached("UPDATE run SET plan = ?2 WHERE id = ?1")?
        .execute((id.number(), to_json(&plan)?))?;
    Ok(())
}

/// Adds the tasks of a plan and starts the work on them.
fn add_planned(write: &Write<'_>, run: &RunDoc, plan: &[PlannedTask]) -> Result<(), StoreError> {
    let id = run.run;
    let mut added: Vec<TaskId> = Vec::new();
    for planned in plan {
        let needs = planned.needs.iter();
        let new = NewTask {
            title: planned.title.clone(),
            spec: planned.spec.clone(),
            needs: needs
                .filter_map(|place| added.get(place.wrapping_sub(1)).copied())
                .collect(),
            gates: run.gates.clone(),
            needs_review: true,
            ..NewTask::default()
        };
        let task = add_task(write, &new)?.id;
        write
            .db
            .prepare_cached("INSERT INTO run_task (run, task) VALUES (?1, ?2)")?
            .execute((id.number(), task.number()))?;
        added.push(task);
    }
    set_stage(write, id, RunStage::Working, &json!({}))
}

impl Team {
    /// Starts a run. Only the lead or a person may call this.
    ///
    /// # Errors
    ///
    /// If the goal is empty or too long, or the actor may not.
    pub fn begin_run(&mut self, actor: &Actor, new: &NewRun) -> Result<RunId, StoreError> {
        self.write(actor, |write| {
            write.require_lead("begin a run")?;
            check_length("goal", &new.goal, write.limits.max_spec_bytes)?;
            write
                .db
                .prepare_cached(
                    "INSERT INTO run (goal, hosts, base, stage, agreed, max_tokens, tokens, gates, policy)
                     VALUES (?1, ?2, ?3, 'planning', ?4, ?5, 0, ?6, ?7)",
                )?
                .execute((
                    &new.goal,
                    to_json(&new.hosts)?,
                    &new.base,
                    new.agreed,
                    new.max_tokens.map(crate::store::rows::signed),
                    to_json(&new.gates)?,
                    to_json(&new.policy)?,
                ))?;
            let id = RunId::new(write.db.last_insert_rowid());
            let detail = json!({
                "hosts": new.hosts, "gates": new.gates, "base": new.base, "agreed": new.agreed,
                "policy": new.policy,
            });
            write.event("run.planning", &id.to_string(), &detail)?;
            Ok(id)
        })
    }

    /// Returns a run.
    ///
    /// # Errors
    ///
    /// Fails if there is no such run.
    pub fn run(&mut self, id: RunId) -> Result<RunDoc, StoreError> {
        read_run(self.read()?, id)
    }

    /// Records the plan of a run, once.
    ///
    /// # Errors
    ///
    /// If there is no such run.
    pub fn set_plan(
        &mut self,
        actor: &Actor,
        id: RunId,
        plan: &[PlannedTask],
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("plan a run")?;
            let run = read_run(write.db, id)?;
            if run.stage != RunStage::Planning {
                return Ok(());
            }
            write_plan(write, id, plan)?;
            set_stage(write, id, RunStage::Debating, &json!({}))
        })
    }

    /// Records that a run's plan is approved without a debate. Only the lead or a person may call
    /// this.
    ///
    /// # Errors
    ///
    /// If there is no such run, or the actor may not.
    pub fn approve_plan(&mut self, actor: &Actor, id: RunId) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("approve a plan")?;
            read_run(write.db, id)?;
            write
                .db
                .prepare_cached("UPDATE run SET agreed = 1 WHERE id = ?1")?
                .execute([id.number()])?;
            write.event("run.agreed", &id.to_string(), &json!({}))?;
            Ok(())
        })
    }

    /// Records the verdict of a plan's debate.
    ///
    /// # Errors
    ///
    /// If there is no such run, or the actor may not.
    pub fn record_debate(
        &mut self,
        actor: &Actor,
        id: RunId,
        said: &str,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("debate a plan")?;
            read_run(write.db, id)?;
            write
                .db
                .prepare_cached("UPDATE run SET debate = ?2 WHERE id = ?1")?
                .execute((id.number(), said))?;
            write.event("run.debated", &id.to_string(), &json!({ "said": said }))?;
            Ok(())
        })
    }

    /// Starts the work on a run's plan by adding all of its tasks in one transaction. Changes
    /// nothing if the work has already started.
    ///
    /// # Errors
    ///
    /// Fails if there is no such run, or a task of the plan is invalid.
    pub fn begin_work(&mut self, actor: &Actor, id: RunId) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("start the work on a plan")?;
            let run = read_run(write.db, id)?;
            match (run.stage, &run.plan) {
                (RunStage::Debating, Some(plan)) => add_planned(write, &run, plan),
                _ => Ok(()),
            }
        })
    }

    /// Replaces a run's plan and starts the work on the new one, in one transaction. Changes
    /// nothing if the work has already started.
    ///
    /// # Errors
    ///
    /// Fails if there is no such run, the actor may not, or a task of the plan is invalid.
    pub fn begin_revised_work(
        &mut self,
        actor: &Actor,
        id: RunId,
        plan: &[PlannedTask],
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("start the work on a plan")?;
            let run = read_run(write.db, id)?;
            if run.stage != RunStage::Debating {
                return Ok(());
            }
            write_plan(write, id, plan)?;
            write.event("run.plan_revised", &id.to_string(), &json!({}))?;
            add_planned(write, &run, plan)
        })
    }

    /// Records the commit with which a task's change was merged to its run's branch.
    ///
    /// # Errors
    ///
    /// Fails if the task does not belong to the run.
    pub fn record_merge(
        &mut self,
        actor: &Actor,
        id: RunId,
        task: TaskId,
        commit: &str,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("merge a change")?;
            let changed = write
                .db
                .prepare_cached("UPDATE run_task SET merged = ?3 WHERE run = ?1 AND task = ?2")?
                .execute((id.number(), task.number(), commit))?;
            if changed == 0 {
                return Err(StoreError::NoTask(task));
            }
            let detail = json!({ "run": id, "commit": commit });
            write.event("run.merged", &task.to_string(), &detail)?;
            Ok(())
        })
    }

    /// Adds the tokens that a turn of a run used.
    ///
    /// # Errors
    ///
    /// If there is no such run, or the file cannot be written.
    pub fn add_tokens(&mut self, id: RunId, tokens: u64) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let changed = write
                .db
                .prepare_cached("UPDATE run SET tokens = tokens + ?2 WHERE id = ?1")?
                .execute((id.number(), crate::store::rows::signed(tokens)))?;
            if changed == 0 {
                return Err(StoreError::NoRun(id));
            }
            let detail = json!({ "tokens": tokens });
            write.event("run.spent", &id.to_string(), &detail)?;
            Ok(())
        })
    }

    /// Ends a run, or stops it with a reason.
    ///
    /// # Errors
    ///
    /// If there is no such run.
    pub fn end_run(
        &mut self,
        actor: &Actor,
        id: RunId,
        stage: RunStage,
        note: Option<&str>,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("end a run")?;
            read_run(write.db, id)?;
            write
                .db
                .prepare_cached("UPDATE run SET note = ?2 WHERE id = ?1")?
                .execute((id.number(), note))?;
            set_stage(write, id, stage, &json!({ "note": note }))
        })
    }
}
