//! Opens hosts' databases without writing to their folder.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use url::Url;

/// A read-only connection.
#[derive(Debug)]
pub(crate) struct ReadOnly {
    connection: Connection,
    /// A temporary copy, if the original could not be opened; removed on drop.
    _copy: Option<tempfile::TempDir>,
}

impl ReadOnly {
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }
}

// A database in use has a log (`-wal`) and a shared index of it (`-shm`), to which readers also
// write. SQLite avoids that in two cases: the database is declared immutable, or the index is
// read-only.
/// Opens a database; `None` if the file is missing or not a database.
pub(crate) fn open(path: &Path) -> Option<ReadOnly> {
    let beside = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    // SQLite opens each of these files and would block on a pipe, so accept only plain files.
    let ends = ["", "-wal", "-shm", "-journal"];
    let is_odd = |end: &&str| fs::metadata(beside(end)).is_ok_and(|it| !it.is_file());
    if !path.exists() || ends.iter().any(is_odd) {
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
    // A crash leaves a log without its index, so open a temporary copy instead.
    let sizes = [path, &wal].map(|it| fs::metadata(it).map_or(u64::MAX, |it| it.len()));
    if sizes[0].saturating_add(sizes[1]) > MAX_COPIED_BYTES {
        return None;
    }
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

/// Maximum size of a database and its log to copy, in bytes.
const MAX_COPIED_BYTES: u64 = 1 << 30;

// A virtual machine step takes about 10 ns, so this limit is about two seconds. A session of
// 100,000 parts needs 10 million steps.
/// Virtual machine steps after which a query fails.
const MAX_STEPS: u64 = 200_000_000;
/// Steps between checks of that limit.
const STEPS_BETWEEN: i32 = 100_000;
/// Maximum size of one value, in bytes.
const MAX_VALUE_BYTES: i32 = 64 << 20;

/// Restricts a connection: no views or triggers, limited values and limited queries.
fn restrict(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    let mut steps = 0;
    connection.progress_handler(
        STEPS_BETWEEN,
        Some(move || {
            steps += u64::from(STEPS_BETWEEN.unsigned_abs());
            steps > MAX_STEPS
        }),
    )?;
    Ok(())
}

fn connect(path: &Path, parameters: &str) -> Option<Connection> {
    let mut uri = Url::from_file_path(path).ok()?;
    uri.set_query(Some(parameters));
    let mut flags = OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags |= match parameters == "mode=rw" {
        true => OpenFlags::SQLITE_OPEN_READ_WRITE,
        false => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let mut connection = Connection::open_with_flags(uri.as_str(), flags).ok()?;
    connection
        .busy_timeout(std::time::Duration::from_secs(2))
        .ok()?;
    restrict(&mut connection).ok()?;
    // SQLite reads the file only now, so this query fails if the file is not a database.
    connection
        .query_row("SELECT count(*) FROM sqlite_master", (), |row| {
            row.get::<_, i64>(0)
        })
        .ok()?;
    Some(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(statements: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Connection::open(&path)
            .unwrap()
            .execute_batch(statements)
            .unwrap();
        (folder, path)
    }

    fn count(path: &Path, query: &str) -> Result<i64, String> {
        let db = open(path).ok_or("it cannot be opened")?;
        let row = db.connection().query_row(query, (), |row| row.get(0));
        row.map_err(|error| error.to_string())
    }

    const ENDLESS: &str = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) \
                           SELECT x AS id FROM n";

    #[test]
    fn a_table_is_read_and_a_view_in_its_place_is_not() {
        let (_folder, path) = database("CREATE TABLE session (id); INSERT INTO session VALUES (1)");
        assert_eq!(count(&path, "SELECT count(*) FROM session"), Ok(1));
        for view in [ENDLESS, "SELECT 1 AS id"] {
            let (_folder, path) = database(&format!("CREATE VIEW session AS {view}"));
            count(&path, "SELECT count(*) FROM session").unwrap_err();
        }
    }

    #[test]
    fn a_query_without_an_end_is_stopped() {
        let (_folder, path) = database("CREATE TABLE t (x)");
        let query = format!("SELECT count(*) FROM ({ENDLESS})");
        assert_eq!(count(&path, &query), Err("interrupted".to_owned()));
    }

    #[test]
    fn a_pipe_in_the_place_of_a_file_beside_a_database_is_not_waited_for() {
        for end in ["", "-wal", "-shm", "-journal"] {
            let (folder, path) = database("PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
            let odd = folder.path().join(format!("a.db{end}"));
            fs::remove_file(&odd).ok();
            std::os::unix::fs::symlink("/dev/zero", &odd).unwrap();
            assert!(open(&path).is_none(), "{end}");
        }
    }
}
