//! What members say before the work begins: a scout of the project, a critic and an advocate of the
//! contrary of the plan. Each is asked once; its words are kept beside the team's file.

use std::path::PathBuf;

use agon_caller::{CallFront, Code, Failure};
use agon_files::Durable;
use agon_prompt::team::{Order, objection_order, report_order};
use agon_team::run_policy::RunPolicy;
use agon_team::store::RunDoc;

use super::RunContext;
use super::work::MemberTurn;
use crate::text::{clean_line, short_hash};

/// The roles that object.
pub(super) const OBJECTORS: [&str; 2] = ["critic", "devil"];
/// The role that reports to the planner.
pub(super) const SCOUT: &str = "scout";
/// How often each is asked.
const MAX_TRIES: usize = 2;
/// Characters of what one says that others are given.
const MAX_CHARS: usize = 8_000;
/// The most bytes of a file with what one said that are read.
const MAX_BYTES: u64 = 1 << 20;

/// The members of a team that object to its plans.
fn objectors(policy: &RunPolicy) -> impl Iterator<Item = &'static str> {
    OBJECTORS.into_iter().filter(|role| policy.has(role))
}

/// Whether a team has members that object to its plans.
pub(super) fn has_objectors(policy: &RunPolicy) -> bool {
    objectors(policy).next().is_some()
}

fn has_scout(policy: &RunPolicy) -> bool {
    policy.has(SCOUT)
}

/// Every member of a team that is asked before the work begins.
#[cfg(test)]
pub(crate) fn members_that_speak(policy: &RunPolicy) -> Vec<&'static str> {
    let scout = has_scout(policy).then_some(SCOUT);
    scout.into_iter().chain(objectors(policy)).collect()
}

impl RunContext<'_> {
    /// What each of the team's objectors says. None where one said nothing: the run is stopped then.
    pub(super) async fn objections(
        &self,
        run: &RunDoc,
        plan: &str,
        front: &mut dyn CallFront,
    ) -> Result<Option<Vec<(&'static str, String)>>, Failure> {
        let mut all = Vec::new();
        let objectors = objectors(&self.policy);
        for (place, role) in (1..).zip(objectors) {
            let order = objection_order(&format!("objection {}", run.run), plan);
            let asked = (role, place);
            let said = self.statement_of(run, asked, (plan, &order), front).await?;
            let Some(said) = said else {
                self.stop(&format!("{role} said nothing of the plan"))?;
                return Ok(None);
            };
            let first = said.lines().find(|line| !line.trim().is_empty());
            let first = clean_line(first.unwrap_or_default());
            self.say(front, &format!("{role} objects: {first}"));
            all.push((role, said));
        }
        Ok(Some(all))
    }

    /// What the scout of the team found; none where the team has none, or it said nothing.
    pub(super) async fn scout_report(
        &self,
        run: &RunDoc,
        front: &mut dyn CallFront,
    ) -> Result<Option<String>, Failure> {
        if !has_scout(&self.policy) {
            return Ok(None);
        }
        let order = report_order(&format!("report {}", run.run), &run.goal);
        let said = self
            .statement_of(run, (SCOUT, 1), (&run.goal, &order), front)
            .await?;
        self.say(
            front,
            match &said {
                Some(_) => "the scout reported to the planner",
                None => "the scout said nothing; the plan is made without its report",
            },
        );
        Ok(said)
    }

    /// What a role says of `subject` when it is given `order`: what is kept of it, else its reply.
    async fn statement_of(
        &self,
        run: &RunDoc,
        (role, place): (&'static str, usize),
        (subject, order): (&str, &Order),
        front: &mut dyn CallFront,
    ) -> Result<Option<String>, Failure> {
        let path = self.statement_file(role, subject)?;
        if let Ok(kept) = agon_files::read_to_string(&path, MAX_BYTES) {
            return Ok(Some(kept));
        }
        self.say(
            front,
            &format!("{role} is asked, in {}", self.host(role, place)),
        );
        for _ in 0..MAX_TRIES {
            let ended = self
                .turn(&MemberTurn {
                    name: format!("{}-{role}", self.run),
                    role,
                    host: self.host(role, place),
                    task: None,
                    base: run.base.clone(),
                    order: Some(order.clone()),
                })
                .await?;
            let said = ended.turn.reply.unwrap_or_default();
            if said.trim().is_empty() {
                continue;
            }
            let said: String = said.chars().take(MAX_CHARS).collect();
            let written = agon_files::replace(&path, said.as_bytes(), 0o600, Durable::No);
            written.map_err(|cause| {
                let message = format!("cannot write {}: {cause}", path.display());
                Failure::new(Code::Store, message)
            })?;
            return Ok(Some(said));
        }
        Ok(None)
    }

    /// Named by the subject besides, so that those of a team that was begun again do not count.
    fn statement_file(&self, role: &str, subject: &str) -> Result<PathBuf, Failure> {
        let hash = short_hash(subject);
        let folder = self.runs_folder()?;
        Ok(folder.join(format!("{}-{role}-{hash}.md", self.run)))
    }
}
