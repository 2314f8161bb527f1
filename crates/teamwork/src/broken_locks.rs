//! Finds other members' locks that were broken in a work tree. A command such as `sed -i` writes
//! without asking, so Agon can only detect this afterwards.
//!
//! A file counts if it was written after the lock was granted. Changes that a member made before
//! another member locked the path do not count.

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

/// The most paths listed in one message.
const MAX_SAID: usize = 10;
/// The most bytes read of the list of reported locks.
const MAX_BYTES: u64 = 1 << 20;

/// Another member's lock that was broken, with the path that was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct BrokenLock {
    /// The path, from the root of the repository.
    pub path: String,
    /// The id of the lock.
    pub lock: LockId,
    /// The member that holds it.
    pub holder: MemberName,
    /// The task that it was taken for.
    pub task: TaskId,
}

impl BrokenLock {
    /// Describes the broken lock: the path, its holder and the task.
    pub fn describe_lock(&self) -> String {
        let path = clean_line(&self.path);
        format!("{path}, locked by {} for {}", self.holder, self.task)
    }
}

/// Other members' locks, with the time when each was granted. They are read before the files,
/// because most sessions have no other members' locks to check.
pub(super) struct LocksOfOthers(Vec<(PathLock, i64)>);

impl LocksOfOthers {
    /// Reads the granted locks of other members.
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
        let times = team.grant_times()?;
        let since = |lock: PathLock| {
            let at_ms = times.get(&lock.id).copied().unwrap_or(i64::MAX);
            (lock, at_ms)
        };
        Ok(Self(locks.into_iter().map(since).collect()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the locks that changes of these paths below `root` broke, sorted by path.
    pub(super) fn find_broken_locks(&self, root: &Path, paths: &[String]) -> Vec<BrokenLock> {
        let mut broken = BTreeSet::new();
        for path in paths {
            let last_write_ms = last_write_ms(&root.join(path));
            let covering = self.0.iter().filter(|(lock, since_ms)| {
                let covers = |glob: &agon_team::glob::PathGlob| glob.covers(path).unwrap_or(false);
                last_write_ms > *since_ms && lock.globs.globs().iter().any(covers)
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

/// Returns the locks that cover a path.
pub(super) fn locks_on_path(locks: &[PathLock], path: &str) -> Vec<BrokenLock> {
    let covers = |glob: &agon_team::glob::PathGlob| glob.covers(path).unwrap_or(false);
    let covering = locks
        .iter()
        .filter(|lock| lock.globs.globs().iter().any(covers));
    let broken = covering.map(|lock| BrokenLock {
        path: path.to_owned(),
        lock: lock.id,
        holder: lock.holder.clone(),
        task: lock.task,
    });
    broken.collect()
}

/// Returns when a path was last written, in milliseconds since 1970. For a deleted path it is the
/// time of its folder, or 0 if the folder is gone too.
fn last_write_ms(path: &Path) -> i64 {
    let of_folder = || fs::symlink_metadata(path.parent()?).ok();
    let found = fs::symlink_metadata(path).ok().or_else(of_folder);
    // Unlike mtime, ctime cannot be set back.
    found.map_or(0, |it| {
        it.ctime()
            .saturating_mul(1_000)
            .saturating_add(it.ctime_nsec() / 1_000_000)
    })
}

/// Notifies the holders by mail, once per path. Errors are ignored: a full inbox must not fail the
/// turn.
pub(super) fn notify_holders(team: &mut Team, actor: &Actor, broken: &[BrokenLock]) {
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
            "At the end of a turn Agon found that {by} changed files that your lock {lock} covers, \
             in its own work tree: {}. Your files are unchanged. Its change may conflict with \
             yours.",
            join_path_list(&paths)
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

fn join_path_list(paths: &[String]) -> String {
    let shown = paths.iter().take(MAX_SAID).map(String::as_str);
    let shown: Vec<&str> = shown.collect();
    match paths.len().saturating_sub(MAX_SAID) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Describes the broken locks to the model.
pub(super) fn describe_broken(broken: &[BrokenLock]) -> String {
    let words: Vec<String> = broken.iter().map(BrokenLock::describe_lock).collect();
    format!(
        "One of your commands wrote to paths that another member has locked: {}. Undo that change, \
         or agree with the holder by mail before you submit it.",
        join_path_list(&words)
    )
}

/// Returns the broken locks that were not yet reported to this work tree's model, and records them
/// as reported. A file that is written again is reported again.
pub(super) fn take_unreported(location: &TeamLocation, broken: Vec<BrokenLock>) -> Vec<BrokenLock> {
    let path = location.token_file().with_file_name("broken-locks");
    let said = agon_files::read_to_string(&path, MAX_BYTES).unwrap_or_default();
    let said: BTreeSet<&str> = said.lines().collect();
    let root = location.work_tree.clone().unwrap_or_default();
    let line = |one: &BrokenLock| {
        let last_write_ms = last_write_ms(&root.join(&one.path));
        format!("{} {last_write_ms} {}", one.lock, one.path.escape_default())
    };
    let now: Vec<String> = broken.iter().map(line).collect();
    let is_new = |it: &BrokenLock| !said.contains(line(it).as_str());
    let news = broken.into_iter().filter(is_new).collect();
    let text: String = now.iter().map(|line| format!("{line}\n")).collect();
    if !now.is_empty() || !said.is_empty() {
        if let Some(folder) = path.parent() {
            // If it cannot be recorded, it is reported again next time.
            fs::create_dir_all(folder).ok();
        }
        fs::write(&path, text).ok();
    }
    news
}
