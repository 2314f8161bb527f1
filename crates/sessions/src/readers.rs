//! The table of host readers, and functions over all hosts.

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

/// The reader of one host.
struct HostReader {
    /// Its folders, tool names and tested version.
    profile: &'static LazyLock<SessionProfile>,
    /// Lists the sessions below its folder, only of this project if it groups them by project.
    find: fn(&Path, Option<&Path>) -> Vec<SessionRef>,
    /// Returns whether a file with this name and first line is one of its records.
    recognizes: fn(&str, &Value) -> bool,
    /// Returns the session recorded in a file.
    describe: fn(&Path) -> Option<SessionRef>,
    /// Its storage.
    storage: Storage,
}

/// The form in which a tool stores sessions, with the function that opens one.
enum Storage {
    /// Files of lines, readable from any byte offset.
    Lines(fn(&SessionRef, u64) -> Box<dyn SessionReader>),
    /// One database.
    Database(fn(&SessionRef) -> Box<dyn SessionReader>),
}

/// Returns a host's reader; `None` for Agon, whose debates have another format.
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
    /// Returns a host's profile; `None` for Agon, whose debates have another format.
    pub fn for_host(host: SessionHost) -> Option<&'static Self> {
        reader_of(host).map(|reader| &**reader.profile)
    }
}

/// The home folder and environment that determine where sessions are.
#[derive(Clone, Copy)]
pub struct SessionPlaces<'p> {
    /// The user's home folder.
    pub home: &'p Path,
    /// The environment.
    pub variable: &'p dyn Fn(&str) -> Option<String>,
}

/// Returns the sessions of a host, latest first, including sub-agents with a record of their own.
///
/// With a project, hosts that group sessions by project search only that project. Callers still
/// have to check [`SessionRef::is_within`]. For Agon itself the list is empty.
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

/// Returns the places that [`find_sessions`] searches, whether or not they exist.
pub fn session_places(host: SessionHost, places: SessionPlaces<'_>) -> Vec<PathBuf> {
    reader_of(host).map_or_else(Vec::new, |reader| {
        reader.profile.places(places.home, places.variable)
    })
}

/// Opens a reader for a session; `None` for one of Agon's.
pub fn open_session(found: &SessionRef) -> Option<Box<dyn SessionReader>> {
    Some(match reader_of(found.host)?.storage {
        Storage::Lines(open) => open(found, 0),
        Storage::Database(open) => open(found),
    })
}

/// Opens a reader that starts at a byte offset, for a quick check of a record's end.
///
/// The reader does not know earlier entries, so it passes on copies of them as new. It skips a
/// partial first line. Returns `None` for a database.
pub fn open_session_at(found: &SessionRef, byte: u64) -> Option<Box<dyn SessionReader>> {
    match reader_of(found.host)?.storage {
        Storage::Lines(open) => Some(open(found, byte)),
        Storage::Database(_) => None,
    }
}

/// Returns the session recorded in a file, judged by its path and first lines.
///
/// For databases, which hold many sessions, use [`find_sessions`].
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
