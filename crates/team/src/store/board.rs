//! Reads a whole team at once: each row is read once, however many tasks and members there are.

use std::collections::BTreeMap;

use crate::id::{MemberName, TaskId};
use crate::lock::PathLock;
use crate::store::error::StoreError;
use crate::store::gates::{read_reviews, read_runs};
use crate::store::rows::{from_json, parse, read_locks, read_needs, read_tasks};
use crate::store::tasks::TaskWhy;
use crate::store::team::Team;
use crate::task::{Task, TaskState};
use crate::time::Deadline;
use crate::why::{TaskContext, waiting_lock, why};

impl Team {
    /// Returns every task with everything that it waits for, sorted by id; the result equals
    /// [`Team::why`] for each.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn explain_all(&mut self) -> Result<Vec<TaskWhy>, StoreError> {
        let db = self.read()?;
        let tasks = read_tasks(db)?;
        let needs = read_needs(db)?;
        let queue = read_locks(db)?;
        let mut waiting: BTreeMap<TaskId, Vec<&PathLock>> = BTreeMap::new();
        for lock in queue.locks().iter().filter(|lock| !lock.granted) {
            waiting.entry(lock.task).or_default().push(lock);
        }
        let by_number: BTreeMap<TaskId, &Task> = tasks.iter().map(|it| (it.id, it)).collect();
        let mut found = Vec::new();
        for task in &tasks {
            let mut context = TaskContext::default();
            if !task.state.is_final() {
                let needed = needs.needs_of_task(task.id);
                context.needs = needed
                    .filter_map(|id| by_number.get(&id).copied())
                    .collect();
                let locks = waiting.get(&task.id).into_iter().flatten();
                context.locks = locks.map(|lock| waiting_lock(&queue, lock)).collect();
            }
            if task.state == TaskState::Review {
                context.runs = read_runs(db, task.id)?;
                context.reviews = read_reviews(db, task.id)?;
            }
            found.push(why(task, &context));
        }
        let with_why = tasks.into_iter().zip(found);
        Ok(with_why
            .map(|(task, waits_for)| TaskWhy { task, waits_for })
            .collect())
    }

    /// Returns the number of messages to fetch by member, without members that have none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn unread_by_member(&mut self) -> Result<BTreeMap<MemberName, usize>, StoreError> {
        let now = self.now();
        let mut statement = self.read()?.prepare_cached(
            "SELECT member, fetch_until, count(*) FROM delivery
             WHERE state IN ('queued', 'leased') GROUP BY member, fetch_until",
        )?;
        let mut rows = statement.query(())?;
        let mut unread = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let until: Option<String> = row.get(1)?;
            let until: Option<Deadline> = until.as_deref().map(from_json).transpose()?;
            if until.is_none_or(|until| until.has_passed(&now)) {
                let count: i64 = row.get(2)?;
                let member: MemberName = parse(&row.get::<_, String>(0)?)?;
                *unread.entry(member).or_default() += usize::try_from(count).unwrap_or_default();
            }
        }
        Ok(unread)
    }
}
