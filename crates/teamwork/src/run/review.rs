//! Has a change reviewed by members that did not make it, one after the other, and merges it when
//! all of them approve.

use std::path::Path;

use agon_caller::{CallFront, Code, Failure};
use agon_prompt::team::{ChangeBriefing, Checker, ShownDiff, check_order};
use agon_team::change::Change;
use agon_team::id::GateName;
use agon_team::policy::PolicyEffect;
use agon_team::store::{MemberToken, ReviewVerdict, RunDoc};
use agon_team::task::{Task, TaskState};

use super::task_part::TaskPart;
use super::work::MemberTurn;
use super::{RunContext, branch_of};
use crate::git::run_git;
use crate::open_team::failure;
use crate::trees;

/// The outcome of reviewing a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReviewOutcome {
    /// It may be merged.
    MayMerge,
    /// It was sent back, or the run was stopped.
    Over,
    /// It waits for a person.
    Waits,
}

/// A submitted change under review.
#[derive(Clone, Copy)]
struct SubmittedChange<'a> {
    task: &'a Task,
    part: &'a TaskPart<'a>,
    commit: &'a str,
}

impl RunContext<'_> {
    /// Takes a submitted task as far as possible: reviewed, merged and done, or sent back. Returns
    /// `false` if nothing could be done, for example because it waits for a person.
    pub(super) async fn review_and_merge(
        &self,
        run: &RunDoc,
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
            let part = &TaskPart::of(run, task.id)?;
            let change = SubmittedChange { task, part, commit };
            match self.review_change(change, front).await? {
                ReviewOutcome::MayMerge => {}
                ReviewOutcome::Over => return Ok(true),
                ReviewOutcome::Waits => return Ok(false),
            }
        }
        if !self.is_merged(commit).await?
            && let Err(why) = self.merge(task, commit, front).await?
        {
            // Count no review round: a conflict with other changes is not a finding against this
            // one.
            self.return_to_author(task, &format!("it cannot be merged: {why}"), front)?;
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
        self.say(front, &format!("{}: merged", task.id));
        Ok(true)
    }

    /// Decides whether a change may be merged. It must change something, the policy must allow it,
    /// its gates must pass, each reviewer must approve it, and so must a debate if the settings
    /// require one. Otherwise it is sent back or waits for a person.
    async fn review_change(
        &self,
        change: SubmittedChange<'_>,
        front: &mut dyn CallFront,
    ) -> Result<ReviewOutcome, Failure> {
        let SubmittedChange { task, part, commit } = change;
        let is_merged = self.is_merged(commit).await?;
        if is_merged && !self.is_approved(task)? {
            self.send_back(task, "it contains no new changes", front)?;
            return Ok(ReviewOutcome::Over);
        }
        if is_merged {
            // The run was killed right after merging it. Run the gates again, which may have
            // changed since.
            let check = self.check_tree().await?;
            trees::check_out(self.caller, &check, commit).await?;
            let failed = self.pass_gates(task, &check, front).await?;
            let Some(failed) = failed else {
                return Ok(ReviewOutcome::MayMerge);
            };
            let why = format!(
                "{} is merged but no longer passes its gates: {failed}",
                task.id
            );
            self.stop(&self.shorten_to_note(&why))?;
            return Ok(ReviewOutcome::Over);
        }
        if let Some(fault) = self.policy_fault()? {
            self.stop(&self.line(&fault))?;
            return Ok(ReviewOutcome::Over);
        }
        let has_person_approved = self.has_person_approved(task)?;
        if self.waits.ask(task).is_some() && !has_person_approved {
            return Ok(ReviewOutcome::Waits);
        }
        match self.strictest_policy_ruling(part.role, commit).await? {
            Some((PolicyEffect::Deny, why)) => {
                self.send_back(task, &format!("the policy denies it: {why}"), front)?;
                return Ok(ReviewOutcome::Over);
            }
            Some((PolicyEffect::Ask, why)) if !has_person_approved => {
                self.waits.add(task, &why);
                return Ok(ReviewOutcome::Waits);
            }
            Some(_) | None => {}
        }
        let check = self.check_tree().await?;
        trees::check_out(self.caller, &check, commit).await?;
        if let Some(failed) = self.pass_gates(task, &check, front).await? {
            self.send_back(task, &failed, front)?;
            return Ok(ReviewOutcome::Over);
        }
        match has_person_approved {
            // A person's approval overrides members and debates.
            true => Ok(ReviewOutcome::MayMerge),
            false => self.judge(change, &check, front).await,
        }
    }

    /// Judges a change by its reviewers, a debate and the plan's marks.
    async fn judge(
        &self,
        change: SubmittedChange<'_>,
        check: &Path,
        front: &mut dyn CallFront,
    ) -> Result<ReviewOutcome, Failure> {
        let SubmittedChange { task, part, commit } = change;
        let planned = part.planned;
        let diff = self.diff(commit).await?;
        let marked = self.files_with_conflict_markers(commit).await?;
        if !marked.is_empty() {
            let note = self.reset_to_run_branch(task, commit, &marked).await;
            self.send_back(task, &note, front)?;
            return Ok(ReviewOutcome::Over);
        }
        let diff = diff.as_deref().map(ShownDiff::cut);
        for role in &self.policy.checked_by {
            if self.is_approved_by(task, role)? {
                continue;
            }
            if !self.check(change, role, diff.as_ref(), front).await? {
                return Ok(ReviewOutcome::Over);
            }
        }
        let is_risky = planned.risky || planned.irreversible;
        if self.policy.debates_change(is_risky) {
            let debated = self.debate_change(task, check, diff.as_ref(), front);
            let outcome = debated.await?;
            if outcome != ReviewOutcome::MayMerge {
                return Ok(outcome);
            }
        }
        if self.policy.needs_person_approval(planned.irreversible) {
            self.waits
                .add(task, "the planner marked it as irreversible");
            self.say(
                front,
                &format!("{} waits for a person: it is irreversible", task.id),
            );
            return Ok(ReviewOutcome::Waits);
        }
        Ok(ReviewOutcome::MayMerge)
    }

    /// Returns the diff of a change, or `None` if it is too large for git to print at once.
    async fn diff(&self, commit: &str) -> Result<Option<String>, Failure> {
        let between = format!("{}...{commit}", branch_of(self.run));
        let diff = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--ignore-submodules=dirty",
            &between,
        ];
        Ok(run_git(self.caller, &self.tree()?, &diff).await.ok())
    }

    /// Has a role review a change; returns whether it approved. A rejected change is sent back.
    async fn check(
        &self,
        SubmittedChange { task, part, commit }: SubmittedChange<'_>,
        role: &str,
        diff: Option<&ShownDiff>,
        front: &mut dyn CallFront,
    ) -> Result<bool, Failure> {
        let Some(checker) = Checker::for_role(role) else {
            let message = format!("the role `{role}` does not review changes");
            return Err(Failure::new(Code::Bug, message));
        };
        let name = format!("{}-{role}", self.run);
        let tree = trees::folder(self.caller, &self.location)?.join(&name);
        let branch = format!("agon/members/{name}");
        trees::make_and_unlock(self.caller, &tree, &branch, commit).await?;
        trees::check_out(self.caller, &tree, commit).await?;
        // Another tool than the author's, if there is one.
        let host = self.host(role, part.place + 1);
        self.say(
            front,
            &format!("{}: {role} is reviewing it in {host}", task.id),
        );
        let gates: Vec<&str> = self.gates.iter().map(GateName::as_str).collect();
        let briefing = ChangeBriefing {
            title: &task.title,
            spec: &task.spec,
            diff,
            gates: &gates.join("\n"),
        };
        let salt = format!("{role} {} {}", task.id, task.epoch);
        let asked = MemberTurn {
            name,
            role,
            host,
            task: None,
            base: commit.to_owned(),
            order: Some(check_order(&salt, checker, &briefing)),
        };
        let ended = self.turn(&asked).await?;
        let checked = self.obtain_verdict((task, checker), &asked, ended, front);
        let Some((approved, ended)) = checked.await? else {
            // The run was stopped, unless another member approved the change.
            return self.is_approved(task);
        };
        let reply = ended.turn.reply.unwrap_or_default();
        if !approved {
            self.store_findings(task, &reply)?;
        }
        let note = match (approved, self.shorten_to_note(&reply)) {
            (true, _) => "approved".to_owned(),
            (false, note) if note.trim().is_empty() => "rejected without a reason".to_owned(),
            (false, note) => note,
        };
        let after = self.write_review(task, &ended.token, (approved, &note))?;
        if approved {
            self.say(front, &format!("{}: approved by {role}", task.id));
        } else {
            self.say(front, &format!("{}: sent back by {role}: {note}", task.id));
            self.print_failed_task(&after, front);
        }
        Ok(approved)
    }

    /// Returns whether a member that did not make the change approved it.
    pub(super) fn is_approved(&self, task: &Task) -> Result<bool, Failure> {
        let Some(evidence) = &task.evidence else {
            return Ok(false);
        };
        let mut team = self.team();
        team.is_approved(task.id, &evidence.tree).map_err(failure)
    }

    /// Returns whether a role approved the submitted change, or someone outside the run did.
    pub(super) fn is_approved_by(&self, task: &Task, role: &str) -> Result<bool, Failure> {
        let Some(evidence) = &task.evidence else {
            return Ok(false);
        };
        let (own, name) = (format!("{}-", self.run), format!("{}-{role}", self.run));
        let reviews = self.team().reviews(task.id).map_err(failure)?;
        let of_tree = reviews.iter().filter(|it| it.tree == evidence.tree);
        let counts = |reviewer: &str| reviewer == name || !reviewer.starts_with(&own);
        // The last verdict counts.
        let last = of_tree.rev().find(|it| counts(it.reviewer.as_str()));
        Ok(last.is_some_and(|it| it.approved))
    }

    /// Sends a change back to its author with a finding. This counts as a review round; after the
    /// last round the task fails.
    pub(super) fn send_back(
        &self,
        task: &Task,
        note: &str,
        front: &mut dyn CallFront,
    ) -> Result<(), Failure> {
        let note = self.keep_note(task, note, front)?;
        let submitted = (task.id, task.epoch);
        let after = self
            .team()
            .return_change(&self.actor, self.run, submitted, &note)
            .map_err(failure)?;
        self.print_failed_task(&after, front);
        Ok(())
    }

    /// Sends a change that cannot be merged back to its author. This counts as an attempt but not
    /// as a review round.
    fn return_to_author(
        &self,
        task: &Task,
        note: &str,
        front: &mut dyn CallFront,
    ) -> Result<(), Failure> {
        let note = self.keep_note(task, note, front)?;
        self.team()
            .send_back(&self.actor, task.id, task.epoch, &note)
            .map(drop)
            .map_err(failure)
    }

    /// Stores why a change goes back and prints it; returns the line for the store.
    fn keep_note(
        &self,
        task: &Task,
        note: &str,
        front: &mut dyn CallFront,
    ) -> Result<String, Failure> {
        self.store_findings(task, note)?;
        let note = self.shorten_to_note(note);
        self.say(front, &format!("{}: sent back: {note}", task.id));
        Ok(note)
    }

    /// Prints that a task failed, if this was its last round.
    fn print_failed_task(&self, after: &Task, front: &mut dyn CallFront) {
        if after.state == TaskState::Failed {
            let rounds = self.policy.review_rounds;
            let said = format!(
                "{} failed: it was sent back more than {rounds} times",
                after.id
            );
            self.say(front, &said);
        }
    }

    /// Records the reviewer's verdict; returns the updated task.
    fn write_review(
        &self,
        task: &Task,
        token: &MemberToken,
        (approved, note): (bool, &str),
    ) -> Result<Task, Failure> {
        let Some(evidence) = &task.evidence else {
            return Ok(task.clone());
        };
        let word = ReviewVerdict {
            tree: &evidence.tree,
            approved,
            note,
        };
        let reviewer = self.team().authenticate(token).map_err(failure)?;
        self.team()
            .review_in_run(&reviewer, self.run, (task.id, task.epoch), &word)
            .map_err(failure)
    }
}
