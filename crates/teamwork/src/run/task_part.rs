//! Assigns the tasks of a run to roles and AI tools.

use agon_caller::Failure;
use agon_team::id::TaskId;
use agon_team::store::{PlannedTask, RunDoc, StoreError};
use agon_team::task::Task;

use super::RunContext;
use crate::open_team::failure;
use crate::run_policy::max_parallel_tasks;

/// A task of a run with its plan and role, read once per step.
#[derive(Debug)]
pub(super) struct TaskPart<'a> {
    /// Its position in the run, which decides the tools of its author and reviewers.
    pub(super) place: usize,
    /// Its entry in the plan.
    pub(super) planned: &'a PlannedTask,
    /// The role that works on it.
    pub(super) role: &'static str,
}

impl<'a> TaskPart<'a> {
    /// Looks up a task in its run.
    ///
    /// # Errors
    ///
    /// Fails if the run or its plan lacks the task, or no member of its team makes changes.
    pub(super) fn of(run: &'a RunDoc, task: TaskId) -> Result<Self, Failure> {
        let missing = |what: &str| {
            let message = format!("{} has no {what} for {task}", run.run);
            failure(StoreError::Damaged(message))
        };
        // Tasks are added in the order of the plan, so a task has the same position in the run and
        // in the plan.
        let place = run.tasks.iter().position(|it| it.task == task);
        let place = place.ok_or_else(|| missing("place"))?;
        let planned = run.plan.iter().flatten().nth(place);
        let planned = planned.ok_or_else(|| missing("plan"))?;
        let role = run.policy.worker_for(planned.weight);
        Ok(Self {
            place,
            planned,
            role: role.ok_or_else(|| missing("role"))?,
        })
    }
}

impl RunContext<'_> {
    /// Returns the AI tool of a task's author.
    pub(super) fn author_host(&self, part: &TaskPart<'_>) -> &str {
        self.host(part.role, part.place)
    }

    /// Chooses which of the ready tasks start now, within the run's limits.
    pub(super) fn choose_to_start<'a>(
        &self,
        run: &'a RunDoc,
        ready: Vec<Task>,
    ) -> Result<Vec<(Task, TaskPart<'a>)>, Failure> {
        let ready = ready.into_iter().map(|task| {
            let part = TaskPart::of(run, task.id)?;
            Ok((task, part))
        });
        let ready: Vec<(Task, TaskPart<'_>)> = ready.collect::<Result<_, Failure>>()?;
        let roles: Vec<&str> = ready.iter().map(|(_, part)| part.role).collect();
        let places = self
            .policy
            .choose_to_start(&roles, max_parallel_tasks(&self.policy));
        let chosen = ready.into_iter().enumerate();
        let chosen = chosen.filter(|(place, _)| places.contains(place));
        Ok(chosen.map(|(_, begun)| begun).collect())
    }
}

#[cfg(test)]
mod tests {
    use agon_hosts::defaults::teams::TeamPart;
    use agon_install::team_files::team_content;
    use agon_prompt::team::{CHECKERS, Checker};
    use agon_team::id::RunId;
    use agon_team::run_policy::{RunPolicy, TaskWeight};
    use agon_team::store::{RunStage, RunTask};

    use super::*;
    use crate::run::objections::{OBJECTORS, SCOUT};
    use crate::run::plan::PLANNER;

    #[test]
    fn a_run_calls_each_role_for_what_the_settings_of_a_team_say() {
        for role in team_content().unwrap().roles {
            let name = role.name.as_str();
            let called = [
                (name == PLANNER, TeamPart::Plans),
                (name == SCOUT, TeamPart::Reports),
                (OBJECTORS.contains(&name), TeamPart::Objects),
                (
                    TaskWeight::ALL.iter().any(|it| it.role() == name),
                    TeamPart::Works,
                ),
                (Checker::for_role(name).is_some(), TeamPart::Checks),
            ];
            let called = called
                .into_iter()
                .filter_map(|(is, part)| is.then_some(part));
            let called: Vec<TeamPart> = called.collect();
            let expected: Vec<TeamPart> = TeamPart::of_role(name).into_iter().collect();
            assert_eq!(called, expected, "{name}");
        }
    }

    #[test]
    fn the_role_of_a_checker_ends_its_example_with_one_of_its_verdicts() {
        let roles = team_content().unwrap().roles;
        for checker in CHECKERS {
            let role = roles.iter().find(|it| it.name == checker.role).unwrap();
            let text = role.instructions();
            let verdicts: Vec<&str> = text.lines().filter(|it| it.contains("Verdict:")).collect();
            assert_eq!(verdicts.len(), 1, "{}: {verdicts:?}", checker.role);
            assert!(checker.verdict(verdicts[0]).is_some(), "{verdicts:?}");
        }
    }

    #[test]
    fn a_task_that_the_run_or_its_plan_does_not_have_is_an_error() {
        let planned = |weight| PlannedTask {
            weight,
            ..PlannedTask::default()
        };
        let task = |number| RunTask {
            task: TaskId::new(number),
            merged: None,
            returned: 0,
        };
        let run = RunDoc {
            run: RunId::new(1),
            goal: String::new(),
            hosts: Vec::new(),
            gates: [].into(),
            policy: RunPolicy {
                members: [("worker".to_owned(), 1), ("quick".to_owned(), 1)].into(),
                ..RunPolicy::default()
            },
            base: String::new(),
            stage: RunStage::Working,
            plan: Some(vec![
                planned(TaskWeight::Standard),
                planned(TaskWeight::Quick),
            ]),
            agreed: false,
            debate: None,
            note: None,
            max_tokens: None,
            tokens: 0,
            tasks: vec![task(4), task(5), task(7)],
        };
        let part = TaskPart::of(&run, TaskId::new(5)).unwrap();
        assert_eq!((part.place, part.role), (1, "quick"));
        let refused =
            |run: &RunDoc, task| TaskPart::of(run, TaskId::new(task)).unwrap_err().message;
        let said = refused(&run, 6);
        assert!(said.contains("r1 has no place for t6"), "{said}");
        let said = refused(&run, 7);
        assert!(said.contains("r1 has no plan for t7"), "{said}");
        let policy = RunPolicy {
            members: [("reviewer".to_owned(), 1)].into(),
            ..RunPolicy::default()
        };
        let said = refused(&RunDoc { policy, ..run }, 5);
        assert!(said.contains("r1 has no role for t5"), "{said}");
    }
}
