//! Runs a gate on a work tree.

use std::time::Instant;

use agon_caller::depth::refuse_nested;
use agon_caller::{CallFront, Caller, Code, Failure, Hint};
use agon_team::gate::{GateDefinition, GateRun};
use agon_team::id::{GateName, TaskId, TreeHash};
use agon_team::store::{Actor, Team, TeamLocation};

use super::command::{CommandRun, RunOf, run_command};
use super::documents::{TEAM_GATE_RUN_SCHEMA, TeamGateRunDoc};
use super::{GateOutcome, GateSubmitted, context, debate, definitions, evidence, log};
use crate::member::actor;
use crate::open_team::{SharedTeam, failure, lock, open, share};
use crate::spans::RequestSpan;
use crate::tree::hash_work_tree;

/// Runs a gate on the caller's work tree, and records the result for the task and exactly this
/// tree. If the tree changes during the run, the gate does not pass. Without a task the result
/// counts for none.
///
/// # Errors
///
/// Fails if there is no such gate or task, the caller is not a member, or the gate cannot be run.
pub async fn run(
    caller: &Caller,
    name: &GateName,
    task: Option<TaskId>,
    front: &mut dyn CallFront,
) -> Result<TeamGateRunDoc, Failure> {
    refuse_nested(caller)?;
    let (team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let ask = Ask {
        location: &location,
        actor: &actor,
        name,
        task,
    };
    let ran = ask.run(caller, &share(team), front).await;
    ran.map(|(document, _)| document)
}

/// A gate to run.
pub(crate) struct GateOrder<'a> {
    /// The work tree to run it in.
    pub(crate) location: &'a TeamLocation,
    /// The member that runs it.
    pub(crate) actor: &'a Actor,
    pub(crate) name: &'a GateName,
    pub(crate) task: TaskId,
}

/// Runs a gate in the work tree that the order names.
///
/// # Errors
///
/// Fails like [`run`].
pub(crate) async fn run_at(
    caller: &Caller,
    team: &SharedTeam,
    order: &GateOrder<'_>,
    front: &mut dyn CallFront,
) -> Result<TeamGateRunDoc, Failure> {
    let ran = run_with_output(caller, team, order, front).await;
    ran.map(|(document, _)| document)
}

/// Runs a gate in the work tree that the order names, and also returns all of its output that was
/// kept.
///
/// # Errors
///
/// Fails like [`run`].
pub(crate) async fn run_with_output(
    caller: &Caller,
    team: &SharedTeam,
    order: &GateOrder<'_>,
    front: &mut dyn CallFront,
) -> Result<(TeamGateRunDoc, String), Failure> {
    let ask = Ask {
        location: order.location,
        actor: order.actor,
        name: order.name,
        task: Some(order.task),
    };
    ask.run(caller, team, front).await
}

/// A gate run, for a task or for the folder only.
struct Ask<'a> {
    location: &'a TeamLocation,
    actor: &'a Actor,
    name: &'a GateName,
    task: Option<TaskId>,
}

impl Ask<'_> {
    async fn run(
        &self,
        caller: &Caller,
        team: &SharedTeam,
        front: &mut dyn CallFront,
    ) -> Result<(TeamGateRunDoc, String), Failure> {
        let span = RequestSpan::begin("gate", "run", self.task.as_ref().map(|it| it as _));
        span.by(self.actor.label());
        let ran = run_and_log(caller, team, self, front).await;
        if let Ok((document, _)) = &ran {
            span.passed(document.run.passed);
        }
        span.end(ran)
    }
}

async fn run_and_log(
    caller: &Caller,
    team: &SharedTeam,
    ask: &Ask<'_>,
    front: &mut dyn CallFront,
) -> Result<(TeamGateRunDoc, String), Failure> {
    let (location, name, task) = (ask.location, ask.name, ask.task);
    if let Some(task) = task {
        lock(team).task(task).map_err(failure)?;
    }
    let definition = definitions::find(location, name)?;
    let tree = hash_work_tree(caller, location).await?;
    let Some(root) = location.work_tree.clone() else {
        return Err(Failure::new(Code::Tree, "this repository has no work tree"));
    };
    let begun = Instant::now();
    let mut outcome = match &definition {
        GateDefinition::Command(gate) => {
            let order = CommandRun {
                root: &root,
                of: RunOf::Gate(name),
                gate,
            };
            run_command(caller, &order, front).await?
        }
        GateDefinition::Debate(gate) => {
            debate::run(caller, location, &root, (name, gate), front).await?
        }
        GateDefinition::Evidence(gate) => evidence::run(&root, gate)?,
        GateDefinition::Context(gate) => context::run(caller, &root, *gate)?,
        GateDefinition::Review {} => {
            let task = task.ok_or_else(missing_task_failure)?;
            let approved = lock(team).is_approved(task, &tree).map_err(failure)?;
            GateOutcome::new(
                approved,
                match approved {
                    true => "approved by a member who did not work on it",
                    false => "no member who did not work on it approved this tree",
                },
            )
        }
    };
    let took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let after = hash_work_tree(caller, location).await?;
    refuse_other_tree(&mut outcome, &tree, &after);
    // Held until the run is recorded: if the definition changes meanwhile, the result must not
    // count.
    let _lock = definitions::lock(&definitions::path(location))?;
    if definitions::find(location, name)? != definition {
        outcome.passed = false;
        outcome.outcome = "the gate's definition changed while it ran".to_owned();
    }
    let run = GateRun {
        gate: name.clone(),
        tree,
        passed: outcome.passed,
        outcome: outcome.outcome,
        took_ms,
        log: keep_log(location, task, name, &outcome.output)?,
    };
    let submitted = match task {
        Some(task) => record(caller, &mut lock(team), ask, task, &run)?,
        None => None,
    };
    let document = TeamGateRunDoc {
        schema: TEAM_GATE_RUN_SCHEMA,
        task,
        run,
        submitted,
        output_tail: log::last_lines(&outcome.output),
    };
    Ok((document, outcome.output))
}

/// Records a run for its task; returns what the task submitted.
fn record(
    caller: &Caller,
    team: &mut Team,
    ask: &Ask<'_>,
    task: TaskId,
    run: &GateRun,
) -> Result<Option<GateSubmitted>, Failure> {
    team.record_gate(ask.actor, task, run).map_err(failure)?;
    let task = team.task(task).map_err(failure)?;
    Ok(GateSubmitted::of(caller, ask.location, &task, &run.tree))
}

/// Returns the failure for a gate that requires a task.
fn missing_task_failure() -> Failure {
    Failure::new(Code::MissingParameter, "a review gate needs a task")
        .parameter("task")
        .hint(Hint::new("name the task with ").flag_with("task", "TASK"))
}

fn refuse_other_tree(outcome: &mut GateOutcome, before: &TreeHash, after: &TreeHash) {
    if before != after {
        outcome.passed = false;
        outcome.outcome = format!("the tree changed to {after} while it ran");
    }
}

fn keep_log(
    location: &TeamLocation,
    task: Option<TaskId>,
    name: &GateName,
    output: &str,
) -> Result<Option<String>, Failure> {
    if output.is_empty() {
        return Ok(None);
    }
    let kept = log::keep(location, task, name, output);
    let kept = kept.map_err(|error| Failure::from_error(Code::Store, &error))?;
    Ok(Some(kept))
}
