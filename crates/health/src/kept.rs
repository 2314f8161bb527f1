//! Writes the hand-over of a session to a file before its context is compacted.
//!
//! The file is in Agon's state folder. After a compaction, the model knows only the summary, and
//! the file has what the summary left out.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use agon_caller::{Caller, settings};
use agon_record::text::strip_control_characters;
use agon_sessions::{
    Handover, HandoverOptions, RecentEntries, SessionHost, SessionRef, open_session,
    recognize_session,
};

use super::choose::find_by_id;
use super::decided::recorded_decisions;
use super::examine::MAX_RECENT_BYTES;
use super::glance::{Glance, GlanceFile, session_at};
use super::limits::Limits;
use super::old_files::remove_old_files;

/// Fill in percent from which a compaction by Gemini CLI is likely.
///
/// By default it compacts from 50 %, but it calls its hook before every model call.
const GEMINI_COMPACTS_FROM: u64 = 40;

/// Writes the hand-over of the session with this record, or with this id if the host has a
/// database. Returns the file.
///
/// Returns `None` if there is no such session or it is not about to be compacted.
pub fn write_handover(
    caller: &Caller,
    host: &str,
    record: Option<&Path>,
    id: Option<&str>,
    is_automatic: bool,
) -> Option<PathBuf> {
    let host: SessionHost = host.parse().ok()?;
    let session = match record {
        Some(record) => recognize_session(record).unwrap_or_else(|| session_at(host, record)),
        None => find_by_id(caller, host, id?)?,
    };
    if host == SessionHost::Gemini && is_automatic && !is_near_compaction(caller, &session) {
        return None;
    }
    let text = render(caller, &session)?;
    let path = handover_path(caller, host, record.unwrap_or(&session.file), id)?;
    write(&path, &text).ok()?;
    Some(path)
}

/// Returns the file that [`write_handover`] wrote for this record, if any.
pub fn find_handover(caller: &Caller, host: &str, record: &Path) -> Option<PathBuf> {
    let path = handover_path(caller, host.parse().ok()?, record, None)?;
    path.is_file().then_some(path)
}

fn render(caller: &Caller, session: &SessionRef) -> Option<String> {
    let mut reader = open_session(session)?;
    let mut recent = RecentEntries::new(MAX_RECENT_BYTES);
    reader.read(&mut |entry| recent.push(entry)).ok()?;
    let plan = reader.plan();
    let held = reader.session();
    let options = HandoverOptions {
        project: held.project.as_deref(),
        plan: &plan,
        dropped: recent.dropped(),
    };
    let mut handover = Handover::of(recent.iter(), &options);
    if handover.asked.is_empty() {
        // A session without a prompt has no task to continue.
        return None;
    }
    handover.recorded = recorded_decisions(caller, held.project.as_deref(), held.started);
    Some(strip_control_characters(&handover.render()))
}

fn is_near_compaction(caller: &Caller, session: &SessionRef) -> bool {
    // If another hook has locked the state file, read the record without it.
    let mut file = GlanceFile::open(caller, &session.file).ok().flatten();
    let mut glance = file.as_mut().map_or_else(Glance::default, GlanceFile::read);
    if glance.look(session).is_err() {
        return false;
    }
    if let Some(file) = &mut file {
        file.write(&glance).ok();
    }
    let own = settings::read_settings(caller).map(|it| it.limits);
    let limits = Limits::new(&own.unwrap_or_default());
    let limits = limits.find(glance.model.as_deref(), glance.window, glance.max_fill);
    let fill = glance.fill.unwrap_or_default();
    fill.saturating_mul(100) >= limits.window.saturating_mul(GEMINI_COMPACTS_FROM)
}

/// Returns the file for a session, named by its record and, in a database, by its id.
fn handover_path(
    caller: &Caller,
    host: SessionHost,
    record: &Path,
    id: Option<&str>,
) -> Option<PathBuf> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(record.as_os_str().as_encoded_bytes());
    if host == SessionHost::Opencode {
        hasher.update(id.unwrap_or_default().as_bytes());
    }
    let name = hasher.finalize().to_hex();
    let folder = caller.state_dir()?.join("handovers");
    Some(folder.join(format!("{host}-{}.md", &name[..16])))
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    remove_old_files(folder);
    // Write to a temporary file first, so that the old file stays complete until the rename.
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    let mut file = OpenOptions::new();
    let file = file.write(true).create(true).truncate(true).mode(0o600);
    file.open(&beside)?.write_all(text.as_bytes())?;
    fs::rename(&beside, path)
}
