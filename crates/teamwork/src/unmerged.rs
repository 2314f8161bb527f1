//! Finds done work that is not in the lead's branch yet.

use std::collections::BTreeSet;

use agon_caller::Caller;
use agon_team::change::Change;
use agon_team::store::TeamLocation;
use agon_team::task::TaskState;

use super::git::run_git;
use super::status::TeamStatusDoc;
use super::{member_trees, trees};

/// The most commits that are checked, the latest first: each is a git argument.
const MAX_COMMITS: usize = 200;

/// Marks the done tasks on the board whose commit is not in the branch of the lead's work tree, or
/// of the main work tree if no lead joined. Marks nothing if the repository cannot be read.
pub async fn mark_unmerged(caller: &Caller, board: &mut TeamStatusDoc) {
    board.unmerged = find_unmerged(caller, board).await.unwrap_or_default();
}

async fn find_unmerged(
    caller: &Caller,
    board: &TeamStatusDoc,
) -> Option<BTreeSet<agon_team::id::TaskId>> {
    let done = board.tasks.iter().map(|row| &row.task);
    let done = done.filter(|task| task.state == TaskState::Done).rev();
    let commits = done.filter_map(|task| match &task.evidence.as_ref()?.change {
        Change::Commit { id } => Some((task.id, id.clone())),
        Change::Diff { .. } | Change::Elsewhere { .. } => None,
    });
    let commits: Vec<_> = commits.take(MAX_COMMITS).collect();
    if commits.is_empty() {
        return None;
    }
    let location = TeamLocation::find(&caller.cwd).ok()?;
    let lead = board.members.iter().map(|row| &row.member);
    let lead = lead.into_iter().find(|it| it.role.as_str() == "lead");
    let mut trees = member_trees::work_trees(caller, &location);
    let tree = lead.and_then(|it| trees.remove(&it.name));
    let tree = match tree {
        Some(tree) => tree,
        None => trees::list(caller).ok()?.into_iter().next()?,
    };
    let mut args = vec!["rev-list", "--ignore-missing"];
    args.extend(commits.iter().map(|(_, id)| id.as_str()));
    args.extend(["--not", "HEAD"]);
    let printed = run_git(caller, &tree, &args).await.ok()?;
    let missing: BTreeSet<&str> = printed.lines().collect();
    let unmerged = commits
        .iter()
        .filter(|(_, id)| missing.contains(id.as_str()));
    Some(unmerged.map(|(task, _)| *task).collect())
}
