//! `sessions/YYYY/MM/DD/rollout-TIME-THREAD.jsonl`, sub-agents among them.

mod dialect;
mod fields;
mod outcome;
mod pending;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use self::dialect::CodexDialect;
use super::head::{entries, first_line, records, written};
use super::{HostReader, Storage};
use crate::SessionHost;
use crate::json::{owned_at, str_at};
use crate::jsonl::JsonlReader;
use crate::profile::SessionProfile;
use crate::session::{Origin, SessionRef};

// Each is opened to see where it was held. At a millisecond a file this takes some seconds.
/// Records that are looked at, the newest first.
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

fn find(base: &Path) -> Vec<SessionRef> {
    let newest = |folder: &Path| {
        let mut below = entries(folder);
        below.reverse();
        below
    };
    let days = newest(base)
        .into_iter()
        .flat_map(|year| newest(&year))
        .flat_map(|month| newest(&month));
    let files = days.flat_map(|day| records(&day).into_iter().rev());
    files
        .filter(|it| {
            let name = it.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("rollout-")
        })
        .take(MAX_RECORDS)
        .filter_map(|it| of_file(&it))
        .collect()
}

fn of_file(file: &Path) -> Option<SessionRef> {
    let (modified, bytes) = written(file)?;
    let meta = first_line(file).and_then(|mut it| Some(it.get_mut("payload")?.take()));
    let meta = meta.unwrap_or_default();
    // A name ends with the id of the thread, which has 36 signs.
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
    Some(SessionRef {
        host: SessionHost::Codex,
        id: owned_at(&meta, "id").or_else(of_name)?,
        file: file.to_owned(),
        project: owned_at(&meta, "cwd").map(PathBuf::from),
        origin,
        modified,
        bytes: Some(bytes),
    })
}
