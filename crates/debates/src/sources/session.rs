//! The brief of an AI tool's session, as one of the texts that every seat reads.

use agon_caller::{Caller, Code, Failure, Hint, Notes};
use agon_health::{SessionBrief, session_brief};

use crate::request::{CONTEXT_SEPARATOR, PastedText};

/// The context that is the brief of a session.
const SESSION: &str = "session";

/// Returns `wanted` without `session` or `session=ID`, and adds the brief of that session to
/// `pasted`. Shows the brief, so that the user sees what is sent.
///
/// # Errors
///
/// If there is no such session, or it is combined with a context other than files and folders.
pub(crate) fn take_session_brief(
    caller: &Caller,
    wanted: &str,
    pasted: &mut Vec<PastedText>,
    notes: &mut dyn Notes,
) -> Result<String, Failure> {
    let (sessions, others): (Vec<_>, Vec<_>) = wanted
        .split(CONTEXT_SEPARATOR)
        .filter(|one| !one.is_empty())
        .partition(|one| session_of(one).is_some());
    let Some(id) = sessions.first().and_then(|one| session_of(one)) else {
        return Ok(wanted.to_owned());
    };
    let is_file = |one: &str| one.starts_with("file=") || one.starts_with("dir=");
    let hindrance = match others.iter().find(|one| !is_file(one)) {
        Some(other) => Some(format!("`{other}` cannot be combined with a session")),
        None if sessions.len() > 1 => Some("only one session can be given".to_owned()),
        None => None,
    };
    if let Some(message) = hindrance {
        return Err(Failure::new(Code::ContextRefused, message)
            .parameter("context")
            .hint(Hint::new(
                "combine a session with files and folders: file=A, dir=B",
            )));
    }
    let brief = session_brief(caller, id)?;
    show(caller, &brief, notes);
    pasted.push(PastedText {
        name: brief.name,
        text: brief.text,
    });
    match others.is_empty() {
        true => Ok("none".to_owned()),
        false => Ok(others.join(&CONTEXT_SEPARATOR.to_string())),
    }
}

/// Returns the session that a part of a context names: `Some(None)` for the caller's own.
fn session_of(one: &str) -> Option<Option<&str>> {
    if one == SESSION {
        return Some(None);
    }
    let (name, id) = one.split_once('=')?;
    (name == SESSION).then_some(Some(id).filter(|id| !id.is_empty()))
}

/// Shows the whole brief to a person, and how long it is to a program.
fn show(caller: &Caller, brief: &SessionBrief, notes: &mut dyn Notes) {
    let SessionBrief {
        host,
        session,
        name,
        text,
        tokens,
    } = brief;
    notes.note(&format!(
        "every seat reads a brief of the {host} session {session}, without secrets, as {name} \
         ({tokens} tokens)"
    ));
    if caller.is_watched && !caller.is_relayed {
        text.lines().for_each(|line| notes.note(line));
    }
}
