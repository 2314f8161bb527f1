//! Asks the planner for a plan, in one turn, and checks it.

use agon_caller::{CallFront, Failure};
use agon_prompt::team::{MAX_PLANNED_TASKS, PlanBriefing, plan_order};
use agon_team::run_policy::{RunPolicy, TaskWeight};
use agon_team::store::{PlannedTask, RunDoc};
use serde::Deserialize;

use super::RunContext;
use super::work::MemberTurn;
use crate::open_team::failure;
use crate::text::{clean, clean_line};

/// The role that makes plans.
pub(super) const PLANNER: &str = "planner";
/// The most times a plan is asked for.
const MAX_TRIES: usize = 2;
/// Maximum size of a title, in bytes.
const MAX_TITLE: usize = 200;

#[derive(Deserialize)]
struct WrittenPlan {
    tasks: Vec<PlannedTask>,
}

impl RunContext<'_> {
    /// Gets a plan and records it; stops the run if there is none. In a team without a planner, the
    /// goal becomes the only task.
    pub(super) async fn plan(
        &self,
        run: &RunDoc,
        front: &mut dyn CallFront,
    ) -> Result<(), Failure> {
        let tasks = if self.policy.has(PLANNER) {
            let report = self.scout_report(run, front).await?;
            let briefing = PlanBriefing {
                report: report.as_deref(),
                ..PlanBriefing::default()
            };
            self.say(front, "planning…");
            let Some(tasks) = self.ask_planner(run, briefing).await? else {
                return Ok(());
            };
            tasks
        } else {
            vec![only_task(&run.goal)]
        };
        self.announce_plan(front, &tasks);
        self.team()
            .set_plan(&self.actor, self.run, &tasks)
            .map_err(failure)
    }

    /// Lets the planner revise its plan after the objections, and starts the work.
    pub(super) async fn answer(
        &self,
        run: &RunDoc,
        (plan, objections): (&str, &str),
        front: &mut dyn CallFront,
    ) -> Result<(), Failure> {
        self.say(front, "the planner is answering the objections");
        let briefing = PlanBriefing {
            objections: Some((plan, objections)),
            ..PlanBriefing::default()
        };
        let Some(tasks) = self.ask_planner(run, briefing).await? else {
            return Ok(());
        };
        self.announce_plan(front, &tasks);
        self.team()
            .begin_revised_work(&self.actor, self.run, &tasks)
            .map_err(failure)
    }

    /// Returns the planner's plan. Returns `None` if the planner did not make a valid plan; the run
    /// is stopped then.
    async fn ask_planner(
        &self,
        run: &RunDoc,
        briefing: PlanBriefing<'_>,
    ) -> Result<Option<Vec<PlannedTask>>, Failure> {
        let salt = format!("run {}", run.run);
        let weights = weights(&self.policy);
        let mut fault: Option<String> = None;
        for _ in 0..MAX_TRIES {
            let briefing = PlanBriefing {
                goal: &run.goal,
                weights: &weights,
                fault: fault.as_deref(),
                ..briefing
            };
            let ended = self
                .turn(&MemberTurn {
                    name: format!("{}-{PLANNER}", self.run),
                    role: PLANNER,
                    host: self.host(PLANNER, 0),
                    task: None,
                    base: run.base.clone(),
                    order: Some(plan_order(&salt, &briefing)),
                })
                .await?;
            match read(ended.turn.reply.as_deref().unwrap_or_default()) {
                Ok(tasks) => return Ok(Some(tasks)),
                Err(wrong) => fault = Some(wrong),
            }
        }
        let fault = fault.unwrap_or_default();
        self.stop(&format!("the planner made no valid plan: {fault}"))?;
        Ok(None)
    }
}

/// Returns the weights that a planner may use: those whose role the team has, and the default.
fn weights(policy: &RunPolicy) -> Vec<&'static str> {
    let all = TaskWeight::ALL.into_iter();
    let wanted = all.filter(|it| *it == TaskWeight::Standard || policy.has(it.role()));
    wanted.map(TaskWeight::as_str).collect()
}

/// Returns the only task of a team without a planner: the goal, with its first line as the title.
fn only_task(goal: &str) -> PlannedTask {
    let title = clean_line(goal.trim().lines().next().unwrap_or_default());
    PlannedTask {
        title: title.chars().take(MAX_TITLE / 4).collect(),
        spec: clean(goal),
        ..PlannedTask::default()
    }
}

/// Parses the tasks of a plan from the end of a reply.
fn read(reply: &str) -> Result<Vec<PlannedTask>, String> {
    let end = reply.rfind('}').map(|at| at + 1);
    let starts = reply.match_indices('{').map(|(at, _)| at);
    let parsed = starts.filter_map(|start| {
        let text = reply.get(start..end?)?;
        serde_json::from_str::<WrittenPlan>(text).ok()
    });
    let plan = parsed
        .into_iter()
        .next()
        .ok_or("it has no JSON object with `tasks` and only valid keys and values")?;
    if plan.tasks.is_empty() || plan.tasks.len() > MAX_PLANNED_TASKS {
        return Err(format!(
            "it has {} tasks, not 1 to {MAX_PLANNED_TASKS}",
            plan.tasks.len()
        ));
    }
    let mut tasks = plan.tasks;
    for task in &mut tasks {
        task.title = clean_line(&task.title);
        task.spec = clean(&task.spec);
    }
    for (place, task) in (1..).zip(&tasks) {
        if task.title.trim().is_empty() || task.title.len() > MAX_TITLE {
            return Err(format!(
                "task {place} has no title, or one over {MAX_TITLE} bytes"
            ));
        }
        if task.spec.len() > 16_000 {
            return Err(format!("the spec of task {place} is too long"));
        }
        if let Some(wrong) = task.needs.iter().find(|&&need| need == 0 || need >= place) {
            return Err(format!(
                "task {place} needs task {wrong}, which is not before it"
            ));
        }
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use agon_prompt::team::TASK_WEIGHTS;

    use super::*;

    #[test]
    fn the_planner_knows_every_weight_and_is_told_those_of_its_team() {
        let names: Vec<&str> = TASK_WEIGHTS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, TaskWeight::ALL.map(TaskWeight::as_str));
        let policy = RunPolicy {
            members: [("quick".to_owned(), 1), ("scribe".to_owned(), 1)].into(),
            ..RunPolicy::default()
        };
        assert_eq!(weights(&policy), ["quick", "standard", "docs"]);
    }

    #[test]
    fn a_goal_is_the_one_task_of_a_team_without_a_planner() {
        let task = only_task("Greet by name.\nWith a test.");
        assert_eq!(task.title, "Greet by name.");
        assert_eq!(task.spec, "Greet by name.\nWith a test.");
        let long = only_task(&"é".repeat(400));
        assert_eq!(long.title.chars().count(), 50);
    }

    #[test]
    fn a_plan_says_how_heavy_and_how_risky_a_task_is() {
        let reply = r#"{"tasks": [{"title": "a", "weight": "ui-heavy", "risky": true, "irreversible": true}, {"title": "b"}]}"#;
        let tasks = read(reply).unwrap();
        assert_eq!(tasks[0].weight, TaskWeight::UiHeavy);
        assert!(tasks[0].risky && tasks[0].irreversible);
        assert_eq!(
            (tasks[1].weight, tasks[1].risky),
            (TaskWeight::Standard, false)
        );
        let refused = read(r#"{"tasks": [{"title": "a", "weight": "huge"}]}"#).unwrap_err();
        assert!(refused.contains("valid keys and values"), "{refused}");
    }

    #[test]
    fn a_plan_is_read_from_the_end_of_a_reply() {
        let reply = "I looked at {everything}.\n```json\n{\"tasks\": [{\"title\": \"a\"}, \
                     {\"title\": \"b\", \"spec\": \"x {y}\", \"needs\": [1]}]}\n```\n";
        let tasks = read(reply).unwrap();
        assert_eq!(tasks.len(), 2);
        assert_eq!(tasks[1].needs, [1].into());
    }

    #[test]
    fn a_plan_that_cannot_be_carried_out_is_refused_with_the_reason() {
        for (reply, reason) in [
            ("No plan.", "no JSON object"),
            (r#"{"tasks": []}"#, "0 tasks"),
            (r#"{"tasks": [{"title": ""}]}"#, "no title"),
            (
                r#"{"tasks": [{"title": "a", "needs": [1]}]}"#,
                "needs task 1",
            ),
            (
                r#"{"tasks": [{"title": "a", "needs": [2]}, {"title": "b"}]}"#,
                "needs task 2",
            ),
            (
                r#"{"tasks": [{"title": "a", "run": "rm -rf /"}]}"#,
                "no JSON object",
            ),
        ] {
            let refused = read(reply).unwrap_err();
            assert!(refused.contains(reason), "{reply}: {refused}");
        }
    }
}
