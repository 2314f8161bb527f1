//! Who works on which task of a run, in which AI tool.

use agon_caller::Failure;
use agon_team::store::PlannedTask;
use agon_team::task::Task;

use super::RunContext;
use crate::door::failure;
use crate::run_policy::at_once;

/// The role of a task in a team that has none which makes changes; no such team is accepted.
const WORKER: &str = "worker";

impl RunContext<'_> {
    /// The place of a task in its run: by it the tools are given to its author and to those who check.
    pub(super) fn place_of(&self, task: &Task) -> Result<usize, Failure> {
        let run = self.team().run(self.run).map_err(failure)?;
        let place = run.tasks.iter().position(|it| it.task == task.id);
        Ok(place.unwrap_or_default())
    }

    /// What the plan says of a task.
    pub(super) fn planned(&self, task: &Task) -> Result<PlannedTask, Failure> {
        let run = self.team().run(self.run).map_err(failure)?;
        // Tasks are added in the order of the plan, and their numbers rise.
        let place = run.tasks.iter().position(|it| it.task == task.id);
        let plan = run.plan.unwrap_or_default();
        let planned = place.and_then(|place| plan.into_iter().nth(place));
        Ok(planned.unwrap_or_default())
    }

    /// The role that works on a task.
    pub(super) fn role_of(&self, task: &Task) -> Result<&'static str, Failure> {
        let weight = self.planned(task)?.weight;
        Ok(self.policy.worker_for(weight).unwrap_or(WORKER))
    }

    /// The role that works on a task, and its AI tool.
    pub(super) fn author_of(&self, task: &Task) -> Result<(&'static str, &str), Failure> {
        let role = self.role_of(task)?;
        Ok((role, self.host(role, self.place_of(task)?)))
    }

    /// The tasks that begin now, of those that can.
    pub(super) fn begin_now(&self, ready: Vec<Task>) -> Result<Vec<Task>, Failure> {
        let roles: Vec<&str> = ready
            .iter()
            .map(|task| self.role_of(task))
            .collect::<Result<_, _>>()?;
        let places = self.policy.begin_now(&roles, at_once(&self.policy));
        let chosen = ready.into_iter().enumerate();
        let chosen = chosen.filter(|(place, _)| places.contains(place));
        Ok(chosen.map(|(_, task)| task).collect())
    }
}
