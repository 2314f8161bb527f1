//! Follows a running session.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use agon_caller::{Caller, Code, Failure, settings};
use agon_sessions::Measures;

use super::choose::{SessionRequest, choose};
use super::debate::open;
use super::describe::describe;
use super::document::{ContextDoc, SessionHealthDoc};
use super::limits::Limits;
use super::unreadable;

// Chosen, not measured: reading a file's length twice a second costs little.
/// Time between checks of the record.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Calls `tell` with the session's state, at once and whenever its record has grown, until it
/// returns `false`.
///
/// # Errors
///
/// If there is no session, or it can no longer be read.
pub fn follow(
    caller: &Caller,
    request: &SessionRequest,
    tell: &mut dyn FnMut(&ContextDoc) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let limits = Limits::new(&settings::read_settings(caller)?.limits);
    let found = choose(caller, request)?;
    if let [_, _, ..] = found.as_slice() {
        let ids: Vec<&str> = found.iter().map(|it| it.id.as_str()).collect();
        let message = "cannot follow more than one session";
        return Err(Failure::new(Code::AmbiguousSession, message)
            .parameter("session")
            .hint(format!("name one of {}", ids.join(", "))));
    }
    let Some(session) = found.first() else {
        return Ok(());
    };
    let Some(mut reader) = open(session) else {
        return Ok(());
    };
    let mut measures = Measures::new();
    let mut told: Option<SessionHealthDoc> = None;
    let mut stamp = None;
    loop {
        let now = stamps(&session.file);
        if stamp.as_ref() != Some(&now) {
            stamp = Some(now);
            let progress = reader
                .read(&mut |entry| measures.add(&entry))
                .map_err(|error| unreadable(&error))?;
            let document = describe(
                caller,
                session,
                reader.as_ref(),
                &measures,
                progress,
                &limits,
            );
            if told.as_ref() != Some(&document) {
                let project = caller.display_path(&caller.project());
                let all = ContextDoc::new(project, vec![document.clone()], 0);
                if !tell(&all)? {
                    return Ok(());
                }
                told = Some(document);
            }
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Returns the size and time that change when a record grows; for a database, also of its log.
fn stamps(file: &Path) -> Vec<Option<(u64, SystemTime)>> {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    let stamp = |path: &Path| {
        let metadata = fs::metadata(path).ok()?;
        Some((metadata.len(), metadata.modified().ok()?))
    };
    vec![stamp(file), stamp(&PathBuf::from(log))]
}
