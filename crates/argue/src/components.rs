//! Strongly and weakly connected components.

use crate::ArgId;

/// An evaluation order in which every argument comes after its parents. The members of a cycle are
/// adjacent and are listed in `cycles`.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Every argument once.
    pub(crate) order: Vec<u32>,
    /// The ranges of `order` whose members depend on one another, in order.
    pub(crate) cycles: Vec<(u32, u32)>,
}

impl Plan {
    /// Orders `n` arguments by their parents, the arguments that they depend on.
    pub(crate) fn from_parents<'r>(n: usize, parents: impl Fn(usize) -> &'r [ArgId]) -> Self {
        let all = |in_order: fn(usize, usize) -> bool| {
            (0..n).all(|a| parents(a).iter().all(|b| in_order(b.index(), a)))
        };
        // Most graphs already list parents before or after their children, so one of these two
        // checks usually succeeds.
        if all(|parent, child| parent < child) {
            let order = (0..n as u32).collect();
            return Self {
                order,
                cycles: Vec::new(),
            };
        }
        if all(|parent, child| parent > child) {
            let order = (0..n as u32).rev().collect();
            return Self {
                order,
                cycles: Vec::new(),
            };
        }
        Tarjan::new(n).run(parents)
    }
}

/// The search for strongly connected components, with an explicit call stack.
struct Tarjan {
    index: Vec<u32>,
    low: Vec<u32>,
    /// Tarjan's stack: arguments visited whose component is not complete yet.
    open: Vec<u32>,
    /// The explicit call stack: each argument being visited, with the number of its parents already
    /// followed.
    calls: Vec<(u32, u32)>,
    plan: Plan,
    next: u32,
}

// `Tarjan::new` starts numbering at 1, so 0 is free.
const UNSEEN: u32 = 0;
const DONE: u32 = u32::MAX;

impl Tarjan {
    fn new(n: usize) -> Self {
        Self {
            index: vec![UNSEEN; n],
            low: vec![0; n],
            open: Vec::new(),
            calls: Vec::new(),
            plan: Plan {
                order: Vec::with_capacity(n),
                cycles: Vec::new(),
            },
            next: 1,
        }
    }

    fn run<'r>(mut self, parents: impl Fn(usize) -> &'r [ArgId]) -> Plan {
        for root in 0..self.index.len() {
            if self.index[root] == UNSEEN {
                self.enter_argument(root as u32);
            }
            while let Some(&mut (at, ref mut looked)) = self.calls.last_mut() {
                let row = parents(at as usize);
                if let Some(parent) = row.get(*looked as usize) {
                    *looked += 1;
                    match self.index[parent.index()] {
                        UNSEEN => self.enter_argument(parent.0),
                        DONE => {}
                        seen => {
                            let low = &mut self.low[at as usize];
                            *low = seen.min(*low);
                        }
                    }
                } else {
                    self.leave_argument(at, row.contains(&ArgId(at)));
                }
            }
        }
        self.plan
    }

    fn enter_argument(&mut self, at: u32) {
        self.index[at as usize] = self.next;
        self.low[at as usize] = self.next;
        self.next += 1;
        self.open.push(at);
        self.calls.push((at, 0));
    }

    fn leave_argument(&mut self, at: u32, attacks_itself: bool) {
        self.calls.pop();
        let low = self.low[at as usize];
        if let Some(&(below, _)) = self.calls.last() {
            let theirs = &mut self.low[below as usize];
            *theirs = low.min(*theirs);
        }
        if low != self.index[at as usize] {
            return;
        }
        let start = self.plan.order.len();
        while let Some(member) = self.open.pop() {
            self.index[member as usize] = DONE;
            self.plan.order.push(member);
            if member == at {
                break;
            }
        }
        let members = &mut self.plan.order[start..];
        if members.len() > 1 || attacks_itself {
            members.sort_unstable();
            let end = start + members.len();
            self.plan.cycles.push((start as u32, end as u32));
        }
    }
}

/// Splits the arguments to keep into weakly connected groups, each sorted by id.
pub(crate) fn weakly_connected_groups<'r>(
    keep: &[bool],
    targets: impl Fn(usize) -> &'r [ArgId],
    sources: impl Fn(usize) -> &'r [ArgId],
) -> Vec<Vec<ArgId>> {
    let mut seen: Vec<bool> = keep.iter().map(|keep| !keep).collect();
    let mut groups = Vec::new();
    for root in 0..keep.len() {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut group = vec![ArgId::from_index(root)];
        let mut at = 0;
        while let Some(&member) = group.get(at) {
            at += 1;
            for &next in targets(member.index())
                .iter()
                .chain(sources(member.index()))
            {
                if !seen[next.index()] {
                    seen[next.index()] = true;
                    group.push(next);
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

/// Marks the topics and everything that a topic depends on.
pub(crate) fn mark_ancestors<'r>(
    n: usize,
    topics: &[ArgId],
    parents: impl Fn(usize) -> &'r [ArgId],
) -> Vec<bool> {
    let mut seen = vec![false; n];
    let mut open: Vec<ArgId> = topics.to_vec();
    for topic in topics {
        seen[topic.index()] = true;
    }
    while let Some(at) = open.pop() {
        for &parent in parents(at.index()) {
            if !seen[parent.index()] {
                seen[parent.index()] = true;
                open.push(parent);
            }
        }
    }
    seen
}
