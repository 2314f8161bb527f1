//! A session that is taken up again: its history, as far as the record of the debate has it.

use agon_caller::{Failure, IgnoreNotes};
use agon_debates::read::show;

use crate::follow::{tell_end, tell_ended_turns};
use crate::session::Session;
use crate::updates::Updates;

/// Tells what was said so far in the debate of a session, and how it stands.
///
/// # Errors
///
/// If nothing of it can be read.
pub(crate) fn replay(session: &mut Session, updates: &Updates) -> Result<(), Failure> {
    let Some(path) = &session.debate else {
        return Ok(());
    };
    let name = path.display().to_string();
    let shown = show::show(&session.caller, Some(&name), &mut IgnoreNotes)?;
    updates.repeat_user(&shown.ended.document().topic);
    let heard = tell_ended_turns(path, &mut session.cursor, updates)?;
    tell_end(&session.caller, path, &heard, updates)
}

/// Goes past what was said so far in the debate of a session, without telling it.
///
/// # Errors
///
/// If nothing of it can be read.
pub(crate) fn skip_ended_turns(session: &mut Session) -> Result<(), Failure> {
    let Some(path) = &session.debate else {
        return Ok(());
    };
    let heard = agon_debates::status::new_turns::turns_since(path, u64::MAX)?;
    session.cursor = heard.cursor;
    Ok(())
}
