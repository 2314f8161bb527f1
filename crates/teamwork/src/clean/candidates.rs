//! Finds the members and runs that have a work tree or branch made by Agon.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agon_caller::{Caller, Failure};
use agon_git::Registration;
use agon_team::id::RunId;
use agon_team::store::{SessionDoc, TeamLocation};

use crate::git::run_git;
use crate::open_team::{SharedTeam, failure, lock};
use crate::run::{branch_of, check_tree_name};
use crate::trees;

/// A branch of a member or a run.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) name: String,
    /// Its commit.
    pub(super) tip: String,
}

/// A member or run whose leftovers could be removed.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) run: Option<RunId>,
    /// The repository's registration of its work tree.
    pub(super) registration: Option<Registration>,
    pub(super) branch: Option<Branch>,
    /// Whether it had a task, so that the commits on its branch are its own.
    has_task: bool,
}

impl Candidate {
    /// Returns its work tree, whose folder may be gone.
    pub(super) fn tree(&self) -> Option<&Path> {
        self.registration.as_ref().map(|it| it.tree.as_path())
    }

    /// Returns whether this is the work tree in which a run merges and checks changes.
    pub(super) fn is_checking(&self) -> bool {
        self.run
            .is_some_and(|run| self.name == check_tree_name(run))
    }
}

/// Returns everyone with a work tree in Agon's folder or a branch made by Agon, and every started
/// member that has not left. Those who had a task come first, because the commits on their branches
/// are their own.
pub(super) async fn find_candidates(
    caller: &Caller,
    team: &SharedTeam,
    location: &TeamLocation,
) -> Result<Vec<Candidate>, Failure> {
    let folder = trees::folder(caller, location)?;
    let is_own = |it: &Registration| trees::is_in(&folder, &it.tree);
    let registrations = location.repository().added_work_trees();
    let registrations: BTreeMap<String, Registration> = registrations
        .into_iter()
        .filter(is_own)
        .filter_map(|it| Some((it.tree.file_name()?.to_str()?.to_owned(), it)))
        .collect();
    let (runs, sessions, members) = {
        let mut team = lock(team);
        let runs = team.runs().map_err(failure)?;
        let runs: BTreeSet<RunId> = runs.into_iter().map(|it| it.run).collect();
        let sessions = team.sessions().map_err(failure)?;
        (runs, sessions, team.members().map_err(failure)?)
    };
    let branches = branches(caller, &runs).await?;
    let mut names: BTreeSet<String> = registrations.keys().cloned().collect();
    names.extend(branches.keys().cloned());
    let started: BTreeSet<String> = sessions.iter().map(|it| it.member.to_string()).collect();
    let there = members.iter().filter(|it| it.left_ms.is_none());
    names.extend(
        there
            .map(|it| it.name.to_string())
            .filter(|it| started.contains(it)),
    );
    let had_task = |name: &str| {
        let is_own = |it: &&SessionDoc| it.member.as_str() == name;
        sessions.iter().filter(is_own).any(|it| it.task.is_some())
    };
    let all = names.into_iter().map(|name| Candidate {
        run: run_from_name(&name, &runs),
        registration: registrations.get(&name).cloned(),
        branch: branches.get(&name).cloned(),
        has_task: had_task(&name),
        name,
    });
    let mut all: Vec<Candidate> = all.collect();
    all.sort_by_key(|it| !it.has_task);
    Ok(all)
}

/// Returns the branches of members and runs, by the name of their owner.
async fn branches(
    caller: &Caller,
    runs: &BTreeSet<RunId>,
) -> Result<BTreeMap<String, Branch>, Failure> {
    let args = [
        "for-each-ref",
        "--format=%(objectname)%20%(refname:lstrip=2)",
        "refs/heads/agon/",
    ];
    let listed = run_git(caller, &caller.cwd, &args).await?;
    let of_runs: BTreeMap<String, String> = runs
        .iter()
        .map(|run| (branch_of(*run), run.to_string()))
        .collect();
    let named = listed.lines().filter_map(|line| {
        let (tip, branch) = line.split_once(' ')?;
        let name = match trees::member_of_branch(branch) {
            Some(name) => name.to_owned(),
            None => of_runs.get(branch)?.clone(),
        };
        let branch = Branch {
            name: branch.to_owned(),
            tip: tip.to_owned(),
        };
        Some((name, branch))
    });
    Ok(named.collect())
}

/// Returns the run that a name such as `r1`, `r1-t2` or `r1-check` belongs to.
fn run_from_name(name: &str, runs: &BTreeSet<RunId>) -> Option<RunId> {
    let run = name.split_once('-').map_or(name, |(run, _)| run);
    let run: RunId = run.parse().ok()?;
    runs.contains(&run).then_some(run)
}
