//! Finds cycles of tasks that wait for each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::TaskId;

/// Returns a cycle of tasks in which each step leads to the next task and the last one to the
/// first.
///
/// Every step is followed at most once. A task from which all steps were followed without returning
/// to the current path is in no cycle.
pub(crate) fn find_cycle(steps: &BTreeMap<TaskId, BTreeSet<TaskId>>) -> Option<Vec<TaskId>> {
    let mut left = BTreeSet::new();
    steps
        .keys()
        .find_map(|start| walk(steps, *start, &mut left))
}

/// Searches from `start` without recursion, because a path may be as long as the number of tasks.
fn walk(
    steps: &BTreeMap<TaskId, BTreeSet<TaskId>>,
    start: TaskId,
    left: &mut BTreeSet<TaskId>,
) -> Option<Vec<TaskId>> {
    if left.contains(&start) {
        return None;
    }
    let open = |task: &TaskId| steps.get(task).into_iter().flatten();
    let mut way = vec![start];
    let mut is_on_way = BTreeSet::from([start]);
    let mut rest = vec![open(&start)];
    while let Some(next) = rest.last_mut() {
        match next.next() {
            Some(next) if is_on_way.contains(next) => {
                let at = way.iter().position(|task| task == next);
                return Some(way.split_off(at.unwrap_or_default()));
            }
            Some(next) if left.contains(next) => {}
            Some(next) => {
                way.push(*next);
                is_on_way.insert(*next);
                rest.push(open(next));
            }
            None => {
                rest.pop();
                if let Some(task) = way.pop() {
                    is_on_way.remove(&task);
                    left.insert(task);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph(pairs: &[(i64, i64)]) -> BTreeMap<TaskId, BTreeSet<TaskId>> {
        let mut steps: BTreeMap<TaskId, BTreeSet<TaskId>> = BTreeMap::new();
        for (from, to) in pairs {
            let to = TaskId::new(*to);
            steps.entry(TaskId::new(*from)).or_default().insert(to);
        }
        steps
    }

    fn cycle(pairs: &[(i64, i64)]) -> Option<Vec<i64>> {
        let found = find_cycle(&graph(pairs))?;
        Some(found.into_iter().map(TaskId::number).collect())
    }

    #[test]
    fn a_cycle_is_found_without_the_way_that_leads_to_it() {
        assert_eq!(
            cycle(&[(1, 2), (2, 3), (3, 4), (4, 2)]),
            Some(vec![2, 3, 4])
        );
        assert_eq!(cycle(&[(5, 5)]), Some(vec![5]));
        assert_eq!(cycle(&[(1, 2), (1, 3), (2, 4), (3, 4)]), None);
    }

    #[test]
    fn ten_thousand_tasks_in_a_row_and_hundreds_that_wait_for_all_before_are_looked_through() {
        let row: Vec<(i64, i64)> = (1..10_000).map(|at| (at, at + 1)).collect();
        assert_eq!(cycle(&row), None);
        let dense = (1..400).flat_map(|from| (1..from).map(move |to| (from, to)));
        assert_eq!(cycle(&dense.collect::<Vec<_>>()), None);
    }

    /// Removes tasks without steps until nothing is left to remove.
    fn has_cycle(pairs: &[(i64, i64)]) -> bool {
        let mut open = pairs.to_vec();
        while !open.is_empty() {
            let before = open.len();
            let froms: BTreeSet<i64> = open.iter().map(|(from, _)| *from).collect();
            open.retain(|(_, to)| froms.contains(to));
            if open.len() == before {
                return true;
            }
        }
        false
    }

    proptest! {
        #[test]
        fn what_is_found_is_a_cycle_and_one_is_found_where_there_is_one(
            pairs in proptest::collection::vec((1_i64..9, 1_i64..9), 0..14)
        ) {
            let found = cycle(&pairs);
            prop_assert_eq!(found.is_some(), has_cycle(&pairs));
            if let Some(found) = found {
                let next = found.iter().cycle().skip(1);
                for step in found.iter().copied().zip(next.copied()) {
                    prop_assert!(pairs.contains(&step), "{:?}", step);
                }
            }
        }
    }
}
