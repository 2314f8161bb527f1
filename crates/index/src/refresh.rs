//! Updates an index from the folders: reads only what has changed.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::entry::IndexEntry;
use crate::file::{self, IndexLocation};
use crate::listed_rows::{ListedRow, delete_row};
use crate::stamp::{ModifiedAt, Stamp, folder_stamp};
use crate::{Index, IndexError, IndexNote, is_fixed_by_rebuild};
use agon_folder::{View, ViewError};
use agon_store::RealDisk;

// The same number as is read before a debate begins (`LATEST` in
// `debates/src/limits/expectation.rs`), so that reading those takes one commit. Another process
// waits for at most 200.
/// Number of debates written in one commit.
const BATCH: usize = 200;
// Chosen, not measured: only one thread writes, so more readers would wait for it. Fewer would
// leave a large machine idle during a rebuild.
/// Maximum number of threads that read debates.
const MAX_READERS: usize = 8;

/// How many debates an update may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshLimit {
    /// All debates that have changed.
    All,
    /// At most this many of the latest changed debates; the others stay outdated or unknown.
    Latest(usize),
}

/// The result of updating an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// The number of debates in the folder.
    pub debates: usize,
    /// The number of debates that were read because they are new or have changed.
    pub read: usize,
    /// The number of debates that no longer exist.
    pub gone: usize,
    /// The number of debates that have changed but were not read.
    pub left: usize,
    /// Folders whose debate cannot be read, with the reason.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// The state of a debate's folder.
struct FolderStamp {
    name: OsString,
    /// Changes with every write in the folder.
    stamp: Stamp,
    /// When the folder was last written; the latest folders are read first.
    at: ModifiedAt,
}

/// The result of reading a folder.
enum ReadFolder {
    IndexEntry(Box<IndexEntry>),
    Unreadable(String),
    NoDebate,
}

impl Index {
    /// Reads the debates that have changed since the last update.
    ///
    /// Checks the times and lengths of every folder, O(folders), and reads the journals of changed
    /// ones. Other processes may update at the same time. A corrupted or deleted index is rebuilt;
    /// if it is not writable, an index in memory is used.
    ///
    /// # Errors
    ///
    /// If the folder of debates cannot be read.
    pub fn refresh(&mut self, upto: RefreshLimit) -> Result<Refreshed, IndexError> {
        for _ in 0..2 {
            match self.try_refresh(upto) {
                Ok(Some(refreshed)) => return Ok(refreshed),
                // The file was deleted, so anything written to it would be lost. Open a new one.
                Ok(None) => {
                    let (db, place) = file::open_index(&self.dir, &mut self.notes)?;
                    (self.db, self.place) = (db, place);
                }
                Err(IndexError::Library(error)) if is_fixed_by_rebuild(&error) => {
                    self.notes.push(IndexNote::Rebuilt { was: "corrupted" });
                    let (db, place) =
                        file::replace_damaged_index(&self.dir, &self.place, &mut self.notes)?;
                    (self.db, self.place) = (db, place);
                }
                // Another process has locked the file for too long, so use an index in memory.
                Err(IndexError::Library(_)) => break,
                Err(error) => return Err(error),
            }
        }
        let path = self.dir.clone();
        let why = "its file is not writable, or is locked by another process".to_owned();
        if self.place != IndexLocation::Memory {
            self.notes.push(IndexNote::NotKept { path, why });
        }
        (self.db, self.place) = (file::open_in_memory()?, IndexLocation::Memory);
        let refreshed = self.try_refresh(upto)?;
        Ok(refreshed.unwrap_or_default())
    }

    /// Tries once to update the index; `None` if its file was deleted meanwhile.
    fn try_refresh(&mut self, upto: RefreshLimit) -> Result<Option<Refreshed>, IndexError> {
        let stand = list_debate_folders(&self.dir)?;
        let known = indexed_folders(&self.db)?;
        let mut refreshed = Refreshed {
            debates: stand.len(),
            ..Refreshed::default()
        };
        let here: HashMap<&[u8], &FolderStamp> = stand
            .iter()
            .map(|stood| (stood.name.as_bytes(), stood))
            .collect();
        let gone: Vec<_> = known
            .keys()
            .filter(|name| !here.contains_key(name.as_slice()))
            .collect();
        refreshed.gone = gone.len();
        let mut changed: Vec<&FolderStamp> = stand
            .iter()
            .filter(|stood| known.get(stood.name.as_bytes()) != Some(&stood.stamp))
            .collect();
        changed.sort_by(|a, b| (b.at, &b.name).cmp(&(a.at, &a.name)));
        if let RefreshLimit::Latest(most) = upto {
            refreshed.left = changed.len().saturating_sub(most);
            changed.truncate(most);
        }
        if !gone.is_empty() {
            if !self.place.is_still_present() {
                return Ok(None);
            }
            let written = begin(&mut self.db)?;
            for name in gone {
                delete_debate(&written, name)?;
                delete_row(&written, name)?;
            }
            written.commit()?;
        }
        if !self.write_debates(&changed, &mut refreshed)? {
            return Ok(None);
        }
        Ok(Some(refreshed))
    }

    /// Reads debates and writes their data. Returns false if the index file was deleted meanwhile.
    fn write_debates(
        &mut self,
        changed: &[&FolderStamp],
        refreshed: &mut Refreshed,
    ) -> Result<bool, IndexError> {
        let (dir, place, db) = (&self.dir, &self.place, &mut self.db);
        let next = AtomicUsize::new(0);
        let readers = std::thread::available_parallelism().map_or(1, usize::from);
        let readers = readers.min(MAX_READERS).min(changed.len().div_ceil(4));
        let (sender, receiver) = sync_channel(BATCH);
        std::thread::scope(|scope| {
            for _ in 0..readers {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(folder) = changed.get(at) else {
                            return;
                        };
                        // Sending fails if the writer has stopped after an error, so stop too.
                        if sender
                            .send((*folder, read_folder(dir, &folder.name)))
                            .is_err()
                        {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let receiver = receiver;
            loop {
                let batch: Vec<_> = receiver.iter().take(BATCH).collect();
                if batch.is_empty() {
                    return Ok(true);
                }
                if !place.is_still_present() {
                    return Ok(false);
                }
                let written = begin(db)?;
                for (folder, read) in batch {
                    insert_debate(&written, folder, &read)?;
                    refreshed.read += 1;
                    if let ReadFolder::Unreadable(why) = read {
                        refreshed.unreadable.push((dir.join(&folder.name), why));
                    }
                }
                written.commit()?;
            }
        })
    }
}

pub(super) fn begin(db: &mut Connection) -> Result<Transaction<'_>, rusqlite::Error> {
    db.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Returns the indexed folders with their stamps.
fn indexed_folders(db: &Connection) -> Result<HashMap<Vec<u8>, Stamp>, rusqlite::Error> {
    let mut known = db.prepare_cached("SELECT folder, stamp FROM debate")?;
    let rows = known.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Returns the folders in `dir` that seem to contain a debate; empty if `dir` does not exist.
fn list_debate_folders(dir: &Path) -> Result<Vec<FolderStamp>, IndexError> {
    let failed = |cause| {
        let path = dir.to_owned();
        IndexError::Folder { path, cause }
    };
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(failed(cause)),
    };
    let mut stand = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        if name.as_bytes().starts_with(b".") {
            continue;
        }
        let path = dir.join(&name);
        // A folder that cannot be checked contains no debate that could be read.
        let found = folder_stamp(&path).ok().flatten();
        stand.extend(found.map(|(stamp, at)| FolderStamp { name, stamp, at }));
    }
    Ok(stand)
}

fn read_folder(dir: &Path, name: &OsStr) -> ReadFolder {
    match View::read(&RealDisk, &dir.join(name)) {
        Ok(view) => {
            let slug = name.to_string_lossy().into_owned();
            ReadFolder::IndexEntry(Box::new(IndexEntry::of(slug, &view)))
        }
        Err(ViewError::NotADebate { .. }) => ReadFolder::NoDebate,
        Err(error) => ReadFolder::Unreadable(error_chain(&error)),
    }
}

/// Returns an error and its causes on one line.
fn error_chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    causes.join(": ")
}

fn delete_debate(db: &Transaction<'_>, folder: &[u8]) -> Result<(), rusqlite::Error> {
    for emptied in [
        "DELETE FROM said WHERE rowid IN (SELECT id FROM debate WHERE folder = ?1)",
        "DELETE FROM ask WHERE debate IN (SELECT id FROM debate WHERE folder = ?1)",
        "DELETE FROM debate WHERE folder = ?1",
    ] {
        db.prepare_cached(emptied)?.execute([folder])?;
    }
    Ok(())
}

fn insert_debate(
    db: &Transaction<'_>,
    stood: &FolderStamp,
    read: &ReadFolder,
) -> Result<(), rusqlite::Error> {
    let folder = stood.name.as_bytes();
    delete_debate(db, folder)?;
    let insert = "INSERT INTO debate (folder, stamp, summary, answered, at_last) \
                  VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut insert = db.prepare_cached(insert)?;
    let ReadFolder::IndexEntry(entry) = read else {
        insert.execute(params![folder, stood.stamp, None::<&str>, false, 0])?;
        return Ok(());
    };
    let IndexEntry {
        summary,
        texts,
        calls,
        listed,
    } = &**entry;
    if let Some(record) = listed {
        let row = ListedRow::new(stood.stamp, record).map_err(json_error)?;
        row.write(db, folder)?;
    }
    let json = serde_json::to_string(summary).map_err(json_error)?;
    let at = i64::try_from(summary.at_last).unwrap_or(i64::MAX);
    insert.execute(params![
        folder,
        stood.stamp,
        json,
        summary.answer.is_some(),
        at
    ])?;
    let id = db.last_insert_rowid();
    let said = "INSERT INTO said (rowid, topic, answer, points, reasons, about, signs) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    db.prepare_cached(said)?.execute(params![
        id,
        texts.topic,
        texts.answer,
        texts.points,
        texts.reasons,
        texts.about,
        texts.signs
    ])?;
    for call in calls {
        call.insert(db, id)?;
    }
    Ok(())
}

fn json_error(cause: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(cause.into())
}

/// Returns the path of a folder from its indexed name.
pub(super) fn folder_path(dir: &Path, name: Vec<u8>) -> PathBuf {
    dir.join(OsString::from_vec(name))
}
