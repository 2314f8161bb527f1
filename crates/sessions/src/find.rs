//! Which sessions there are, and opening one.

mod claude;
mod codex;
mod copilot;
mod gemini;
mod head;
mod opencode;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::claude::ClaudeDialect;
use crate::codex::CodexDialect;
use crate::copilot::CopilotDialect;
use crate::gemini::{GeminiDialect, project_of};
use crate::jsonl::JsonlReader;
use crate::lines::RecordLines;
use crate::opencode::OpencodeReader;
use crate::session::Origin;
use crate::{RecordedSession, SessionHost, SessionReader};

/// Where hosts are looked for.
#[derive(Clone, Copy)]
pub struct SessionPlaces<'p> {
    /// The user's home.
    pub home: &'p Path,
    /// The environment.
    pub variable: &'p dyn Fn(&str) -> Option<String>,
}

/// A session that is there, as far as its place and its first lines say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRef {
    /// Whose record it is.
    pub host: SessionHost,
    /// The host's id of it.
    pub id: String,
    /// The file, or the database.
    pub file: PathBuf,
    /// The folder it was held in, where that is known.
    pub project: Option<PathBuf>,
    /// Where it came from, where that is known without reading it.
    pub origin: Origin,
    /// When it was last written.
    pub modified: SystemTime,
    /// Bytes of its file; none for a row of a database.
    pub bytes: Option<u64>,
}

impl SessionRef {
    /// Whether it was held in `project` or below it.
    pub fn is_within(&self, project: &Path) -> bool {
        self.project
            .as_deref()
            .is_some_and(|it| it.starts_with(project))
    }

    /// The session whose sub-agent it is.
    pub fn parent(&self) -> Option<&str> {
        match &self.origin {
            Origin::SubAgent { parent } => Some(parent),
            Origin::New | Origin::Fork { .. } => None,
        }
    }
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
    let Some(profile) = crate::SessionProfile::for_host(host) else {
        return Vec::new();
    };
    let base = profile.base(places.home, places.variable);
    let mut sessions = match host {
        SessionHost::Claude => claude::find(&base, project),
        SessionHost::Codex => codex::find(&base),
        SessionHost::Gemini => gemini::find(&base),
        SessionHost::Opencode => opencode::find(&base),
        SessionHost::Copilot => copilot::find(&base),
        SessionHost::Agon => Vec::new(),
    };
    sessions.sort_by(|a, b| (b.modified, &b.id).cmp(&(a.modified, &a.id)));
    sessions
}

/// A reader of a session that was found; none for one of Agon's.
pub fn open_session(found: &SessionRef) -> Option<Box<dyn SessionReader>> {
    match found.host {
        SessionHost::Opencode => Some(Box::new(OpencodeReader::new(&found.file, &found.id))),
        _ => open_session_at(found, 0),
    }
}

/// [`open_session`] from a byte of the record on, for a quick look at its end: of what is before it the
/// reader knows nothing, and gives again what the host repeats of it. A line that this cuts is passed
/// over. None for a database.
pub fn open_session_at(found: &SessionRef, byte: u64) -> Option<Box<dyn SessionReader>> {
    let mut session = RecordedSession::new(found.host, &found.id, &found.file);
    session.project.clone_from(&found.project);
    session.origin.clone_from(&found.origin);
    let lines = RecordLines::starting_at(&found.file, byte);
    Some(match found.host {
        SessionHost::Claude => {
            let dialect = ClaudeDialect::new(&found.file);
            Box::new(JsonlReader::new(lines, session, dialect))
        }
        SessionHost::Codex => Box::new(JsonlReader::new(lines, session, CodexDialect::new())),
        SessionHost::Gemini => Box::new(JsonlReader::new(lines, session, GeminiDialect::new())),
        SessionHost::Copilot => Box::new(JsonlReader::new(lines, session, CopilotDialect::new())),
        SessionHost::Opencode | SessionHost::Agon => return None,
    })
}

/// What a file is a record of, by its place and its first lines; none if it is not one.
///
/// A database has many sessions and is given by [`find_sessions`].
pub fn recognize_session(file: &Path) -> Option<SessionRef> {
    let name = file.file_name()?.to_str()?;
    if !name.ends_with(".jsonl") {
        return None;
    }
    if name.starts_with("rollout-") {
        return codex::of_file(file);
    }
    let first = head::first_line(file)?;
    if first.get("projectHash").is_some() {
        return gemini::of_file(file, file.parent().and_then(project_of).as_deref());
    }
    let kind = crate::json::str_at(&first, "type");
    if kind == "session.start" {
        return copilot::of_file(file);
    }
    if kind == "session_meta" {
        return codex::of_file(file);
    }
    claude::of_file(file)
}
