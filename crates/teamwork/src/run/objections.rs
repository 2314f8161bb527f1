//! Collects statements before the work starts: a scout's report on the project, and the objections
//! of a critic and a devil's advocate to the plan. Each is asked once; the replies are stored
//! beside the team's file.

use std::path::PathBuf;

use agon_caller::{CallFront, Code, Failure};
use agon_files::Durable;
use agon_prompt::team::{Order, critic_order, scout_order};
use agon_team::run_policy::RunPolicy;
use agon_team::store::RunDoc;

use super::RunContext;
use super::work::MemberTurn;
use crate::text::{clean_line, short_hash};

/// The roles that raise objections.
pub(super) const OBJECTORS: [&str; 2] = ["critic", "devil"];
/// The role that reports to the planner.
pub(super) const SCOUT: &str = "scout";
/// The most times each is asked.
const MAX_TRIES: usize = 2;
/// The characters of a statement that others get.
const MAX_CHARS: usize = 8_000;
/// Maximum size of a stored statement, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the members of a team that object to its plans.
fn objectors(policy: &RunPolicy) -> impl Iterator<Item = &'static str> {
    OBJECTORS.into_iter().filter(|role| policy.has(role))
}

/// Returns whether a team has members that object to its plans.
pub(super) fn has_objectors(policy: &RunPolicy) -> bool {
    objectors(policy).next().is_some()
}

fn has_scout(policy: &RunPolicy) -> bool {
    policy.has(SCOUT)
}

/// Returns every member of a team that is asked before the work starts.
#[cfg(test)]
pub(crate) fn statement_roles(policy: &RunPolicy) -> Vec<&'static str> {
    let scout = has_scout(policy).then_some(SCOUT);
    scout.into_iter().chain(objectors(policy)).collect()
}

impl RunContext<'_> {
    /// Returns the objections of each objector. Returns `None` if one of them did not reply; the
    /// run is stopped then.
    pub(super) async fn objections(
        &self,
        run: &RunDoc,
        plan: &str,
        front: &mut dyn CallFront,
    ) -> Result<Option<Vec<(&'static str, String)>>, Failure> {
        let mut all = Vec::new();
        let objectors = objectors(&self.policy);
        for (place, role) in (1..).zip(objectors) {
            let order = critic_order(&format!("objection {}", run.run), plan);
            let asked = (role, place);
            let said = self
                .obtain_statement(run, asked, (plan, &order), front)
                .await?;
            let Some(said) = said else {
                self.stop(&format!("{role} gave no reply about the plan"))?;
                return Ok(None);
            };
            let first = said.lines().find(|line| !line.trim().is_empty());
            let first = clean_line(first.unwrap_or_default());
            self.say(front, &format!("{role} objects: {first}"));
            all.push((role, said));
        }
        Ok(Some(all))
    }

    /// Returns the scout's report, or `None` if the team has no scout or it gave no reply.
    pub(super) async fn scout_report(
        &self,
        run: &RunDoc,
        front: &mut dyn CallFront,
    ) -> Result<Option<String>, Failure> {
        if !has_scout(&self.policy) {
            return Ok(None);
        }
        let order = scout_order(&format!("report {}", run.run), &run.goal);
        let said = self
            .obtain_statement(run, (SCOUT, 1), (&run.goal, &order), front)
            .await?;
        self.say(
            front,
            match &said {
                Some(_) => "the scout reported to the planner",
                None => "the scout gave no reply; planning continues without its report",
            },
        );
        Ok(said)
    }

    /// Returns a role's statement about `subject`: the stored one, otherwise its reply to `order`.
    async fn obtain_statement(
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
            &format!("asking {role} in {}", self.host(role, place)),
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

    /// Returns the path of a role's statement. It contains a hash of the subject, so that
    /// statements of an earlier team do not count.
    fn statement_file(&self, role: &str, subject: &str) -> Result<PathBuf, Failure> {
        let hash = short_hash(subject);
        let folder = self.runs_folder()?;
        Ok(folder.join(format!("{}-{role}-{hash}.md", self.run)))
    }
}
