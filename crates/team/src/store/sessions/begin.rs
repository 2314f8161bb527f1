//! Starts sessions, with their tasks.

use rusqlite::OptionalExtension as _;
use serde_json::json;

use super::{close, read_session, write_runner};
use crate::id::{MemberName, SessionId, TaskId};
use crate::ladder::Rung;
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::apply_step;
use crate::store::rows::signed;
use crate::store::tasks::claim_task;
use crate::store::team::{Team, check_joined};
use crate::store::write::Write;
use crate::task::{Fence, TaskStep};

/// A session to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Its member.
    pub member: MemberName,
    /// Its AI tool.
    pub host: String,
    /// Its model; null if the tool chooses it.
    pub model: Option<String>,
    /// Its profile of the settings; null for the current one.
    pub profile: Option<String>,
    /// The task to work on.
    pub task: Option<TaskId>,
    /// Its work tree.
    pub work_tree: Option<String>,
    /// The file for its output.
    pub log: Option<String>,
    /// The commit that its changes are compared with.
    pub base: Option<String>,
    /// The session that it replaces, which is closed.
    pub replaces: Option<SessionId>,
    /// The process that runs its turn, if it is known from the start: its death is then noticed at
    /// once.
    pub runner: Option<String>,
}

impl Team {
    /// Starts a session of a member. Its task, if it has one, is claimed and started in the same
    /// transaction, so that after a failure or a kill, a member without a process never holds a
    /// task. The session's process does not exist yet.
    ///
    /// # Errors
    ///
    /// Fails if the actor is not the member, the task cannot be claimed, or the member has another
    /// session than the replaced one.
    pub fn begin_session(
        &mut self,
        actor: &Actor,
        new: &NewSession,
    ) -> Result<SessionId, StoreError> {
        // Written as the team: a call by the member would look like a sign that its tool has
        // started.
        let begun = self.write(&Actor::team(), |write| {
            if actor.name() != Some(&new.member) {
                return Err(StoreError::NotMember);
            }
            let by_member = write.by(actor);
            check_joined(&by_member)?;
            refuse_second_session(write, new)?;
            if let Some(task) = new.task {
                let member = new.member.clone();
                let epoch = claim_task(&by_member, task, None, None)?.epoch;
                let fence = Fence { member, epoch };
                apply_step(&by_member, task, &TaskStep::Start, Some(&fence))?;
            }
            insert_session(write, new)
        });
        if let (Err(StoreError::Task(_)), Some(task)) = (&begun, new.task) {
            // A failure to count the refused claim must not change the answer.
            self.record_refused_claim(actor, task).ok();
        }
        begun
    }
}

/// Refuses a session if the member has another one than the replaced session.
fn refuse_second_session(write: &Write<'_>, new: &NewSession) -> Result<(), StoreError> {
    let open: Option<i64> = write
        .db
        .prepare_cached("SELECT id FROM session WHERE member = ?1 AND closed = 0 AND id IS NOT ?2")?
        .query_row(
            (new.member.as_str(), new.replaces.map(SessionId::number)),
            |row| row.get(0),
        )
        .optional()?;
    match open {
        None => Ok(()),
        Some(open) => Err(StoreError::HasSession {
            member: new.member.clone(),
            session: SessionId::new(open),
        }),
    }
}

fn insert_session(write: &Write<'_>, new: &NewSession) -> Result<SessionId, StoreError> {
    let mut restarts = 0;
    if let Some(before) = new.replaces {
        let row = read_session(write.db, before, write.now.uptime_ms)?;
        if row.doc.closed || row.doc.member != new.member {
            return Err(StoreError::NoSession(before));
        }
        restarts = row.doc.restarts.saturating_add(1);
        close(write, before, Rung::Restart)?;
        let detail = json!({ "member": new.member });
        write.event("session.restarted", &before.to_string(), &detail)?;
    }
    write
        .db
        .prepare_cached(
            "INSERT INTO session (member, host, model, task, work_tree, log, restarts, boot,
                 began_ms, began_uptime_ms, state, evidence, changed_ms, rung, base, profile)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'spawning', '[]', ?9, 'none',
                 ?11, ?12)",
        )?
        .execute(rusqlite::params![
            new.member.as_str(),
            new.host,
            new.model,
            new.task.map(TaskId::number),
            new.work_tree,
            new.log,
            restarts,
            &*write.now.boot,
            write.now.wall_ms,
            signed(write.now.uptime_ms),
            new.base,
            new.profile,
        ])?;
    let id = SessionId::new(write.db.last_insert_rowid());
    let detail = json!({
        "member": new.member, "host": new.host, "task": new.task, "restarts": restarts,
    });
    write.event("session.spawning", &id.to_string(), &detail)?;
    if let Some(runner) = &new.runner {
        write_runner(write, id, runner)?;
    }
    Ok(id)
}
