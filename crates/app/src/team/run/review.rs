//! A change is read by a member that did not make it, and merged when that one says so.

use agon_prompt::fence::fence;
use agon_team::change::Change;
use agon_team::store::{Actor, ReviewWord, Team};
use agon_team::task::{Task, TaskState};

use super::work::MemberTurn;
use super::{RunContext, branch_of};
use crate::context::run_git;
use crate::failure::Failure;
use crate::team::door::failure;
use crate::team::trees;

/// Characters of a diff that a reviewer is given; the rest it reads in its folder.
const MAX_DIFF_CHARS: usize = 60_000;

impl RunContext<'_> {
    /// Takes a task that was submitted as far as it goes: reviewed, merged, done; or sent back. False
    /// where nothing could be done.
    pub(super) async fn review_and_merge(
        &self,
        team: &mut Team,
        task: &Task,
    ) -> Result<bool, Failure> {
        let Some(evidence) = task.evidence.clone() else {
            return Ok(false);
        };
        let Change::Commit { id: commit } = &evidence.change else {
            return Ok(false);
        };
        if !self.is_merged(commit).await? {
            let is_approved = team
                .reviews(task.id)
                .map_err(failure)?
                .iter()
                .any(|it| it.approved && it.tree == evidence.tree);
            if !is_approved && !self.review(team, task, commit).await? {
                return Ok(true);
            }
            if let Err(conflict) = self.merge(task, commit).await? {
                let note = self.line(&format!("it does not merge: {conflict}"));
                self.send_back(team, task, &note)?;
                return Ok(true);
            }
        }
        if task.state == TaskState::Review {
            team.accept(&self.actor, task.id, task.epoch, &evidence.tree)
                .map_err(failure)?;
        }
        let head = trees::head(self.caller, &self.tree()?).await?;
        team.record_merge(&self.actor, self.run, task.id, &head)
            .map_err(failure)?;
        Ok(true)
    }

    /// Has a change reviewed; whether it may be merged. One that may not is sent back.
    async fn review(&self, team: &mut Team, task: &Task, commit: &str) -> Result<bool, Failure> {
        let name = self.reviewer();
        let tree = trees::folder(self.caller, &self.location)?.join(&name);
        let base = branch_of(self.run);
        let between = format!("{base}...{commit}");
        let marked = run_git(self.caller, &self.tree()?, &["diff", "--check", &between]).await;
        let diff = run_git(self.caller, &self.tree()?, &["diff", &between]).await;
        let diff = diff.unwrap_or_default();
        if marked.is_err() && diff.lines().any(|line| line.starts_with("+<<<<<<< ")) {
            self.send_back(team, task, "a conflict was left unsolved in it")?;
            return Ok(false);
        }
        if tree.join(".git").exists() {
            run_git(self.caller, &tree, &["checkout", "-q", "--detach", commit]).await?;
        }
        let turn = self
            .turn(&MemberTurn {
                name,
                role: "reviewer",
                task: None,
                base: commit.to_owned(),
                order: Some(order(task, &diff)),
            })
            .await?;
        team.spend(self.run, turn.tokens.unwrap_or_default())
            .map_err(failure)?;
        let reply = turn.reply.unwrap_or_default();
        let note = self.line(&reply);
        match verdict(&reply) {
            Some(true) => {
                self.write_review(team, task, true, "it may be merged")?;
                Ok(true)
            }
            Some(false) => {
                self.write_review(team, task, false, &note)?;
                Ok(false)
            }
            None => {
                // A reviewer without a verdict has not reviewed: the run stops, the change stays.
                self.stop(
                    team,
                    &format!("{} was not reviewed: {}", task.id, turn.said),
                )?;
                Ok(false)
            }
        }
    }

    fn reviewer(&self) -> String {
        format!("{}-reviewer", self.run)
    }

    /// A change goes back to its author.
    fn send_back(&self, team: &mut Team, task: &Task, note: &str) -> Result<(), Failure> {
        self.write_review(team, task, false, note)
    }

    fn write_review(
        &self,
        team: &mut Team,
        task: &Task,
        approved: bool,
        note: &str,
    ) -> Result<(), Failure> {
        let Some(evidence) = &task.evidence else {
            return Ok(());
        };
        let actor = self.reviewer_actor(team)?;
        let word = ReviewWord {
            tree: &evidence.tree,
            approved,
            note: if note.trim().is_empty() {
                "it may not be merged"
            } else {
                note
            },
        };
        team.review(&actor, task.id, task.epoch, &word)
            .map(drop)
            .map_err(failure)
    }

    /// The reviewer, whose word Agon writes down.
    fn reviewer_actor(&self, team: &mut Team) -> Result<Actor, Failure> {
        let name = self
            .reviewer()
            .parse()
            .map_err(|error: agon_team::id::IdError| {
                Failure::from_error(crate::failure::FailureKind::Bug, "bug", &error)
            })?;
        let token = team.renew_token(&name).map_err(failure)?;
        team.authenticate(&token).map_err(failure)
    }
}

fn order(task: &Task, diff: &str) -> String {
    let salt = format!("review {} {}", task.id, task.epoch);
    let wanted = format!("{}\n\n{}", task.title, task.spec);
    let cut: String = diff.chars().take(MAX_DIFF_CHARS).collect();
    let rest = match cut.len() < diff.len() {
        true => "\n\nThe diff was cut here: the rest is in your folder.",
        false => "",
    };
    format!(
        "Review a change that another member made. Your folder has it. This was wanted:\n\n{}\n\n\
         This is the change:\n\n{}{rest}\n\n\
         The last line of your reply is `Verdict: merge`, `Verdict: merge after fixes` or \
         `Verdict: do not merge`.",
        &*fence(&salt, "task", &"task", &wanted),
        &*fence(&salt, "diff", &"diff", &cut),
    )
}

/// What a review says in its last verdict; none where it has none.
fn verdict(reply: &str) -> Option<bool> {
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
