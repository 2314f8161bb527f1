//! Tasks: adding, claiming, working and judging.

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

    /// Removes tasks without remaining needs until nothing is left to remove.
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
            assert!(!free.is_empty(), "needs form a cycle: {open:?}");
            open.retain(|id, _| !free.contains(id));
        }
    }

    pub(super) fn claim(&mut self, by: usize, task: Option<u8>) {
        let task = task.and_then(|number| self.task(number));
        let request = ClaimRequest {
            task,
            ..ClaimRequest::default()
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
        model.is_untouched = model.workers.insert(by);
        model.submitted = None;
        assert!(
            model.kept_for.is_none_or(|kept| kept.admits(by)),
            "{} is kept for another",
            task.id
        );
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
            6 => HolderStep::Release {
                note,
                has_commits: false,
            },
            _ => HolderStep::GiveUp { note },
        };
        let answer = self.team.step(&self.actors[by], task, epoch, &step);
        let Ok(after) = answer else { return };
        let model = &self.tasks[&task];
        let replaces = matches!(step, HolderStep::Submit { .. })
            && model.submitted.map(|it| it.0) == Some(epoch)
            && model.author == Some(by)
            && !model.done;
        if replaces {
            assert!(
                !model.is_approved() || model.submitted == Some((epoch, digit)),
                "{task} was approved and submitted again"
            );
            // Submitting the same change again keeps the submission.
            if after.epoch > epoch {
                self.leases.push((by, task, after.epoch));
            } else {
                assert_eq!(model.submitted, Some((epoch, digit)));
            }
        }
        assert!(
            replaces || self.holds(by, task, epoch),
            "a write under a lease that is over was taken"
        );
        assert!(after.epoch >= epoch);
        let model = self.tasks.get_mut(&task).unwrap();
        model.highest_epoch = after.epoch.0;
        match step {
            HolderStep::Renew { .. } => model.lease = Some((by, epoch, self.at + LEASE_MS)),
            HolderStep::Submit { .. } | HolderStep::SubmitUnchanged { .. } => {
                model.lease = None;
                model.submitted = Some((after.epoch, digit));
                model.author = Some(by);
            }
            HolderStep::Release { .. } => {
                model.lease = None;
                if model.is_untouched {
                    model.workers.remove(&by);
                }
            }
            HolderStep::GiveUp { .. } => model.lease = None,
            HolderStep::Start | HolderStep::Wait { .. } | HolderStep::Resume => {
                model.is_untouched = false;
            }
        }
    }

    pub(super) fn direct(&mut self, by: usize, task: u8, step: u8) {
        let Some(task) = self.task(task) else { return };
        let note = "why".to_owned();
        let step = match step % 4 {
            0 => TeamStep::Publish,
            1 => TeamStep::Cancel { note },
            2 => TeamStep::Revoke { note },
            _ => TeamStep::Reopen {
                attempts: Some(2),
                note,
            },
        };
        let Ok(after) = self.team.direct(&self.actors[by], task, &step) else {
            return;
        };
        assert!(
            by == 0 || step == TeamStep::Publish,
            "only the lead may do {step:?}"
        );
        assert!(after.epoch.0 >= self.tasks[&task].highest_epoch);
        let reopens = matches!(step, TeamStep::Reopen { .. });
        assert!(reopens || !self.tasks[&task].done, "{task} was done");
        if reopens {
            let needs_it = |other: &&TaskModel| other.needs.contains(&task);
            let is_held =
                |other: &TaskModel| matches!(other.lease, Some((.., until)) if self.at < until);
            let held = self.tasks.values().filter(needs_it).any(is_held);
            assert!(!held, "{task} was reopened under a task that needs it");
        }
        let model = self.tasks.get_mut(&task).unwrap();
        model.highest_epoch = after.epoch.0;
        if reopens {
            model.done = false;
            model.submitted = None;
        }
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
        let word = ReviewVerdict {
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
        assert!(
            !model.review || model.is_approved(),
            "{task} is done without a review"
        );
        model.done = true;
    }

    pub(super) fn edit(&mut self, by: usize, task: u8, what: u8) {
        let Some(task) = self.task(task) else { return };
        let mut edit = TaskEdit::default();
        let gates = [BTreeSet::new(), ["tests".parse().unwrap()].into()];
        match what % 6 {
            0 => edit.title = Some("another thing".to_owned()),
            1 => edit.priority = Some(i64::from(what / 6) % 3),
            2 => edit.gates = Some(gates[usize::from(what / 6) % 2].clone()),
            3 => edit.needs_review = Some((what / 6).is_multiple_of(2)),
            4 => edit.add_labels = ["cli".parse().unwrap()].into(),
            _ => edit.remove_labels = ["cli".parse().unwrap()].into(),
        }
        let Ok(after) = self.team.edit_task(&self.actors[by], task, &edit) else {
            return;
        };
        assert_eq!(by, 0, "only the lead edits");
        let model = self.tasks.get_mut(&task).unwrap();
        assert!(what % 6 > 3 || !model.done, "{task} was done and edited");
        match what % 6 {
            2 => model.gate = what / 6 % 2 == 1,
            3 => model.review = (what / 6).is_multiple_of(2),
            _ => {}
        }
        assert_eq!(
            (after.gates.len(), after.needs_review),
            (usize::from(model.gate), model.review)
        );
    }

    pub(super) fn assign(&mut self, by: usize, task: u8, to: u8) {
        let Some(task) = self.task(task) else { return };
        let kept = match to % 4 {
            0 => None,
            1 => Some(Kept::Workers),
            _ => Some(Kept::Member(who(to / 4))),
        };
        let assignee = kept.map(Kept::assignee);
        let answer = self.team.assign(&self.actors[by], task, assignee.as_ref());
        if answer.is_ok() {
            assert_eq!(by, 0, "only the lead assigns tasks");
            self.tasks.get_mut(&task).unwrap().kept_for = kept;
        }
    }

    pub(super) fn move_task(&mut self, by: usize, task: u8, other: u8, place: u8) {
        let (Some(task), Some(other)) = (self.task(task), self.task(other)) else {
            return;
        };
        let place = match place % 3 {
            0 => TaskPlace::Top,
            1 => TaskPlace::Before(other),
            _ => TaskPlace::After(other),
        };
        if self.team.move_task(&self.actors[by], task, place).is_err() {
            return;
        }
        assert_eq!(by, 0, "only the lead moves tasks");
        let mut all = self.team.tasks().unwrap();
        let places: BTreeSet<i64> = all.iter().map(|it| it.place).collect();
        assert_eq!(places.len(), all.len(), "two tasks have one place");
        all.sort_by_key(|it| (-it.priority, it.place));
        let at = |id: TaskId| all.iter().position(|it| it.id == id).unwrap();
        match place {
            TaskPlace::Before(other) if other != task => assert_eq!(at(task) + 1, at(other)),
            TaskPlace::After(other) if other != task => assert_eq!(at(task), at(other) + 1),
            TaskPlace::Top => {
                let open = all.iter().find(|it| !it.state.is_final()).unwrap();
                assert_eq!(open.id, task);
            }
            TaskPlace::Before(_) | TaskPlace::After(_) => {}
        }
    }
}
