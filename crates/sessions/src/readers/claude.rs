//! `projects/SLUG/SESSION.jsonl`, with a folder of the session's name for its sub-agents.

mod attachment;
mod dialect;
mod task;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use self::dialect::ClaudeDialect;
use super::head::{entries, find_in_tail, read_head, records, stem, written};
use super::{HostReader, Storage};
use crate::SessionHost;
use crate::jsonl::JsonlReader;
use crate::profile::SessionProfile;
use crate::session::{Origin, SessionRef, is_below};

/// Lines that are looked at for the folder of the session: the first ones do not have it.
const MAX_HEAD_LINES: usize = 2_000;
/// Records under other projects that are looked at for one that goes on in this project, the newest
/// first.
const MAX_ELSEWHERE: usize = 300;

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
    let own_name = project.map(slug);
    let mut found = Vec::new();
    let mut elsewhere: Vec<(SystemTime, PathBuf)> = Vec::new();
    for folder in entries(base) {
        // The name is not enough to know the project: `a-b` and `a/b` have the same.
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let is_candidate = own_name.as_deref().is_none_or(|it| name.starts_with(it));
        for file in records(&folder) {
            if !is_candidate {
                elsewhere.extend(written(&file).map(|(modified, _)| (modified, file)));
                continue;
            }
            let Some(mut session) = of_file(&file) else {
                continue;
            };
            if let Some(project) = project.filter(|_| own_name.as_deref() == Some(&name)) {
                follow_moved_project(&mut session, project);
            }
            let agents = folder.join(&session.id).join("subagents");
            found.extend(records(&agents).iter().filter_map(|it| of_file(it)));
            found.push(session);
        }
    }
    if let Some(project) = project {
        elsewhere.sort_by(|a, b| b.cmp(a));
        let newest = elsewhere.iter().take(MAX_ELSEWHERE).map(|it| &it.1);
        let is_here = |file: &&PathBuf| last_folder(file).is_some_and(|it| is_below(&it, project));
        let resumed = newest.filter(is_here);
        found.extend(resumed.filter_map(|it| of_file(it)));
    }
    find_parents(&mut found);
    found
}

/// A project that was moved, and its records with it, names a folder in them that is gone.
fn follow_moved_project(session: &mut SessionRef, project: &Path) {
    let is_gone = session.project.as_deref().is_some_and(|it| !it.exists());
    if is_gone && !session.is_within(project) {
        session.moved_to = Some(project.to_owned());
    }
}

/// What the host makes of a folder's path, as far as it is known: cut when it is long.
fn slug(project: &Path) -> String {
    let path = project.to_string_lossy();
    // The host replaces UTF-16 units: an emoji has two.
    let units = path.encode_utf16().map(|unit| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    });
    units.take(180).collect()
}

/// What the first lines of a record say of it.
#[derive(Default)]
struct Head {
    session: Option<String>,
    folder: Option<PathBuf>,
    /// When the first line was written.
    began: Option<Timestamp>,
    /// The id and the time of the first message.
    message: Option<(String, Option<Timestamp>)>,
}

/// The fields of a line that are looked at; what else it has, such as a picture, is passed over.
#[derive(Default, Deserialize)]
#[serde(default)]
struct HeadLine {
    #[serde(rename = "sessionId")]
    session: Value,
    cwd: Value,
    timestamp: Value,
    uuid: Value,
}

impl HeadLine {
    fn read(line: &[u8]) -> Self {
        serde_json::from_slice(line).unwrap_or_default()
    }

    fn folder(&self) -> Option<PathBuf> {
        filled(&self.cwd).map(PathBuf::from)
    }

    fn time(&self) -> Option<Timestamp> {
        filled(&self.timestamp)?.parse().ok()
    }
}

fn filled(value: &Value) -> Option<&str> {
    value.as_str().filter(|it| !it.is_empty())
}

fn head_of(file: &Path) -> Head {
    let mut head = Head::default();
    let mut left = MAX_HEAD_LINES;
    read_head(file, &mut |line| {
        let line = HeadLine::read(line);
        head.began = head.began.or_else(|| line.time());
        if head.session.is_none() {
            head.session = filled(&line.session).map(str::to_owned);
        }
        head.folder = head.folder.take().or_else(|| line.folder());
        if head.message.is_none() {
            head.message = filled(&line.uuid).map(|id| (id.to_owned(), line.time()));
        }
        left -= 1;
        let is_known = head.session.is_some() && head.folder.is_some() && head.message.is_some();
        match is_known || left == 0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    head
}

/// The folder that the last lines of a record name.
fn last_folder(file: &Path) -> Option<PathBuf> {
    find_in_tail(file, |line| HeadLine::read(line).folder())
}

fn of_file(file: &Path) -> Option<SessionRef> {
    let (modified, bytes) = written(file)?;
    let head = head_of(file);
    let name = stem(file)?;
    let is_agent = file.parent().is_some_and(|it| it.ends_with("subagents"));
    let origin = match is_agent {
        true => Origin::SubAgent {
            parent: head.session.clone().unwrap_or_default(),
        },
        false if is_fork(&head) => Origin::Fork { parent: None },
        false => Origin::New,
    };
    let moved_to = last_folder(file).filter(|it| Some(it) != head.folder.as_ref());
    Some(SessionRef {
        host: SessionHost::Claude,
        id: name.strip_prefix("agent-").unwrap_or(&name).to_owned(),
        file: file.to_owned(),
        project: head.folder,
        moved_to,
        origin,
        modified,
        bytes: Some(bytes),
    })
}

/// Whether the first message is older than the session, as only a copied one is.
fn is_fork(head: &Head) -> bool {
    let first = head.message.as_ref().and_then(|it| it.1);
    let times = head.began.zip(first);
    times.is_some_and(|(began, first)| first < began)
}

/// Names the parent of each fork: the session whose first message has the same id.
fn find_parents(found: &mut [SessionRef]) {
    let first_id = |session: &SessionRef| head_of(&session.file).message.map(|it| it.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_by_utf_16_units() {
        for (project, name) in [
            ("/w/my_proj.a b", "-w-my-proj-a-b"),
            ("/w/caf\u{e9}", "-w-caf-"),
            // An emoji has two units.
            ("/w/\u{1f680}x", "-w---x"),
        ] {
            assert_eq!(slug(Path::new(project)), name);
        }
    }
}
