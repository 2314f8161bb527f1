//! Runs the turns of a run's members.

use std::path::Path;

use agon_caller::{Code, Failure};
use agon_proc::end_survivor;
use agon_prompt::team::{Order, remove_repositories_order, returned_order, solve_conflicts_order};
use agon_team::id::TaskId;
use agon_team::store::MemberToken;
use agon_team::task::Task;

use super::task_part::TaskPart;
use super::{RunContext, branch_of, worker_member_name};
use crate::git::open_tree;
use crate::open_team::failure;
use crate::start::{StartRequest, prepare};
use crate::trees;
use crate::turn::{TeamTurn, TurnOrder, run_turn};
use crate::watch::group_of;

/// The note of a task that is released because its run was stopped.
const INTERRUPTED: &str = "its run was stopped";

/// A turn of a member of a run.
pub(super) struct MemberTurn<'a> {
    pub(super) name: String,
    pub(super) role: &'a str,
    pub(super) host: &'a str,
    pub(super) task: Option<TaskId>,
    pub(super) base: String,
    pub(super) order: Option<Order>,
}

/// A turn that ended.
pub(super) struct EndedTurn {
    pub(super) turn: TeamTurn,
    /// The member's token, with which Agon records its verdict.
    pub(super) token: MemberToken,
}

impl RunContext<'_> {
    /// Runs a turn, from preparing the work tree to collecting its result.
    ///
    /// # Errors
    ///
    /// Fails if the turn cannot be prepared or run, or the run was stopped meanwhile.
    pub(super) async fn turn(&self, turn: &MemberTurn<'_>) -> Result<EndedTurn, Failure> {
        let bug = |error: agon_team::id::IdError| Failure::from_error(Code::Bug, &error);
        let request = StartRequest {
            role: turn.role.parse().map_err(bug)?,
            host: turn.host.to_owned(),
            task: turn.task,
            name: Some(turn.name.parse().map_err(bug)?),
            model: None,
            base: Some(turn.base.clone()),
            profile: self.policy.profile.clone(),
            wait: true,
        };
        let prepared = prepare(
            self.caller,
            &request,
            &self.team,
            self.location.clone(),
            self.cancel,
        )
        .await?;
        let order = TurnOrder {
            session: prepared.session,
            token: &prepared.token,
            order: turn.order.as_ref(),
            submits: true,
            is_watched: true,
            run: Some(self.run),
        };
        let ended = run_turn(self.caller, &self.location, &self.team, &order, self.cancel).await?;
        // Close the session: this run decides about restarts, not the watch.
        self.team()
            .close_session(prepared.session)
            .map_err(failure)?;
        self.team()
            .add_tokens(self.run, ended.tokens.unwrap_or_default())
            .map_err(failure)?;
        self.check_cancel()?;
        Ok(EndedTurn {
            turn: ended,
            token: prepared.token,
        })
    }

    /// Runs a worker's turn on a task.
    pub(super) async fn work(&self, task: &Task, part: &TaskPart<'_>) -> Result<TeamTurn, Failure> {
        let name = worker_member_name(self.run, task.id);
        let tree = trees::folder(self.caller, &self.location)?.join(&name);
        let salt = format!("run {}", self.run);
        let mut order = Vec::new();
        if trees::is_whole(&self.location, &tree) {
            // Its sessions are over, so the run has the tree to itself.
            trees::unlock(&self.location, &tree);
            let session = open_tree(self.caller, &tree).await?;
            let left = trees::nested_repositories(&session, "HEAD").await?;
            let conflicts = if left.is_empty() {
                self.merge_run_branch(&tree, &name).await?
            } else {
                // The member must remove them itself: they contain its work.
                let names: Vec<_> = left.iter().map(|path| path.to_string_lossy()).collect();
                order.push(remove_repositories_order(&salt, &names.join("\n")));
                Vec::new()
            };
            if let Some(note) = task.note.as_deref() {
                let note = self.returned_note(task, note)?;
                order.push(returned_order(&salt, &note));
            }
            if !conflicts.is_empty() {
                order.push(solve_conflicts_order(conflicts.len()));
            }
        }
        let ended = self
            .turn(&MemberTurn {
                name,
                role: part.role,
                host: self.author_host(part),
                task: Some(task.id),
                base: branch_of(self.run),
                order: Order::join(order),
            })
            .await?;
        Ok(ended.turn)
    }

    /// Merges the run's branch into a worker's tree; returns the conflicting files, which are left
    /// for the worker to resolve.
    async fn merge_run_branch(&self, tree: &Path, name: &str) -> Result<Vec<String>, Failure> {
        let caller = self.caller;
        // With conflicts left, an earlier merge is still in progress, so do not start another.
        let open = trees::conflicts(caller, tree).await?;
        if !open.is_empty() {
            return Ok(open);
        }
        if let Ok(member) = name.parse() {
            let branch = trees::branch_of(&member);
            let message = "Uncommitted changes of an earlier session";
            trees::commit(caller, tree, &branch, &member, message).await?;
        }
        let branch = branch_of(self.run);
        match trees::merge(caller, tree, &branch, None).await {
            Ok(()) => Ok(Vec::new()),
            Err(error) => {
                let open = trees::conflicts(caller, tree).await?;
                if open.is_empty() {
                    Err(error)
                } else {
                    Ok(open)
                }
            }
        }
    }

    /// Recovers from a killed run: ends its members' processes and makes their tasks ready again.
    /// Their work trees stay as they are.
    pub(super) async fn recover_from_kill(&self) -> Result<(), Failure> {
        let prefix = format!("{}-", self.run);
        let sessions = self.team().sessions().map_err(failure)?;
        for session in sessions {
            if session.closed || !session.member.as_str().starts_with(&prefix) {
                continue;
            }
            let process = self
                .team()
                .session_process(session.session)
                .map_err(failure)?;
            if let Some(process) = process {
                let group = group_of(&process);
                // Ignore errors: this fails only if `end_survivor` panics.
                tokio::task::spawn_blocking(move || end_survivor(&group))
                    .await
                    .ok();
            }
            self.team()
                .stop_session(session.session, INTERRUPTED)
                .map_err(failure)?;
        }
        // A stopped run does not count against its tasks. A task can have a lease without a session
        // if the run was killed between the two.
        for task in self.open_tasks(&self.read()?)? {
            let is_ours = task
                .lease
                .as_ref()
                .is_some_and(|lease| lease.holder.as_str().starts_with(&prefix));
            if is_ours {
                self.team()
                    .interrupt(&self.actor, task.id, INTERRUPTED)
                    .map_err(failure)?;
            }
        }
        Ok(())
    }
}
