//! Reviews by members.

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Failure};
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
    pub epoch: Epoch,
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
    let note = clean_line(&request.note);
    let word = ReviewWord {
        tree: &evidence.tree,
        approved: request.approve,
        note: &note,
    };
    let span = RequestSpan::begin("task", "review", Some(&request.task));
    span.by(actor.label());
    let reviewed = team.review(&actor, request.task, request.epoch, &word);
    span.end(reviewed.map(task_document).map_err(failure))
}
