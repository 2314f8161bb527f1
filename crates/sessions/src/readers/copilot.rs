//! `session-state/SESSION/events.jsonl`, sub-agents in it.

mod dialect;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;

use self::dialect::CopilotDialect;
use super::head::{entries, first_line, written};
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
    let files = entries(base).into_iter().map(|it| it.join("events.jsonl"));
    files.filter_map(|it| of_file(&it)).collect()
}

fn of_file(file: &Path) -> Option<SessionRef> {
    let (modified, bytes) = written(file)?;
    let first = first_line(file).unwrap_or_default();
    let data = first.get("data").unwrap_or(&Value::Null);
    let of_folder = || Some(file.parent()?.file_name()?.to_str()?.to_owned());
    let folder = data.pointer("/context/cwd").and_then(Value::as_str);
    Some(SessionRef {
        host: SessionHost::Copilot,
        id: owned_at(data, "sessionId").or_else(of_folder)?,
        file: file.to_owned(),
        project: folder.map(PathBuf::from),
        origin: Origin::New,
        modified,
        bytes: Some(bytes),
    })
}
