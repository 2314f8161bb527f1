//! The two limits of a run's task: how often its change goes back, and how often it is attempted.

use agon_team::id::{RunId, TaskId};
use agon_team::run_policy::RunPolicy;
use agon_team::store::{Actor, NewRun, PlannedTask, ReviewVerdict, StoreError, Team, TeamStep};
use agon_team::task::{Task, TaskState};

use crate::support::{World, assert_sound, claim, join, submit, tree};

/// A run with one task, whose change may go back `review_rounds` times.
fn begin_run(team: &mut Team, review_rounds: u32) -> (RunId, TaskId) {
    let person = Actor::person();
    let new = NewRun {
        goal: "one thing".to_owned(),
        hosts: vec!["claude".to_owned()],
        gates: [].into(),
        base: "b".repeat(40),
        agreed: true,
        max_tokens: None,
        policy: RunPolicy {
            review_rounds,
            ..RunPolicy::default()
        },
    };
    let run = team.begin_run(&person, &new).unwrap();
    let planned = PlannedTask {
        title: "one".to_owned(),
        ..PlannedTask::default()
    };
    team.set_plan(&person, run, &[planned]).unwrap();
    team.begin_work(&person, run).unwrap();
    let task = team.run(run).unwrap().tasks[0].task;
    (run, task)
}

fn submit_once(team: &mut Team, ana: &Actor, task: TaskId) -> Task {
    let epoch = claim(team, ana, Some(task)).epoch;
    team.step(ana, task, epoch, &submit('a')).unwrap()
}

fn lose_once(team: &mut Team, ana: &Actor, task: TaskId) -> Task {
    claim(team, ana, Some(task));
    let note = "its process is gone".to_owned();
    team.direct(&Actor::person(), task, &TeamStep::Revoke { note })
        .unwrap()
}

#[test]
fn a_change_goes_back_as_often_as_the_rounds_say_and_lost_attempts_are_no_rounds() {
    for rounds in [0, 1, 2, 5] {
        let World { mut team, ana, .. } = World::new();
        let rex = join(&mut team, "rex", "reviewer");
        let (run, task) = begin_run(&mut team, rounds);
        // Two of three attempts are lost first.
        for _ in 0..2 {
            assert_eq!(lose_once(&mut team, &ana, task).state, TaskState::Ready);
        }
        for round in 1..=rounds + 1 {
            let epoch = submit_once(&mut team, &ana, task).epoch;
            let word = ReviewVerdict {
                tree: &tree('a'),
                approved: false,
                note: "no test",
            };
            let back = match round % 2 {
                0 => team.review_in_run(&rex, run, (task, epoch), &word),
                _ => team.return_change(&Actor::person(), run, (task, epoch), "no test"),
            };
            let back = back.unwrap();
            let is_over = round > rounds;
            let expected = match is_over {
                true => (
                    TaskState::Failed,
                    format!("no test (limit: review-rounds = {rounds})"),
                ),
                false => (TaskState::Ready, "no test".to_owned()),
            };
            assert_eq!((back.state, back.note.unwrap()), expected, "{round}");
            assert_eq!(team.run(run).unwrap().tasks[0].returned, round);
        }
        assert_sound(&team);
    }
}

#[test]
fn attempts_that_are_lost_fail_a_task_at_their_own_limit_and_rounds_are_no_attempts() {
    let World { mut team, ana, .. } = World::new();
    let (run, task) = begin_run(&mut team, 5);
    let limit = team.limits().max_attempts;
    for lost in 1..=limit {
        for _ in 0..(if lost == 1 { 2 } else { 1 }) {
            let epoch = submit_once(&mut team, &ana, task).epoch;
            team.return_change(&Actor::person(), run, (task, epoch), "no test")
                .unwrap();
        }
        let expected = match lost == limit {
            true => TaskState::Failed,
            false => TaskState::Ready,
        };
        assert_eq!(lose_once(&mut team, &ana, task).state, expected, "{lost}");
    }
    assert_eq!(team.run(run).unwrap().tasks[0].returned, limit + 1);
    assert_sound(&team);
}

#[test]
fn a_change_that_is_sent_back_without_findings_counts_as_an_attempt_and_as_no_round() {
    let World { mut team, ana, .. } = World::new();
    let (run, task) = begin_run(&mut team, 0);
    let limit = team.limits().max_attempts;
    for attempt in 1..=limit {
        let epoch = submit_once(&mut team, &ana, task).epoch;
        let back = team.send_back(&Actor::person(), task, epoch, "conflict in a.txt");
        let expected = match attempt == limit {
            true => TaskState::Failed,
            false => TaskState::Ready,
        };
        assert_eq!(back.unwrap().state, expected, "{attempt}");
    }
    assert_eq!(team.run(run).unwrap().tasks[0].returned, 0);
}

#[test]
fn only_the_lead_returns_a_change_and_only_one_of_the_run() {
    let World { mut team, ana, .. } = World::new();
    let (run, task) = begin_run(&mut team, 2);
    let epoch = submit_once(&mut team, &ana, task).epoch;
    let refused = team.return_change(&ana, run, (task, epoch), "no test");
    assert!(
        matches!(refused, Err(StoreError::NotAllowed { .. })),
        "{refused:?}"
    );
    let (other, _) = begin_run(&mut team, 2);
    let refused = team.return_change(&Actor::person(), other, (task, epoch), "no test");
    assert!(matches!(refused, Err(StoreError::NoTask(_))), "{refused:?}");
    let found = team.task(task).unwrap();
    assert_eq!((found.state, found.epoch), (TaskState::Review, epoch));
    assert_eq!(team.run(run).unwrap().tasks[0].returned, 0);
}
