//! Records how sessions end.

use serde_json::json;

use crate::id::SessionId;
use crate::ladder::SessionState;
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::apply_step;
use crate::store::rows::read_task;
use crate::store::sessions::{SessionEnding, SessionRow, close, read_session, set_state};
use crate::store::team::Team;
use crate::store::write::{Write, to_json};
use crate::task::TaskStep;

impl Team {
    /// Records how a session ended. The supervision judges it later; a session with a result is
    /// closed at once.
    ///
    /// # Errors
    ///
    /// If there is no such session.
    pub fn end_session(&mut self, id: SessionId, ending: &SessionEnding) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let row = read_session(write.db, id, write.now.uptime_ms)?;
            end(write, &row, ending)
        })
    }

    /// Stops a session that was interrupted from outside and releases its task. This counts neither
    /// as an attempt nor as a failure, and the supervision does not act on it.
    ///
    /// # Errors
    ///
    /// If there is no such session, or the file cannot be written.
    pub fn stop_session(&mut self, id: SessionId, said: &str) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let row = read_session(write.db, id, write.now.uptime_ms)?;
            if row.doc.closed {
                return Ok(());
            }
            let ending = SessionEnding {
                is_complete: false,
                has_evidence: false,
                said: said.to_owned(),
            };
            end(write, &row, &ending)?;
            close(write, id, row.doc.rung)?;
            let detail = json!({ "member": row.doc.member });
            write.event("session.closed", &id.to_string(), &detail)?;
            let Some(task) = row.doc.task else {
                return Ok(());
            };
            let lease = read_task(write.db, task)?.lease;
            if lease.is_some_and(|lease| lease.holder == row.doc.member) {
                let note = said.to_owned();
                apply_step(write, task, &TaskStep::Interrupt { note }, None)?;
            }
            Ok(())
        })
    }

    /// Closes a session for which no further step is needed, such as one that a person stopped.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn close_session(&mut self, id: SessionId) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let row = read_session(write.db, id, write.now.uptime_ms)?;
            if !row.doc.closed {
                close(write, id, row.doc.rung)?;
                let detail = json!({ "member": row.doc.member });
                write.event("session.closed", &id.to_string(), &detail)?;
            }
            Ok(())
        })
    }
}

/// Records an ending.
fn end(write: &Write<'_>, row: &SessionRow, ending: &SessionEnding) -> Result<(), StoreError> {
    let id = row.doc.session;
    let state = match (ending.is_complete, ending.has_evidence) {
        (true, true) => SessionState::Finished,
        (true, false) => SessionState::FailedEmpty,
        (false, _) => SessionState::Dead,
    };
    write
        .db
        .prepare_cached("UPDATE session SET ending = ?2, open_tool_ms = NULL WHERE id = ?1")?
        .execute((id.number(), to_json(ending)?))?;
    let said = std::slice::from_ref(&ending.said);
    if !set_state(write, row, state, said)? {
        let detail = json!({ "member": row.doc.member, "ending": ending });
        write.event("session.ended", &id.to_string(), &detail)?;
    }
    if state == SessionState::Finished {
        close(write, id, row.doc.rung)?;
    }
    Ok(())
}
