//! The debates that wait, in groups that call the same tools.
//!
//! As many debates run at once as their tools take, so that a slow provider holds up only the debates
//! that need it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Instant;

use agon_agents::CallLimits;
use agon_caller::Failure;
use agon_record::spec::ToolName;

use super::progress::{Progress, Spending};
use super::unusable::Unusable;
use crate::estimate::Estimate;
use crate::results::ResultStatus;
use crate::seated::SeatedTool;
use crate::work::{Item, Work};

/// A group of debates with the same tools.
#[derive(Debug)]
struct Group {
    /// Its tools with their models; empty if no debate of it was planned.
    seated: BTreeSet<SeatedTool>,
    waiting: VecDeque<Item>,
    running: usize,
    /// Whether one of its tools cannot be used, so that no debate starts.
    is_blocked: bool,
}

/// The debates of a run.
#[derive(Debug)]
pub(super) struct Pool {
    groups: Vec<Group>,
    /// The group whose turn is next.
    turn: usize,
    limits: CallLimits,
    all: usize,
    done: usize,
    failed: usize,
    /// Ended in this run.
    ended: usize,
    /// Debates that another process uses.
    pub(super) skipped: usize,
    /// Why no debate starts until a running one ends: the tokens of the day or month do not suffice
    /// beside those that running debates reserve.
    held: Option<Failure>,
    /// Debates that were not run to their end because a tool cannot be used.
    blocked: usize,
    begun: Instant,
}

// Chosen, not measured: a debate without a pending call, for example while it writes documents,
// leaves its slot to another.
/// Additional debates for each four simultaneous calls.
const SPARE_DIVISOR: usize = 4;
/// The simultaneous calls that a tool is assumed to take before its first call.
const FIRST: usize = 4;

impl Pool {
    pub(super) fn new(work: Work, estimate: &Estimate, limits: CallLimits) -> Self {
        let (all, done, failed) = (work.all(), work.done, work.failed);
        let mut groups: BTreeMap<BTreeSet<SeatedTool>, VecDeque<Item>> = BTreeMap::new();
        for item in work.items {
            let seated = estimate.groups.get(&item.shape).cloned();
            let seated = seated.unwrap_or_default();
            groups.entry(seated).or_default().push_back(item);
        }
        let groups = groups.into_iter().map(|(seated, waiting)| Group {
            seated,
            waiting,
            running: 0,
            is_blocked: false,
        });
        Self {
            groups: groups.collect(),
            turn: 0,
            limits,
            all,
            done,
            failed,
            ended: 0,
            skipped: 0,
            held: None,
            blocked: 0,
            begun: Instant::now(),
        }
    }

    /// Returns the next debate to start, and its group; `None` if as many run as the tools take, or
    /// debates are held.
    pub(super) fn next(&mut self) -> Option<(usize, Item)> {
        if self.held.is_some() {
            return None;
        }
        let count = self.groups.len();
        for step in 0..count {
            let at = (self.turn + step) % count;
            if !self
                .groups
                .get(at)
                .is_some_and(|group| self.has_room(group))
            {
                continue;
            }
            let group = self.groups.get_mut(at)?;
            if let Some(item) = group.waiting.pop_front() {
                group.running += 1;
                self.turn = (at + 1) % count;
                return Some((at, item));
            }
        }
        None
    }

    /// Returns whether another debate of a group may run: each of its tools takes more calls than
    /// there are debates with this tool, in all groups, and some more.
    ///
    /// The tool with the least room decides. Otherwise debates would wait for it longer than their own
    /// time limit allows.
    fn has_room(&self, group: &Group) -> bool {
        let room = |calls: usize| calls + calls.div_ceil(SPARE_DIVISOR);
        if group.seated.is_empty() {
            return group.running < room(self.limits.most());
        }
        group.seated.iter().all(|SeatedTool { tool, .. }| {
            // Before its first call.
            let first = || FIRST.min(self.limits.most());
            let calls = self.limits.current_limit(tool).unwrap_or_else(first);
            self.running_with(tool) < room(calls)
        })
    }

    /// Returns the number of debates under way that have `tool` in a seat.
    fn running_with(&self, tool: &ToolName) -> usize {
        let uses = |group: &&Group| group.seated.iter().any(|seated| seated.tool == *tool);
        let groups = self.groups.iter().filter(uses);
        groups.map(|group| group.running).sum()
    }

    /// Returns whether debates wait.
    pub(super) fn has_waiting(&self) -> bool {
        self.groups.iter().any(|group| !group.waiting.is_empty())
    }

    /// Notes that a debate of a group no longer runs.
    pub(super) fn end(&mut self, group: usize) {
        // It no longer reserves tokens, so that another may start.
        self.held = None;
        if let Some(group) = self.groups.get_mut(group) {
            group.running = group.running.saturating_sub(1);
        }
    }

    /// Lets a debate that ended over the tokens of the day or month wait again, before the others.
    pub(super) fn hold(&mut self, group: usize, item: Item, failure: Failure) {
        self.held = Some(failure);
        match self.groups.get_mut(group) {
            Some(group) if !group.is_blocked => group.waiting.push_front(item),
            Some(_) | None => self.blocked += 1,
        }
    }

    /// Returns why debates are held, if they are.
    pub(super) fn hold_reason(&self) -> Option<&Failure> {
        self.held.as_ref()
    }

    /// Starts no more debates that need a tool, which halted a debate of `group`.
    pub(super) fn block(&mut self, group: usize, unusable: &Unusable) {
        self.blocked += 1;
        for (at, other) in self.groups.iter_mut().enumerate() {
            let is_unknown = at == group && other.seated.is_empty();
            if other.seated.iter().any(|seated| unusable.is_in(seated))
                || is_unknown && unusable.is_whole_tool()
            {
                other.is_blocked = true;
                self.blocked += std::mem::take(&mut other.waiting).len();
            }
        }
    }

    /// Returns the number of debates that were not run to their end because a tool cannot be used.
    pub(super) fn blocked(&self) -> usize {
        self.blocked
    }

    /// Counts a result.
    pub(super) fn count(&mut self, status: ResultStatus) {
        self.ended += 1;
        match status {
            ResultStatus::Done => self.done += 1,
            ResultStatus::Failed => self.failed += 1,
        }
    }

    /// Returns the progress, with `running` debates under way.
    pub(super) fn progress(&self, running: usize, spending: &Spending) -> Progress {
        let ended = self.done + self.failed;
        let left = self.all.saturating_sub(ended);
        let seconds = self.begun.elapsed().as_secs();
        let left_s = (self.ended > 0 && left > 0).then(|| {
            let (seconds, left) = (u128::from(seconds), left as u128);
            u64::try_from(seconds * left / self.ended as u128).unwrap_or(u64::MAX)
        });
        Progress::new(
            [self.all, self.done, self.failed, running],
            (seconds, left_s),
            spending,
            &self.limits,
        )
    }
}

#[cfg(test)]
mod tests;
