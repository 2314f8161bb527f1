//! Submitting a change: what is looked at before the store takes it.

use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::change::Change;
use agon_team::id::{Epoch, TaskId, TreeHash};
use agon_team::store::{HolderStep, StoreError, TeamLocation};
use agon_team::task::{Fence, Task, TaskState};

use super::door::{failure, open};
use super::git::{open_tree, run_git};
use super::member::actor;
use super::task::{TeamTaskDoc, read_commit, step};
use super::text::clean_line;
use super::tree::hash_work_tree;
use super::trees;

/// A change that is submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmitRequest {
    /// For which task.
    pub task: TaskId,
    /// The epoch that the claim gave; that of the caller's own claim where it is none.
    pub epoch: Option<Epoch>,
    /// The commit.
    pub commit: String,
    /// Why there is nothing to change; without it a commit that changes nothing is refused. Of no
    /// account where the commit changes something.
    pub no_change: Option<String>,
}

/// How many paths of a dirty tree are named.
const MAX_NAMED: usize = 5;

/// Submits a commit as the change that a task asked for; the lease and the locks end. Submitted again
/// by the same member before it is approved, it replaces the earlier one.
///
/// # Errors
///
/// If there is no such commit, it changes nothing since the claim and no reason is given, the work tree
/// has changes that are not committed, or another member holds the task.
pub async fn submit(caller: &Caller, request: &SubmitRequest) -> Result<TeamTaskDoc, Failure> {
    let (mut team, location) = open(caller)?;
    let found = team.task(request.task).map_err(failure)?;
    let epoch = request.epoch.unwrap_or(found.epoch);
    let asking = actor(caller, &team, &location)?;
    let Some(member) = asking.name().cloned() else {
        return Err(failure(StoreError::NotMember));
    };
    let author = found.evidence.as_ref().map(|evidence| &evidence.author);
    let is_again = found.state == TaskState::Review && author == Some(&member);
    let fence = Fence { member, epoch };
    let checked = match is_again {
        true => found.check_epoch(epoch),
        false => found.check_fence(&fence, "submitted"),
    };
    // Before the files are looked at: who does not hold the task is told so first.
    checked.map_err(|refusal| failure(StoreError::Task(refusal)))?;
    drop(team);
    let (id, tree) = read_commit(caller, &request.commit).await?;
    refuse_dirty(caller, &location, &id, &tree).await?;
    if let (Some(root), Some(base)) = (&location.work_tree, &found.base) {
        let session = open_tree(caller, root).await?;
        trees::refuse_brought(&session, &base.commit).await?;
    }
    let has_changed = has_changed(caller, &found, &tree).await;
    let reason = request.no_change.as_deref().map(clean_line);
    let submit = match (has_changed, reason) {
        (Some(false), None) => return Err(unchanged(&found, &id)),
        (Some(false) | None, Some(note)) => HolderStep::SubmitUnchanged {
            change: Change::Commit { id },
            tree,
            note,
        },
        (Some(true) | None, _) => HolderStep::Submit {
            change: Change::Commit { id },
            tree,
        },
    };
    step(caller, request.task, Some(epoch), submit)
}

/// Refuses a work tree with changes that its commit does not have.
async fn refuse_dirty(
    caller: &Caller,
    location: &TeamLocation,
    id: &str,
    tree: &TreeHash,
) -> Result<(), Failure> {
    if location.work_tree.is_none() {
        return Ok(());
    }
    // Another commit than that which is checked out says nothing of the files here.
    match read_commit(caller, "HEAD").await {
        Ok((head, _)) if head == id => {}
        _ => return Ok(()),
    }
    if hash_work_tree(caller, location).await? == *tree {
        return Ok(());
    }
    let changed = trees::paths_unlike_head(caller, location).await;
    let changed = changed.unwrap_or_default();
    let named = changed.iter().take(MAX_NAMED);
    let named: Vec<String> = named.map(|path| clean_line(path)).collect();
    let more = match changed.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = match named.is_empty() {
        true => "this work tree has changes that are not committed".to_owned(),
        false => format!("not committed yet: {}{more}", named.join(", ")),
    };
    Err(Failure::new(Code::Refused, message).hint(
        "commit them (`git add . && git commit`) and submit again; what does not belong to the task \
         goes into `git stash -u` or .gitignore",
    ))
}

/// Whether a tree differs from the one that the work began from; none where that is not known.
async fn has_changed(caller: &Caller, task: &Task, tree: &TreeHash) -> Option<bool> {
    let of_base = format!("{}^{{tree}}", task.base.as_ref()?.commit);
    let args = ["rev-parse", "--verify", "--end-of-options", &of_base];
    let before = run_git(caller, &caller.cwd, &args).await.ok()?;
    Some(before.trim() != tree.as_str())
}

/// The refusal of a commit that has the same files as the one from which the work began.
fn unchanged(task: &Task, id: &str) -> Failure {
    let short = |id: &str| id.chars().take(10).collect::<String>();
    let base = task.base.as_ref().map(|base| short(&base.commit));
    let message = format!(
        "commit {} changes nothing since {} began from {}",
        short(id),
        task.id,
        base.unwrap_or_default()
    );
    let why = Hint::new("if nothing has to change, say why with ").flag_with("no-change", "REASON");
    Failure::new(Code::Refused, message)
        .hint(Hint::new("commit your change and submit again").or(why))
}
