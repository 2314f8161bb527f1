//! Dependencies between tasks.

use std::collections::{BTreeMap, BTreeSet};

use crate::cycle::find_cycle;
use crate::id::TaskId;

/// The dependencies of tasks: for each task, the tasks that must be done before it can be claimed.
/// They never form a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs(BTreeMap<TaskId, BTreeSet<TaskId>>);

/// Why a task may not need another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NeedRefusal {
    /// There is no such task.
    #[error("there is no task {0}")]
    Missing(TaskId),
    /// The dependency would create a cycle.
    #[error("{} would be a cycle", path(.0))]
    Cycle(Vec<TaskId>),
}

fn path(tasks: &[TaskId]) -> String {
    let words: Vec<String> = tasks.iter().map(TaskId::to_string).collect();
    words.join(" needs ")
}

impl Needs {
    /// Returns the tasks that a task needs, sorted by id.
    pub fn needs_of_task(&self, task: TaskId) -> impl Iterator<Item = TaskId> + '_ {
        self.0.get(&task).into_iter().flatten().copied()
    }

    /// Makes `task` need `needed`; repeating this changes nothing. Reads every need at most once.
    ///
    /// # Errors
    ///
    /// Fails if one of them does not exist, or with the cycle from `task` back to itself that this
    /// would create.
    pub fn add(
        &mut self,
        task: TaskId,
        needed: TaskId,
        exists: impl Fn(TaskId) -> bool,
    ) -> Result<(), NeedRefusal> {
        if let Some(missing) = [task, needed].into_iter().find(|id| !exists(*id)) {
            return Err(NeedRefusal::Missing(missing));
        }
        if let Some(mut cycle) = self.find_path(needed, task) {
            cycle.insert(0, task);
            return Err(NeedRefusal::Cycle(cycle));
        }
        self.insert(task, needed);
        Ok(())
    }

    /// Adds a need from the store without checking it.
    pub fn insert(&mut self, task: TaskId, needed: TaskId) {
        self.0.entry(task).or_default().insert(needed);
    }

    /// Removes a need; returns whether it existed.
    pub fn remove(&mut self, task: TaskId, needed: TaskId) -> bool {
        self.0
            .get_mut(&task)
            .is_some_and(|needs| needs.remove(&needed))
    }

    /// Returns a cycle from a task back to itself. Only a store that was tampered with contains
    /// one.
    pub fn find_cycle(&self) -> Option<Vec<TaskId>> {
        let mut cycle = find_cycle(&self.0)?;
        cycle.extend(cycle.first().copied());
        Some(cycle)
    }

    /// Returns a path of needs from `from` to `to`.
    fn find_path(&self, from: TaskId, to: TaskId) -> Option<Vec<TaskId>> {
        let mut came_from = BTreeMap::new();
        let mut open = vec![from];
        while let Some(task) = open.pop() {
            if task == to {
                let mut path = vec![task];
                let mut at = task;
                while let Some(before) = came_from.get(&at) {
                    at = *before;
                    path.insert(0, at);
                }
                return Some(path);
            }
            for next in self.needs_of_task(task) {
                if next != from && !came_from.contains_key(&next) {
                    came_from.insert(next, task);
                    open.push(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(number: i64) -> TaskId {
        TaskId::new(number)
    }

    fn exists(task: TaskId) -> bool {
        task.number() < 10
    }

    fn chain() -> Needs {
        let mut needs = Needs::default();
        for (task, needed) in [(1, 2), (2, 3), (1, 4), (4, 3), (3, 5)] {
            needs.add(t(task), t(needed), exists).unwrap();
        }
        needs
    }

    #[test]
    fn a_task_needs_only_what_exists() {
        let mut needs = Needs::default();
        assert_eq!(
            needs.add(t(1), t(12), exists),
            Err(NeedRefusal::Missing(t(12)))
        );
        assert_eq!(
            needs.add(t(12), t(1), exists),
            Err(NeedRefusal::Missing(t(12)))
        );
        assert_eq!(needs, Needs::default());
    }

    #[test]
    fn a_cycle_of_needs_is_refused_and_named() {
        let mut needs = chain();
        let refusal = needs.add(t(5), t(2), exists).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "t5 needs t2 needs t3 needs t5 would be a cycle"
        );
        assert_eq!(
            needs.add(t(6), t(6), exists),
            Err(NeedRefusal::Cycle(vec![t(6), t(6)]))
        );
        assert_eq!(needs, chain());
        // Two paths that meet again are not a cycle.
        assert!(needs.add(t(1), t(5), exists).is_ok());
    }

    #[test]
    fn a_cycle_that_is_there_is_found() {
        let mut needs = chain();
        assert_eq!(needs.find_cycle(), None);
        needs.insert(t(5), t(4));
        assert_eq!(needs.find_cycle(), Some(vec![t(3), t(5), t(4), t(3)]));
        assert!(needs.remove(t(4), t(3)));
        assert!(!needs.remove(t(4), t(3)));
        assert_eq!(needs.find_cycle(), None);
    }
}
