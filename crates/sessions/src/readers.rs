//! The tools whose sessions are read: a row each, and what is asked of all of them.

mod claude;
mod codex;
mod copilot;
mod gemini;
mod head;
mod opencode;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;

use crate::profile::SessionProfile;
use crate::session::SessionRef;
use crate::{SessionHost, SessionReader};

/// What differs between the tools whose sessions are read.
struct HostReader {
    /// Its folder, what it calls its tools, and the version that was tried.
    profile: &'static LazyLock<SessionProfile>,
    /// Lists the sessions below its folder, of this project alone if it keeps them by project.
    find: fn(&Path, Option<&Path>) -> Vec<SessionRef>,
    /// Whether a file of this name with this first line is a record of it.
    recognizes: fn(&str, &Value) -> bool,
    /// Says which session a file is a record of.
    describe: fn(&Path) -> Option<SessionRef>,
    /// How it keeps its sessions.
    storage: Storage,
}

/// How a tool keeps its sessions, and what opens one.
enum Storage {
    /// In files of lines, which can be read from a byte on.
    Lines(fn(&SessionRef, u64) -> Box<dyn SessionReader>),
    /// In one database.
    Database(fn(&SessionRef) -> Box<dyn SessionReader>),
}

/// The row of a host; none of Agon, whose records are its own.
fn reader_of(host: SessionHost) -> Option<&'static HostReader> {
    Some(match host {
        SessionHost::Claude => &claude::READER,
        SessionHost::Codex => &codex::READER,
        SessionHost::Gemini => &gemini::READER,
        SessionHost::Opencode => &opencode::READER,
        SessionHost::Copilot => &copilot::READER,
        SessionHost::Agon => return None,
    })
}

impl SessionProfile {
    /// What is known of a host; of Agon, whose records are its own, there is no profile.
    pub fn for_host(host: SessionHost) -> Option<&'static Self> {
        reader_of(host).map(|reader| &**reader.profile)
    }
}

/// Where hosts are looked for.
#[derive(Clone, Copy)]
pub struct SessionPlaces<'p> {
    /// The user's home.
    pub home: &'p Path,
    /// The environment.
    pub variable: &'p dyn Fn(&str) -> Option<String>,
}

/// The sessions of a host, the one that was written last first; sub-agents with a record of their
/// own among them.
///
/// Given a project, hosts that keep sessions by project look at no other; what is returned still
/// has to be asked [`SessionRef::is_within`]. Of Agon itself there are none here: its debates know.
pub fn find_sessions(
    host: SessionHost,
    places: SessionPlaces<'_>,
    project: Option<&Path>,
) -> Vec<SessionRef> {
    let Some(reader) = reader_of(host) else {
        return Vec::new();
    };
    let bases = reader.profile.places(places.home, places.variable);
    let found = bases.iter().flat_map(|base| (reader.find)(base, project));
    let mut sessions: Vec<SessionRef> = found.collect();
    sessions.sort_by(|a, b| (b.modified, &b.id).cmp(&(a.modified, &a.id)));
    sessions
}

/// Where [`find_sessions`] looks, whether or not anything is there.
pub fn session_places(host: SessionHost, places: SessionPlaces<'_>) -> Vec<PathBuf> {
    reader_of(host).map_or_else(Vec::new, |reader| {
        reader.profile.places(places.home, places.variable)
    })
}

/// A reader of a session that was found; none for one of Agon's.
pub fn open_session(found: &SessionRef) -> Option<Box<dyn SessionReader>> {
    Some(match reader_of(found.host)?.storage {
        Storage::Lines(open) => open(found, 0),
        Storage::Database(open) => open(found),
    })
}

/// [`open_session`] from a byte of the record on, for a quick look at its end: of what is before it the
/// reader knows nothing, and gives again what the host repeats of it. A line that this cuts is passed
/// over. None for a database.
pub fn open_session_at(found: &SessionRef, byte: u64) -> Option<Box<dyn SessionReader>> {
    match reader_of(found.host)?.storage {
        Storage::Lines(open) => Some(open(found, byte)),
        Storage::Database(_) => None,
    }
}

/// What a file is a record of, by its place and its first lines; none if it is not one.
///
/// A database has many sessions and is given by [`find_sessions`].
pub fn recognize_session(file: &Path) -> Option<SessionRef> {
    let name = file.file_name()?.to_str()?;
    if !name.ends_with(".jsonl") {
        return None;
    }
    let first = head::first_line(file);
    let line = first.as_ref().unwrap_or(&Value::Null);
    let mut readers = SessionHost::ALL.into_iter().filter_map(reader_of);
    match readers.find(|reader| (reader.recognizes)(name, line)) {
        Some(reader) => (reader.describe)(file),
        None if first.is_none() => None,
        None => (claude::READER.describe)(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_but_agon_has_a_profile_that_parses() {
        for host in SessionHost::ALL {
            let measured = SessionProfile::for_host(host).map(|it| it.measured.as_str());
            let has_version = measured.is_some_and(|it| !it.is_empty());
            assert_eq!(has_version, host != SessionHost::Agon, "{host}");
        }
    }
}
