//! Finds `tmp/NAME/chats/session-TIME-ID8.jsonl`, and sub-agents in a folder named after the
//! session.

mod dialect;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use self::dialect::{GeminiDialect, project_of};
use super::head::{first_line, list_folder, list_records, modified_and_size};
use super::{HostReader, Storage};
use crate::SessionHost;
use crate::json::{owned_at, str_at};
use crate::jsonl::JsonlReader;
use crate::profile::SessionProfile;
use crate::session::{Origin, SessionRef};

static PROFILE: LazyLock<SessionProfile> =
    LazyLock::new(|| SessionProfile::parse(include_str!("gemini/profile.toml")));

pub(super) static READER: HostReader = HostReader {
    profile: &PROFILE,
    find: |base, _| find(base),
    recognizes: |_, first| first.get("projectHash").is_some(),
    describe: |file| of_file(file, file.parent().and_then(project_of).as_deref()),
    storage: Storage::Lines(|found, byte| JsonlReader::open(found, byte, GeminiDialect::new())),
};

fn find(base: &Path) -> Vec<SessionRef> {
    let mut found = Vec::new();
    for folder in list_folder(base) {
        let chats = folder.join("chats");
        let project = project_of(&chats);
        let of_file = |file: &Path| of_file(file, project.as_deref());
        found.extend(without_stubs(
            list_records(&chats).iter().filter_map(|it| of_file(it)),
        ));
        let agents = list_folder(&chats).into_iter().filter(|it| it.is_dir());
        let agents = agents.flat_map(|it| list_records(&it));
        found.extend(agents.filter_map(|it| of_file(&it)));
    }
    found
}

/// Removes the second file of a resumed session, which has only a header. The session continues in
/// its old file.
fn without_stubs(sessions: impl Iterator<Item = SessionRef>) -> Vec<SessionRef> {
    let mut by_id: BTreeMap<String, SessionRef> = BTreeMap::new();
    for session in sessions {
        let is_larger = by_id
            .get(&session.id)
            .is_none_or(|it| it.bytes < session.bytes);
        if is_larger {
            by_id.insert(session.id.clone(), session);
        }
    }
    by_id.into_values().collect()
}

fn of_file(file: &Path, project: Option<&Path>) -> Option<SessionRef> {
    let (modified, bytes) = modified_and_size(file)?;
    let header = first_line(file).unwrap_or_default();
    let id =
        owned_at(&header, "sessionId").or_else(|| Some(file.file_stem()?.to_str()?.to_owned()))?;
    let origin = match str_at(&header, "kind") {
        "subagent" => Origin::SubAgent {
            parent: file.parent()?.file_name()?.to_str()?.to_owned(),
        },
        _ => Origin::New,
    };
    Some(SessionRef {
        host: SessionHost::Gemini,
        id,
        file: file.to_owned(),
        project: project.map(Path::to_owned),
        moved_to: None,
        origin,
        modified,
        bytes: Some(bytes),
    })
}
