//! Finds `projects/SLUG/SESSION.jsonl`, and sub-agents in a folder named after the session.

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
use super::head::{
    file_stem, find_in_tail, list_folder, list_records, modified_and_size, read_head,
};
use super::{HostReader, Storage};
use crate::SessionHost;
use crate::jsonl::JsonlReader;
use crate::profile::SessionProfile;
use crate::session::{Origin, SessionRef, is_below};

/// Maximum number of lines searched for the session's folder, which is not in the first lines.
const MAX_HEAD_LINES: usize = 2_000;
/// Maximum number of records of other projects searched for sessions that continue in this one, newest first.
const MAX_ELSEWHERE: usize = 300;

static PROFILE: LazyLock<SessionProfile> =
    LazyLock::new(|| SessionProfile::parse(include_str!("claude/profile.toml")));

pub(super) static READER: HostReader = HostReader {
    profile: &PROFILE,
    find,
    // Its lines have no distinctive mark, so `recognize_session` tries it last.
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
    for folder in list_folder(base) {
        // `a-b` and `a/b` have the same folder name, so the name only selects candidates.
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let is_candidate = own_name.as_deref().is_none_or(|it| name.starts_with(it));
        for file in list_records(&folder) {
            if !is_candidate {
                elsewhere.extend(modified_and_size(&file).map(|(modified, _)| (modified, file)));
                continue;
            }
            let Some(mut session) = of_file(&file) else {
                continue;
            };
            if let Some(project) = project.filter(|_| own_name.as_deref() == Some(&name)) {
                follow_moved_project(&mut session, project);
            }
            let agents = folder.join(&session.id).join("subagents");
            found.extend(list_records(&agents).iter().filter_map(|it| of_file(it)));
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

/// Sets the project of a record that was moved with its project and names the old folder.
fn follow_moved_project(session: &mut SessionRef, project: &Path) {
    let is_gone = session.project.as_deref().is_some_and(|it| !it.exists());
    if is_gone && !session.is_within(project) {
        session.moved_to = Some(project.to_owned());
    }
}

/// Returns the host's folder name for a project path.
fn slug(project: &Path) -> String {
    let path = project.to_string_lossy();
    // The host replaces each UTF-16 unit, so an emoji becomes two dashes.
    let units = path.encode_utf16().map(|unit| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    });
    units.take(180).collect()
}

/// The information from a record's first lines.
#[derive(Default)]
struct Head {
    session: Option<String>,
    folder: Option<PathBuf>,
    /// The time of the first line.
    began: Option<Timestamp>,
    /// The id and the time of the first message.
    message: Option<(String, Option<Timestamp>)>,
}

/// The fields needed of a line. Others, such as pictures, are skipped.
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
        non_empty_str(&self.cwd).map(PathBuf::from)
    }

    fn time(&self) -> Option<Timestamp> {
        non_empty_str(&self.timestamp)?.parse().ok()
    }
}

fn non_empty_str(value: &Value) -> Option<&str> {
    value.as_str().filter(|it| !it.is_empty())
}

fn head_of(file: &Path) -> Head {
    let mut head = Head::default();
    let mut left = MAX_HEAD_LINES;
    read_head(file, &mut |line| {
        let line = HeadLine::read(line);
        head.began = head.began.or_else(|| line.time());
        if head.session.is_none() {
            head.session = non_empty_str(&line.session).map(str::to_owned);
        }
        head.folder = head.folder.take().or_else(|| line.folder());
        if head.message.is_none() {
            head.message = non_empty_str(&line.uuid).map(|id| (id.to_owned(), line.time()));
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

/// Returns the folder named in the last lines of a record.
fn last_folder(file: &Path) -> Option<PathBuf> {
    find_in_tail(file, |line| HeadLine::read(line).folder())
}

fn of_file(file: &Path) -> Option<SessionRef> {
    let (modified, bytes) = modified_and_size(file)?;
    let head = head_of(file);
    let name = file_stem(file)?;
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

/// Returns whether the first message is older than the session, which means that it was copied.
fn is_fork(head: &Head) -> bool {
    let first = head.message.as_ref().and_then(|it| it.1);
    let times = head.began.zip(first);
    times.is_some_and(|(began, first)| first < began)
}

/// Sets the parent of each fork: the session with the same first message id.
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
