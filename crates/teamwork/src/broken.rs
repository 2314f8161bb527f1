//! Locks of others that a change in a work tree broke: a command such as `sed -i` writes without a
//! question, so it is seen afterwards.
//!
//! A file counts if it was written after the lock was granted. What a member did before another member
//! locked the path is not held against it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use agon_team::id::{LockId, MemberName, TaskId};
use agon_team::lock::PathLock;
use agon_team::store::{Actor, MailRequest, Recipient, StoreError, Team, TeamLocation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::clean_line;

/// How many paths are said at once.
const MAX_SAID: usize = 10;
/// The most bytes that are read of what was said before.
const MAX_BYTES: u64 = 1 << 20;

/// A lock of another member, and the path of it that was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct BrokenLock {
    /// The path, from the root of the repository.
    pub path: String,
    /// The lock.
    pub lock: LockId,
    /// Who has it.
    pub holder: MemberName,
    /// For which task.
    pub task: TaskId,
}

impl BrokenLock {
    /// The path with whose it is, in a few words.
    pub fn in_words(&self) -> String {
        let path = clean_line(&self.path);
        format!("{path}, which {} has locked for {}", self.holder, self.task)
    }
}

/// The locks that others have, with when each was granted; they are looked at before the files are,
/// since most sessions are alone.
pub(super) struct LocksOfOthers(Vec<(PathLock, i64)>);

impl LocksOfOthers {
    /// Reads them.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub(super) fn read(team: &mut Team, actor: &Actor) -> Result<Self, StoreError> {
        let mut locks = team.locks()?;
        locks.retain(|lock| lock.granted && Some(&lock.holder) != actor.name());
        if locks.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let times = team.times_of_grants()?;
        let since = |lock: PathLock| {
            let at_ms = times.get(&lock.id).copied().unwrap_or(i64::MAX);
            (lock, at_ms)
        };
        Ok(Self(locks.into_iter().map(since).collect()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that changes of these paths below `root` broke, by path.
    pub(super) fn broken_by(&self, root: &Path, paths: &[String]) -> Vec<BrokenLock> {
        let mut broken = BTreeSet::new();
        for path in paths {
            let written_ms = written_ms(&root.join(path));
            let covering = self.0.iter().filter(|(lock, since_ms)| {
                let covers = |glob: &agon_team::glob::PathGlob| glob.covers(path).unwrap_or(false);
                written_ms > *since_ms && lock.globs.globs().iter().any(covers)
            });
            broken.extend(covering.map(|(lock, _)| BrokenLock {
                path: path.clone(),
                lock: lock.id,
                holder: lock.holder.clone(),
                task: lock.task,
            }));
        }
        broken.into_iter().collect()
    }
}

/// When a path was last written, in milliseconds since 1970; one that is gone, when its folder was.
/// 0 where that is gone as well: nothing says when it went.
fn written_ms(path: &Path) -> i64 {
    let of_folder = || fs::symlink_metadata(path.parent()?).ok();
    let found = fs::symlink_metadata(path).ok().or_else(of_folder);
    // The time of the change cannot be set back as that of the content can.
    found.map_or(0, |it| {
        it.ctime()
            .saturating_mul(1_000)
            .saturating_add(it.ctime_nsec() / 1_000_000)
    })
}

/// Tells the holders by mail, each once of a path. A mail that is refused, as by a full inbox, is not
/// worth the turn.
pub(super) fn tell_holders(team: &mut Team, actor: &Actor, broken: &[BrokenLock]) {
    let Some(by) = actor.name() else {
        return;
    };
    let mut of_holders: BTreeMap<(&MemberName, LockId), Vec<&BrokenLock>> = BTreeMap::new();
    for one in broken {
        of_holders
            .entry((&one.holder, one.lock))
            .or_default()
            .push(one);
    }
    for ((holder, lock), broken) in of_holders {
        let paths: Vec<String> = broken.iter().map(|it| clean_line(&it.path)).collect();
        let body = format!(
            "Agon found at the end of a turn that {by} wrote what your lock {lock} covers, in its own \
             work tree: {}. Your files are as they were; its change may conflict with yours.",
            in_list(&paths)
        );
        let hash = blake3::hash(body.as_bytes()).to_hex();
        let hash = hash.as_str().get(..16).unwrap_or_default();
        let request = MailRequest {
            to: Recipient::Member(holder.clone()),
            body,
            thread: None,
            urgent: false,
            key: Some(format!("broken {lock} {hash}")),
        };
        team.send(actor, &request).ok();
    }
}

fn in_list(paths: &[String]) -> String {
    let shown = paths.iter().take(MAX_SAID).map(String::as_str);
    let shown: Vec<&str> = shown.collect();
    match paths.len().saturating_sub(MAX_SAID) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// What the model is told.
pub(super) fn describe(broken: &[BrokenLock]) -> String {
    let words: Vec<String> = broken.iter().map(BrokenLock::in_words).collect();
    format!(
        "A command of yours wrote what another member has locked: {}. Undo that change, or agree with \
         the holder by mail before you submit it.",
        in_list(&words)
    )
}

/// Those of them that the model of this work tree was not told of; it is told now. A file that is
/// written again is told again.
pub(super) fn take_news(location: &TeamLocation, broken: Vec<BrokenLock>) -> Vec<BrokenLock> {
    let path = location.token_file().with_file_name("broken-locks");
    let said = agon_files::read_to_string(&path, MAX_BYTES).unwrap_or_default();
    let said: BTreeSet<&str> = said.lines().collect();
    let root = location.work_tree.clone().unwrap_or_default();
    let line = |one: &BrokenLock| {
        let written_ms = written_ms(&root.join(&one.path));
        format!("{} {written_ms} {}", one.lock, one.path.escape_default())
    };
    let now: Vec<String> = broken.iter().map(line).collect();
    let is_new = |it: &BrokenLock| !said.contains(line(it).as_str());
    let news = broken.into_iter().filter(is_new).collect();
    let text: String = now.iter().map(|line| format!("{line}\n")).collect();
    if !now.is_empty() || !said.is_empty() {
        if let Some(folder) = path.parent() {
            // Where it cannot be kept it is said again.
            fs::create_dir_all(folder).ok();
        }
        fs::write(&path, text).ok();
    }
    news
}
