//! An open team, and its transactions.

use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};

use crate::id::MemberName;
use crate::store::actor::Actor;
use crate::store::clock::Clock;
use crate::store::error::StoreError;
use crate::store::event::{EventDoc, read_events, read_events_around};
use crate::store::file;
use crate::store::limits::TeamLimits;
use crate::store::location::TeamLocation;
use crate::store::signs::record_call;
use crate::store::sweep::{has_expired_lease, sweep};
use crate::store::write::Write;
use crate::time::Moment;

/// A team, as opened by one process.
///
/// Requests take `&mut self` and an [`Actor`]. Each is one transaction of at most some
/// milliseconds. It waits at most five seconds for others, and changes nothing if it fails. Any
/// number of processes can open the team, and no server is needed.
#[derive(Debug)]
pub struct Team {
    db: Connection,
    path: Option<PathBuf>,
    clock: Arc<dyn Clock>,
    limits: TeamLimits,
}

impl Team {
    /// Creates the team of a repository, or opens the existing one.
    ///
    /// # Errors
    ///
    /// Fails if the file system is shared by several machines, or if the file belongs to another
    /// program, is of a newer version, is damaged, or cannot be written.
    pub fn create(
        location: &TeamLocation,
        clock: Arc<dyn Clock>,
        limits: TeamLimits,
    ) -> Result<Self, StoreError> {
        Self::open_file(location, true, clock, limits)
    }

    /// Opens the team of a repository.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoTeam`] if there is none, or the errors of [`Team::create`].
    pub fn open(
        location: &TeamLocation,
        clock: Arc<dyn Clock>,
        limits: TeamLimits,
    ) -> Result<Self, StoreError> {
        Self::open_file(location, false, clock, limits)
    }

    fn open_file(
        location: &TeamLocation,
        begin: bool,
        clock: Arc<dyn Clock>,
        limits: TeamLimits,
    ) -> Result<Self, StoreError> {
        let path = location.database();
        Ok(Self {
            db: file::open(&path, begin)?,
            path: Some(path),
            clock,
            limits,
        })
    }

    /// Creates a team in memory only, for trials.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn in_memory(clock: Arc<dyn Clock>, limits: TeamLimits) -> Result<Self, StoreError> {
        Ok(Self {
            db: file::open_in_memory()?,
            path: None,
            clock,
            limits,
        })
    }

    /// Returns its file, or `None` if it is in memory.
    pub const fn path(&self) -> Option<&PathBuf> {
        self.path.as_ref()
    }

    /// Returns its limits.
    pub const fn limits(&self) -> &TeamLimits {
        &self.limits
    }

    /// Returns the events after the one with this number, at most `max`, the earliest first; 0
    /// means from the first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn events(&self, after: i64, max: u32) -> Result<Vec<EventDoc>, StoreError> {
        read_events(&self.db, after, max)
    }

    /// Returns the last events by a member or about it, at most `max`, the latest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn events_around(
        &self,
        member: &MemberName,
        max: u32,
    ) -> Result<Vec<EventDoc>, StoreError> {
        read_events_around(&self.db, member.as_str(), max)
    }

    /// Returns the connection for reading, after ending what has expired. Reading also works if
    /// nothing can be written.
    pub(super) fn read(&mut self) -> Result<&Connection, StoreError> {
        let now = self.clock.now();
        if has_expired_lease(&self.db, &now)? {
            match self.write(&Actor::team(), |_| Ok(())) {
                Ok(()) | Err(StoreError::Busy | StoreError::Full | StoreError::ReadOnly) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.db)
    }

    /// Returns the current moment.
    pub(super) fn now(&self) -> Moment {
        self.clock.now()
    }

    /// Returns the connection, for reading without ending what has expired.
    pub(super) const fn db(&self) -> &Connection {
        &self.db
    }

    /// Runs one transaction: takes the write lock, reads the time, ends what has expired, and runs
    /// `act`. If `act` fails, only the expirations are kept.
    pub(super) fn write<T>(
        &mut self,
        actor: &Actor,
        act: impl FnOnce(&Write<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let change = self
            .db
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read the time after taking the lock, because waiting for it can take hours in a suspended
        // process.
        let now = self.clock.now();
        let write = Write {
            db: &change,
            now: &now,
            actor,
            limits: &self.limits,
        };
        let has_swept = sweep(&write)?;
        if has_swept {
            change.execute_batch("SAVEPOINT act")?;
        }
        let outcome = check_joined(&write)
            .and_then(|()| act(&write))
            .and_then(|value| record_call(&write).map(|()| value));
        match outcome {
            Ok(value) => {
                change.commit()?;
                Ok(value)
            }
            Err(error) => {
                if has_swept {
                    change.execute_batch("ROLLBACK TO act")?;
                    change.commit()?;
                }
                Err(error)
            }
        }
    }
}

/// Refuses a member that has left since its token was checked.
pub(super) fn check_joined(write: &Write<'_>) -> Result<(), StoreError> {
    let (Some(name), Some(hash)) = (write.actor.name(), write.actor.token_hash()) else {
        return Ok(());
    };
    let mut statement = write
        .db
        .prepare_cached("SELECT 1 FROM member WHERE name = ?1 AND token_hash = ?2")?;
    if statement.exists((name.as_str(), hash.as_slice()))? {
        Ok(())
    } else {
        Err(StoreError::NotMember)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::clock::SystemClock;
    use crate::store::tasks::NewTask;

    fn add(team: &mut Team, bytes: usize) -> Result<(), StoreError> {
        let new = NewTask {
            title: "one".to_owned(),
            spec: "x".repeat(bytes),
            ..NewTask::default()
        };
        team.add_task(&Actor::person(), &new).map(drop)
    }

    #[test]
    fn a_full_disk_refuses_a_request_whole_and_the_next_goes_on() {
        let clock = Arc::new(SystemClock::new());
        let mut team = Team::in_memory(clock, TeamLimits::default()).unwrap();
        add(&mut team, 10).unwrap();
        let pages: i64 = team
            .db
            .pragma_query_value(None, "page_count", |row| row.get(0))
            .unwrap();
        team.db
            .pragma_update(None, "max_page_count", pages + 2)
            .unwrap();
        let error = add(&mut team, 30_000).unwrap_err();
        assert!(matches!(error, StoreError::Full), "{error}");
        assert_eq!(team.events(0, 9).unwrap().len(), 1);
        assert_eq!(team.examine().unwrap().breaches, []);
        team.db
            .pragma_update(None, "max_page_count", pages + 100)
            .unwrap();
        add(&mut team, 30_000).unwrap();
        assert_eq!(team.events(0, 9).unwrap().len(), 2);
    }

    #[test]
    fn a_file_that_others_hold_is_busy_and_then_free() {
        let dir = tempfile::tempdir().unwrap();
        let location = TeamLocation {
            common_dir: dir.path().to_owned(),
            git_dir: dir.path().to_owned(),
            work_tree: None,
        };
        let open = || {
            Team::create(
                &location,
                Arc::new(SystemClock::new()),
                TeamLimits::default(),
            )
        };
        let (mut ours, mut theirs) = (open().unwrap(), open().unwrap());
        theirs
            .db
            .busy_timeout(std::time::Duration::from_millis(10))
            .unwrap();
        let held = ours
            .db
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .unwrap();
        let error = add(&mut theirs, 1).unwrap_err();
        assert!(matches!(error, StoreError::Busy), "{error}");
        held.rollback().unwrap();
        add(&mut theirs, 1).unwrap();
    }
}
