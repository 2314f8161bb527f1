//! Reviews by members.

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::change::{Change, TaskEvidence};
use agon_team::id::{Epoch, TaskId};
use agon_team::store::{ReviewVerdict, StoreError};
use agon_team::task::TaskRefusal;

use super::member::actor;
use super::open_team::{failure, open};
use super::spans::RequestSpan;
use super::task::{TeamTaskDoc, task_document};
use super::text::clean_line;

/// A reviewer's verdict on the submitted work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewRequest {
    /// The reviewed task.
    pub task: TaskId,
    /// The epoch of the change that was reviewed.
    pub epoch: Option<Epoch>,
    /// Whether the change may be merged; otherwise it goes back to its author.
    pub approve: bool,
    /// The findings.
    pub note: String,
}

/// Records the verdict of the caller's member on what a task submitted.
///
/// # Errors
///
/// Fails if the caller ever worked on the task, the task is not in review, or it is at another
/// epoch.
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
        // Do not fill in the current epoch: this could approve a change that was submitted after
        // the reviewer read the old one.
        let (id, now) = (task.id, task.epoch);
        let message = format!("missing claim number: which change of {id} did you review?");
        return Err(Failure::new(Code::MissingParameter, message)
            .parameter("epoch")
            .hint(
                Hint::new(format!(
                    "{} was submitted with claim {now}; name it with ",
                    commit_of(evidence)
                ))
                .flag_with("epoch", now),
            ));
    };
    let note = clean_line(&request.note);
    let word = ReviewVerdict {
        tree: &evidence.tree,
        approved: request.approve,
        note: &note,
    };
    let span = RequestSpan::begin("task", "review", Some(&request.task));
    span.by(actor.label());
    let reviewed = team.review(&actor, request.task, epoch, &word);
    span.end(reviewed.map(task_document).map_err(failure))
}

/// Describes the submitted change in a few characters.
fn commit_of(evidence: &TaskEvidence) -> String {
    match &evidence.change {
        Change::Commit { id } => format!("commit {}", id.chars().take(10).collect::<String>()),
        Change::Diff { .. } | Change::Elsewhere { .. } => "a change".to_owned(),
    }
}
