//! A plan is made by a member that reads, in one turn, and checked.

use agon_caller::{CallFront, Failure};
use agon_prompt::team::{MAX_PLANNED_TASKS, plan_order};
use agon_team::store::{PlannedTask, RunDoc};
use serde::Deserialize;

use super::RunContext;
use super::work::MemberTurn;
use crate::door::failure;
use crate::text::{clean, clean_line};

/// How often a plan is asked for.
const MAX_TRIES: usize = 2;

#[derive(Deserialize)]
struct WrittenPlan {
    tasks: Vec<PlannedTask>,
}

impl RunContext<'_> {
    /// Has a plan made, and writes it down; the run stops where none comes.
    pub(super) async fn plan(
        &self,
        run: &RunDoc,
        front: &mut dyn CallFront,
    ) -> Result<(), Failure> {
        let salt = format!("run {}", run.run);
        let mut fault: Option<String> = None;
        for _ in 0..MAX_TRIES {
            front.note("a plan is made");
            let ended = self
                .turn(&MemberTurn {
                    name: format!("{}-planner", self.run),
                    role: "planner",
                    host: self.host(0),
                    task: None,
                    base: run.base.clone(),
                    order: Some(plan_order(&salt, &run.goal, fault.as_deref())),
                })
                .await?;
            let turn = ended.turn;
            match read(turn.reply.as_deref().unwrap_or_default()) {
                Ok(tasks) => {
                    return self
                        .team()
                        .set_plan(&self.actor, self.run, &tasks)
                        .map_err(failure);
                }
                Err(wrong) => fault = Some(wrong),
            }
        }
        let fault = fault.unwrap_or_default();
        self.stop(&format!("there is no plan: {fault}"))
    }
}

/// The tasks of a plan, from the end of a reply.
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
        .ok_or("it has no JSON object with `tasks`, or one with other keys")?;
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
        if task.title.trim().is_empty() || task.title.len() > 200 {
            return Err(format!("task {place} has no title of one line"));
        }
        if task.spec.len() > 16_000 {
            return Err(format!("the spec of task {place} is too long"));
        }
        if let Some(wrong) = task.needs.iter().find(|&&need| need == 0 || need >= place) {
            return Err(format!(
                "task {place} needs task {wrong}, which does not stand before it"
            ));
        }
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

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
