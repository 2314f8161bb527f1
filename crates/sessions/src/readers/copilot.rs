//! Finds `session-state/SESSION/events.jsonl`, which also contains the sub-agents.

mod dialect;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;

use self::dialect::CopilotDialect;
use super::head::{find_in_tail, first_line, list_folder, modified_and_size};
use super::{HostReader, Storage};
use crate::SessionHost;
use crate::json::{owned_at, str_at};
use crate::jsonl::JsonlReader;
use crate::profile::SessionProfile;
use crate::session::{Origin, SessionRef};

static PROFILE: LazyLock<SessionProfile> =
    LazyLock::new(|| SessionProfile::parse(include_str!("copilot/profile.toml")));

pub(super) static READER: HostReader = HostReader {
    profile: &PROFILE,
    find: |base, _| find(base),
    recognizes: |_, first| str_at(first, "type") == "session.start",
    describe: of_file,
    storage: Storage::Lines(|found, byte| JsonlReader::open(found, byte, CopilotDialect::new())),
};

fn find(base: &Path) -> Vec<SessionRef> {
    let files = list_folder(base)
        .into_iter()
        .map(|it| it.join("events.jsonl"));
    files.filter_map(|it| of_file(&it)).collect()
}

fn of_file(file: &Path) -> Option<SessionRef> {
    let (modified, bytes) = modified_and_size(file)?;
    let first = first_line(file).unwrap_or_default();
    let data = first.get("data").unwrap_or(&Value::Null);
    let of_folder = || Some(file.parent()?.file_name()?.to_str()?.to_owned());
    let project = folder_of(data);
    Some(SessionRef {
        host: SessionHost::Copilot,
        id: owned_at(data, "sessionId").or_else(of_folder)?,
        file: file.to_owned(),
        moved_to: last_folder(file).filter(|it| Some(it) != project.as_ref()),
        project,
        origin: Origin::New,
        modified,
        bytes: Some(bytes),
    })
}

/// Returns the folder in the data of a start or resume event.
fn folder_of(data: &Value) -> Option<PathBuf> {
    let context = data.get("context")?;
    let folder = owned_at(context, "cwd").or_else(|| owned_at(context, "gitRoot"));
    folder.map(PathBuf::from)
}

/// Returns the folder in which a session was last resumed.
fn last_folder(file: &Path) -> Option<PathBuf> {
    find_in_tail(file, |line| {
        memchr::memmem::find(line, b"\"session.resume\"")?;
        let line: Value = serde_json::from_slice(line).ok()?;
        folder_of(line.get("data")?)
    })
}
