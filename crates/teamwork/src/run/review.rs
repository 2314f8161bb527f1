//! A change is read by a member that did not make it, and merged when that one says so.

use agon_caller::{CallFront, Failure};
use agon_prompt::team::review_order;
use agon_team::change::Change;
use agon_team::policy::PolicyEffect;
use agon_team::store::{MemberToken, ReviewWord};
use agon_team::task::{Task, TaskState};

use super::work::MemberTurn;
use super::{RunContext, branch_of};
use crate::door::failure;
use crate::git::run_git;
use crate::trees;

/// What came of a look at a change.
enum Looked {
    /// It may be merged.
    MayMerge,
    /// It was sent back, or the run was stopped.
    Over,
    /// A person is asked first.
    Waits,
}

impl RunContext<'_> {
    /// Takes a task that was submitted as far as it goes: looked at, merged, done; or sent back. False
    /// where nothing could be done, as where a person is asked.
    pub(super) async fn review_and_merge(
        &self,
        task: &Task,
        front: &mut dyn CallFront,
    ) -> Result<bool, Failure> {
        let Some(evidence) = task.evidence.clone() else {
            return Ok(false);
        };
        let Change::Commit { id: commit } = &evidence.change else {
            return Ok(false);
        };
        if task.state == TaskState::Review {
            let is_approved = self
                .team()
                .is_approved(task.id, &evidence.tree)
                .map_err(failure)?;
            match self.look_at(task, commit, is_approved, front).await? {
                Looked::MayMerge => {}
                Looked::Over => return Ok(true),
                Looked::Waits => return Ok(false),
            }
        }
        if !self.is_merged(commit).await?
            && let Err(why) = self.merge(task, commit, front).await?
        {
            self.send_back(task, &format!("it does not merge: {why}"), front)?;
            return Ok(true);
        }
        if task.state == TaskState::Review {
            self.team()
                .accept(&self.actor, task.id, task.epoch, &evidence.tree)
                .map_err(failure)?;
        }
        let head = trees::head(self.caller, &self.tree()?).await?;
        self.team()
            .record_merge(&self.actor, self.run, task.id, &head)
            .map_err(failure)?;
        front.note(&format!("{} is merged", task.id));
        Ok(true)
    }

    /// Whether a change may be merged: it changes something, the policy allows it, its gates pass, and
    /// a reviewer says so. One that may not is sent back, or waits for a person.
    async fn look_at(
        &self,
        task: &Task,
        commit: &str,
        is_approved: bool,
        front: &mut dyn CallFront,
    ) -> Result<Looked, Failure> {
        let is_merged = self.is_merged(commit).await?;
        if is_merged && !is_approved {
            self.send_back(task, "nothing in it is new", front)?;
            return Ok(Looked::Over);
        }
        if is_merged {
            // The run was killed just after it merged it; the gates may be others by now.
            let check = self.check_tree().await?;
            trees::check_out(self.caller, &check, commit).await?;
            let failed = self.pass_gates(task, &check, front).await?;
            let Some(failed) = failed else {
                return Ok(Looked::MayMerge);
            };
            let why = format!(
                "{} is merged, and does not pass any more: {failed}",
                task.id
            );
            self.stop(&self.note_of(&why))?;
            return Ok(Looked::Over);
        }
        if let Some(fault) = self.policy_fault()? {
            self.stop(&self.line(&fault))?;
            return Ok(Looked::Over);
        }
        match self.rule_on_change(commit).await? {
            Some((PolicyEffect::Deny, why)) => {
                self.send_back(task, &format!("the policy denies it: {why}"), front)?;
                return Ok(Looked::Over);
            }
            Some((PolicyEffect::Ask, _)) if !self.has_person_approved(task)? => {
                return Ok(Looked::Waits);
            }
            Some(_) | None => {}
        }
        let check = self.check_tree().await?;
        trees::check_out(self.caller, &check, commit).await?;
        if let Some(failed) = self.pass_gates(task, &check, front).await? {
            self.send_back(task, &failed, front)?;
            return Ok(Looked::Over);
        }
        let may_merge = is_approved || self.review(task, commit, front).await?;
        Ok(if may_merge {
            Looked::MayMerge
        } else {
            Looked::Over
        })
    }

    /// Has a change reviewed; whether it may be merged. One that may not is sent back.
    async fn review(
        &self,
        task: &Task,
        commit: &str,
        front: &mut dyn CallFront,
    ) -> Result<bool, Failure> {
        let name = format!("{}-reviewer", self.run);
        let tree = trees::folder(self.caller, &self.location)?.join(&name);
        let between = format!("{}...{commit}", branch_of(self.run));
        let check = ["diff", "--check", "--ignore-submodules=dirty", &between];
        let is_marked = run_git(self.caller, &self.tree()?, &check).await.is_err();
        let diff = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--ignore-submodules=dirty",
            &between,
        ];
        let diff = run_git(self.caller, &self.tree()?, &diff).await;
        let has_conflict = diff
            .as_ref()
            .is_ok_and(|diff| diff.lines().any(|line| line.starts_with("+<<<<<<< ")));
        if is_marked && has_conflict {
            self.send_back(task, "a conflict was left unsolved in it", front)?;
            return Ok(false);
        }
        let branch = format!("agon/members/{name}");
        trees::make_and_unlock(self.caller, &tree, &branch, commit).await?;
        trees::check_out(self.caller, &tree, commit).await?;
        front.note(&format!("{} is reviewed", task.id));
        let salt = format!("review {} {}", task.id, task.epoch);
        let asked = MemberTurn {
            name,
            role: "reviewer",
            // Another tool than the author's, where there is another.
            host: self.host(self.place_of(task)? + 1),
            task: None,
            base: commit.to_owned(),
            order: Some(review_order(
                &salt,
                &task.title,
                &task.spec,
                diff.as_deref().ok(),
            )),
        };
        let ended = self.turn(&asked).await?;
        let Some((approved, ended)) = self.verdict_of(task, &asked, ended, front).await? else {
            return Ok(false);
        };
        let reply = ended.turn.reply.unwrap_or_default();
        if !approved {
            self.keep_findings(task, &reply)?;
        }
        let note = match (approved, self.note_of(&reply)) {
            (true, _) => "it may be merged".to_owned(),
            (false, note) if note.trim().is_empty() => "it may not be merged".to_owned(),
            (false, note) => note,
        };
        self.write_review(task, &ended.token, (approved, &note))?;
        let word = if approved {
            "may be merged"
        } else {
            "goes back"
        };
        front.note(&format!("{} {word}", task.id));
        Ok(approved)
    }

    /// A change goes back to its author.
    fn send_back(&self, task: &Task, note: &str, front: &mut dyn CallFront) -> Result<(), Failure> {
        self.keep_findings(task, note)?;
        let note = self.note_of(note);
        front.note(&format!("{} goes back: {note}", task.id));
        self.team()
            .send_back(&self.actor, task.id, task.epoch, &note)
            .map(drop)
            .map_err(failure)
    }

    /// Writes the word of the reviewer down.
    fn write_review(
        &self,
        task: &Task,
        token: &MemberToken,
        (approved, note): (bool, &str),
    ) -> Result<(), Failure> {
        let Some(evidence) = &task.evidence else {
            return Ok(());
        };
        let word = ReviewWord {
            tree: &evidence.tree,
            approved,
            note,
        };
        let reviewer = self.team().authenticate(token).map_err(failure)?;
        self.team()
            .review(&reviewer, task.id, task.epoch, &word)
            .map(drop)
            .map_err(failure)
    }
}

/// What a review says in its last verdict; none where it has none.
pub(super) fn verdict(reply: &str) -> Option<bool> {
    let lines = reply
        .lines()
        .rev()
        .map(|line| line.trim().trim_matches(['`', '*']));
    let word = lines
        .filter_map(|line| line.strip_prefix("Verdict:"))
        .map(|word| word.trim().trim_matches(['`', '*', '.']).to_lowercase())
        .next()?;
    match word.as_str() {
        "merge" => Some(true),
        "merge after fixes" | "do not merge" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_verdict_counts_and_nothing_else_is_one() {
        for (reply, expected) in [
            ("Looked.\nVerdict: merge", Some(true)),
            ("Verdict: merge\nVerdict: do not merge\n", Some(false)),
            ("blocker x\n`Verdict: merge after fixes`", Some(false)),
            ("I would merge.", None),
            ("Verdict: merge, perhaps", None),
            ("", None),
        ] {
            assert_eq!(verdict(reply), expected, "{reply}");
        }
    }
}
