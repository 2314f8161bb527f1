//! Lands a run: moves the user's branch to its result.

use std::path::Path;

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure};
use agon_git::{FilterScope, GitSession};
use agon_team::id::RunId;
use agon_team::mail::Trust;
use schemars::JsonSchema;
use serde::Serialize;

use super::branch_of;
use super::left_out::{LeftOutTask, left_out};
use crate::git::{git_failure, open_tree, run_git, run_over_files};
use crate::member::{is_person, lead};
use crate::open_team::{failure, open};
use crate::text::clean_line;
use crate::tool_settings::{Links, configuring};
use crate::trees;

/// The name and version of the document about a landed run.
pub const TEAM_LANDED_SCHEMA: &str = "agon.team_landed/1";

/// A run that a person landed: `agon.team_landed/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLandedDoc {
    #[schemars(extend("const" = TEAM_LANDED_SCHEMA))]
    schema: &'static str,
    /// The run.
    pub run: RunId,
    /// The branch that was moved.
    pub branch: String,
    /// The commit that the branch points to now.
    pub commit: String,
    /// Whether the branch was fast-forwarded, without a merge.
    pub fast_forward: bool,
    /// The number of the run's tasks.
    pub tasks: usize,
    /// The tasks whose changes are missing, each with the reason.
    pub left_out: Vec<LeftOutTask>,
    /// Why the run stopped; null if it is done.
    pub note: Option<String>,
    /// The changed files that configure tools, such as `.claude/settings.json` or `.envrc`.
    pub configures: Vec<String>,
}

/// Moves the branch that the caller has checked out to the result of a run, by fast-forward or
/// merge. A run that changes tool configuration can only be landed by a person.
///
/// # Errors
///
/// Fails if the caller is neither the lead nor a person, the work tree has uncommitted changes, or
/// git fails.
pub async fn land(caller: &Caller, run: RunId) -> Result<TeamLandedDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let asking = lead(caller, &team, &location, "land a run")?;
    let found = team.run(run).map_err(failure)?;
    let left_out = left_out(&mut team, &found)?;
    let tree = location.work_tree.clone().unwrap_or(caller.cwd.clone());
    let session = open_tree(caller, &tree).await?;
    if is_changed(&session).await? {
        let message = "this work tree has uncommitted changes".to_owned();
        return Err(Failure::new(Code::NotClean, message)
            .hint("commit them, or put them aside with `git stash`"));
    }
    let before = trees::head(caller, &tree).await?;
    let branch = branch_of(run);
    let range = format!("HEAD...{branch}");
    let changed = ["diff", "--name-only", "--no-renames", "-z", &range];
    let changed = session.text(&changed).await.map_err(git_failure)?;
    let links = Links::read(&session, &["HEAD", &branch]).await?;
    let hooks = session.hooks_folder().await.map_err(git_failure)?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let hooks = real(&hooks);
    let hooks = hooks.strip_prefix(real(&tree)).ok();
    let hooks = hooks.and_then(|it| it.to_str());
    let changed = changed.split('\0').filter(|path| !path.is_empty());
    let configures = configuring(changed, &links, hooks.filter(|it| !it.is_empty()));
    // In the lead's work tree a person acts as the lead, so check for a person, too.
    let is_person = asking.trust() == Trust::Person || is_person(caller);
    if !configures.is_empty() && !is_person {
        let names: Vec<String> = configures.iter().map(|it| clean_line(it)).collect();
        let message = format!(
            "{run} changes files that configure tools: {}",
            names.join(", ")
        );
        return Err(Failure::new(Code::ConfiguresTools, message).hint(format!(
            "a person must read these files, then run `agon team land {run}` at a terminal"
        )));
    }
    let is_behind = ["merge-base", "--is-ancestor", "HEAD", &branch];
    let is_forward = session.text(&is_behind).await.is_ok();
    match is_forward {
        true => trees::forward(caller, &session, &branch).await?,
        false => merge(caller, &session, &branch).await?,
    }
    let name = run_git(caller, &tree, &["rev-parse", "--abbrev-ref", "HEAD"]).await?;
    let commit = trees::head(caller, &tree).await?;
    Ok(TeamLandedDoc {
        schema: TEAM_LANDED_SCHEMA,
        run,
        branch: name.trim().to_owned(),
        fast_forward: is_forward && commit != before,
        commit,
        tasks: found.tasks.len(),
        left_out,
        note: found.note,
        configures,
    })
}

/// Merges the branch of a run; a failed merge changes nothing.
async fn merge(caller: &Caller, session: &GitSession, branch: &str) -> Result<(), Failure> {
    session
        .refuse_foreign_filters(FilterScope::Commit(branch))
        .await
        .map_err(git_failure)?;
    let args = [
        "merge",
        "-q",
        "--ff",
        "--no-verify",
        "--no-gpg-sign",
        "--no-edit",
        branch,
    ];
    let Err(error) = run_over_files(caller, session, &args, b"").await else {
        return Ok(());
    };
    let unmerged = session.text(&["ls-files", "-u"]).await;
    let has_conflict = unmerged.is_ok_and(|listed| !listed.is_empty());
    // Ignore errors: this fails if git refused before the merge began.
    session.text(&["merge", "--abort"]).await.ok();
    Err(match has_conflict {
        true => error.hint(format!("merge {branch} by hand and resolve the conflict")),
        false => error,
    })
}

/// Returns whether a tracked file differs from the checked-out commit. Files in submodules do not
/// count.
async fn is_changed(session: &GitSession) -> Result<bool, Failure> {
    let staged = [
        "diff",
        "--cached",
        "--name-only",
        "--ignore-submodules=dirty",
        "HEAD",
    ];
    let unstaged = ["diff", "--name-only", "--ignore-submodules=all"];
    for args in [&staged[..], &unstaged] {
        let names = session.text(args).await.map_err(git_failure)?;
        if !names.trim().is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
