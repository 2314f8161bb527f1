//! Lists debates from the index, and reads only those that have changed.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use agon_folder::{
    ListedDebate, ListedFolder, ListedRecord, Listing, current_writer, interrupted_removals,
    read_detached_process, read_listed,
};
use agon_store::{Disk as _, DiskError, Layout, RealDisk, RunEntry};
use agon_verdict::status::RunState;

use crate::file;
use crate::listed_rows::{self, ListedRow, delete_row};
use crate::refresh::begin;
use crate::stamp::{NO_FILE, Stamp, file_stamp, folder_stamp, stat};
use crate::{Index, is_fixed_by_rebuild};

// Each thread answers a few hundred folders in the time in which another thread starts.
/// Number of folders per thread.
const FOLDERS_PER_THREAD: usize = 200;
/// Maximum number of threads.
const MAX_THREADS: usize = 8;
// FAT has the coarsest times, two seconds. A lock that is taken again within them may keep its
// stamp.
/// How old the stamp of a lock must be before it tells that the lock was not taken since.
const MIN_LOCK_AGE: Duration = Duration::from_secs(3);
/// After which time a person is told why they wait.
const SLOW: Duration = Duration::from_secs(1);

/// Returns whether a background process is still running.
pub type IsRunning<'a> = &'a (dyn Fn(&RunEntry) -> bool + Sync);

impl Index {
    /// Lists the debates like [`agon_folder::list_debates`], with the same result, except for a
    /// stored reply that was damaged after its debate was read.
    ///
    /// Checks the times of two files in each folder, and reads the record only of new and changed
    /// debates, which it then stores. The lock of a debate is checked only if it was taken since it
    /// was last seen without a process. Calls `on_slow` once if that takes more than a second.
    ///
    /// Returns `None` if the index or a folder cannot be read; `list_debates` then lists them or
    /// reports why not.
    pub fn list(
        &mut self,
        is_running: IsRunning<'_>,
        on_slow: &mut dyn FnMut(),
    ) -> Option<Listing> {
        let mut rows = match listed_rows::read_all(&self.db) {
            Ok(rows) => rows,
            Err(error) if is_fixed_by_rebuild(&error) => {
                let place = &self.place;
                let rebuilt = file::replace_damaged_index(&self.dir, place, &mut self.notes);
                (self.db, self.place) = rebuilt.ok()?;
                HashMap::new()
            }
            Err(_) => return None,
        };
        let names = RealDisk.list_names(&self.dir);
        let names = match names {
            Err(error) if error.is_not_found() => Vec::new(),
            names => names.ok()?,
        };
        // A name that is not text cannot be typed, so no list has it.
        let names: Vec<String> = names
            .into_iter()
            .filter_map(|name| name.into_string().ok())
            .collect();
        let mut listing = Listing {
            interrupted_removals: interrupted_removals(&RealDisk, &self.dir, names.iter().cloned())
                .ok()?,
            ..Listing::default()
        };
        let names: Vec<_> = names
            .into_iter()
            .filter(|name| !name.starts_with('.'))
            .collect();
        let look = Look {
            dir: &self.dir,
            rows: &rows,
            is_running,
        };
        let mut changed = Vec::new();
        for (name, seen) in names.iter().zip(look.at_all(&names, on_slow).ok()?) {
            changed.extend(seen.row.map(|row| (name, row)));
            match seen.folder {
                ListedFolder::Debate(debate) => listing.debates.push(*debate),
                ListedFolder::Unreadable(unreadable) => listing.unreadable.push(unreadable),
                ListedFolder::NotADebate => {}
            }
        }
        for name in &names {
            rows.remove(name.as_bytes());
        }
        // The list is complete, so a failure only means that the next listing reads more.
        self.store_rows(&changed, rows.keys()).ok();
        Some(listing)
    }

    fn store_rows<'a>(
        &mut self,
        changed: &[(&String, ListedRow)],
        gone: impl ExactSizeIterator<Item = &'a Vec<u8>>,
    ) -> Result<(), rusqlite::Error> {
        if (changed.is_empty() && gone.len() == 0) || !self.place.is_still_present() {
            return Ok(());
        }
        let written = begin(&mut self.db)?;
        for (name, row) in changed {
            row.write(&written, name.as_bytes())?;
        }
        for name in gone {
            delete_row(&written, name)?;
        }
        written.commit()
    }
}

/// One folder, as seen now.
struct FolderSight {
    folder: ListedFolder,
    /// Its new row, if that has changed.
    row: Option<ListedRow>,
}

impl From<ListedFolder> for FolderSight {
    fn from(folder: ListedFolder) -> Self {
        Self { folder, row: None }
    }
}

/// What all folders are compared with.
struct Look<'a> {
    dir: &'a Path,
    rows: &'a HashMap<Vec<u8>, ListedRow>,
    is_running: IsRunning<'a>,
}

impl Look<'_> {
    /// Looks at all folders, in the order of their names.
    fn at_all(
        &self,
        names: &[String],
        on_slow: &mut dyn FnMut(),
    ) -> Result<Vec<FolderSight>, DiskError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads
            .min(MAX_THREADS)
            .min(names.len().div_ceil(FOLDERS_PER_THREAD));
        let next = AtomicUsize::new(0);
        let (sender, receiver) = channel();
        let mut found = Vec::with_capacity(names.len());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(name) = names.get(at) else { return };
                        // Sending fails after an error, so stop too.
                        if sender.send((at, self.at_folder(name))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let receiver = receiver;
            let slow = Instant::now() + SLOW;
            let mut is_told = false;
            loop {
                let left = match is_told {
                    true => Duration::MAX,
                    false => slow.saturating_duration_since(Instant::now()),
                };
                match receiver.recv_timeout(left) {
                    Ok((at, seen)) => found.push((at, seen?)),
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if !is_told && Instant::now() >= slow {
                    is_told = true;
                    on_slow();
                }
            }
        })?;
        found.sort_unstable_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, seen)| seen).collect())
    }

    fn at_folder(&self, name: &str) -> Result<FolderSight, DiskError> {
        let path = self.dir.join(name);
        let failed = |cause: io::Error| DiskError::new("check", &path, cause);
        // Before the journal, so that what a process wrote last is seen too.
        let lock = stat(&Layout::new(&path).lock()).map_err(failed)?;
        let lock_stamp = lock.as_ref().map_or(NO_FILE, file_stamp);
        let stamp = || Ok(folder_stamp(&path).map_err(failed)?.map(|(stamp, _)| stamp));
        let Some(now) = stamp()? else {
            return Ok(ListedFolder::NotADebate.into());
        };
        // A writer sets the time of the lock when it takes it.
        let is_old = lock.is_none_or(|lock| {
            let at = lock.modified().ok();
            let age = at.and_then(|at| SystemTime::now().duration_since(at).ok());
            age.is_some_and(|age| age >= MIN_LOCK_AGE)
        });
        let row = self
            .rows
            .get(name.as_bytes())
            .filter(|row| row.stamp == now);
        let known = row.and_then(|row| Some((row, row.parse_record()?)));
        let is_known = known.is_some();
        let seen = match known {
            Some((row, record)) if row.lock == Some(lock_stamp) => {
                return Ok(self.settled(name, row, record));
            }
            Some((_, record)) => {
                let has_writer = current_writer(&RealDisk, &path)?.is_present();
                let handed_to = read_detached_process(&RealDisk, &path)?;
                // A process may have written its last line since the stamp was taken.
                match stamp()? == Some(now) {
                    true => ListedFolder::Debate(Box::new(ListedDebate {
                        path: path.clone(),
                        slug: name.to_owned(),
                        record,
                        has_writer,
                        handed_to,
                        problems: false,
                    })),
                    false => read_listed(&RealDisk, self.dir, name)?,
                }
            }
            None => read_listed(&RealDisk, self.dir, name)?,
        };
        let lock = is_old.then_some(lock_stamp);
        let row = match &seen {
            ListedFolder::Debate(debate) if !is_known || lock.is_some() => {
                self.row(debate, now, lock)
            }
            _ => None,
        };
        Ok(FolderSight { folder: seen, row })
    }

    /// Returns a debate whose record and lock have not changed since it was seen without a process.
    fn settled(&self, name: &str, row: &ListedRow, record: ListedRecord) -> FolderSight {
        let handed_to = row.handed_to.as_deref();
        ListedFolder::Debate(Box::new(ListedDebate {
            path: self.dir.join(name),
            slug: name.to_owned(),
            record,
            has_writer: false,
            handed_to: handed_to.and_then(|json| serde_json::from_str(json).ok()),
            problems: false,
        }))
        .into()
    }

    /// Returns the row to store for a debate; `None` if it has problems or changes all the time.
    fn row(&self, debate: &ListedDebate, stamp: Stamp, lock: Option<Stamp>) -> Option<ListedRow> {
        let handed_to = debate.handed_to.as_ref();
        if debate.problems || debate.has_writer || handed_to.is_some_and(self.is_running) {
            return None;
        }
        // Only the log of a process that was interrupted matters after its end.
        let handed_to = handed_to.filter(|_| debate.record.idle == RunState::Stopped);
        let handed_to = handed_to.map(serde_json::to_string).transpose().ok()?;
        let row = ListedRow::new(stamp, &debate.record).ok()?;
        Some(ListedRow {
            lock,
            handed_to,
            ..row
        })
    }
}
