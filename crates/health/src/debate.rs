//! Sessions of debate seats.

use std::path::Path;
use std::time::{Duration, SystemTime};

use agon_caller::{Caller, Code, Failure, error_chain, find};
use agon_engine::seat_sessions::{SeatReader, seats_with_sessions};
use agon_folder::View;
use agon_record::id::Seat;
use agon_sessions::{Origin, SessionHost, SessionReader, SessionRef, open_session};
use agon_store::{Layout, RealDisk};

use super::MAX_LISTED;
use super::describe::clean;

/// Opens a reader for a session of a tool or a seat.
pub(super) fn open(session: &SessionRef) -> Option<Box<dyn SessionReader>> {
    if session.host != SessionHost::Agon {
        return open_session(session);
    }
    let folder = session.file.parent()?.parent()?;
    // The seats of an unreadable debate are unknown, so open any seat, which reports the cause.
    let seat = session
        .id
        .rsplit_once('/')
        .and_then(|(_, seat)| seat.parse().ok());
    let seat = seat.unwrap_or(Seat::Proposer);
    Some(Box::new(SeatReader::new(folder, seat, &session.id)))
}

/// Returns the sessions of this project's debates, latest debate first.
///
/// A debate after the first [`MAX_LISTED`] sessions has one unread entry, so that it is counted.
pub(super) fn find_all(caller: &Caller) -> Vec<SessionRef> {
    let dir = find::debates_dir(caller).ok();
    let Some(mut listing) = dir.and_then(|dir| find::listing(&dir).ok()) else {
        return Vec::new();
    };
    listing
        .debates
        .sort_by_key(|it| std::cmp::Reverse(it.record.at_last));
    let mut found: Vec<SessionRef> = Vec::new();
    for debate in &listing.debates {
        match found.len() < MAX_LISTED {
            true => found.extend(seats_in_folder(&debate.path, &debate.slug).unwrap_or_default()),
            false => found.push(session_ref(
                &debate.path,
                &debate.slug,
                debate.record.at_last,
            )),
        }
    }
    let unreadable = listing.unreadable.iter();
    found.extend(unreadable.map(|it| session_ref(&it.path, &name_of(&it.path), 0)));
    found
}

/// Returns the sessions of the debate `name`, or the session of `DEBATE/SEAT`; `None` if there is
/// no such debate.
///
/// # Errors
///
/// If the debate cannot be read, or has no such session.
pub(super) fn find_named(caller: &Caller, name: &str) -> Result<Option<Vec<SessionRef>>, Failure> {
    let find = |name: &str| find::find_debate_folder(caller, name).ok();
    let of_seat = || {
        let (debate, seat) = name.rsplit_once('/')?;
        Some((find(debate)?, debate, Some(seat.parse::<Seat>().ok()?)))
    };
    let whole = find(name).map(|path| (path, name, None));
    let Some((path, debate, seat)) = whole.or_else(of_seat) else {
        return Ok(None);
    };
    let slug = name_of(&path);
    let found = seats_in_folder(&path, &slug).map_err(|error| {
        Failure::new(Code::UnreadableSession, error_chain(&error))
            .parameter("session")
            .hint("run `agon check` to see what is wrong with the debate's folder")
    })?;
    let wanted: Vec<SessionRef> = match seat {
        None => found,
        Some(seat) => {
            let id = format!("{slug}/{seat}");
            found.into_iter().filter(|it| it.id == id).collect()
        }
    };
    if wanted.is_empty() {
        let whose = seat.map_or_else(|| "no seat".to_owned(), |seat| format!("no {seat}"));
        let message = format!("{whose} has been asked in the debate {} yet", clean(debate));
        return Err(Failure::new(Code::NoSession, message)
            .parameter("session")
            .hint("run `agon show` to see the state of the debate"));
    }
    Ok(Some(wanted))
}

fn seats_in_folder(path: &Path, slug: &str) -> Result<Vec<SessionRef>, agon_folder::ViewError> {
    let view = View::read(&RealDisk, path)?;
    let seats = seats_with_sessions(&view.state).into_iter();
    let of_seat = |seat: Seat| session_ref(path, &format!("{slug}/{seat}"), view.at_last);
    Ok(seats.map(of_seat).collect())
}

fn session_ref(path: &Path, id: &str, at_ms: u64) -> SessionRef {
    let file = Layout::new(path).journal();
    let bytes = std::fs::metadata(&file).ok().map(|it| it.len());
    SessionRef {
        host: SessionHost::Agon,
        id: id.to_owned(),
        file,
        project: None,
        moved_to: None,
        origin: Origin::New,
        modified: SystemTime::UNIX_EPOCH + Duration::from_millis(at_ms),
        bytes,
    }
}

fn name_of(path: &Path) -> String {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    clean(&name)
}
