//! Random interleavings of four members and all operations, compared with a model that knows only
//! the answers.

mod locks;
mod mail;
mod op;
mod tasks;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agon_team::change::Change;
use agon_team::gate::GateRun;
use agon_team::glob::GlobSet;
use agon_team::id::{Epoch, LockId, MessageId, TaskId};
use agon_team::lock::LockMode;
use agon_team::mail::MailLimits;
use agon_team::store::{
    Actor, ClaimRequest, HolderStep, Letter, LockRequest, MailRequest, NewTask, Recipient,
    ReviewVerdict, StoreError, TaskEdit, TaskPlace, Team, TeamLimits, TeamStep,
};
use agon_team::task::{Assignee, WaitReason};
use proptest::prelude::*;

use self::op::{Op, op};
use crate::support::{HandClock, assert_sound, join, name, tree};

const MEMBERS: [&str; 4] = ["ana", "ben", "cem", "dan"];
const LEASE_MS: u64 = 100;
const MAIL_LEASE_MS: u64 = 30;
/// Prefers the first value: a task is done only if all agree.
const TREES: [char; 4] = ['a', 'a', 'a', 'b'];

/// Globs, with the pairs that share a path listed by hand.
const GLOBS: [&str; 5] = ["src", "src/*.rs", "docs/*.md", "**/*.md", "notes/**"];
const OVERLAPS: [(usize, usize); 5] = [(0, 1), (0, 3), (2, 3), (3, 4), (4, 4)];

fn glob_overlap(a: usize, b: usize) -> bool {
    a == b || OVERLAPS.contains(&(a.min(b), a.max(b)))
}

/// What the answers said about a task.
#[derive(Debug, Default)]
struct TaskModel {
    highest_epoch: i64,
    /// The holder, its epoch and the end of its lease.
    lease: Option<(usize, Epoch, u64)>,
    needs: BTreeSet<TaskId>,
    gate: bool,
    review: bool,
    workers: BTreeSet<usize>,
    /// Whether the lease's holder was not a worker before and has not started.
    is_untouched: bool,
    submitted: Option<(Epoch, char)>,
    /// The member that submitted it.
    author: Option<usize>,
    kept_for: Option<Kept>,
    /// The latest run on each tree.
    gates: BTreeMap<char, bool>,
    /// The latest verdict of each reviewer on each tree.
    reviews: BTreeMap<(char, usize), bool>,
    done: bool,
}

impl TaskModel {
    /// Returns whether a permitted reviewer approved the submission, and none rejects it.
    fn is_approved(&self) -> bool {
        let Some((_, digit)) = self.submitted else {
            return false;
        };
        let of_tree = |((tree, by), _): &(&(char, usize), &bool)| {
            *tree == digit && !self.workers.contains(by)
        };
        let words: Vec<bool> = self
            .reviews
            .iter()
            .filter(of_tree)
            .map(|(_, word)| *word)
            .collect();
        !words.is_empty() && words.iter().all(|word| *word)
    }
}

/// The assignee of a task.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Member(usize),
    Workers,
}

impl Kept {
    fn admits(self, member: usize) -> bool {
        match self {
            Self::Member(kept) => kept == member,
            // The first is the lead.
            Self::Workers => member != 0,
        }
    }

    fn assignee(self) -> Assignee {
        match self {
            Self::Member(member) => Assignee::Member(name(MEMBERS[member])),
            Self::Workers => Assignee::Role("worker".parse().unwrap()),
        }
    }
}

struct Model {
    clock: Arc<HandClock>,
    /// The milliseconds that passed; a reboot counts as longer than any lease.
    at: u64,
    team: Team,
    actors: Vec<Actor>,
    tasks: BTreeMap<TaskId, TaskModel>,
    /// Every lease that a member ever had.
    leases: Vec<(usize, TaskId, Epoch)>,
    /// Every message that a member ever fetched.
    letters: Vec<(usize, Letter)>,
    threads: Vec<MessageId>,
    /// The messages of each thread that each member received, in order.
    delivered: BTreeMap<(usize, MessageId), Vec<MessageId>>,
    keys: BTreeMap<(usize, u8), MessageId>,
    seen_events: i64,
    acknowledged: BTreeSet<(String, String)>,
}

fn pick<T: Copy>(all: &[T], number: u8) -> Option<T> {
    (!all.is_empty()).then(|| all[usize::from(number) % all.len()])
}

/// Mostly one of the last three, so that most writes come from a member that is up to date.
fn pick_late<T: Copy>(all: &[T], number: u8) -> Option<T> {
    if number.is_multiple_of(8) {
        return pick(all, number / 8);
    }
    let late = all.len().saturating_sub(3);
    let late: Vec<T> = all[late..].iter().rev().copied().collect();
    pick(&late, number)
}

/// The owner of a thing, or occasionally a member that must be refused.
fn sometimes_other(owner: usize, number: u8) -> usize {
    if number < 16 { who(number) } else { owner }
}

fn mostly_lead(number: u8) -> usize {
    if number < 64 { who(number) } else { 0 }
}

fn who(number: u8) -> usize {
    usize::from(number) % MEMBERS.len()
}

impl Model {
    fn new() -> Self {
        let clock = HandClock::new();
        let limits = TeamLimits {
            lease_ms: LEASE_MS,
            max_attempts: 4,
            mail: MailLimits {
                lease_ms: MAIL_LEASE_MS,
                max_replies: 4,
                max_unread: 12,
                ..MailLimits::default()
            },
            ..TeamLimits::default()
        };
        let mut team = Team::in_memory(clock.clone(), limits).unwrap();
        let role = |at| if at == 0 { "lead" } else { "worker" };
        let actors = (0..)
            .zip(MEMBERS)
            .map(|(at, it)| join(&mut team, it, role(at)))
            .collect();
        Self {
            clock,
            at: 0,
            team,
            actors,
            tasks: BTreeMap::new(),
            leases: Vec::new(),
            letters: Vec::new(),
            threads: Vec::new(),
            delivered: BTreeMap::new(),
            keys: BTreeMap::new(),
            seen_events: 0,
            acknowledged: BTreeSet::new(),
        }
    }

    fn task(&self, number: u8) -> Option<TaskId> {
        let all: Vec<TaskId> = self.tasks.keys().copied().collect();
        pick(&all, number)
    }

    fn holds(&self, member: usize, task: TaskId, epoch: Epoch) -> bool {
        matches!(self.tasks[&task].lease, Some((by, at, until)) if by == member && at == epoch && self.at < until)
    }

    fn ended(&mut self, task: TaskId) {
        self.tasks.get_mut(&task).unwrap().lease = None;
    }

    fn run(&mut self, op: &Op) {
        match *op {
            Op::Add {
                needs,
                gate,
                review,
                draft,
            } => self.add(needs, gate, review, draft),
            Op::Need { task, needed } => self.need(task, needed),
            Op::DropNeed { by, task, needed } => {
                let needs = |id: &TaskId| {
                    self.tasks[id]
                        .needs
                        .iter()
                        .map(|it| (*id, *it))
                        .collect::<Vec<_>>()
                };
                let all: Vec<(TaskId, TaskId)> = self.tasks.keys().flat_map(needs).collect();
                let other = self.task(task).zip(self.task(needed));
                let by = mostly_lead(by);
                let Some((task, needed)) = pick(&all, needed).or(other) else {
                    return;
                };
                if self
                    .team
                    .remove_need(&self.actors[by], task, needed)
                    .is_ok()
                {
                    assert_eq!(by, 0, "only the lead removes needs");
                    self.tasks.get_mut(&task).unwrap().needs.remove(&needed);
                }
            }
            Op::Claim { by, task } => self.claim(who(by), task),
            Op::Hold {
                by,
                lease,
                step,
                tree,
            } => self.hold(by, lease, step, tree),
            Op::Direct { by, task, step } => self.direct(mostly_lead(by), task, step),
            Op::Edit { by, task, what } => self.edit(mostly_lead(by), task, what),
            Op::Assign { by, task, to } => self.assign(mostly_lead(by), task, to),
            Op::Move {
                by,
                task,
                other,
                place,
            } => self.move_task(mostly_lead(by), task, other, place),
            Op::Gate {
                by,
                task,
                tree,
                passed,
            } => self.gate(who(by), task, tree, passed),
            Op::Review {
                by,
                task,
                tree,
                approved,
            } => self.review(who(by), task, tree, approved),
            Op::Accept { by, task, tree } => self.accept(who(by), task, tree),
            Op::Lock {
                by,
                lease,
                glob,
                exclusive,
            } => self.lock(by, lease, glob, exclusive),
            Op::Unlock { by, lease, lock } => self.unlock(by, lease, lock),
            Op::Send {
                by,
                to,
                thread,
                key,
            } => self.send(who(by), to, thread, key),
            Op::Fetch { by, max } => self.fetch(who(by), max),
            Op::Deliver { by, letter } => self.deliver(by, letter),
            Op::Acknowledge { by, letter } => self.acknowledge(by, letter),
            Op::Leave { by, who: other } => {
                let (by, other) = (who(by), who(other));
                // The lead stays, so that somebody can do what only the lead may.
                if other != 0
                    && self
                        .team
                        .leave(&self.actors[by], &name(MEMBERS[other]))
                        .is_ok()
                {
                    assert!(by == 0 || by == other, "only the lead lets others go");
                    let gone = |it: &&mut TaskModel| matches!(it.lease, Some((holder, ..)) if holder == other);
                    self.tasks
                        .values_mut()
                        .filter(gone)
                        .for_each(|it| it.lease = None);
                    let kept = |it: &&mut TaskModel| matches!(it.kept_for, Some(Kept::Member(kept)) if kept == other);
                    self.tasks
                        .values_mut()
                        .filter(kept)
                        .for_each(|it| it.kept_for = None);
                }
            }
            Op::Rejoin { who: other } => {
                let members = self.team.members().unwrap();
                let gone: Vec<usize> = (0..members.len())
                    .filter(|at| members[*at].left_ms.is_some())
                    .collect();
                if let Some(other) = pick(&gone, other) {
                    self.actors[other] = join(&mut self.team, MEMBERS[other], "worker");
                }
            }
            Op::Wait { ms } => {
                let ms = if ms > 240 {
                    LEASE_MS
                } else {
                    u64::from(ms) / 16
                };
                self.at += ms;
                self.clock.advance(ms);
            }
            Op::Jump { days } => self.clock.jump_wall(i64::from(days) * 24 * 60 * 60 * 1_000),
            Op::Restart => {
                self.at += 1_000_000;
                self.clock.restart();
            }
        }
    }

    /// One of the leases that were given, mostly with its holder.
    fn lease(&self, by: u8, lease: u8) -> Option<(usize, TaskId, Epoch)> {
        let (owner, task, epoch) = pick_late(&self.leases, lease)?;
        Some((sometimes_other(owner, by), task, epoch))
    }

    /// Mostly a submitted task.
    fn submitted(&self, number: u8) -> Option<TaskId> {
        let submitted =
            |task: &TaskModel| task.submitted.is_some() && task.lease.is_none() && !task.done;
        let all: Vec<TaskId> = self
            .tasks
            .iter()
            .filter(|(_, task)| submitted(task))
            .map(|(id, _)| *id)
            .collect();
        pick(&all, number).or_else(|| self.task(number))
    }

    /// The invariants after every operation.
    fn check(&mut self) {
        let locks = self.team.locks().unwrap();
        let at = |text: &str| GLOBS.iter().position(|glob| *glob == text).unwrap();
        for (number, lock) in locks.iter().enumerate() {
            let holder = MEMBERS
                .iter()
                .position(|it| *it == lock.holder.as_str())
                .unwrap();
            assert!(
                self.holds(holder, lock.task, lock.epoch),
                "{} outlived its lease",
                lock.id
            );
            for other in &locks[..number] {
                let both_shared = lock.mode == LockMode::Shared && other.mode == LockMode::Shared;
                let overlap =
                    glob_overlap(at(&lock.globs.to_string()), at(&other.globs.to_string()));
                let excluded = lock.granted && other.granted && lock.task != other.task && overlap;
                assert!(
                    !excluded || both_shared,
                    "{} and {} are both granted",
                    other.id,
                    lock.id
                );
            }
        }
        for event in self.team.events(self.seen_events, 10_000).unwrap() {
            assert_eq!(event.seq, self.seen_events + 1);
            self.seen_events = event.seq;
            if event.kind == "mail.acknowledged" {
                let reader = event.detail["member"].to_string();
                assert!(
                    self.acknowledged.insert((event.subject, reader)),
                    "acknowledged twice"
                );
            }
        }
    }
}

/// The number of sequences.
fn sequences() -> u32 {
    if agon_testkit::is_full() {
        100_000
    } else {
        300
    }
}

/// The operations by outcome, so that a run in which everything is refused is noticed.
fn run(ops: &[Op]) -> BTreeMap<String, u32> {
    let mut model = Model::new();
    for (gate, review) in [(false, false), (true, false), (false, true), (true, true)] {
        model.add(None, gate, review, false);
    }
    for op in ops {
        model.run(op);
        model.check();
    }
    assert_sound(&model.team);
    let mut kinds = BTreeMap::new();
    for event in model.team.events(0, 10_000).unwrap() {
        *kinds.entry(event.kind).or_default() += 1;
    }
    kinds
}

#[test]
fn what_must_hold_does_after_any_sequence_of_operations() {
    let started = std::time::Instant::now();
    let kinds = std::cell::RefCell::new(BTreeMap::<String, u32>::new());
    let config = ProptestConfig {
        cases: sequences(),
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..ProptestConfig::default()
    };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&proptest::collection::vec(op(), 20..80), |ops| {
        for (kind, count) in run(&ops) {
            *kinds.borrow_mut().entry(kind).or_default() += count;
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    let kinds = kinds.into_inner();
    println!(
        "{} sequences in {:.1?}: {kinds:?}",
        sequences(),
        started.elapsed()
    );
    for kind in [
        "task.accepted",
        "task.sent_back",
        "task.revoked",
        "task.cancelled",
        "task.reopened",
        "task.submitted_again",
        "task.edited",
        "task.assigned",
        "task.moved",
        "task.reviewed",
        "lock.asked",
        "lock.granted",
        "lock.released",
        "lock.withdrawn",
        "mail.fetched",
        "mail.delivered",
        "mail.acknowledged",
        "need.added",
        "need.removed",
        "gate.ran",
        "member.left",
    ] {
        assert!(kinds.contains_key(kind), "no sequence ever came to {kind}");
    }
}
