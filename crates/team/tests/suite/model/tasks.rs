//! Tasks: added, claimed, worked on, judged.

use super::*;

impl Model {
    pub(super) fn add(&mut self, needs: Option<u8>, gate: bool, review: bool, draft: bool) {
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

    pub(super) fn need(&mut self, task: u8, needed: u8) {
        let (Some(task), Some(needed)) = (self.task(task), self.task(needed)) else {
            return;
        };
        if self.team.add_need(&self.actors[0], task, needed).is_ok() {
            self.tasks.get_mut(&task).unwrap().needs.insert(needed);
        }
        self.assert_needs_end();
    }

    /// Takes away what needs nothing that is still there, until nothing is there.
    pub(super) fn assert_needs_end(&self) {
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

    pub(super) fn claim(&mut self, by: usize, task: Option<u8>) {
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

    pub(super) fn hold(&mut self, by: u8, lease: u8, step: u8, digit: u8) {
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

    pub(super) fn direct(&mut self, by: usize, task: u8, step: u8) {
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

    pub(super) fn gate(&mut self, by: usize, task: u8, digit: u8, passed: bool) {
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

    pub(super) fn review(&mut self, by: usize, task: u8, digit: u8, approved: bool) {
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

    pub(super) fn accept(&mut self, by: usize, task: u8, digit: u8) {
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
}
