//! Prints the progress of a run.

use agon_caller::CallFront;
use agon_team::run_policy::RunPolicy;
use agon_team::store::PlannedTask;

use super::RunContext;
use crate::run_policy::max_parallel_tasks;
use crate::text::clean_line;

impl RunContext<'_> {
    /// Prints a step with the elapsed time and the tokens used so far.
    pub(super) fn say(&self, front: &mut dyn CallFront, said: &str) {
        let tokens = self.team().run(self.run).map_or(0, |run| run.tokens);
        front.note(&step_line(said, self.begun.elapsed().as_secs(), tokens));
    }

    /// Prints the team and how many tasks run at once.
    pub(super) fn announce_team(&self, front: &mut dyn CallFront) {
        front.note(&team_line(&self.policy));
        let at_once = max_parallel_tasks(&self.policy);
        if u32::try_from(at_once).is_ok_and(|at_once| at_once < self.policy.parallel) {
            let parallel = self.policy.parallel;
            front.note(&format!(
                "running {at_once} tasks at once, not {parallel}: this machine has too few processors"
            ));
        }
    }

    /// Prints a plan.
    pub(super) fn announce_plan(&self, front: &mut dyn CallFront, plan: &[PlannedTask]) {
        for (place, task) in (1..).zip(plan) {
            front.note(&plan_line(&self.policy, place, task));
        }
    }
}

fn step_line(said: &str, seconds: u64, tokens: u64) -> String {
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    format!("{said} ({minutes}:{seconds:02}, {tokens} tokens)")
}

/// Describes the team of a run in one line.
fn team_line(policy: &RunPolicy) -> String {
    let members = policy.members.iter().map(|(role, count)| match count {
        1 => role.clone(),
        count => format!("{role} x{count}"),
    });
    let members: Vec<String> = members.collect();
    let profile = policy.profile.as_deref();
    let profile = profile.map_or_else(String::new, |name| format!(" (profile {name})"));
    format!(
        "team {}{profile}: {}; changes are reviewed by {}",
        policy.team,
        members.join(", "),
        policy.checked_by.join(", ")
    )
}

/// Describes a task of a plan in one line: its weight, its worker, its marks and its dependencies.
fn plan_line(policy: &RunPolicy, place: usize, task: &PlannedTask) -> String {
    let weight = task.weight;
    let role = policy.worker_for(weight).unwrap_or("nobody");
    let mut said = vec![weight.as_str().to_owned()];
    said.push(match role == weight.role() {
        true => role.to_owned(),
        false => format!("{role}, because the team has no {}", weight.role()),
    });
    if task.irreversible {
        said.push("irreversible".to_owned());
    }
    if task.risky {
        said.push("risky".to_owned());
    }
    if !task.needs.is_empty() {
        let needs: Vec<String> = task.needs.iter().map(ToString::to_string).collect();
        said.push(format!("after {}", needs.join(" and ")));
    }
    format!(
        "  {place}. {} ({})",
        clean_line(&task.title),
        said.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use agon_team::run_policy::TaskWeight;

    use super::*;

    #[test]
    fn a_run_prints_its_team_its_plan_and_how_far_it_is() {
        let policy = RunPolicy {
            profile: Some("standard".to_owned()),
            members: [("worker".to_owned(), 2), ("reviewer".to_owned(), 1)].into(),
            ..RunPolicy::default()
        };
        assert_eq!(
            team_line(&policy),
            "team solo (profile standard): reviewer, worker x2; changes are reviewed by reviewer"
        );
        let task = PlannedTask {
            title: "Drop the table".to_owned(),
            weight: TaskWeight::Deep,
            needs: [1, 2].into(),
            risky: true,
            irreversible: true,
            ..PlannedTask::default()
        };
        assert_eq!(
            plan_line(&policy, 3, &task),
            "  3. Drop the table (deep; worker, because the team has no deep-worker; irreversible; risky; \
             after 1 and 2)"
        );
        assert_eq!(
            step_line("t1 is merged", 125, 42),
            "t1 is merged (2:05, 42 tokens)"
        );
    }
}
