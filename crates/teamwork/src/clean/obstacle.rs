//! Finds out why a member or run is not done.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure};
use agon_team::id::RunId;
use agon_team::store::{RunDoc, RunStage, SessionDoc, TeamLocation};
use agon_team::task::Task;

use super::candidates::Candidate;
use super::loss::{Refs, main_tree};
use crate::open_team::{SharedTeam, failure, lock};
use crate::run::branch_of;
use crate::trees;

/// Why a leftover is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// It always stays.
    Always(String),
    /// It stays unless the caller names it and forces its removal.
    UnlessNamed(String),
}

/// The state of the team and the repository, read once for all candidates.
pub(super) struct Board {
    sessions: Vec<SessionDoc>,
    tasks: Vec<Task>,
    runs: Vec<RunDoc>,
    busy_runs: BTreeSet<RunId>,
    /// Runs with commits that are on no other branch.
    not_landed: BTreeSet<RunId>,
    /// The branches that are checked out, each with its work tree.
    checked_out: Vec<(String, PathBuf)>,
    cwd: PathBuf,
}

impl Board {
    pub(super) async fn read(
        caller: &Caller,
        team: &SharedTeam,
        location: &TeamLocation,
        (busy_runs, candidates): (BTreeSet<RunId>, &[Candidate]),
        refs: &Refs,
    ) -> Result<Self, Failure> {
        let (sessions, tasks, runs) = {
            let mut team = lock(team);
            let sessions = team.sessions().map_err(failure)?;
            let tasks = team.tasks().map_err(failure)?;
            (sessions, tasks, team.runs().map_err(failure)?)
        };
        let mut not_landed = BTreeSet::new();
        for run in candidates
            .iter()
            .filter_map(|it| it.run)
            .collect::<BTreeSet<_>>()
        {
            let branch = branch_of(run);
            if trees::has_branch(caller, &branch).await?
                && refs
                    .unmerged(caller, &[&format!("refs/heads/{branch}")])
                    .await?
                    > 0
            {
                not_landed.insert(run);
            }
        }
        let all = location.repository().added_work_trees().into_iter();
        let all = all.chain(main_tree(location));
        let checked_out = all.filter_map(|it| Some((it.branch()?, it.tree)));
        Ok(Self {
            sessions,
            tasks,
            runs,
            busy_runs,
            not_landed,
            checked_out: checked_out.collect(),
            cwd: real(&caller.cwd),
        })
    }

    /// Returns why a candidate is not done, or `None` if it is.
    pub(super) fn obstacle(&self, candidate: &Candidate) -> Option<Obstacle> {
        self.always(candidate)
            .or_else(|| self.obstacle_unless_named(candidate))
    }

    fn always(&self, candidate: &Candidate) -> Option<Obstacle> {
        let always = |why: String| Some(Obstacle::Always(why));
        if let Some(run) = candidate.run.filter(|run| self.busy_runs.contains(run)) {
            return always(format!("{run} is running"));
        }
        let is_own = |it: &&SessionDoc| it.member.as_str() == candidate.name;
        let mut own = self.sessions.iter().filter(is_own);
        if let Some(session) = own.find(|it| !it.closed && it.ending.is_none()) {
            return always(format!("it is working in session {}", session.session));
        }
        let branch = candidate.branch.as_ref().map(|it| it.name.as_str());
        if let Some(registration) = &candidate.registration {
            if registration.git_dir.join("locked").exists() {
                return always("its work tree is locked by `git worktree lock`".to_owned());
            }
            if self.cwd.starts_with(real(&registration.tree)) {
                return always("you are in its work tree".to_owned());
            }
            if let Some(on) = registration.branch()
                && branch != Some(on.as_str())
                && !on.starts_with("agon/")
            {
                return always(format!("its work tree is on your branch {on}"));
            }
        }
        let elsewhere = self.checked_out.iter().find(|(on, tree)| {
            Some(on.as_str()) == branch && Some(tree.as_path()) != candidate.tree()
        });
        elsewhere.and_then(|(_, tree)| {
            always(format!("its branch is checked out in {}", tree.display()))
        })
    }

    fn obstacle_unless_named(&self, candidate: &Candidate) -> Option<Obstacle> {
        let unless = |why: String| Some(Obstacle::UnlessNamed(why));
        let run = self.runs.iter().find(|it| Some(it.run) == candidate.run);
        if let Some(run) = run {
            if self.not_landed.contains(&run.run) {
                return unless(format!(
                    "not landed yet: run `agon team land {}` first",
                    run.run
                ));
            }
            if run.stage != RunStage::Done {
                return unless(format!("{} is not finished and can be resumed", run.run));
            }
        }
        let has_part = |task: &&Task| {
            task.workers.iter().any(|it| it.as_str() == candidate.name)
                || task
                    .lease
                    .as_ref()
                    .is_some_and(|it| it.holder.as_str() == candidate.name)
        };
        let open = self.tasks.iter().filter(|it| !it.state.is_final());
        let open = open.into_iter().find(has_part)?;
        unless(format!("{} is {}", open.id, open.state))
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
