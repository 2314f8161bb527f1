//! Random interleavings of four members and all operations, beside a model that knows only what
//! was answered.

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
    ReviewWord, StoreError, Team, TeamLimits, TeamStep,
};
use agon_team::task::WaitReason;
use proptest::prelude::*;

use crate::support::{HandClock, assert_sound, join, name, tree};

const MEMBERS: [&str; 4] = ["ana", "ben", "cem", "dan"];
const LEASE_MS: u64 = 100;
const MAIL_LEASE_MS: u64 = 30;
/// More often the first: a task is done only where all agree.
const TREES: [char; 4] = ['a', 'a', 'a', 'b'];

/// Globs, with those of them that have a path in common written down by hand.
const GLOBS: [&str; 5] = ["src", "src/*.rs", "docs/*.md", "**/*.md", "notes/**"];
const OVERLAPS: [(usize, usize); 5] = [(0, 1), (0, 3), (2, 3), (3, 4), (4, 4)];

fn glob_overlap(a: usize, b: usize) -> bool {
    a == b || OVERLAPS.contains(&(a.min(b), a.max(b)))
}

/// One operation. Numbers choose among what there is, so that every one of them always means
/// something and a sequence that fails can be made shorter.
#[derive(Clone, Debug)]
enum Op {
    Add {
        needs: Option<u8>,
        gate: bool,
        review: bool,
        draft: bool,
    },
    Need {
        task: u8,
        needed: u8,
    },
    DropNeed {
        by: u8,
        task: u8,
        needed: u8,
    },
    Claim {
        by: u8,
        task: Option<u8>,
    },
    Hold {
        by: u8,
        lease: u8,
        step: u8,
        tree: u8,
    },
    Direct {
        by: u8,
        task: u8,
        step: u8,
    },
    Gate {
        by: u8,
        task: u8,
        tree: u8,
        passed: bool,
    },
    Review {
        by: u8,
        task: u8,
        tree: u8,
        approved: bool,
    },
    Accept {
        by: u8,
        task: u8,
        tree: u8,
    },
    Lock {
        by: u8,
        lease: u8,
        glob: u8,
        exclusive: bool,
    },
    Unlock {
        by: u8,
        lease: u8,
        lock: u8,
    },
    Send {
        by: u8,
        to: u8,
        thread: Option<u8>,
        key: Option<u8>,
    },
    Fetch {
        by: u8,
        max: u8,
    },
    Deliver {
        by: u8,
        letter: u8,
    },
    Acknowledge {
        by: u8,
        letter: u8,
    },
    Leave {
        by: u8,
        who: u8,
    },
    Rejoin {
        who: u8,
    },
    Wait {
        ms: u8,
    },
    Jump {
        days: i16,
    },
    Restart,
}

fn op() -> impl Strategy<Value = Op> {
    let n = any::<u8>;
    let maybe = || proptest::option::of(any::<u8>());
    prop_oneof![
        3 => (maybe(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.1))
            .prop_map(|(needs, gate, review, draft)| Op::Add { needs, gate, review, draft }),
        2 => (n(), n()).prop_map(|(task, needed)| Op::Need { task, needed }),
        1 => (n(), n(), n()).prop_map(|(by, task, needed)| Op::DropNeed { by, task, needed }),
        7 => (n(), maybe()).prop_map(|(by, task)| Op::Claim { by, task }),
        12 => (n(), n(), n(), n()).prop_map(|(by, lease, step, tree)| Op::Hold { by, lease, step, tree }),
        3 => (n(), n(), n()).prop_map(|(by, task, step)| Op::Direct { by, task, step }),
        3 => (n(), n(), n(), prop::bool::weighted(0.8))
            .prop_map(|(by, task, tree, passed)| Op::Gate { by, task, tree, passed }),
        3 => (n(), n(), n(), prop::bool::weighted(0.8))
            .prop_map(|(by, task, tree, approved)| Op::Review { by, task, tree, approved }),
        4 => (n(), n(), n()).prop_map(|(by, task, tree)| Op::Accept { by, task, tree }),
        12 => (n(), n(), n(), prop::bool::weighted(0.7))
            .prop_map(|(by, lease, glob, exclusive)| Op::Lock { by, lease, glob, exclusive }),
        2 => (n(), n(), n()).prop_map(|(by, lease, lock)| Op::Unlock { by, lease, lock }),
        5 => (n(), n(), maybe(), maybe()).prop_map(|(by, to, thread, key)| Op::Send { by, to, thread, key }),
        5 => (n(), n()).prop_map(|(by, max)| Op::Fetch { by, max }),
        8 => (n(), n()).prop_map(|(by, letter)| Op::Deliver { by, letter }),
        4 => (n(), n()).prop_map(|(by, letter)| Op::Acknowledge { by, letter }),
        1 => (n(), n()).prop_map(|(by, who)| Op::Leave { by, who }),
        4 => n().prop_map(|who| Op::Rejoin { who }),
        4 => n().prop_map(|ms| Op::Wait { ms }),
        1 => any::<i16>().prop_map(|days| Op::Jump { days }),
        1 => Just(Op::Restart),
    ]
}

/// What the answers said of a task.
#[derive(Debug, Default)]
struct TaskModel {
    highest_epoch: i64,
    /// Who holds it, at which epoch, until when.
    lease: Option<(usize, Epoch, u64)>,
    needs: BTreeSet<TaskId>,
    gate: bool,
    review: bool,
    workers: BTreeSet<usize>,
    submitted: Option<(Epoch, char)>,
    /// The latest run on each tree.
    gates: BTreeMap<char, bool>,
    /// The latest word of each reviewer on each tree.
    reviews: BTreeMap<(char, usize), bool>,
    done: bool,
}

struct Model {
    clock: Arc<HandClock>,
    /// The milliseconds that passed; a restart counts as longer than any lease.
    at: u64,
    team: Team,
    actors: Vec<Actor>,
    tasks: BTreeMap<TaskId, TaskModel>,
    /// Every lease that a member ever had.
    leases: Vec<(usize, TaskId, Epoch)>,
    /// Every letter that a member ever fetched.
    letters: Vec<(usize, Letter)>,
    threads: Vec<MessageId>,
    /// The messages of each thread that each member got, in order.
    delivered: BTreeMap<(usize, MessageId), Vec<MessageId>>,
    keys: BTreeMap<(usize, u8), MessageId>,
    seen_events: i64,
    acknowledged: BTreeSet<(String, String)>,
}

fn pick<T: Copy>(all: &[T], number: u8) -> Option<T> {
    (!all.is_empty()).then(|| all[usize::from(number) % all.len()])
}

/// Mostly of the last three, so that most writes are those of a member who is up to date.
fn pick_late<T: Copy>(all: &[T], number: u8) -> Option<T> {
    if number.is_multiple_of(8) {
        return pick(all, number / 8);
    }
    let late = all.len().saturating_sub(3);
    let late: Vec<T> = all[late..].iter().rev().copied().collect();
    pick(&late, number)
}

/// The owner of a thing, or now and then a member to whom it is to be refused.
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
                    assert_eq!(by, 0, "only the lead takes away what a task needs");
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
                // The lead stays, so that somebody may do what only the lead may.
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

    fn add(&mut self, needs: Option<u8>, gate: bool, review: bool, draft: bool) {
        if self.tasks.len() >= 8 {
            return;
        }
        let needs: BTreeSet<TaskId> = needs
            .and_then(|number| self.task(number))
            .into_iter()
            .collect();
        let new = NewTask {
            title: "one thing".to_owned(),
            needs: needs.clone(),
            gates: if gate {
                ["tests".parse().unwrap()].into()
            } else {
                BTreeSet::new()
            },
            needs_review: review,
            draft,
            ..NewTask::default()
        };
        let task = self.team.add_task(&self.actors[0], &new).unwrap();
        let model = TaskModel {
            needs,
            gate,
            review,
            ..TaskModel::default()
        };
        assert!(self.tasks.insert(task.id, model).is_none());
    }

    fn need(&mut self, task: u8, needed: u8) {
        let (Some(task), Some(needed)) = (self.task(task), self.task(needed)) else {
            return;
        };
        if self.team.add_need(&self.actors[0], task, needed).is_ok() {
            self.tasks.get_mut(&task).unwrap().needs.insert(needed);
        }
        self.assert_needs_end();
    }

    /// Takes away what needs nothing that is still there, until nothing is there.
    fn assert_needs_end(&self) {
        let mut open: BTreeMap<TaskId, BTreeSet<TaskId>> = self
            .tasks
            .iter()
            .map(|(id, task)| (*id, task.needs.clone()))
            .collect();
        while !open.is_empty() {
            let free: Vec<TaskId> = open
                .iter()
                .filter(|(_, needs)| needs.iter().all(|needed| !open.contains_key(needed)))
                .map(|(id, _)| *id)
                .collect();
            assert!(!free.is_empty(), "needs go round in a circle: {open:?}");
            open.retain(|id, _| !free.contains(id));
        }
    }

    fn claim(&mut self, by: usize, task: Option<u8>) {
        let task = task.and_then(|number| self.task(number));
        let request = ClaimRequest {
            task,
            lease_ms: None,
        };
        let Ok(task) = self.team.claim(&self.actors[by], &request) else {
            return;
        };
        let done: Vec<bool> = self.tasks[&task.id]
            .needs
            .iter()
            .map(|it| self.tasks[it].done)
            .collect();
        assert!(
            done.iter().all(|done| *done),
            "{} needs what is not done",
            task.id
        );
        let model = self.tasks.get_mut(&task.id).unwrap();
        assert!(!model.done);
        assert!(
            model.lease.is_none_or(|(.., until)| self.at >= until),
            "{} is held already",
            task.id
        );
        assert!(
            task.epoch.0 > model.highest_epoch,
            "the epoch of {} does not grow",
            task.id
        );
        model.highest_epoch = task.epoch.0;
        model.lease = Some((by, task.epoch, self.at + LEASE_MS));
        model.workers.insert(by);
        model.submitted = None;
        self.leases.push((by, task.id, task.epoch));
    }

    fn hold(&mut self, by: u8, lease: u8, step: u8, digit: u8) {
        let Some((by, task, epoch)) = self.lease(by, lease) else {
            return;
        };
        let digit = pick(&TREES, digit).unwrap();
        let note = "why".to_owned();
        let step = match step % 8 {
            0 | 1 => HolderStep::Submit {
                change: Change::Diff {
                    hash: "d".repeat(40),
                },
                tree: tree(digit),
            },
            2 => HolderStep::Renew { lease_ms: None },
            3 => HolderStep::Start,
            4 => HolderStep::Wait {
                reason: WaitReason::Lock,
                for_ms: 10,
            },
            5 => HolderStep::Resume,
            6 => HolderStep::Release { note },
            _ => HolderStep::GiveUp { note },
        };
        let answer = self.team.step(&self.actors[by], task, epoch, &step);
        let Ok(after) = answer else { return };
        assert!(
            self.holds(by, task, epoch),
            "a write under a lease that is over was taken"
        );
        assert!(after.epoch >= epoch);
        let model = self.tasks.get_mut(&task).unwrap();
        model.highest_epoch = after.epoch.0;
        match step {
            HolderStep::Renew { .. } => model.lease = Some((by, epoch, self.at + LEASE_MS)),
            HolderStep::Submit { .. } => {
                model.lease = None;
                model.submitted = Some((after.epoch, digit));
            }
            HolderStep::Release { .. } | HolderStep::GiveUp { .. } => model.lease = None,
            HolderStep::Start | HolderStep::Wait { .. } | HolderStep::Resume => {}
        }
    }

    fn direct(&mut self, by: usize, task: u8, step: u8) {
        let Some(task) = self.task(task) else { return };
        let note = "why".to_owned();
        let step = match step % 4 {
            0 => TeamStep::Publish,
            1 => TeamStep::Cancel { note },
            2 => TeamStep::Revoke { note },
            _ => TeamStep::Reopen { attempts: 2 },
        };
        let Ok(after) = self.team.direct(&self.actors[by], task, &step) else {
            return;
        };
        assert!(
            by == 0 || step == TeamStep::Publish,
            "only the lead may do {step:?}"
        );
        assert!(after.epoch.0 >= self.tasks[&task].highest_epoch);
        assert!(!self.tasks[&task].done, "{task} was done");
        self.tasks.get_mut(&task).unwrap().highest_epoch = after.epoch.0;
        self.ended(task);
    }

    fn gate(&mut self, by: usize, task: u8, digit: u8, passed: bool) {
        let Some(task) = self.submitted(task) else {
            return;
        };
        let digit = pick(&TREES, digit).unwrap();
        let run = GateRun {
            gate: "tests".parse().unwrap(),
            tree: tree(digit),
            passed,
            outcome: "exit 0".to_owned(),
            took_ms: 1,
            log: None,
        };
        if self.team.record_gate(&self.actors[by], task, &run).is_ok() {
            self.tasks
                .get_mut(&task)
                .unwrap()
                .gates
                .insert(digit, passed);
        }
    }

    fn review(&mut self, by: usize, task: u8, digit: u8, approved: bool) {
        let Some(task) = self.submitted(task) else {
            return;
        };
        let digit = pick(&TREES, digit).unwrap();
        let epoch = Epoch(self.tasks[&task].highest_epoch);
        let word = ReviewWord {
            tree: &tree(digit),
            approved,
            note: "read",
        };
        let Ok(after) = self.team.review(&self.actors[by], task, epoch, &word) else {
            return;
        };
        let model = self.tasks.get_mut(&task).unwrap();
        assert!(
            !model.workers.contains(&by),
            "who worked on {task} reviewed it"
        );
        assert_eq!(model.submitted, Some((epoch, digit)));
        model.highest_epoch = after.epoch.0;
        model.reviews.insert((digit, by), approved);
    }

    fn accept(&mut self, by: usize, task: u8, digit: u8) {
        let Some(task) = self.submitted(task) else {
            return;
        };
        let digit = pick(&TREES, digit).unwrap();
        let epoch = Epoch(self.tasks[&task].highest_epoch);
        if self
            .team
            .accept(&self.actors[by], task, epoch, &tree(digit))
            .is_err()
        {
            return;
        }
        let model = self.tasks.get_mut(&task).unwrap();
        assert_eq!(
            model.submitted,
            Some((epoch, digit)),
            "{task} is done without a change"
        );
        assert!(
            !model.gate || model.gates.get(&digit) == Some(&true),
            "{task} is done without its gate"
        );
        let of_tree = |((tree, by), _): &(&(char, usize), &bool)| {
            *tree == digit && !model.workers.contains(by)
        };
        let words: Vec<bool> = model
            .reviews
            .iter()
            .filter(of_tree)
            .map(|(_, word)| *word)
            .collect();
        let is_approved = !words.is_empty() && words.iter().all(|word| *word);
        assert!(
            !model.review || is_approved,
            "{task} is done without a review"
        );
        model.done = true;
    }

    fn lock(&mut self, by: u8, lease: u8, glob: u8, exclusive: bool) {
        let Some((by, task, epoch)) = self.lease(by, lease) else {
            return;
        };
        let glob = pick(&GLOBS, glob).unwrap();
        let request = LockRequest {
            task,
            epoch,
            globs: GlobSet::try_from(vec![glob.parse().unwrap()]).unwrap(),
            mode: if exclusive {
                LockMode::Exclusive
            } else {
                LockMode::Shared
            },
            reason: String::new(),
        };
        match self.team.lock(&self.actors[by], &request) {
            Ok(answer) => {
                assert!(
                    self.holds(by, task, epoch),
                    "a lock under a lease that is over was given"
                );
                assert_eq!(answer.lock.granted, answer.behind.is_empty());
            }
            Err(StoreError::Deadlock(circle)) => {
                assert!(circle.contains(&task) && circle.len() > 1)
            }
            Err(_) => {}
        }
    }

    fn unlock(&mut self, by: u8, lease: u8, lock: u8) {
        let Some((by, task, epoch)) = self.lease(by, lease) else {
            return;
        };
        let all: Vec<LockId> = self
            .team
            .locks()
            .unwrap()
            .iter()
            .map(|lock| lock.id)
            .collect();
        let Some(lock) = pick(&all, lock) else { return };
        if self
            .team
            .unlock(&self.actors[by], task, epoch, lock)
            .is_ok()
        {
            assert!(
                self.holds(by, task, epoch),
                "a lock of a lease that is over was given up"
            );
        }
    }

    fn send(&mut self, by: usize, to: u8, thread: Option<u8>, key: Option<u8>) {
        let to = match to % 5 {
            4 => Recipient::Role("worker".parse().unwrap()),
            to => Recipient::Member(name(MEMBERS[usize::from(to)])),
        };
        let key = key.map(|key| key % 3);
        let request = MailRequest {
            to,
            body: "read this".to_owned(),
            thread: thread.and_then(|thread| pick(&self.threads, thread)),
            key: key.map(|key| format!("key-{key}")),
        };
        let Ok(receipt) = self.team.send(&self.actors[by], &request) else {
            return;
        };
        if let Some(key) = key {
            let first = *self.keys.entry((by, key)).or_insert(receipt.message);
            assert_eq!(first, receipt.message, "one key sent two messages");
        }
        if receipt.message == receipt.thread && !receipt.repeated {
            self.threads.push(receipt.thread);
        }
    }

    fn fetch(&mut self, by: usize, max: u8) {
        let Ok(letters) = self.team.fetch(&self.actors[by], usize::from(max % 4) + 1) else {
            return;
        };
        for letter in &letters {
            assert_ne!(letter.from, MEMBERS[by], "a member got its own message");
        }
        self.letters
            .extend(letters.into_iter().map(|letter| (by, letter)));
    }

    /// One of the letters that were fetched, and mostly who fetched it.
    fn letter(&self, by: u8, letter: u8) -> Option<(usize, MessageId, MessageId, u32)> {
        let all: Vec<_> = self
            .letters
            .iter()
            .map(|(by, it)| (*by, it.message, it.thread, it.fetch))
            .collect();
        let (owner, message, thread, fetch) = pick_late(&all, letter)?;
        Some((sometimes_other(owner, by), message, thread, fetch))
    }

    fn deliver(&mut self, by: u8, letter: u8) {
        let Some((by, message, thread, fetch)) = self.letter(by, letter) else {
            return;
        };
        if self.team.deliver(&self.actors[by], message, fetch).is_ok() {
            let order = self.delivered.entry((by, thread)).or_default();
            if !order.contains(&message) {
                let in_order = order.last().is_none_or(|last| *last < message);
                assert!(in_order, "{message} came out of order");
                order.push(message);
            }
        }
    }

    fn acknowledge(&mut self, by: u8, letter: u8) {
        let Some((by, message, thread, _)) = self.letter(by, letter) else {
            return;
        };
        if self.team.acknowledge(&self.actors[by], message).is_ok() {
            let order = self.delivered.get(&(by, thread));
            let delivered = order.is_some_and(|order| order.contains(&message));
            assert!(delivered, "acknowledged and not delivered");
        }
    }

    /// One of the leases that were given, and mostly who got it.
    fn lease(&self, by: u8, lease: u8) -> Option<(usize, TaskId, Epoch)> {
        let (owner, task, epoch) = pick_late(&self.leases, lease)?;
        Some((sometimes_other(owner, by), task, epoch))
    }

    /// Mostly a task that is submitted.
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

    /// What holds after every operation.
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

/// How many sequences are tried: some for every run, all of them where the variable says so.
fn sequences() -> u32 {
    std::env::var("AGON_TEAM_SEQUENCES")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(300)
}

/// The operations that were carried out, by what came of them, so that a run which only ever refuses
/// is seen.
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
