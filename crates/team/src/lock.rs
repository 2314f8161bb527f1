//! Locks on sets of globs: holders, the queue, and deadlocks.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cycle::find_cycle;
use crate::glob::{GlobSet, PathGlob};
use crate::id::{Epoch, LockId, MemberName, TaskId};

/// Whether other tasks may lock the same paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LockMode {
    /// Others may have shared locks on them.
    Shared,
    /// Only locks of the same task may overlap it.
    Exclusive,
}

impl LockMode {
    /// Returns its name in documents and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Exclusive => "exclusive",
        }
    }
}

/// A lock, granted or in the queue. It ends with the lease that it was taken under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathLock {
    /// Its id; ids grow in the order of requests.
    pub id: LockId,
    /// The task that it was taken for.
    pub task: TaskId,
    /// The epoch of the lease that it ends with.
    pub epoch: Epoch,
    /// The member that holds that lease.
    pub holder: MemberName,
    /// The paths that it covers.
    pub globs: GlobSet,
    /// Whether it is shared or exclusive.
    pub mode: LockMode,
    /// Whether it is granted; otherwise it is waiting.
    pub granted: bool,
    /// Why it was requested.
    pub reason: String,
}

impl PathLock {
    /// Returns a pair of globs for which two locks conflict, or `None`. Locks of the same task
    /// never conflict.
    pub fn conflict<'a>(&'a self, other: &'a Self) -> Option<(&'a PathGlob, &'a PathGlob)> {
        let may_share = self.mode == LockMode::Shared && other.mode == LockMode::Shared;
        if self.task == other.task || may_share {
            return None;
        }
        self.globs.overlap(&other.globs)
    }
}

/// All locks of a team, granted and waiting, sorted by id.
///
/// A lock waits behind conflicting granted locks, and behind conflicting waiting ones that were
/// requested earlier, so that a stream of readers cannot starve a writer. Costs grow with the
/// number of locks, and for [`LockQueue::grant`] with its square.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockQueue(Vec<PathLock>);

impl LockQueue {
    /// Creates the queue of these locks.
    pub fn of(mut locks: Vec<PathLock>) -> Self {
        locks.sort_by_key(|lock| lock.id);
        Self(locks)
    }

    /// Returns the locks, sorted by id.
    pub fn locks(&self) -> &[PathLock] {
        &self.0
    }

    /// Returns the locks that a lock waits for: conflicting locks that are granted, and conflicting
    /// locks that were requested earlier and still wait.
    pub fn blockers<'a>(&'a self, lock: &'a PathLock) -> impl Iterator<Item = &'a PathLock> {
        let before = move |other: &&PathLock| other.granted || other.id < lock.id;
        self.0
            .iter()
            .filter(before)
            .filter(|other| other.conflict(lock).is_some())
    }

    /// Grants every waiting lock that nothing blocks, the earliest first; returns their ids.
    pub fn grant(&mut self) -> Vec<LockId> {
        let mut granted = Vec::new();
        for at in 0..self.0.len() {
            let lock = &self.0[at];
            if !lock.granted && self.blockers(lock).next().is_none() {
                granted.push(lock.id);
                self.0[at].granted = true;
            }
        }
        granted
    }

    /// Returns a cycle of tasks that wait for each other's locks.
    pub fn find_cycle(&self) -> Option<Vec<TaskId>> {
        let mut waits: BTreeMap<TaskId, BTreeSet<TaskId>> = BTreeMap::new();
        for lock in self.0.iter().filter(|lock| !lock.granted) {
            let behind = self.blockers(lock).map(|other| other.task);
            waits.entry(lock.task).or_default().extend(behind);
        }
        find_cycle(&waits)
    }

    /// Returns two granted locks that exclude each other. Only a store that was tampered with
    /// contains such locks.
    pub fn find_conflict(&self) -> Option<(&PathLock, &PathLock)> {
        let granted = || self.0.iter().filter(|lock| lock.granted);
        granted().find_map(|first| {
            let later = granted().filter(|second| second.id > first.id);
            later
                .into_iter()
                .find(|second| first.conflict(second).is_some())
                .map(|it| (first, it))
        })
    }

    /// Returns granted locks of other tasks that forbid `task` to edit what `path` covers.
    pub fn locks_against_edit<'a>(
        &'a self,
        task: Option<TaskId>,
        path: &'a PathGlob,
    ) -> impl Iterator<Item = &'a PathLock> {
        let of_others = move |lock: &&PathLock| lock.granted && Some(lock.task) != task;
        self.0
            .iter()
            .filter(of_others)
            .filter(|lock| lock.globs.globs().iter().any(|glob| glob.overlaps(path)))
    }
}

/// Returns the task of a cycle that must give way: the task that was claimed last, because it has
/// the least to lose. `claimed_at` orders the claims in time.
pub fn last_claimed(cycle: &[TaskId], claimed_at: impl Fn(TaskId) -> i64) -> Option<TaskId> {
    cycle
        .iter()
        .copied()
        .max_by_key(|task| (claimed_at(*task), *task))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(id: i64, task: i64, glob: &str, mode: LockMode, granted: bool) -> PathLock {
        PathLock {
            id: LockId::new(id),
            task: TaskId::new(task),
            epoch: Epoch(1),
            holder: "ana".parse().unwrap(),
            globs: vec![glob.parse().unwrap()].try_into().unwrap(),
            mode,
            granted,
            reason: String::new(),
        }
    }

    use LockMode::{Exclusive, Shared};

    fn ids(numbers: &[i64]) -> Vec<LockId> {
        numbers.iter().copied().map(LockId::new).collect()
    }

    #[test]
    fn shared_locks_overlap_and_exclusive_ones_do_not() {
        let conflict = |a: LockMode, b: LockMode, tasks: (i64, i64)| {
            let first = lock(1, tasks.0, "src/**", a, true);
            first
                .conflict(&lock(2, tasks.1, "src/*.rs", b, true))
                .is_some()
        };
        assert!(!conflict(Shared, Shared, (1, 2)));
        assert!(conflict(Shared, Exclusive, (1, 2)));
        assert!(conflict(Exclusive, Exclusive, (1, 2)));
        assert!(!conflict(Exclusive, Exclusive, (1, 1)));
    }

    #[test]
    fn who_asked_earlier_is_granted_first() {
        let mut queue = LockQueue::of(vec![
            lock(4, 4, "docs", Exclusive, false),
            lock(1, 1, "src", Shared, true),
            lock(2, 2, "src/a", Exclusive, false),
            lock(3, 3, "src", Shared, false),
        ]);
        // The reader of l3 could share with l1, and waits behind the writer of l2.
        assert_eq!(queue.grant(), ids(&[4]));
        queue.0.retain(|lock| lock.id != LockId::new(1));
        assert_eq!(queue.grant(), ids(&[2]));
        assert_eq!(queue.find_conflict(), None);
        queue.0.retain(|lock| lock.id != LockId::new(2));
        assert_eq!(queue.grant(), ids(&[3]));
    }

    #[test]
    fn a_cycle_of_waiting_is_found_and_the_youngest_gives_way() {
        let mut queue = LockQueue::of(vec![
            lock(1, 1, "a", Exclusive, true),
            lock(2, 2, "b", Exclusive, true),
            lock(3, 3, "c", Exclusive, true),
            lock(4, 1, "b", Exclusive, false),
            lock(5, 2, "c", Shared, false),
        ]);
        assert_eq!(queue.find_cycle(), None);
        queue.0.push(lock(6, 3, "a", Shared, false));
        let cycle = queue.find_cycle().unwrap();
        assert_eq!(cycle, [1, 2, 3].map(TaskId::new));
        assert_eq!(
            last_claimed(&cycle, |task| 10 - task.number()),
            Some(TaskId::new(1))
        );
    }

    #[test]
    fn two_readers_that_both_want_to_write_are_a_cycle() {
        let queue = LockQueue::of(vec![
            lock(1, 1, "a", Shared, true),
            lock(2, 2, "a", Shared, true),
            lock(3, 1, "a", Exclusive, false),
            lock(4, 2, "a", Exclusive, false),
        ]);
        assert_eq!(queue.find_cycle().unwrap(), [1, 2].map(TaskId::new));
    }

    #[test]
    fn an_edit_is_forbidden_by_the_locks_of_others() {
        let queue = LockQueue::of(vec![
            lock(1, 1, "src", Shared, true),
            lock(2, 2, "src/a", Exclusive, false),
        ]);
        let path = PathGlob::literal("src/a/b.rs").unwrap();
        let against = |task: Option<i64>| {
            let locks = queue.locks_against_edit(task.map(TaskId::new), &path);
            locks.map(|lock| lock.id).collect::<Vec<_>>()
        };
        assert_eq!(against(Some(1)), []);
        assert_eq!(against(Some(2)), ids(&[1]));
        assert_eq!(against(None), ids(&[1]));
    }
}
