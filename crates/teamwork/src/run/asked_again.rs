//! A reviewer that left its verdict out is asked for it once more, in a short order.

use agon_caller::{CallFront, Failure};
use agon_prompt::team::verdict_order;
use agon_team::task::Task;

use super::RunContext;
use super::review::verdict;
use super::work::{EndedTurn, MemberTurn};

impl RunContext<'_> {
    /// The verdict of a review with the turn that has it; a reviewer without one is asked again. None
    /// where it has none then either: the run is stopped, and says which line is wanted.
    pub(super) async fn verdict_of(
        &self,
        task: &Task,
        asked: &MemberTurn<'_>,
        ended: EndedTurn,
        front: &mut dyn CallFront,
    ) -> Result<Option<(bool, EndedTurn)>, Failure> {
        let review = ended.turn.reply.clone().unwrap_or_default();
        if let Some(approved) = verdict(&review) {
            return Ok(Some((approved, ended)));
        }
        let name = &asked.name;
        if review.trim().is_empty() {
            self.stop(&self.line(&format!(
                "{} was not reviewed: {}",
                task.id, ended.turn.said
            )))?;
            return Ok(None);
        }
        front.note(&format!("{}: {name} is asked for its verdict", task.id));
        let salt = format!("verdict {} {}", task.id, task.epoch);
        let mut again = self
            .turn(&MemberTurn {
                name: name.clone(),
                role: asked.role,
                host: asked.host,
                task: None,
                base: asked.base.clone(),
                order: Some(verdict_order(&salt, &task.title, &review)),
            })
            .await?;
        let reply = again.turn.reply.unwrap_or_default();
        let Some(approved) = verdict(&reply) else {
            // A reviewer without a verdict has not reviewed: the change stays.
            let why = format!(
                "{} was not reviewed: the reviewer's reply has no line `Verdict: merge`, `Verdict: merge \
                 after fixes` or `Verdict: do not merge`, nor had it when {name} was asked again",
                task.id
            );
            self.stop(&self.line(&why))?;
            return Ok(None);
        };
        // The findings are in the first reply.
        again.turn.reply = Some(format!("{}\n{}", review.trim_end(), reply.trim()));
        Ok(Some((approved, again)))
    }
}
