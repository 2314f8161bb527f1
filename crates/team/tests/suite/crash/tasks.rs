//! Requests about tasks, locks, gates and reviews.

use agon_team::gate::GateRun;
use agon_team::id::{Epoch, TaskId};
use agon_team::lock::LockMode;
use agon_team::store::{
    Actor, HolderStep, ImportedState, LockRequest, NewTask, ReviewVerdict, TaskEdit, TaskPlace,
    Team, TeamStep,
};
use agon_team::task::WaitReason;

use super::Answers;
use crate::support::{claim, join, submit, tree};

fn lock(task: TaskId, epoch: Epoch, glob: &str) -> LockRequest {
    LockRequest {
        task,
        epoch,
        globs: vec![glob.parse().unwrap()].try_into().unwrap(),
        mode: LockMode::Exclusive,
        reason: String::new(),
    }
}

fn add_four(team: &mut Team, by: &Actor, answers: &mut Answers) -> Vec<TaskId> {
    let mut tasks = Vec::new();
    for at in 0..4 {
        let new = NewTask {
            title: format!("task {at}"),
            needs: tasks
                .first()
                .copied()
                .filter(|_| at == 1)
                .into_iter()
                .collect(),
            gates: if at == 0 {
                ["tests".parse().unwrap()].into()
            } else {
                [].into()
            },
            needs_review: at == 0,
            draft: at == 3,
            ..NewTask::default()
        };
        tasks.push(team.add_task(by, &new).unwrap().id);
        answers.got(team);
    }
    tasks
}

pub(super) fn ask(team: &mut Team, answers: &mut Answers) {
    let lena = join(team, "lena", "lead");
    answers.got(team);
    let ana = join(team, "ana", "worker");
    answers.got(team);
    let tasks = add_four(team, &lena, answers);
    let first = claim(team, &ana, Some(tasks[0]));
    answers.got(team);
    let third = claim(team, &lena, Some(tasks[2]));
    answers.got(team);
    let held = team
        .lock(&ana, &lock(first.id, first.epoch, "docs"))
        .unwrap();
    answers.got(team);
    team.unlock(&ana, first.id, first.epoch, held.lock.id)
        .unwrap();
    answers.got(team);
    team.lock(&ana, &lock(first.id, first.epoch, "src"))
        .unwrap();
    answers.got(team);
    team.lock(&lena, &lock(third.id, third.epoch, "src/a.rs"))
        .unwrap();
    answers.got(team);
    let wait = HolderStep::Wait {
        reason: WaitReason::Lock,
        for_ms: 60_000,
    };
    for step in [
        HolderStep::Start,
        wait,
        HolderStep::Resume,
        HolderStep::Renew { lease_ms: None },
        // Its lock ends with it, and the waiting one is granted.
        submit('a'),
    ] {
        team.step(&ana, first.id, first.epoch, &step).unwrap();
        answers.got(team);
    }
    let run = GateRun {
        gate: "tests".parse().unwrap(),
        tree: tree('a'),
        passed: true,
        outcome: "exit 0".to_owned(),
        took_ms: 1,
        log: None,
    };
    for _ in 0..2 {
        team.record_gate(&ana, first.id, &run).unwrap();
        answers.got(team);
        team.invalidate_gate_runs(&lena, &run.gate).unwrap();
        answers.got(team);
    }
    team.record_gate(&ana, first.id, &run).unwrap();
    answers.got(team);
    let word = ReviewVerdict {
        tree: &tree('a'),
        approved: true,
        note: "good",
    };
    team.review(&lena, first.id, first.epoch, &word).unwrap();
    answers.got(team);
    team.accept(&ana, first.id, first.epoch, &tree('a'))
        .unwrap();
    answers.got(team);
    give_back(team, &ana, tasks[1], answers);
    change(team, &lena, &tasks, answers);
    bring_in(team, answers);
    team.add_need(&lena, tasks[3], tasks[1]).unwrap();
    answers.got(team);
    team.remove_need(&lena, tasks[3], tasks[1]).unwrap();
    answers.got(team);
    team.direct(&lena, tasks[3], &TeamStep::Publish).unwrap();
    answers.got(team);
    let note = "not wanted".to_owned();
    team.direct(&Actor::person(), tasks[3], &TeamStep::Cancel { note })
        .unwrap();
    answers.got(team);
}

/// Every way in which a member loses a task.
fn give_back(team: &mut Team, ana: &Actor, task: TaskId, answers: &mut Answers) {
    let note = || "why".to_owned();
    for step in [
        HolderStep::Release {
            note: note(),
            has_commits: false,
        },
        HolderStep::GiveUp { note: note() },
    ] {
        let claimed = claim(team, ana, Some(task));
        answers.got(team);
        team.step(ana, task, claimed.epoch, &step).unwrap();
        answers.got(team);
    }
    let person = Actor::person();
    let reopen = TeamStep::Reopen {
        attempts: Some(5),
        note: note(),
    };
    team.direct(&person, task, &reopen).unwrap();
    answers.got(team);
    claim(team, ana, Some(task));
    answers.got(team);
    team.direct(&person, task, &TeamStep::Revoke { note: note() })
        .unwrap();
    answers.got(team);
    let claimed = claim(team, ana, Some(task));
    answers.got(team);
    team.step(ana, task, claimed.epoch, &submit('b')).unwrap();
    answers.got(team);
    team.send_back(&person, task, claimed.epoch, "not yet")
        .unwrap();
    answers.got(team);
    claim(team, ana, Some(task));
    answers.got(team);
    team.interrupt(&person, task, "stopped").unwrap();
    answers.got(team);
}

/// Every way in which a task is changed from outside.
fn change(team: &mut Team, lena: &Actor, tasks: &[TaskId], answers: &mut Answers) {
    let ana = agon_team::task::Assignee::Member("ana".parse().unwrap());
    let edit = TaskEdit {
        title: Some("task one".to_owned()),
        spec: Some("more".to_owned()),
        priority: Some(2),
        gates: Some(["tests".parse().unwrap(), "lint".parse().unwrap()].into()),
        needs_review: Some(true),
        add_labels: ["cli".parse().unwrap(), "docs".parse().unwrap()].into(),
        ..TaskEdit::default()
    };
    team.edit_task(lena, tasks[1], &edit).unwrap();
    answers.got(team);
    let edit = TaskEdit {
        remove_labels: ["cli".parse().unwrap()].into(),
        ..TaskEdit::default()
    };
    team.edit_task(lena, tasks[1], &edit).unwrap();
    answers.got(team);
    for assignee in [Some(&ana), None] {
        team.assign(lena, tasks[1], assignee).unwrap();
        answers.got(team);
    }
    for place in [
        TaskPlace::Top,
        TaskPlace::Before(tasks[2]),
        TaskPlace::After(tasks[3]),
    ] {
        team.move_task(lena, tasks[1], place).unwrap();
        answers.got(team);
    }
    let reopen = TeamStep::Reopen {
        attempts: None,
        note: "it is wrong".to_owned(),
    };
    team.direct(lena, tasks[0], &reopen).unwrap();
    answers.got(team);
    for digit in ['a', 'b'] {
        let held = team.task(tasks[2]).unwrap();
        team.step(lena, tasks[2], held.epoch, &submit(digit))
            .unwrap();
        answers.got(team);
    }
}

/// Imports a list, and imports it again after it has changed.
fn bring_in(team: &mut Team, answers: &mut Answers) {
    use crate::adopted::{item, list};
    for title in ["first", "second"] {
        let items = [
            item("a", title, ImportedState::Ready, &["b"]),
            item("b", "b", ImportedState::Done, &[]),
            item("c", "c", ImportedState::Cancelled, &[]),
        ];
        for dry_run in [true, false] {
            list(team, &items, dry_run);
            answers.got(team);
        }
    }
}
