//! Opens or rebuilds the index file, or uses an index in memory instead.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::{IndexError, IndexNote};
use agon_store::AGON;

/// The SQLite application id of an index: `AGON`.
const APPLICATION: i32 = i32::from_be_bytes(*b"AGON");
// Fixed by SQLite: <https://www.sqlite.org/fileformat2.html#application_id>.
/// The offset of the application id in the file.
const APPLICATION_AT: usize = 68;
// Increase this if the tables or their contents change; `open_index` then rebuilds an older index.
// Tested by `a_file_of_somebody_else_is_kept_and_an_index_of_another_version_is_not`.
/// The version of the tables and their contents.
const VERSION: i32 = 6;
// SQLite indexed 10,000 documents of 28 MB in 5.3 s on two busy cores, so a batch of 200 by another
// process locks the index for a tenth of a second, or longer on a busy disk.
/// The time limit for another process to release the index.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
// Ten times as long as a batch locks the index. Reading a few thousand folders instead takes about
// as long.
/// The same limit for a list, which reads the folders instead.
const LIST_LOCK_TIMEOUT: Duration = Duration::from_secs(1);

const TABLES: &str = "
    CREATE TABLE debate (
        id INTEGER PRIMARY KEY,
        folder BLOB NOT NULL UNIQUE,
        stamp BLOB NOT NULL,
        summary TEXT,
        answered INTEGER NOT NULL DEFAULT 0,
        at_last INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE listed (
        folder BLOB NOT NULL UNIQUE,
        stamp BLOB NOT NULL,
        lock BLOB,
        handed_to TEXT,
        record TEXT NOT NULL
    );
    CREATE TABLE ask (
        debate INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        tool TEXT NOT NULL,
        model TEXT,
        effort TEXT NOT NULL,
        kind TEXT NOT NULL,
        ended TEXT NOT NULL,
        input INTEGER, cached INTEGER, output INTEGER,
        estimated INTEGER NOT NULL DEFAULT 0,
        cost_micros INTEGER,
        took_ms INTEGER,
        clock_ms INTEGER
    );
    CREATE INDEX ask_of ON ask (debate);
    CREATE VIRTUAL TABLE said USING fts5 (
        topic, answer, points, reasons, about, signs,
        tokenize = 'porter unicode61 remove_diacritics 2'
    );
";

/// Where an index is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IndexLocation {
    /// In a file, with its inode number.
    File { path: PathBuf, inode: u64 },
    /// Only in memory.
    Memory,
}

impl IndexLocation {
    /// Returns whether the index file is still the one that was opened (same inode). Writing to a
    /// deleted file would be lost.
    pub(super) fn is_still_present(&self) -> bool {
        match self {
            Self::Memory => true,
            Self::File { path, inode } => inode_of(path) == Some(*inode),
        }
    }
}

fn inode_of(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path).ok().map(|meta| meta.ino())
}

/// Opens the index file of the debates in `dir` for a list, or creates it; `None` if it cannot be
/// stored there or is in use.
///
/// Leaves a file of another program alone, because a list cannot say that it was renamed.
pub(super) fn open_for_list(dir: &Path) -> Option<(Connection, IndexLocation)> {
    let use_of_file = UseOfFile {
        lock_timeout: LIST_LOCK_TIMEOUT,
        may_set_aside: false,
    };
    open_in_folder(dir, use_of_file, &mut Vec::new()).ok()?
}

/// Opens the index file of the debates in `dir` for reading; `None` if there is no usable one.
pub(super) fn open_existing(dir: &Path) -> Option<Connection> {
    let path = index_path(&fs::canonicalize(dir).ok()?);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let db = Connection::open_with_flags(path, flags).ok()?;
    set_limits(&db, LIST_LOCK_TIMEOUT).ok()?;
    let found = application_id_and_version(&db).ok()?;
    (found == (APPLICATION, VERSION)).then_some(db)
}

/// Returns the path of the index of the debates in `dir`.
pub(super) fn index_path(dir: &Path) -> PathBuf {
    dir.join(AGON).join("index.db")
}

/// How a file is opened.
#[derive(Clone, Copy, Debug)]
struct UseOfFile {
    /// The time limit for another process to release it.
    lock_timeout: Duration,
    /// Whether another program's file in its place may be renamed.
    may_set_aside: bool,
}

/// Opens the index of the debates in `dir`. If it cannot be stored there, opens one in memory.
pub(super) fn open_index(
    dir: &Path,
    notes: &mut Vec<IndexNote>,
) -> Result<(Connection, IndexLocation), IndexError> {
    let use_of_file = UseOfFile {
        lock_timeout: LOCK_TIMEOUT,
        may_set_aside: true,
    };
    match open_in_folder(dir, use_of_file, notes) {
        Ok(Some(kept)) => Ok(kept),
        Ok(None) => Ok((open_in_memory()?, IndexLocation::Memory)),
        Err(why) => {
            let path = dir.to_owned();
            notes.push(IndexNote::NotKept { path, why });
            Ok((open_in_memory()?, IndexLocation::Memory))
        }
    }
}

/// Replaces a corrupted index file with an empty one.
pub(super) fn replace_damaged_index(
    dir: &Path,
    place: &IndexLocation,
    notes: &mut Vec<IndexNote>,
) -> Result<(Connection, IndexLocation), IndexError> {
    // Another process may already have replaced the file, so check before deleting it.
    if let IndexLocation::File { path, .. } = place
        && place.is_still_present()
    {
        // Ignore a failure: `open_index` reports a corrupted file that could not be removed.
        fs::remove_file(path).ok();
    }
    open_index(dir, notes)
}

/// Creates an empty index in memory.
pub(super) fn open_in_memory() -> Result<Connection, IndexError> {
    let db = Connection::open_in_memory()?;
    db.execute_batch(TABLES)?;
    Ok(db)
}

/// Opens the index file; `None` if the folder of debates does not exist.
fn open_in_folder(
    dir: &Path,
    use_of_file: UseOfFile,
    notes: &mut Vec<IndexNote>,
) -> Result<Option<(Connection, IndexLocation)>, String> {
    let dir = match fs::canonicalize(dir) {
        Ok(dir) => dir,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(cause.to_string()),
    };
    let below = dir.join(AGON);
    let why = |cause: io::Error| cause.to_string();
    match fs::symlink_metadata(&below) {
        Ok(meta) if meta.is_dir() => {}
        Ok(_) => return Err(format!("{} is not a folder", below.display())),
        Err(_) => match fs::create_dir(&below) {
            Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => return Err(why(cause)),
            Ok(()) | Err(_) => {}
        },
    }
    let ignore = below.join(".gitignore");
    // Create the file only if nothing has its name, not even a link. Ignore a failure, because the
    // index works without it.
    if let Ok(mut new) = fs::File::create_new(ignore) {
        new.write_all(b"index.db*\n").ok();
    }
    let path = index_path(&dir);
    let timeout = use_of_file.lock_timeout;
    let failed = match open_database(&path, timeout) {
        Ok(Some(db)) => return with_location(db, path),
        Ok(None) => Unfit::OtherVersion,
        Err(error) => match fs::symlink_metadata(&path) {
            // The file cannot even be examined, so its contents are not the cause.
            Err(_) => return Err(error.to_string()),
            Ok(meta) if !meta.is_file() => Unfit::NoIndex,
            Ok(_) if !is_damage(&error) => return Err(error.to_string()),
            Ok(_) if has_our_application_id(&path) => Unfit::Damaged,
            Ok(_) => Unfit::NoIndex,
        },
    };
    match failed {
        Unfit::NoIndex if !use_of_file.may_set_aside => return Err("it is not an index".to_owned()),
        Unfit::NoIndex => {
            let kept = free_aside_path(&path);
            fs::rename(&path, &kept).map_err(why)?;
            let path = path.clone();
            notes.push(IndexNote::SetAside { path, kept });
        }
        Unfit::OtherVersion | Unfit::Damaged => {
            fs::remove_file(&path).map_err(why)?;
            let was = match failed {
                Unfit::OtherVersion => "from another version of Agon",
                Unfit::Damaged | Unfit::NoIndex => "corrupted",
            };
            notes.push(IndexNote::Rebuilt { was });
        }
    }
    match open_database(&path, timeout) {
        Ok(Some(db)) => with_location(db, path),
        Ok(None) => Err("another version of Agon is using it".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn with_location(
    db: Connection,
    path: PathBuf,
) -> Result<Option<(Connection, IndexLocation)>, String> {
    let Some(inode) = inode_of(&path) else {
        return Err("it was deleted".to_owned());
    };
    Ok(Some((db, IndexLocation::File { path, inode })))
}

/// The reason why a file cannot be used as the index.
enum Unfit {
    NoIndex,
    OtherVersion,
    Damaged,
}

/// Returns whether a damaged file caused the error.
fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::Unknown)
    )
}

/// Returns whether the file has Agon's application ID, even if it is corrupted.
fn has_our_application_id(path: &Path) -> bool {
    let mut head = [0; APPLICATION_AT + 4];
    let read = agon_files::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head.ends_with(&APPLICATION.to_be_bytes())
}

/// Returns an unused name next to `path`.
fn free_aside_path(path: &Path) -> PathBuf {
    let named = |number: u32| path.with_file_name(format!("index.db.aside-{number}"));
    (1..1_000)
        .map(named)
        .find(|path| fs::symlink_metadata(path).is_err())
        .unwrap_or_else(|| named(1_000))
}

/// Opens the file and its tables; `None` if the file is an index of another version.
///
/// A rollback journal keeps it intact when a process is killed. Without syncing, a crash of the
/// machine costs at most a rebuild.
fn open_database(
    path: &Path,
    lock_timeout: Duration,
) -> Result<Option<Connection>, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut db = Connection::open_with_flags(path, flags)?;
    set_limits(&db, lock_timeout)?;
    db.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF;")?;
    match application_id_and_version(&db)? {
        (APPLICATION, VERSION) => return Ok(Some(db)),
        (APPLICATION, _) => return Ok(None),
        (0, 0) => {}
        _ => return Err(foreign_database_error()),
    }
    // Two processes may create the tables at the same time, so check again inside a transaction.
    let begun = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if application_id_and_version(&begun)? == (APPLICATION, VERSION) {
        begun.commit()?;
        return Ok(Some(db));
    }
    let tables: i64 =
        begun.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    if tables > 0 {
        return Err(foreign_database_error());
    }
    begun.execute_batch(TABLES)?;
    begun.pragma_update(None, "application_id", APPLICATION)?;
    begun.pragma_update(None, "user_version", VERSION)?;
    begun.commit()?;
    Ok(Some(db))
}

/// Limits what a file can do, because it may come from another person's repository.
fn set_limits(db: &Connection, lock_timeout: Duration) -> Result<(), rusqlite::Error> {
    db.busy_timeout(lock_timeout)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    db.execute_batch("PRAGMA trusted_schema = OFF;")
}

fn application_id_and_version(db: &Connection) -> Result<(i32, i32), rusqlite::Error> {
    let mark = |name: &str| db.pragma_query_value(None, name, |row| row.get(0));
    Ok((mark("application_id")?, mark("user_version")?))
}

/// Returns the error for a database that is not an index.
fn foreign_database_error() -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_NOTADB);
    rusqlite::Error::SqliteFailure(code, None)
}
