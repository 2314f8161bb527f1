//! Lists and removes work trees and branches of members and runs that are done.

mod candidates;
mod loss;
mod obstacle;
mod remove;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::id::RunId;
use agon_team::store::{Actor, TeamLocation};
use schemars::JsonSchema;
use serde::Serialize;

use self::candidates::{Candidate, find_candidates};
use self::loss::{Loss, Refs, find_loss};
use self::obstacle::{Board, Obstacle};
use crate::lease::Lease;
use crate::member::lead;
use crate::open_team::{SharedTeam, open, share};
use crate::trees;

/// The name and version of the clean document.
pub const TEAM_CLEAN_SCHEMA: &str = "agon.team_clean/1";

/// Which leftovers to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanRequest {
    /// Only these members and runs; if empty, all that are done.
    pub names: BTreeSet<String>,
    /// Whether to remove leftovers whose work exists nowhere else, and those in `names` even if
    /// they are not done.
    pub force: bool,
}

/// The removed things, or the things that would be removed: `agon.team_clean/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamCleanDoc {
    #[schemars(extend("const" = TEAM_CLEAN_SCHEMA))]
    schema: &'static str,
    /// Whether this was a trial run that removed nothing.
    pub dry_run: bool,
    /// The removed things, or the things that would be removed.
    pub removed: Vec<Leftover>,
    /// What stays.
    pub kept: Vec<Leftover>,
}

/// A work tree and branch left by a member or a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Leftover {
    /// The member, the run, or the work tree in which a run checks changes.
    pub name: String,
    /// The run that it belongs to.
    pub run: Option<RunId>,
    /// Its work tree; null if it has none.
    pub tree: Option<PathBuf>,
    /// Its branch; null if it has none.
    pub branch: Option<String>,
    /// Changed files in the work tree that are in no commit, at most 20.
    pub uncommitted: Vec<String>,
    /// The number of commits that exist only on its branch.
    pub unmerged: u64,
    /// Why it stays; null if it is removed.
    pub why: Option<String>,
    /// Whether it would be removed if named and forced.
    pub is_forceable: bool,
    /// The commit that its branch pointed to when Agon checked it.
    #[serde(skip)]
    tip: Option<String>,
}

impl Leftover {
    fn has_loss(&self) -> bool {
        self.unmerged > 0 || !self.uncommitted.is_empty()
    }
}

/// Returns what [`clean`] would remove and what would stay.
///
/// # Errors
///
/// Fails if a name is not that of a member or run, or git fails.
pub async fn plan_clean(caller: &Caller, request: &CleanRequest) -> Result<TeamCleanDoc, Failure> {
    let (team, location) = open(caller)?;
    let team = share(team);
    let (mut document, _) = plan(caller, &team, &location, request).await?;
    document.dry_run = true;
    Ok(document)
}

/// Removes the work trees and branches of members and runs that are done, and marks their members
/// as left. Work that exists nowhere else stays, unless the request forces its removal. Only the
/// lead or a person may call this.
///
/// With `confirmed`, nothing is removed unless the plan is still the same.
///
/// # Errors
///
/// Fails if another member calls it, a name is not that of a member or run, the plan differs from
/// `confirmed`, or something cannot be removed.
pub async fn clean(
    caller: &Caller,
    request: &CleanRequest,
    confirmed: Option<&TeamCleanDoc>,
) -> Result<TeamCleanDoc, Failure> {
    refuse_nested(caller)?;
    let (team, location) = open(caller)?;
    let actor = lead(caller, &team, &location, "remove work trees of members")?;
    let team = share(team);
    // Locked from here on, so that no member gets a work tree between the check and the removal.
    let locked = trees::lock_work_trees(caller, &caller.cwd).await?;
    let (document, leases) = plan(caller, &team, &location, request).await?;
    if confirmed.is_some_and(|plan| plan.removed != document.removed) {
        let message = "the list of things to remove has changed since it was shown";
        return Err(Failure::new(Code::Refused, message)
            .hint("run the command again and check the new list"));
    }
    let cleaning = Cleaning {
        caller,
        location: &location,
        team: &team,
        actor: &actor,
    };
    cleaning.remove(&document.removed).await?;
    drop((locked, leases));
    cleaning.remove_files()?;
    Ok(document)
}

/// The context of a removal.
struct Cleaning<'a> {
    caller: &'a Caller,
    location: &'a TeamLocation,
    team: &'a SharedTeam,
    actor: &'a Actor,
}

/// Plans the removal and takes the leases of its runs, so that none of them continues meanwhile.
async fn plan(
    caller: &Caller,
    team: &SharedTeam,
    location: &TeamLocation,
    request: &CleanRequest,
) -> Result<(TeamCleanDoc, Vec<Lease>), Failure> {
    let mut candidates = find_candidates(caller, team, location).await?;
    refuse_unknown(&candidates, &request.names)?;
    let is_wanted = |it: &Candidate| {
        let of_run = it.run.map(|run| run.to_string());
        request.names.is_empty()
            || request.names.contains(&it.name)
            || of_run.is_some_and(|run| request.names.contains(&run))
    };
    candidates.retain(is_wanted);
    let mut leases = Vec::new();
    let mut busy_runs = BTreeSet::new();
    let runs: BTreeSet<RunId> = candidates.iter().filter_map(|it| it.run).collect();
    for run in runs {
        match Lease::take(Arc::clone(team), &format!("run {run}")) {
            Ok(lease) => leases.push(lease),
            Err(error) if error.code == Code::Busy => drop(busy_runs.insert(run)),
            Err(error) => return Err(error),
        }
    }
    let mut refs = Refs::read(caller, location).await?;
    let board = Board::read(caller, team, location, (busy_runs, &candidates), &refs).await?;
    let (mut removed, mut kept) = (Vec::new(), Vec::new());
    for candidate in candidates {
        let obstacle = board.obstacle(&candidate);
        let loss = match &obstacle {
            // This leftover stays in any case, so do not search it for lost work: a member may be
            // working there.
            Some(Obstacle::Always(_)) => Loss::default(),
            Some(Obstacle::UnlessNamed(_)) | None => find_loss(caller, &candidate, &refs).await?,
        };
        let mut leftover = loss.describe_leftover(&candidate);
        let nowhere_else = || "its work exists nowhere else".to_owned();
        (leftover.why, leftover.is_forceable) = match obstacle {
            Some(Obstacle::Always(why)) => (Some(why), false),
            None if request.force => (None, false),
            // A leftover that is not done is removed only if it is named.
            Some(Obstacle::UnlessNamed(_)) if request.force && !request.names.is_empty() => {
                (None, false)
            }
            Some(Obstacle::UnlessNamed(why)) => (Some(why), true),
            None => (leftover.has_loss().then(nowhere_else), leftover.has_loss()),
        };
        match leftover.why {
            None => removed.push(leftover),
            Some(_) => {
                // Commits that a kept branch also has are not lost.
                refs.keep(leftover.branch.as_deref());
                kept.push(leftover);
            }
        }
    }
    let document = TeamCleanDoc {
        schema: TEAM_CLEAN_SCHEMA,
        dry_run: false,
        removed,
        kept,
    };
    Ok((document, leases))
}

fn refuse_unknown(candidates: &[Candidate], names: &BTreeSet<String>) -> Result<(), Failure> {
    let is_known = |name: &String| {
        let mut all = candidates.iter();
        all.any(|it| it.name == *name || it.run.is_some_and(|run| run.to_string() == *name))
    };
    match names.iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => {
            let message = format!(
                "no member or run {} has a work tree or branch here",
                name.escape_default()
            );
            Err(Failure::new(Code::Unknown, message)
                .parameter("name")
                .hint(Hint::new("list them with ").quoted("team clean --dry-run")))
        }
    }
}
