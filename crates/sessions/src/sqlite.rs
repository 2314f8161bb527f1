//! Databases of hosts, opened so that nothing is written, not even beside them.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use url::Url;

/// A connection that cannot write.
#[derive(Debug)]
pub(crate) struct ReadOnly {
    connection: Connection,
    /// A copy of what could not be opened in its place; gone with this.
    _copy: Option<tempfile::TempDir>,
}

impl ReadOnly {
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }
}

// A database in use has a log (`-wal`) and an index of it in shared memory (`-shm`), and a reader
// takes part in that index by writing to it. SQLite reads without it in two cases: where a
// database is declared unchanging, and where the index may only be read.
/// Opens a database; none if it is not there or not one.
pub(crate) fn open(path: &Path) -> Option<ReadOnly> {
    let beside = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    if !fs::metadata(path).is_ok_and(|it| it.is_file()) {
        return None;
    }
    let wal = beside("-wal");
    let has_wal = fs::metadata(&wal).is_ok_and(|it| it.len() > 0);
    if !has_wal {
        let connection = connect(path, "immutable=1")?;
        return Some(ReadOnly {
            connection,
            _copy: None,
        });
    }
    if beside("-shm").exists()
        && let Some(connection) = connect(path, "mode=ro&readonly_shm=1")
    {
        return Some(ReadOnly {
            connection,
            _copy: None,
        });
    }
    // A log without its index: left by a crash.
    let folder = tempfile::tempdir().ok()?;
    let copy = folder.path().join("copy.db");
    fs::copy(path, &copy).ok()?;
    fs::copy(&wal, folder.path().join("copy.db-wal")).ok()?;
    let connection = connect(&copy, "mode=rw")?;
    Some(ReadOnly {
        connection,
        _copy: Some(folder),
    })
}

fn connect(path: &Path, parameters: &str) -> Option<Connection> {
    let mut uri = Url::from_file_path(path).ok()?;
    uri.set_query(Some(parameters));
    let mut flags = OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags |= match parameters == "mode=rw" {
        true => OpenFlags::SQLITE_OPEN_READ_WRITE,
        false => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let connection = Connection::open_with_flags(uri.as_str(), flags).ok()?;
    connection
        .busy_timeout(std::time::Duration::from_secs(2))
        .ok()?;
    // The first look shows whether it is a database and can be read at all.
    connection
        .query_row("SELECT count(*) FROM sqlite_master", (), |row| {
            row.get::<_, i64>(0)
        })
        .ok()?;
    Some(connection)
}
