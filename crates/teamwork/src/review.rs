//! Reviews by members.

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::change::{Change, TaskEvidence};
use agon_team::id::{Epoch, TaskId};
use agon_team::store::{ReviewWord, StoreError};
use agon_team::task::TaskRefusal;

use super::door::{failure, open};
use super::member::actor;
use super::spans::RequestSpan;
use super::task::{TeamTaskDoc, task_document};
use super::text::clean_line;

/// The word of a reviewer on what was submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewRequest {
    /// Of which task.
    pub task: TaskId,
    /// At which epoch: that of the change which was looked at.
    pub epoch: Option<Epoch>,
    /// Whether it may be taken; it goes back otherwise.
    pub approve: bool,
    /// What was found.
    pub note: String,
}

/// Gives the word of the caller's member on what was submitted of a task.
///
/// # Errors
///
/// If the caller ever worked on it, it is not in review, or another epoch is under way.
pub fn review(caller: &Caller, request: &ReviewRequest) -> Result<TeamTaskDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let task = team.task(request.task).map_err(failure)?;
    let Some(evidence) = &task.evidence else {
        return Err(failure(StoreError::Task(TaskRefusal::State {
            task: task.id,
            state: task.state,
            step: "reviewed: nothing was submitted",
        })));
    };
    let Some(epoch) = request.epoch else {
        // Filled in, it would approve a change that was submitted since the reviewer looked.
        let (id, now) = (task.id, task.epoch);
        let message = format!("say which change of {id} you looked at");
        return Err(Failure::new(Code::MissingParameter, message)
            .parameter("epoch")
            .hint(
                Hint::new(format!(
                    "{} was submitted at epoch {now}: ",
                    commit_of(evidence)
                ))
                .flag_with("epoch", now),
            ));
    };
    let note = clean_line(&request.note);
    let word = ReviewWord {
        tree: &evidence.tree,
        approved: request.approve,
        note: &note,
    };
    let span = RequestSpan::begin("task", "review", Some(&request.task));
    span.by(actor.label());
    let reviewed = team.review(&actor, request.task, epoch, &word);
    span.end(reviewed.map(task_document).map_err(failure))
}

/// The change that was submitted, in a few characters.
fn commit_of(evidence: &TaskEvidence) -> String {
    match &evidence.change {
        Change::Commit { id } => format!("commit {}", id.chars().take(10).collect::<String>()),
        Change::Diff { .. } | Change::Elsewhere { .. } => "a change".to_owned(),
    }
}
