//! Two members object to a plan before it is debated: a critic, and an advocate of the contrary.

use std::path::PathBuf;

use agon_caller::{CallFront, Code, Failure};
use agon_files::Durable;
use agon_prompt::team::objection_order;
use agon_team::store::RunDoc;

use super::RunContext;
use super::debate::plan_hash;
use super::work::MemberTurn;

/// The roles that object.
pub(super) const OBJECTORS: [&str; 2] = ["critic", "devil"];
/// How often each is asked.
const MAX_TRIES: usize = 2;
/// Characters of an objection that the debate is given.
const MAX_CHARS: usize = 8_000;
/// The most bytes of an objection's file that are read.
const MAX_BYTES: u64 = 1 << 20;

impl RunContext<'_> {
    /// What each objects; it is kept beside the team's file, so that it is asked for once. None where
    /// one said nothing: the run is stopped then.
    pub(super) async fn objections(
        &self,
        run: &RunDoc,
        plan: &str,
        front: &mut dyn CallFront,
    ) -> Result<Option<Vec<(&'static str, String)>>, Failure> {
        let mut all = Vec::new();
        for (place, role) in (1..).zip(OBJECTORS) {
            let path = self.objection_file(role, plan)?;
            if let Ok(kept) = agon_files::read_to_string(&path, MAX_BYTES) {
                all.push((role, kept));
                continue;
            }
            front.note(&format!("{role} objects to the plan"));
            let Some(said) = self.object(run, (role, place), plan).await? else {
                self.stop(&format!("{role} said nothing of the plan"))?;
                return Ok(None);
            };
            let written = agon_files::replace(&path, said.as_bytes(), 0o600, Durable::No);
            written.map_err(|cause| {
                let message = format!("cannot write {}: {cause}", path.display());
                Failure::new(Code::Store, message)
            })?;
            all.push((role, said));
        }
        Ok(Some(all))
    }

    async fn object(
        &self,
        run: &RunDoc,
        (role, place): (&'static str, usize),
        plan: &str,
    ) -> Result<Option<String>, Failure> {
        let salt = format!("objection {}", run.run);
        for _ in 0..MAX_TRIES {
            let ended = self
                .turn(&MemberTurn {
                    name: format!("{}-{role}", self.run),
                    role,
                    host: self.host(place),
                    task: None,
                    base: run.base.clone(),
                    order: Some(objection_order(&salt, plan)),
                })
                .await?;
            let turn = ended.turn;
            let said: String = turn.reply.unwrap_or_default();
            if !said.trim().is_empty() {
                return Ok(Some(said.chars().take(MAX_CHARS).collect()));
            }
        }
        Ok(None)
    }

    /// Named by the plan besides, so that those of a team that was begun again do not count.
    fn objection_file(&self, role: &str, plan: &str) -> Result<PathBuf, Failure> {
        let hash = plan_hash(plan);
        let folder = self.runs_folder()?;
        Ok(folder.join(format!("{}-{role}-{hash}.md", self.run)))
    }
}
