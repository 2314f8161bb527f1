//! Submits a change, after the checks that the store cannot make.

use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::change::Change;
use agon_team::id::{Epoch, TaskId, TreeHash};
use agon_team::store::{HolderStep, StoreError, TeamLocation};
use agon_team::task::{Fence, Task, TaskState};

use super::broken_locks::{BrokenLock, locks_on_path};
use super::git::{open_tree, run_git};
use super::member::actor;
use super::open_team::{failure, open};
use super::task::{TeamTaskDoc, read_commit, step};
use super::text::clean_line;
use super::tree::{hash_work_tree, new_debate_files};
use super::trees;

/// A change to submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmitRequest {
    /// The task.
    pub task: TaskId,
    /// The epoch of the claim; by default the epoch of the caller's own claim.
    pub epoch: Option<Epoch>,
    /// The commit.
    pub commit: String,
    /// Why nothing had to change. Without it, a commit that changes nothing is refused. Ignored if
    /// the commit changes something.
    pub no_change: Option<String>,
}

/// Maximum number of paths of a dirty tree that are listed.
const MAX_NAMED: usize = 5;

/// Submits a commit as the change for a task; the lease and the locks end. A new submission by the
/// same member replaces the earlier one until it is approved.
///
/// # Errors
///
/// Fails if there is no such commit, it changes nothing and no reason is given, the work tree has
/// uncommitted changes, or another member holds the task.
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
    // Checked before the files, so that a caller who does not hold the task learns this first.
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

/// Returns the locks of other members on paths that a submitted task changes. They are the reason
/// for a warning only: the change may have been agreed on.
///
/// # Errors
///
/// Fails if there is no such task, or git fails.
pub async fn locks_on_submitted_paths(
    caller: &Caller,
    task: TaskId,
) -> Result<Vec<BrokenLock>, Failure> {
    let (mut team, location) = open(caller)?;
    let asking = actor(caller, &team, &location)?;
    let mut locks = team.locks().map_err(failure)?;
    locks.retain(|lock| lock.granted && Some(&lock.holder) != asking.name());
    let found = team.task(task).map_err(failure)?;
    drop(team);
    let (Some(evidence), Some(base), Some(root)) =
        (&found.evidence, &found.base, &location.work_tree)
    else {
        return Ok(Vec::new());
    };
    // Git is not run if no other member has a lock.
    if locks.is_empty() {
        return Ok(Vec::new());
    }
    let (before, after) = (base.commit.as_str(), evidence.tree.as_str());
    let changed = [
        "diff",
        "--name-only",
        "--no-renames",
        "-z",
        before,
        after,
        "--",
    ];
    let changed = run_git(caller, root, &changed).await?;
    let changed = changed.split('\0').filter(|path| !path.is_empty());
    Ok(changed
        .flat_map(|path| locks_on_path(&locks, path))
        .collect())
}

/// Refuses a work tree with uncommitted changes.
async fn refuse_dirty(
    caller: &Caller,
    location: &TeamLocation,
    id: &str,
    tree: &TreeHash,
) -> Result<(), Failure> {
    if location.work_tree.is_none() {
        return Ok(());
    }
    // The files here belong to the checked-out commit, so there is nothing to check for another
    // one.
    match read_commit(caller, "HEAD").await {
        Ok((head, _)) if head == id => {}
        _ => return Ok(()),
    }
    if hash_work_tree(caller, location).await? == *tree {
        return Ok(());
    }
    let changed = uncommitted_changes(caller, location).await;
    let changed = changed.unwrap_or_default();
    let named = changed.iter().take(MAX_NAMED);
    let named: Vec<String> = named.map(|path| clean_line(path)).collect();
    let more = match changed.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = match named.is_empty() {
        true => "this work tree has uncommitted changes".to_owned(),
        false => format!("uncommitted changes: {}{more}", named.join(", ")),
    };
    Err(Failure::new(Code::Refused, message).hint(
        "commit them (`git add . && git commit`) and submit again; put files that do not belong to \
         the task into `git stash -u` or .gitignore",
    ))
}

/// Returns the paths of a work tree that differ from its commit, without new files of debates.
async fn uncommitted_changes(
    caller: &Caller,
    location: &TeamLocation,
) -> Result<Vec<String>, Failure> {
    let mut changed = trees::uncommitted_paths(caller, location).await?;
    if let Some(root) = &location.work_tree {
        let new = ["ls-files", "--others", "--exclude-standard", "-z"];
        let new = run_git(caller, root, &new).await?;
        let of_debates = new_debate_files(caller, root, new.as_bytes());
        changed.retain(|path| !of_debates.contains(&path.as_bytes()));
    }
    Ok(changed)
}

/// Returns whether a tree differs from the tree that the work started from, or `None` if that is
/// unknown.
async fn has_changed(caller: &Caller, task: &Task, tree: &TreeHash) -> Option<bool> {
    let of_base = format!("{}^{{tree}}", task.base.as_ref()?.commit);
    let args = ["rev-parse", "--verify", "--end-of-options", &of_base];
    let before = run_git(caller, &caller.cwd, &args).await.ok()?;
    Some(before.trim() != tree.as_str())
}

/// Returns the failure for a commit with the same files as the commit that the work started from.
fn unchanged(task: &Task, id: &str) -> Failure {
    let short = |id: &str| id.chars().take(10).collect::<String>();
    let base = task.base.as_ref().map(|base| short(&base.commit));
    let message = format!(
        "commit {} changes nothing: {} started from {}",
        short(id),
        task.id,
        base.unwrap_or_default()
    );
    let why = Hint::new("if nothing has to change, give the reason with ")
        .flag_with("no-change", "REASON");
    Failure::new(Code::Refused, message)
        .hint(Hint::new("commit your change and submit again").or(why))
}
