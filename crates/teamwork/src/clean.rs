//! Work trees and branches of members and runs that are done: listed, and removed.

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
use crate::door::{SharedTeam, open, share};
use crate::lease::Lease;
use crate::member::lead;
use crate::trees;

/// The name and version of the document of leftovers of members that are done.
pub const TEAM_CLEAN_SCHEMA: &str = "agon.team_clean/1";

/// Which leftovers are to be removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanRequest {
    /// Only these members and runs; all that are done where it is empty.
    pub names: BTreeSet<String>,
    /// Whether they are removed with work that is nowhere else; those of `names` even if they are not
    /// done.
    pub force: bool,
}

/// What was removed, or would be: `agon.team_clean/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamCleanDoc {
    #[schemars(extend("const" = TEAM_CLEAN_SCHEMA))]
    schema: &'static str,
    /// Whether this is only what would be removed.
    pub dry_run: bool,
    /// What was removed, or would be.
    pub removed: Vec<Leftover>,
    /// What stays.
    pub kept: Vec<Leftover>,
}

/// A work tree and a branch of a member or a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Leftover {
    /// The member, the run, or the work tree that a run checks changes in.
    pub name: String,
    /// The run that it belongs to.
    pub run: Option<RunId>,
    /// Its work tree; null where there is none.
    pub tree: Option<PathBuf>,
    /// Its branch; null where there is none.
    pub branch: Option<String>,
    /// Changed files of the work tree that are in no commit; at most 20.
    pub uncommitted: Vec<String>,
    /// Commits of its branch that no branch, tag or remote branch has besides.
    pub unmerged: u64,
    /// Why it stays; null where it is removed.
    pub why: Option<String>,
    /// Whether it stays only until it is named and forced.
    pub is_forceable: bool,
    /// The commit that its branch was on when it was looked at.
    #[serde(skip)]
    tip: Option<String>,
}

impl Leftover {
    fn has_loss(&self) -> bool {
        self.unmerged > 0 || !self.uncommitted.is_empty()
    }
}

/// What [`clean`] would remove, and what would stay.
///
/// # Errors
///
/// If a name is that of no member or run, or git refuses.
pub async fn plan_clean(caller: &Caller, request: &CleanRequest) -> Result<TeamCleanDoc, Failure> {
    let (team, location) = open(caller)?;
    let team = share(team);
    let (mut document, _) = plan(caller, &team, &location, request).await?;
    document.dry_run = true;
    Ok(document)
}

/// Removes the work trees and branches of members and runs that are done. Members without them are
/// marked as left. Work that is nowhere else stays, unless the request says otherwise. The lead or a
/// person may. Nothing is removed that was not in `confirmed`, where there is such a plan.
///
/// # Errors
///
/// If another member asks, a name is that of no member or run, what would be removed is not what was
/// confirmed, or something cannot be removed.
pub async fn clean(
    caller: &Caller,
    request: &CleanRequest,
    confirmed: Option<&TeamCleanDoc>,
) -> Result<TeamCleanDoc, Failure> {
    refuse_nested(caller)?;
    let (team, location) = open(caller)?;
    let actor = lead(caller, &team, &location, "remove work trees of members")?;
    let team = share(team);
    // From here on no member is given a work tree: what is looked at is what is removed.
    let locked = trees::lock_work_trees(caller, &caller.cwd).await?;
    let (document, leases) = plan(caller, &team, &location, request).await?;
    if confirmed.is_some_and(|plan| plan.removed != document.removed) {
        let message = "what would be removed has changed since it was shown";
        return Err(Failure::new(Code::Refused, message).hint("look at it again"));
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

/// What a removal needs.
struct Cleaning<'a> {
    caller: &'a Caller,
    location: &'a TeamLocation,
    team: &'a SharedTeam,
    actor: &'a Actor,
}

/// What is to be removed, with the leases of its runs: none of them goes on meanwhile.
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
            // A member may be at work there, and it stays whatever would be lost.
            Some(Obstacle::Always(_)) => Loss::default(),
            Some(Obstacle::UnlessNamed(_)) | None => find_loss(caller, &candidate, &refs).await?,
        };
        let mut leftover = loss.leftover_of(&candidate);
        let nowhere_else = || "its work is nowhere else".to_owned();
        (leftover.why, leftover.is_forceable) = match obstacle {
            Some(Obstacle::Always(why)) => (Some(why), false),
            None if request.force => (None, false),
            // What is not done is removed only by its name.
            Some(Obstacle::UnlessNamed(_)) if request.force && !request.names.is_empty() => {
                (None, false)
            }
            Some(Obstacle::UnlessNamed(why)) => (Some(why), true),
            None => (leftover.has_loss().then(nowhere_else), leftover.has_loss()),
        };
        match leftover.why {
            None => removed.push(leftover),
            Some(_) => {
                // What another branch that stays has as well is not lost.
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
            let message = format!("{} has no work tree and no branch", name.escape_default());
            Err(Failure::new(Code::Unknown, message)
                .parameter("name")
                .hint(Hint::new("see what there is with ").quoted("team clean --dry-run")))
        }
    }
}
