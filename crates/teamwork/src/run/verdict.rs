//! Asks a member that reviewed a change without a verdict for its verdict once more.

use agon_caller::{CallFront, Failure};
use agon_prompt::team::{Checker, verdict_order};
use agon_team::task::Task;

use super::RunContext;
use super::work::{EndedTurn, MemberTurn};

impl RunContext<'_> {
    /// Returns the verdict on a change, with the turn that gave it. A reviewer that gave none is
    /// asked once more. Returns `None` if the verdict is still missing. The run is then stopped
    /// with the required last line, unless another member approved the change: a missing verdict is
    /// not an objection.
    pub(super) async fn obtain_verdict(
        &self,
        (task, checker): (&Task, &Checker),
        asked: &MemberTurn<'_>,
        ended: EndedTurn,
        front: &mut dyn CallFront,
    ) -> Result<Option<(bool, EndedTurn)>, Failure> {
        let review = ended.turn.reply.clone().unwrap_or_default();
        if let Some(approved) = checker.verdict(&review) {
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
        self.say(
            front,
            &format!("{}: asking {name} for its verdict", task.id),
        );
        let salt = format!("verdict {} {}", task.id, task.epoch);
        let mut again = self
            .turn(&MemberTurn {
                name: name.clone(),
                role: asked.role,
                host: asked.host,
                task: None,
                base: asked.base.clone(),
                order: Some(verdict_order(&salt, checker, &task.title, &review)),
            })
            .await?;
        let reply = again.turn.reply.unwrap_or_default();
        let Some(approved) = checker.verdict(&reply) else {
            // Without a verdict the change is not reviewed, so it stays in review.
            let wanted = [&[checker.passes], checker.fails].concat().join("` or `");
            let why = format!(
                "{}: the reviewer {name} gave no verdict (the last line must be `{wanted}`)",
                task.id
            );
            match self.is_approved(task)? {
                true => self.say(front, &self.line(&why)),
                false => self.stop(&self.line(&why))?,
            }
            return Ok(None);
        };
        // Keep the first reply, too, because it contains the findings.
        again.turn.reply = Some(format!("{}\n{}", review.trim_end(), reply.trim()));
        Ok(Some((approved, again)))
    }
}
