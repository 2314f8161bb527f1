//! Creates, opens and migrates the file of a team, and refuses foreign ones.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rustix::fs::Access;

use crate::store::error::StoreError;
use crate::store::location::check_file_system;
use crate::store::schema::MIGRATIONS;

/// The application id that identifies a team's file: `AGTM`.
const APPLICATION: i32 = i32::from_be_bytes(*b"AGTM");
// A write takes milliseconds even with eight processes; five seconds allow for a slow disk.
/// How long to wait while another process has locked the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the file at `path`; creates a missing file if `begin`.
pub(super) fn open(path: &Path, begin: bool) -> Result<Connection, StoreError> {
    let dir = path.parent().unwrap_or(path);
    open_in(dir, path, begin).map_err(|error| match error {
        // Even readers write to the index file beside the database. If they cannot, SQLite only
        // reports that it cannot open the file, so the real cause is checked here.
        StoreError::Sqlite(_) if rustix::fs::access(dir, Access::WRITE_OK).is_err() => {
            StoreError::ReadOnly
        }
        error => error,
    })
}

fn open_in(dir: &Path, path: &Path, begin: bool) -> Result<Connection, StoreError> {
    if begin {
        begin_folder(dir)?;
        check_file_system(dir)?;
        begin_file(path)?;
    } else {
        match fs::symlink_metadata(path) {
            Ok(_) => check_file_system(dir)?,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::NoTeam(path.to_owned()));
            }
            Err(cause) => return Err(io_error("read", path)(cause)),
        }
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut db = Connection::open_with_flags(path, flags)?;
    match read_contents(&db)? {
        Contents::Empty if begin => use_write_ahead(&db)?,
        Contents::Empty => return Err(StoreError::NoTeam(path.to_owned())),
        Contents::Team(_) => {}
        Contents::Foreign => return Err(StoreError::Foreign(path.to_owned())),
    }
    configure(&mut db)?;
    migrate(&mut db, path)?;
    Ok(db)
}

/// Creates a team in memory only.
pub(super) fn open_in_memory() -> Result<Connection, StoreError> {
    let mut db = Connection::open_in_memory()?;
    configure(&mut db)?;
    migrate(&mut db, Path::new(":memory:"))?;
    Ok(db)
}

fn begin_folder(dir: &Path) -> Result<(), StoreError> {
    let made = DirBuilder::new().mode(0o700).create(dir);
    match made {
        Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => {
            Err(io_error("create", dir)(cause))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Creates an empty file that only its owner can read; SQLite gives its companion files the same
/// permissions.
fn begin_file(path: &Path) -> Result<(), StoreError> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => {
            Err(io_error("create", path)(cause))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn io_error(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |cause| match cause.kind() {
        io::ErrorKind::StorageFull => StoreError::Full,
        io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly,
        _ => StoreError::Io { doing, path, cause },
    }
}

/// Enables write-ahead logging before the tables are created, so that a file with tables always has
/// it. Two processes that create the same file can block each other, and SQLite does not wait here.
fn use_write_ahead(db: &Connection) -> Result<(), StoreError> {
    db.busy_timeout(LOCK_TIMEOUT)?;
    let mut tries = 0;
    loop {
        match db.pragma_update(None, "journal_mode", "WAL") {
            Ok(()) => return Ok(()),
            Err(error) => match StoreError::from(error) {
                StoreError::Busy if tries < 250 => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(20));
                }
                error => return Err(error),
            },
        }
    }
}

fn configure(db: &mut Connection) -> Result<(), StoreError> {
    db.busy_timeout(LOCK_TIMEOUT)?;
    // The file may come from another person, so triggers and views in it must not run.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    // Synced at every commit, so that an accepted message survives a power failure.
    db.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;",
    )?;
    db.set_prepared_statement_cache_capacity(64);
    #[cfg(feature = "failpoints")]
    crate::store::failpoints::watch(db)?;
    Ok(())
}

/// The contents of a file.
enum Contents {
    Empty,
    /// A team whose tables have this version.
    Team(i64),
    Foreign,
}

fn read_contents(db: &Connection) -> Result<Contents, StoreError> {
    // Count the tables first. Another process may create the file meanwhile: read in this order, a
    // new file never looks like one with tables but without an id.
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    let application: i32 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(match (tables, application, version) {
        (0, 0, 0) => Contents::Empty,
        (_, APPLICATION, version) if version > 0 => Contents::Team(version),
        _ => Contents::Foreign,
    })
}

/// Migrates the tables to the newest version, in one transaction.
fn migrate(db: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if version_of(db, path, known)? == known {
        return Ok(());
    }
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Now that the file is locked, read the version again: another process may have migrated it.
    let version = version_of(&change, path, known)?;
    for migration in MIGRATIONS
        .iter()
        .skip(usize::try_from(version).unwrap_or_default())
    {
        change.execute_batch(migration)?;
    }
    change.pragma_update(None, "application_id", APPLICATION)?;
    change.pragma_update(None, "user_version", known)?;
    change.commit()?;
    Ok(())
}

fn version_of(db: &Connection, path: &Path, known: i64) -> Result<i64, StoreError> {
    match read_contents(db)? {
        Contents::Empty => Ok(0),
        Contents::Team(found) if found > known => Err(StoreError::Newer { found, known }),
        Contents::Team(found) => Ok(found),
        Contents::Foreign => Err(StoreError::Foreign(path.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::id::{RunId, TaskId};
    use crate::run_policy::RunPolicy;
    use crate::store::actor::Actor;
    use crate::store::clock::SystemClock;
    use crate::store::limits::TeamLimits;
    use crate::store::location::TeamLocation;
    use crate::store::runs::NewRun;
    use crate::store::tasks::NewTask;
    use crate::store::team::Team;

    /// Creates a file as the first version wrote it, with two tasks and a message.
    fn write_first_version(path: &Path) {
        begin_folder(path.parent().unwrap()).unwrap();
        begin_file(path).unwrap();
        let db = Connection::open(path).unwrap();
        db.pragma_update(None, "journal_mode", "WAL").unwrap();
        db.execute_batch(MIGRATIONS.first().unwrap()).unwrap();
        db.execute_batch(
            r#"INSERT INTO task (title, spec, state, priority, epoch, attempt, max_attempts,
                    needs_review, claimed_seq, changed_seq)
                VALUES ('one', '', 'ready', 0, 0, 0, 3, 0, 0, 1), ('two', 'x', 'ready', 0, 0, 0, 3, 1, 0, 2);
            INSERT INTO event (at_ms, actor, kind, subject, detail)
                VALUES (1, 'person', 'task.added', 't1', '{"state":"ready","epoch":0}'),
                    (2, 'person', 'task.added', 't2', '{"state":"ready","epoch":0}');
            INSERT INTO member (name, role, host, left_ms, joined_ms) VALUES ('ana', 'worker', 'x', 2, 1);
            INSERT INTO message (thread, sender, trust, recipient, body, sent_ms)
                VALUES (1, 'person', 'person', '{"member":"ana"}', 'hello', 3);
            INSERT INTO delivery (message, member, state, fetch) VALUES (1, 'ana', 'queued', 0);"#,
        )
        .unwrap();
        db.pragma_update(None, "application_id", APPLICATION)
            .unwrap();
        db.pragma_update(None, "user_version", 1).unwrap();
    }

    #[test]
    fn a_run_of_an_earlier_version_keeps_what_it_did() {
        let dir = tempfile::tempdir().unwrap();
        let at = TeamLocation {
            common_dir: dir.path().to_owned(),
            git_dir: dir.path().to_owned(),
            work_tree: None,
        };
        write_first_version(&at.database());
        let db = Connection::open(at.database()).unwrap();
        // The last version in which runs had no settings.
        db.execute_batch(MIGRATIONS.get(1).unwrap()).unwrap();
        db.execute_batch(
            r#"INSERT INTO run (goal, hosts, base, stage, plan, agreed, tokens)
                VALUES ('greet', '["codex"]', 'b', 'debating', '[{"title":"one"}]', 0, 7);"#,
        )
        .unwrap();
        db.pragma_update(None, "user_version", 2).unwrap();
        drop(db);
        let open = || Team::open(&at, Arc::new(SystemClock::new()), TeamLimits::default());
        let mut team = open().unwrap();
        let earlier = RunId::new(1);
        let policy = team.run(earlier).unwrap().policy;
        for (role, count) in [
            ("planner", 1),
            ("critic", 1),
            ("devil", 1),
            ("worker", 2),
            ("reviewer", 1),
        ] {
            assert_eq!(policy.count(role), count, "{role}");
        }
        assert_eq!(policy.members.len(), 5);
        assert_eq!(policy.checked_by, ["reviewer"]);
        assert_eq!((policy.parallel, policy.review_rounds), (2, 2));
        assert!(policy.debate_plans && !policy.debates_change(true));
        // The old run continues with the defaults, and a new run stores its own settings.
        team.begin_work(&Actor::person(), earlier).unwrap();
        assert_eq!(team.run(earlier).unwrap().tasks.len(), 1);
        let new = NewRun {
            goal: "greet again".to_owned(),
            hosts: vec!["codex".to_owned()],
            gates: [].into(),
            base: "b".to_owned(),
            agreed: false,
            max_tokens: None,
            policy: RunPolicy::default(),
        };
        let new = team.begin_run(&Actor::person(), &new).unwrap();
        drop(team);
        let mut team = open().unwrap();
        assert_eq!(team.run(earlier).unwrap().policy, policy);
        assert_eq!(team.run(new).unwrap().policy, RunPolicy::default());
    }

    #[test]
    fn a_file_of_the_first_version_is_brought_up_to_date_with_all_that_it_has() {
        let dir = tempfile::tempdir().unwrap();
        let at = TeamLocation {
            common_dir: dir.path().to_owned(),
            git_dir: dir.path().to_owned(),
            work_tree: None,
        };
        write_first_version(&at.database());
        let open = || Team::open(&at, Arc::new(SystemClock::new()), TeamLimits::default());
        let mut team = open().unwrap();
        let tasks = team.tasks().unwrap();
        let rows: Vec<_> = tasks
            .iter()
            .map(|it| {
                (
                    it.title.as_str(),
                    it.place,
                    it.labels.len(),
                    it.needs_review,
                )
            })
            .collect();
        assert_eq!(rows, [("one", 1, 0, false), ("two", 2, 0, true)]);
        let headers = team.mail_headers(&Actor::person()).unwrap();
        assert_eq!((headers.len(), headers[0].urgent), (1, false));
        assert_eq!(team.examine().unwrap().breaches, []);
        let new = NewTask {
            title: "three".to_owned(),
            ..NewTask::default()
        };
        let third = team.add_task(&Actor::person(), &new).unwrap();
        assert_eq!((third.id, third.place), (TaskId::new(3), 3));
        drop(team);
        assert_eq!(open().unwrap().tasks().unwrap().len(), 3);
    }
}
