//! Sends the history of a reopened session from the record of its debate.

use agon_caller::{Failure, IgnoreNotes};
use agon_debates::read::show;

use crate::follow::{send_ended_turns, send_outcome};
use crate::session::Session;
use crate::updates::Updates;

/// Sends the turns of a session's debate so far, and its state.
///
/// # Errors
///
/// Returns an error if no part of the debate can be read.
pub(crate) fn replay(session: &mut Session, updates: &Updates) -> Result<(), Failure> {
    let Some(path) = &session.debate else {
        return Ok(());
    };
    let name = path.display().to_string();
    let shown = show::show(&session.caller, Some(&name), &mut IgnoreNotes)?;
    updates.send_user_message(&shown.ended.document().topic);
    let heard = send_ended_turns(path, &mut session.cursor, updates)?;
    send_outcome(&session.caller, path, &heard, updates)
}

/// Skips the turns of a session's debate so far, without sending them.
///
/// # Errors
///
/// Returns an error if no part of the debate can be read.
pub(crate) fn skip_ended_turns(session: &mut Session) -> Result<(), Failure> {
    let Some(path) = &session.debate else {
        return Ok(());
    };
    let heard = agon_debates::status::new_turns::turns_since(path, u64::MAX)?;
    session.cursor = heard.cursor;
    Ok(())
}
