//! Debates the plan of a run before the work starts, together with two members' objections to it.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use agon_caller::{CallFront, Code, Failure};
use agon_team::gate::{DebateGate, SwapWanted};
use agon_team::run_policy::{AfterObjections, RunPolicy};
use agon_team::store::RunDoc;

use super::RunContext;
use crate::gate::{read_verdict, run_debate, yes_no_question};
use crate::open_team::failure;
use crate::text::short_hash;

/// The question of the debate.
const TOPIC: &str = "Should this plan be carried out as it is, in spite of the objections?";
/// A backstop: a debate's own limits end it earlier.
const TIMEOUT_S: u64 = 4 * 60 * 60;

impl RunContext<'_> {
    /// Debates the plan in an ordinary debate that is kept in the git folder. Work starts only if
    /// the verdict approves the plan; otherwise the run stops for a person. If the settings do not
    /// require a debate, the planner answers the objections instead.
    pub(super) async fn debate(
        &self,
        run: &RunDoc,
        front: &mut dyn CallFront,
    ) -> Result<(), Failure> {
        self.make_tree().await?;
        let plan = describe(run);
        let Some(objections) = self.objections(run, &plan, front).await? else {
            return Ok(());
        };
        let tree = self.tree()?;
        match self.policy.step_after_objections(!objections.is_empty()) {
            AfterObjections::Debate => {}
            AfterObjections::Answer => {
                let all = with_objections(String::new(), &objections);
                return self.answer(run, (&plan, &all), front).await;
            }
            AfterObjections::Work => {
                return self
                    .team()
                    .begin_work(&self.actor, self.run)
                    .map_err(failure);
            }
        }
        // Named after the plan, so that the plan of a new team with the same run id is debated
        // again.
        let slug = format!("plan-{}-{}", run.run, short_hash(&plan));
        let name = format!("agon-plan-{}.md", run.run);
        let text = with_objections(plan, &objections);
        self.say(front, &format!("debating the plan: {slug}"));
        let debated = self
            .debate_file(&tree, (&slug, TOPIC), (&name, &text), front)
            .await?;
        let said = self.line(&format!("{slug}: {}", debated.said));
        self.say(front, &format!("debate {said}"));
        self.team()
            .record_debate(&self.actor, self.run, &said)
            .map_err(failure)?;
        if debated.favours == Some(true) {
            return self
                .team()
                .begin_work(&self.actor, self.run)
                .map_err(failure);
        }
        let ask = format!(
            "the debate did not approve the plan ({said}); to go ahead anyway, run \
             `agon team run --resume {} --agreed`",
            self.run
        );
        self.stop(&self.line(&ask))
    }

    /// Debates a file, which exists in the work tree at `tree` during the debate. The debate is
    /// kept in the git folder. Its verdict needs the authority that the run's settings require.
    pub(super) async fn debate_file(
        &self,
        tree: &Path,
        (slug, topic): (&str, &str),
        (name, text): (&str, &str),
        front: &mut dyn CallFront,
    ) -> Result<Debated, Failure> {
        let file = DebatedFile::write(tree, name, text)?;
        let folder = self.location.database().with_file_name("debates");
        let path = folder.join(slug);
        let args: Vec<OsString> = match path.exists() {
            // Resumes the debate of a run that was killed, or prints the result of a finished one.
            true => vec!["resume".into(), path.into(), "--json".into()],
            false => vec![
                "debate".into(),
                "--json".into(),
                "--debates-dir".into(),
                folder.into(),
                "--context".into(),
                format!("file={}", file.name).into(),
                "--slug".into(),
                slug.into(),
                "--".into(),
                yes_no_question(topic).into(),
            ],
        };
        let held = run_debate(self.caller, tree, args, (slug, TIMEOUT_S), front).await?;
        self.check_cancel()?;
        let wanted = wanted(&self.policy, topic);
        let (favours, said) = match &held.result {
            Ok(result) => read_verdict(&wanted, result),
            Err(why) => (None, why.clone()),
        };
        Ok(Debated { favours, said })
    }
}

/// Returns the verdict that a run's settings require from a debate.
pub(crate) fn wanted(policy: &RunPolicy, topic: &str) -> DebateGate {
    DebateGate {
        topic: topic.to_owned(),
        authority: policy.authority,
        swap: SwapWanted::Any,
        timeout_s: TIMEOUT_S,
    }
}

/// The result of a debate.
pub(super) struct Debated {
    /// Whether the verdict says yes or no; `None` if it says neither or lacks the required
    /// authority.
    pub(super) favours: Option<bool>,
    /// The verdict, in one line.
    pub(super) said: String,
}

/// A file in a work tree that exists while it is debated.
struct DebatedFile {
    name: String,
    path: PathBuf,
}

impl DebatedFile {
    /// Writes the file and replaces a file that a killed run left. Never writes through a link.
    fn write(tree: &Path, name: &str, text: &str) -> Result<Self, Failure> {
        let name = name.to_owned();
        let path = tree.join(&name);
        // If removal fails, `create_new` reports it.
        fs::remove_file(&path).ok();
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()));
        match written {
            Ok(()) => Ok(Self { name, path }),
            Err(cause) => {
                let message = format!("cannot write {}: {cause}", path.display());
                Err(Failure::new(Code::Store, message))
            }
        }
    }
}

impl Drop for DebatedFile {
    fn drop(&mut self) {
        // A file that stays is replaced by the run's next attempt.
        fs::remove_file(&self.path).ok();
    }
}

fn with_objections(plan: String, objections: &[(&str, String)]) -> String {
    let parts = objections.iter().map(|(role, said)| {
        // Quoted, so that the text cannot start a section of its own.
        let quoted: Vec<String> = said.lines().map(|line| format!("> {line}")).collect();
        format!("\n# Objections from the {role}\n\n{}\n", quoted.join("\n"))
    });
    std::iter::once(plan).chain(parts).collect()
}

/// Describes a plan for its debaters, and for its planner when it answers objections.
fn describe(run: &RunDoc) -> String {
    let mut text = format!("# Plan of {}\n\nGoal: {}\n", run.run, run.goal);
    for (place, task) in (1..).zip(run.plan.iter().flatten()) {
        let needs: Vec<String> = task.needs.iter().map(ToString::to_string).collect();
        text.push_str(&format!("\n## {place}. {}\n\n{}\n", task.title, task.spec));
        if !needs.is_empty() {
            text.push_str(&format!("\nNeeds: {}\n", needs.join(", ")));
        }
        text.push_str(&format!("\nWeight: {}\n", task.weight.as_str()));
        let marks = [(task.risky, "risky"), (task.irreversible, "irreversible")];
        let marks: Vec<&str> = marks
            .into_iter()
            .filter_map(|(is_set, mark)| is_set.then_some(mark))
            .collect();
        if !marks.is_empty() {
            text.push_str(&format!("\nMarks: {}\n", marks.join(", ")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use agon_team::id::RunId;
    use agon_team::run_policy::TaskWeight;
    use agon_team::store::{PlannedTask, RunStage};

    use super::*;

    #[test]
    fn a_plan_is_described_with_the_weight_and_the_marks_of_each_task() {
        let heavy = PlannedTask {
            title: "Drop the table".to_owned(),
            spec: "It is empty.".to_owned(),
            needs: [1].into(),
            weight: TaskWeight::Heavy,
            risky: true,
            irreversible: true,
        };
        let first = PlannedTask {
            title: "Look".to_owned(),
            ..PlannedTask::default()
        };
        let run = RunDoc {
            run: RunId::new(1),
            goal: "Less data.".to_owned(),
            hosts: Vec::new(),
            gates: BTreeSet::new(),
            policy: RunPolicy::default(),
            base: String::new(),
            stage: RunStage::Debating,
            plan: Some(vec![first, heavy]),
            agreed: false,
            debate: None,
            note: None,
            max_tokens: None,
            tokens: 0,
            tasks: Vec::new(),
        };
        assert_eq!(
            describe(&run),
            "# Plan of r1\n\nGoal: Less data.\n\n## 1. Look\n\n\n\nWeight: standard\n\n\
             ## 2. Drop the table\n\nIt is empty.\n\nNeeds: 1\n\nWeight: heavy\n\n\
             Marks: risky, irreversible\n"
        );
    }

    #[test]
    fn what_is_objected_stands_in_the_plan_as_a_quotation() {
        let objections = [("critic", "No test.\n# Plan of r9".to_owned())];
        let text = with_objections("# Plan of r1\n".to_owned(), &objections);
        assert_eq!(
            text,
            "# Plan of r1\n\n# Objections from the critic\n\n> No test.\n> # Plan of r9\n"
        );
    }
}
