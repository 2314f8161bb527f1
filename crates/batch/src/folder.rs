//! The folder of a batch: its paths and its lock.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use agon_caller::system::now_ms;
use agon_caller::{Caller, Code, Failure, write_failure};
use agon_store::{Disk as _, Holder, LockError, LockGuard, LockState, RealDisk, slug};

use crate::identity::Identity;
use crate::input::Row;
use crate::request::BatchRequest;

/// The folder of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchFolder(PathBuf);

/// The lock of a batch, held until dropped.
#[derive(Debug)]
pub struct BatchLock(#[expect(dead_code, reason = "held, not read")] Box<dyn LockGuard>);

impl BatchFolder {
    /// Returns the folder for `batch`: the named one, or the file's whole name and `.batch`
    /// (`.2-of-4.batch` for a shard), beside the file.
    pub fn of(caller: &Caller, batch: &BatchRequest) -> Self {
        let path = batch.folder.clone().unwrap_or_else(|| {
            // The whole name, so that files that differ in their ending do not share a folder.
            let mut name = batch.file.file_name().unwrap_or_default().to_owned();
            if let Some(shard) = batch.shard {
                name.push(format!(".{}-of-{}", shard.index, shard.of));
            }
            name.push(".batch");
            batch.file.with_file_name(name)
        });
        Self(caller.cwd.join(path))
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the folder of its debates.
    pub fn debates(&self) -> PathBuf {
        self.0.join("debates")
    }

    /// Returns the results, one JSON object on each line.
    pub fn results(&self) -> PathBuf {
        self.0.join("results.jsonl")
    }

    /// Returns the results as a table.
    pub fn table(&self) -> PathBuf {
        self.0.join("results.csv")
    }

    /// Returns the log of a run in the background.
    pub fn log(&self) -> PathBuf {
        self.0.join("batch.log")
    }

    /// Returns the progress of the last or current run, for other processes.
    pub fn progress(&self) -> PathBuf {
        self.0.join("progress.json")
    }

    /// Creates the folder if needed and takes its lock.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or another process runs this batch.
    pub fn lock(&self) -> Result<BatchLock, Failure> {
        let debates = self.debates();
        fs::create_dir_all(&debates).map_err(|error| failed_write(&debates, &error))?;
        // A program that only asks with `is_running` at this moment does not prevent it.
        let note = Holder::this_process(now_ms()).to_lock_note();
        let path = self.0.join(LOCK);
        match RealDisk.lock(&path, &note) {
            Ok(lock) => Ok(BatchLock(lock)),
            Err(LockError::Taken(_)) => {
                let message = format!(
                    "another process is running the batch in {}",
                    self.0.display()
                );
                Err(Failure::new(Code::Locked, message)
                    .hint("run the same command with --status to see its progress"))
            }
            Err(LockError::Disk(error)) => Err(failed_write(&path, &error.cause)),
        }
    }

    /// Returns whether a process is running this batch.
    pub fn is_running(&self) -> bool {
        let lock = RealDisk.probe_lock(&self.0.join(LOCK));
        matches!(lock, Ok(LockState::Taken(_)))
    }

    /// Returns the debate folder of the latest attempt at a request, and the number of attempts; 0
    /// if there is none.
    pub(crate) fn latest_attempt(&self, slug: &str) -> (Option<PathBuf>, u32) {
        let mut found = (None, 0);
        for attempt in 1.. {
            let path = self.attempt(slug, attempt);
            match fs::symlink_metadata(&path) {
                Ok(_) => found = (Some(path), attempt),
                Err(error) if error.kind() == ErrorKind::NotFound => break,
                Err(_) => break,
            }
        }
        found
    }

    /// Returns the debate folder of an attempt at a request, from 1.
    pub(crate) fn attempt(&self, slug: &str, attempt: u32) -> PathBuf {
        self.debates().join(attempt_name(slug, attempt))
    }
}

/// What to do after the disk was full.
pub(crate) const AFTER_FULL_DISK: &str =
    "free some space, then run the same command again; nothing is lost";

/// Returns the failure of writing `path`.
pub(crate) fn failed_write(path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot write {}: {error}", path.display());
    let failure = write_failure(&io::Error::new(error.kind(), message));
    match failure.code {
        Code::DiskFull => failure.hint(AFTER_FULL_DISK),
        _ => failure,
    }
}

const LOCK: &str = ".lock";

// The store allows names of 40 bytes: these, `-`, the 16 digits of the identity, and room for the
// number of the attempt, up to `-9999`.
/// Maximum length of the readable part of a debate's name.
const READABLE: usize = 18;

/// Returns the name of a request's debates: words of its topic, then its identity. At most 35 bytes.
///
/// It depends only on what the identity depends on, so that a debate is found again whatever its
/// row is called.
pub(crate) fn debate_name(row: &Row, identity: &Identity) -> String {
    let words = slug(&row.request.topic);
    let whole = match words.split_at_checked(READABLE) {
        // End between words, unless the first one is too long.
        Some((start, rest)) if !rest.is_empty() && !rest.starts_with('-') => {
            start.rsplit_once('-').map_or(start, |(whole, _)| whole)
        }
        Some((start, _)) => start,
        None => &words,
    };
    format!("{}-{}", whole.trim_end_matches('-'), identity.short())
}

/// Returns the name of a debate's folder for an attempt, from 1.
pub(crate) fn attempt_name(slug: &str, attempt: u32) -> String {
    match attempt {
        1 => slug.to_owned(),
        _ => format!("{slug}-{attempt}"),
    }
}

#[cfg(test)]
mod tests;
