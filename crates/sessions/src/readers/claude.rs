//! `projects/SLUG/SESSION.jsonl`, with a folder of the session's name for its sub-agents.

mod attachment;
mod dialect;
mod task;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;

use self::dialect::ClaudeDialect;
use super::head::{entries, first_lines, records, stem, written};
use super::{HostReader, Storage};
use crate::SessionHost;
use crate::json::{owned_at, str_at, time_at};
use crate::jsonl::JsonlReader;
use crate::profile::SessionProfile;
use crate::session::{Origin, SessionRef};

/// Lines that are looked at for the folder of the session: the first ones do not have it.
const HEAD_LINES: usize = 40;

static PROFILE: LazyLock<SessionProfile> =
    LazyLock::new(|| SessionProfile::parse(include_str!("claude/profile.toml")));

pub(super) static READER: HostReader = HostReader {
    profile: &PROFILE,
    find,
    // Its lines have no mark of their own: `recognize_session` takes for them what is left.
    recognizes: |_, _| false,
    describe: of_file,
    storage: Storage::Lines(|found, byte| {
        JsonlReader::open(found, byte, ClaudeDialect::new(&found.file))
    }),
};

fn find(base: &Path, project: Option<&Path>) -> Vec<SessionRef> {
    let folders = entries(base).into_iter().filter(|folder| {
        // The name is not enough to know the project: `a-b` and `a/b` have the same.
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        project.is_none_or(|it| name.starts_with(&slug(it)))
    });
    let mut found = Vec::new();
    for folder in folders {
        for file in records(&folder) {
            let Some(session) = of_file(&file) else {
                continue;
            };
            let agents = folder.join(&session.id).join("subagents");
            found.extend(records(&agents).iter().filter_map(|it| of_file(it)));
            found.push(session);
        }
    }
    find_parents(&mut found);
    found
}

/// What the host makes of a folder's path, as far as it is known: cut when it is long.
fn slug(project: &Path) -> String {
    let path = project.to_string_lossy();
    let slug = path.chars().map(|c| match c.is_ascii_alphanumeric() {
        true => c,
        false => '-',
    });
    slug.take(180).collect()
}

fn of_file(file: &Path) -> Option<SessionRef> {
    let (modified, bytes) = written(file)?;
    let lines = first_lines(file, HEAD_LINES);
    let session = lines.iter().find_map(|it| owned_at(it, "sessionId"));
    let project = lines.iter().find_map(|it| owned_at(it, "cwd"));
    let name = stem(file)?;
    let is_agent = file.parent().is_some_and(|it| it.ends_with("subagents"));
    let origin = match is_agent {
        true => Origin::SubAgent {
            parent: session.unwrap_or_default(),
        },
        false if is_fork(&lines) => Origin::Fork { parent: None },
        false => Origin::New,
    };
    Some(SessionRef {
        host: SessionHost::Claude,
        id: name.strip_prefix("agent-").unwrap_or(&name).to_owned(),
        file: file.to_owned(),
        project: project.map(PathBuf::from),
        origin,
        modified,
        bytes: Some(bytes),
    })
}

/// Whether the first message is older than the session, as only a copied one is.
fn is_fork(lines: &[Value]) -> bool {
    let began = lines.iter().find_map(|it| time_at(it, "timestamp"));
    let message = lines.iter().find(|it| !str_at(it, "uuid").is_empty());
    let first = message.and_then(|it| time_at(it, "timestamp"));
    began.zip(first).is_some_and(|(began, first)| first < began)
}

/// Names the parent of each fork: the session whose first message has the same id.
fn find_parents(found: &mut [SessionRef]) {
    let first_id = |session: &SessionRef| {
        let lines = first_lines(&session.file, HEAD_LINES);
        lines.iter().find_map(|it| owned_at(it, "uuid"))
    };
    let is_fork = |it: &SessionRef| matches!(it.origin, Origin::Fork { .. });
    if !found.iter().any(is_fork) {
        return;
    }
    let ids: Vec<Option<String>> = found.iter().map(first_id).collect();
    let originals: Vec<(usize, Option<String>, String)> = (0..found.len())
        .filter(|at| found[*at].origin == Origin::New)
        .map(|at| (at, ids[at].clone(), found[at].id.clone()))
        .collect();
    for (at, session) in found.iter_mut().enumerate() {
        if !is_fork(session) || ids[at].is_none() {
            continue;
        }
        let parent = originals
            .iter()
            .find(|(original, id, _)| *original != at && *id == ids[at]);
        session.origin = Origin::Fork {
            parent: parent.map(|(_, _, id)| id.clone()),
        };
    }
}
