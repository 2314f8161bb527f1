//! Tasks, gates, reviews and locks, request by request.

use agon_team::gate::GateRun;
use agon_team::id::{Epoch, TaskId};
use agon_team::lock::LockMode;
use agon_team::store::{
    Actor, HolderStep, LockRequest, NewTask, ReviewVerdict, StoreError, Team, TeamLimits, TeamStep,
};
use agon_team::task::{TaskRefusal, TaskState};
use agon_team::why::WaitsFor;

use crate::support::{World, claim, join, name, submit, tree};

fn gated() -> NewTask {
    NewTask {
        gates: ["tests".parse().unwrap()].into(),
        needs_review: true,
        ..NewTask::default()
    }
}

fn run(digit: char, passed: bool) -> GateRun {
    GateRun {
        gate: "tests".parse().unwrap(),
        tree: tree(digit),
        passed,
        outcome: "exit 0".to_owned(),
        took_ms: 5,
        log: None,
    }
}

fn lock(task: TaskId, epoch: Epoch, glob: &str, mode: LockMode) -> LockRequest {
    LockRequest {
        task,
        epoch,
        globs: vec![glob.parse().unwrap()].try_into().unwrap(),
        mode,
        reason: String::new(),
    }
}

#[test]
fn a_task_is_done_with_its_gate_on_that_tree_and_the_word_of_another() {
    let mut world = World::new();
    let id = world.add(gated());
    let World { team, ana, ben, .. } = &mut world;
    let epoch = claim(team, ana, Some(id)).epoch;
    team.step(ana, id, epoch, &submit('a')).unwrap();
    let refusal = team.accept(ana, id, epoch, &tree('a')).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "t1 cannot be marked as done: it lacks gate tests, which has not run; the approval of a member who did \
         not work on it"
    );
    team.record_gate(ben, id, &run('b', true)).unwrap();
    let waits_for = team.why(id).unwrap().waits_for;
    assert!(
        matches!(
            waits_for[..],
            [WaitsFor::Evidence(_), WaitsFor::Evidence(_)]
        ),
        "{waits_for:?}"
    );
    team.record_gate(ben, id, &run('a', true)).unwrap();
    let word = ReviewVerdict {
        tree: &tree('a'),
        approved: true,
        note: "read it all",
    };
    let own = team.review(ana, id, epoch, &word).unwrap_err();
    assert_eq!(own.to_string(), "ana may not review what it worked on");
    team.review(ben, id, epoch, &word).unwrap();
    assert_eq!(team.why(id).unwrap().waits_for, [WaitsFor::Acceptance]);
    // The gate passed, and then a file changed.
    let changed = team.accept(ana, id, epoch, &tree('b')).unwrap_err();
    assert!(
        matches!(changed, StoreError::Incomplete { .. }),
        "{changed}"
    );
    assert_eq!(
        team.accept(ana, id, epoch, &tree('a')).unwrap().state,
        TaskState::Done
    );
    world.assert_sound();
}

#[test]
fn a_task_that_is_sent_back_is_done_again_at_another_epoch() {
    let mut world = World::new();
    let id = world.add(gated());
    let World { team, ana, ben, .. } = &mut world;
    let epoch = claim(team, ana, Some(id)).epoch;
    team.step(ana, id, epoch, &submit('a')).unwrap();
    let word = ReviewVerdict {
        tree: &tree('a'),
        approved: false,
        note: "no test holds it",
    };
    let back = team.review(ben, id, epoch, &word).unwrap();
    assert_eq!(
        (back.state, back.note.as_deref()),
        (TaskState::Ready, Some("no test holds it"))
    );
    let late = team.accept(ana, id, epoch, &tree('a')).unwrap_err();
    assert!(
        matches!(late, StoreError::Task(TaskRefusal::Stale { .. })),
        "{late}"
    );
    world.assert_sound();
}

#[test]
fn a_task_that_fails_is_told_to_the_lead_and_to_its_author() {
    let mut world = World::new();
    let id = world.add(NewTask {
        max_attempts: Some(1),
        ..NewTask::default()
    });
    let World {
        team,
        lena,
        ana,
        ben,
        ..
    } = &mut world;
    let epoch = claim(team, ana, Some(id)).epoch;
    team.step(ana, id, epoch, &submit('a')).unwrap();
    let word = ReviewVerdict {
        tree: &tree('a'),
        approved: false,
        note: "no test holds it",
    };
    let failed = team.review(ben, id, epoch, &word).unwrap();
    assert_eq!(failed.state, TaskState::Failed);
    let mut read = |who: &Actor| {
        let mail = team.fetch(who, 10).unwrap();
        mail.into_iter().map(|it| it.body).collect::<Vec<_>>()
    };
    // The team itself notifies the lead, without any text by the member.
    assert_eq!(
        read(lena),
        [
            "t1 failed: that was attempt 1 of 1. To make it ready again, run `agon team task reopen t1` with a note."
        ]
    );
    assert_eq!(
        read(ana),
        ["t1 failed at its last attempt: no test holds it"]
    );
    assert!(read(ben).is_empty());
    world.assert_sound();
}

#[test]
fn who_lacks_something_is_told_all_of_that_and_only_that() {
    let mut world = World::new();
    let id = world.add(gated());
    let World { team, ana, ben, .. } = &mut world;
    let epoch = claim(team, ana, Some(id)).epoch;
    team.step(ana, id, epoch, &submit('a')).unwrap();
    let hint = |team: &mut Team| {
        let refusal = team.accept(ana, id, epoch, &tree('a')).unwrap_err();
        refusal.hint().typed()
    };
    let gate =
        "run its gate in the work tree of the change with `agon team gate run tests --task t1`";
    let review = "have another member read it with `agon team task show t1` and approve it with \
                  `agon team review t1 --epoch 1 --approve --note WHY`";
    assert_eq!(hint(team), format!("{gate}; {review}"));
    team.record_gate(ben, id, &run('a', false)).unwrap();
    assert_eq!(
        hint(team),
        format!(
            "fix what tests found, commit, and submit again with `agon team task submit t1`; {review}"
        )
    );
    team.record_gate(ben, id, &run('a', true)).unwrap();
    assert_eq!(hint(team), review);
}

#[test]
fn who_worked_on_a_task_is_told_who_may_review_it() {
    let mut world = World::new();
    let id = world.add(gated());
    let World {
        team,
        lena,
        ana,
        ben,
        ..
    } = &mut world;
    // The lead took it by mistake and released it.
    let epoch = claim(team, lena, Some(id)).epoch;
    let note = "not mine".to_owned();
    team.step(
        lena,
        id,
        epoch,
        &HolderStep::Release {
            note,
            has_commits: false,
        },
    )
    .unwrap();
    let epoch = claim(team, ana, Some(id)).epoch;
    team.step(ana, id, epoch, &submit('a')).unwrap();
    let word = ReviewVerdict {
        tree: &tree('a'),
        approved: true,
        note: "read it all",
    };
    let own = team.review(ana, id, epoch, &word).unwrap_err();
    assert_eq!(own.hint().typed(), "ben or lena may review it");
    team.leave(lena, ben.name().unwrap()).unwrap();
    let own = team.review(ana, id, epoch, &word).unwrap_err();
    assert_eq!(own.hint().typed(), "lena may review it");
    team.review(lena, id, epoch, &word).unwrap();
}

#[test]
fn the_same_change_submitted_again_keeps_its_epoch() {
    let mut world = World::new();
    let id = world.add(gated());
    let World { team, ana, .. } = &mut world;
    let epoch = claim(team, ana, Some(id)).epoch;
    for _ in 0..2 {
        let after = team.step(ana, id, epoch, &submit('a')).unwrap();
        assert_eq!(after.epoch, epoch);
    }
    let other = team.step(ana, id, epoch, &submit('b')).unwrap();
    assert_eq!(other.epoch, epoch.next());
}

#[test]
fn a_lease_that_runs_out_frees_the_task_and_its_locks() {
    let mut world = World::new();
    let id = world.add(NewTask::default());
    let ana = world.ana.clone();
    let epoch = world.claim(&ana, id);
    world
        .team
        .lock(&ana, &lock(id, epoch, "src", LockMode::Exclusive))
        .unwrap();
    world.clock.advance(world.team.limits().lease_ms - 1);
    assert_eq!(world.team.locks().unwrap().len(), 1);
    world.clock.advance(1);
    let refusal = world
        .team
        .step(&ana, id, epoch, &HolderStep::Start)
        .unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "claim 1 of t1 is over: t1 is ready, and no member holds it"
    );
    // The expired lease was ended although the request was refused.
    let kinds = world.kinds();
    assert_eq!(world.team.locks().unwrap(), []);
    assert_eq!(kinds[kinds.len() - 2..], ["task.revoked", "lock.released"]);
    world.assert_sound();
}

#[test]
fn a_wall_clock_that_jumps_ends_no_lease_and_a_restart_ends_all() {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    for jump in [DAY, -DAY, 365 * DAY, -365 * DAY] {
        let mut world = World::new();
        let id = world.add(NewTask::default());
        let ana = world.ana.clone();
        let epoch = world.claim(&ana, id);
        world.clock.jump_wall(jump);
        let task = world
            .team
            .step(&ana, id, epoch, &HolderStep::Start)
            .unwrap();
        assert_eq!(task.state, TaskState::Running, "{jump}");
        world.clock.restart();
        assert_eq!(
            world.team.task(id).unwrap().state,
            TaskState::Ready,
            "{jump}"
        );
        world.assert_sound();
    }
}

#[test]
fn the_task_that_is_claimed_next_is_ready_unblocked_and_most_urgent() {
    let mut world = World::new();
    let plain = world.add(NewTask::default());
    let urgent = world.add(NewTask {
        priority: 5,
        ..NewTask::default()
    });
    let _draft = world.add(NewTask {
        priority: 9,
        draft: true,
        ..NewTask::default()
    });
    let blocked = world.add(NewTask {
        priority: 9,
        needs: [plain].into(),
        ..NewTask::default()
    });
    let World {
        team,
        ana,
        ben,
        lena,
        ..
    } = &mut world;
    let first = claim(team, ana, None);
    assert_eq!(first.id, urgent);
    let task = claim(team, ana, None);
    assert_eq!(task.id, plain);
    assert!(matches!(
        team.claim(ben, &agon_team::store::ClaimRequest::default()),
        Err(StoreError::NothingReady)
    ));
    team.step(ana, plain, task.epoch, &submit('a')).unwrap();
    team.accept(ana, plain, task.epoch, &tree('a')).unwrap();
    assert_eq!(claim(team, ben, None).id, blocked);
    let late = team.add_need(lena, plain, blocked).unwrap_err();
    assert_eq!(
        late.to_string(),
        "t1 is done, so it cannot be made to need another task"
    );
    let first = team
        .add_task(
            lena,
            &NewTask {
                title: "first".to_owned(),
                ..NewTask::default()
            },
        )
        .unwrap()
        .id;
    let second = NewTask {
        needs: [first].into(),
        title: "second".to_owned(),
        ..NewTask::default()
    };
    let second = team.add_task(lena, &second).unwrap().id;
    let circle = team.add_need(lena, first, second).unwrap_err();
    assert_eq!(circle.to_string(), "t5 needs t6 needs t5 would be a cycle");
    let missing = team.add_need(lena, first, TaskId::new(99)).unwrap_err();
    assert_eq!(missing.to_string(), "there is no task t99");
    world.assert_sound();
}

#[test]
fn only_the_lead_or_a_person_takes_a_task_from_another() {
    let mut world = World::new();
    let id = world.add(NewTask::default());
    let World {
        team,
        ana,
        ben,
        lena,
        ..
    } = &mut world;
    claim(team, ana, Some(id));
    let revoke = TeamStep::Revoke {
        note: "it hangs".to_owned(),
    };
    let refusal = team.direct(ben, id, &revoke).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "ben may not cancel, revoke or reopen a task"
    );
    assert_eq!(
        team.direct(lena, id, &revoke).unwrap().state,
        TaskState::Ready
    );
    claim(team, ana, Some(id));
    assert_eq!(
        team.direct(&Actor::person(), id, &revoke).unwrap().state,
        TaskState::Ready
    );
    world.assert_sound();
}

#[test]
fn who_left_writes_nothing_and_holds_nothing() {
    let mut world = World::new();
    let id = world.add(NewTask::default());
    let World { team, ana, ben, .. } = &mut world;
    let epoch = claim(team, ana, Some(id)).epoch;
    team.lock(ana, &lock(id, epoch, "src", LockMode::Shared))
        .unwrap();
    assert!(matches!(
        team.leave(ben, &name("ana")),
        Err(StoreError::NotAllowed { .. })
    ));
    team.leave(ana, &name("ana")).unwrap();
    assert_eq!(team.task(id).unwrap().state, TaskState::Ready);
    assert_eq!(team.locks().unwrap(), []);
    let replayed = team.step(ana, id, epoch, &HolderStep::Start).unwrap_err();
    assert!(matches!(replayed, StoreError::NotMember), "{replayed}");
    let again = join(team, "ana", "worker");
    // The same name with another lease.
    let stale = team
        .step(&again, id, epoch, &HolderStep::Start)
        .unwrap_err();
    assert!(
        matches!(stale, StoreError::Task(TaskRefusal::Stale { .. })),
        "{stale}"
    );
    world.assert_sound();
}

#[test]
fn a_name_that_is_taken_or_reserved_is_refused() {
    let mut world = World::new();
    for taken in ["ana", "person", "team"] {
        let request = agon_team::store::JoinRequest {
            name: name(taken),
            role: "worker".parse().unwrap(),
            host: "test".to_owned(),
        };
        let refusal = world.team.join(&request).unwrap_err();
        assert_eq!(refusal.to_string(), format!("the name {taken} is taken"));
    }
}

/// Two tasks that hold one lock each.
fn two_holders(team: &mut Team, ana: &Actor, ben: &Actor, ids: [TaskId; 2]) -> [Epoch; 2] {
    let first = claim(team, ana, Some(ids[0])).epoch;
    let second = claim(team, ben, Some(ids[1])).epoch;
    team.lock(ana, &lock(ids[0], first, "src", LockMode::Exclusive))
        .unwrap();
    team.lock(ben, &lock(ids[1], second, "docs", LockMode::Exclusive))
        .unwrap();
    [first, second]
}

#[test]
fn a_lock_waits_for_its_turn_and_is_granted_then() {
    let mut world = World::new();
    let ids = [world.add(NewTask::default()), world.add(NewTask::default())];
    let World { team, ana, ben, .. } = &mut world;
    let [first, second] = two_holders(team, ana, ben, ids);
    let answer = team
        .lock(ben, &lock(ids[1], second, "src/a.rs", LockMode::Shared))
        .unwrap();
    assert!(!answer.lock.granted);
    assert_eq!(answer.behind[0].task, ids[0]);
    let waits_for = team.why(ids[1]).unwrap().waits_for;
    assert!(
        matches!(&waits_for[0], WaitsFor::Lock { behind, .. } if behind == &[ids[0]]),
        "{waits_for:?}"
    );
    let against = team.locks_against(ben, "src/deep/b.rs").unwrap();
    assert_eq!(against[0].holder, name("ana"));
    assert_eq!(team.locks_against(ana, "src/deep/b.rs").unwrap(), []);
    assert!(matches!(
        team.unlock(ben, ids[1], second, against[0].id),
        Err(StoreError::NoLock(_))
    ));
    team.unlock(ana, ids[0], first, against[0].id).unwrap();
    assert!(team.locks().unwrap().iter().all(|lock| lock.granted));
    world.assert_sound();
}

#[test]
fn in_a_circle_of_waiting_the_youngest_gives_way_and_is_told() {
    let mut world = World::new();
    let ids = [world.add(NewTask::default()), world.add(NewTask::default())];
    let World { team, ana, ben, .. } = &mut world;
    let [first, second] = two_holders(team, ana, ben, ids);
    team.lock(ben, &lock(ids[1], second, "src", LockMode::Exclusive))
        .unwrap();
    // Ben's task was claimed later: its waiting lock is withdrawn, and Ana waits for Ben.
    let answer = team
        .lock(ana, &lock(ids[0], first, "docs", LockMode::Exclusive))
        .unwrap();
    assert_eq!(answer.behind.len(), 1);
    assert_eq!(
        team.locks()
            .unwrap()
            .iter()
            .filter(|lock| !lock.granted)
            .count(),
        1
    );
    let letters = team.fetch(ben, 5).unwrap();
    assert_eq!(letters[0].from, "team");
    assert!(
        letters[0]
            .body
            .starts_with("t2 no longer waits for a lock on src"),
        "{}",
        letters[0].body
    );
    // Requested again, it would create the deadlock again.
    let refusal = team
        .lock(ben, &lock(ids[1], second, "src", LockMode::Exclusive))
        .unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "waiting for this lock would never end: t1, t2 wait for each other"
    );
    assert_eq!(team.locks().unwrap().len(), 3);
    world.assert_sound();
}

#[test]
fn a_task_has_only_so_many_locks() {
    let limits = TeamLimits {
        max_locks: 2,
        ..TeamLimits::default()
    };
    let mut world = World::with(limits);
    let id = world.add(NewTask::default());
    let ana = world.ana.clone();
    let epoch = world.claim(&ana, id);
    for _ in 0..2 {
        world
            .team
            .lock(&ana, &lock(id, epoch, "src", LockMode::Shared))
            .unwrap();
    }
    let refusal = world
        .team
        .lock(&ana, &lock(id, epoch, "docs", LockMode::Shared))
        .unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "t1 already has 2 locks, the limit per task"
    );
    world.assert_sound();
}
