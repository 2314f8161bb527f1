//! Finds `sessions/YYYY/MM/DD/rollout-TIME-THREAD.jsonl`, including sub-agents.

mod dialect;
mod fields;
mod outcome;
mod pending;
mod replayed;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;

use self::dialect::CodexDialect;
use super::head::{find_in_tail, first_line, list_folder, modified_and_size};
use super::{HostReader, Storage};
use crate::SessionHost;
use crate::json::{owned_at, str_at};
use crate::jsonl::JsonlReader;
use crate::profile::SessionProfile;
use crate::session::{Origin, SessionRef};

// Opening a record to read its folder takes about a millisecond, so this is about two seconds.
/// Most records to open, newest first.
const MAX_RECORDS: usize = 2000;

static PROFILE: LazyLock<SessionProfile> =
    LazyLock::new(|| SessionProfile::parse(include_str!("codex/profile.toml")));

pub(super) static READER: HostReader = HostReader {
    profile: &PROFILE,
    find: |base, _| find(base),
    recognizes: |name, first| {
        name.starts_with("rollout-") || str_at(first, "type") == "session_meta"
    },
    describe: of_file,
    storage: Storage::Lines(|found, byte| JsonlReader::open(found, byte, CodexDialect::new())),
};

/// Levels of subfolders: year, month and day. Archived sessions have none.
const MAX_DEPTH: usize = 3;

fn find(base: &Path) -> Vec<SessionRef> {
    let mut files = Vec::new();
    collect(base, MAX_DEPTH, &mut files);
    files.iter().filter_map(|it| of_file(it)).collect()
}

/// Collects the records in a folder and its subfolders, latest name first.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for path in list_folder(folder).into_iter().rev() {
        if files.len() >= MAX_RECORDS {
            return;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("rollout-") && name.ends_with(".jsonl") {
            if path.is_file() {
                files.push(path);
            }
        } else if depth > 0 && path.is_dir() {
            collect(&path, depth - 1, files);
        }
    }
}

/// Returns the folder of the last turn in a record.
fn last_folder(file: &Path) -> Option<PathBuf> {
    find_in_tail(file, |line| {
        memchr::memmem::find(line, b"\"turn_context\"")?;
        let line: Value = serde_json::from_slice(line).ok()?;
        let is_turn = str_at(&line, "type") == "turn_context";
        owned_at(line.get("payload").filter(|_| is_turn)?, "cwd").map(PathBuf::from)
    })
}

fn of_file(file: &Path) -> Option<SessionRef> {
    let (modified, bytes) = modified_and_size(file)?;
    let meta = first_line(file).and_then(|mut it| Some(it.get_mut("payload")?.take()));
    let meta = meta.unwrap_or_default();
    // The file name ends with the thread id, which has 36 characters.
    let name = file.file_stem()?.to_str()?;
    let of_name = || Some(name.get(name.len().checked_sub(36)?..)?.to_owned());
    let parent = owned_at(&meta, "parent_thread_id");
    let origin = match (parent, owned_at(&meta, "forked_from_id")) {
        (Some(parent), _) => Origin::SubAgent { parent },
        (None, Some(parent)) => Origin::Fork {
            parent: Some(parent),
        },
        (None, None) => Origin::New,
    };
    let project = owned_at(&meta, "cwd").map(PathBuf::from);
    Some(SessionRef {
        host: SessionHost::Codex,
        id: owned_at(&meta, "id").or_else(of_name)?,
        file: file.to_owned(),
        moved_to: last_folder(file).filter(|it| Some(it) != project.as_ref()),
        project,
        origin,
        modified,
        bytes: Some(bytes),
    })
}
