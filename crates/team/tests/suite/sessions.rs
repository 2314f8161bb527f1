//! Sessions, the judgement of their signals, and the steps that follow.

use std::time::Duration;

use agon_team::id::{SessionId, TaskId};
use agon_team::ladder::{ProcessSignal, Rung, SessionState};
use agon_team::store::{
    HolderStep, HostReport, JoinRequest, Judged, NewSession, NewTask, Observation, SessionEnding,
    SessionProcess, StoreError, TeamLimits,
};
use agon_team::task::{TaskState, WaitReason};

use crate::support::{World, name};

const MINUTE: u64 = 60_000;

/// A team whose leases outlive the observed periods.
fn world() -> World {
    World::with(TeamLimits {
        lease_ms: 180 * MINUTE,
        ..TeamLimits::default()
    })
}

/// Starts a session of ana's.
fn begin(world: &mut World, task: Option<TaskId>) -> SessionId {
    let session = world.team.begin_session(&world.ana, &new(task)).unwrap();
    let process = SessionProcess {
        pgid: 4_242,
        leader_start: 77,
        boot: "boot-1".to_owned(),
        mark: "mark".to_owned(),
    };
    world.team.record_process(session, &process).unwrap();
    session
}

fn new(task: Option<TaskId>) -> NewSession {
    NewSession {
        member: name("ana"),
        host: "claude".to_owned(),
        model: None,
        profile: None,
        task,
        work_tree: None,
        log: None,
        base: None,
        replaces: None,
        runner: None,
    }
}

fn look(world: &mut World, session: SessionId, process: ProcessSignal, tree: &str) -> Judged {
    let seen = Observation {
        process,
        tree: Some(tree.to_owned()),
    };
    world.team.judge_session(session, &seen).unwrap()
}

fn alive(world: &mut World, session: SessionId) -> (SessionState, Rung) {
    let judged = look(world, session, ProcessSignal::Alive, "one");
    (judged.session.state, judged.rung)
}

fn speak(world: &mut World, session: SessionId) {
    let report = HostReport {
        has_event: true,
        ..HostReport::default()
    };
    world.team.record_host_signs(session, &report).unwrap();
}

#[test]
fn a_session_that_hangs_goes_down_the_ladder_and_its_task_is_ready_again() {
    let mut world = world();
    let task = world.add(NewTask::default());
    let session = begin(&mut world, Some(task));
    assert_eq!(
        alive(&mut world, session),
        (SessionState::Spawning, Rung::None)
    );
    speak(&mut world, session);
    assert_eq!(
        alive(&mut world, session),
        (SessionState::Working, Rung::None)
    );
    let mut steps = Vec::new();
    for _ in 0..40 {
        world.clock.advance(MINUTE);
        let (state, rung) = alive(&mut world, session);
        if rung != Rung::None {
            steps.push((state, rung));
        }
        if rung == Rung::Restart {
            break;
        }
    }
    assert_eq!(
        steps,
        [
            (SessionState::Suspect, Rung::Notice),
            (SessionState::Stalled, Rung::Nudge),
            (SessionState::Stalled, Rung::Revoke),
            (SessionState::Stalled, Rung::Terminate),
            (SessionState::Stalled, Rung::Restart),
        ]
    );
    assert_eq!(world.team.task(task).unwrap().state, TaskState::Ready);
    assert_eq!(world.team.unread(&name("ana")).unwrap(), 1);
    assert_eq!(world.team.unread(&name("lena")).unwrap(), 1);
    let kinds = world.kinds();
    for kind in ["session.quiet", "session.suspect", "session.stalled"] {
        assert!(kinds.iter().any(|it| it == kind), "{kind}: {kinds:?}");
    }
    world.assert_sound();
}

#[test]
fn a_start_again_is_asked_for_until_it_is_made_and_then_no_more() {
    let mut world = world();
    let task = world.add(NewTask::default());
    let session = begin(&mut world, Some(task));
    let dead = |world: &mut World, it| look(world, it, ProcessSignal::Gone, "one").rung;
    assert_eq!(dead(&mut world, session), Rung::Revoke);
    assert_eq!(dead(&mut world, session), Rung::Restart);
    assert_eq!(dead(&mut world, session), Rung::Restart);
    let again = NewSession {
        replaces: Some(session),
        ..new(Some(task))
    };
    let second = world.team.begin_session(&world.ana, &again).unwrap();
    assert_eq!(dead(&mut world, session), Rung::None);
    assert_eq!(world.team.session(second).unwrap().restarts, 1);
    let twice = world.team.begin_session(&world.ana, &again).unwrap_err();
    assert!(matches!(twice, StoreError::HasSession { .. }), "{twice}");
}

#[test]
fn a_task_that_kills_every_session_fails_with_its_history() {
    let mut world = world();
    let new_task = NewTask {
        max_attempts: Some(9),
        ..NewTask::default()
    };
    let task = world.add(new_task);
    let mut session = None;
    for restarts in 0..=2 {
        let begun = match session {
            None => begin(&mut world, Some(task)),
            Some(before) => {
                let again = NewSession {
                    replaces: Some(before),
                    ..new(Some(task))
                };
                let id = world.team.begin_session(&world.ana, &again).unwrap();
                let process = SessionProcess {
                    pgid: 9,
                    leader_start: 1,
                    boot: "boot-1".to_owned(),
                    mark: String::new(),
                };
                world.team.record_process(id, &process).unwrap();
                id
            }
        };
        let revoked = look(&mut world, begun, ProcessSignal::Gone, "one").rung;
        let after = look(&mut world, begun, ProcessSignal::Gone, "one").rung;
        let expected = match restarts {
            2 => Rung::Fail,
            _ => Rung::Restart,
        };
        assert_eq!((revoked, after), (Rung::Revoke, expected));
        session = Some(begun);
    }
    let task = world.team.task(task).unwrap();
    assert_eq!(task.state, TaskState::Failed);
    assert!(task.note.unwrap().contains("given up after 2 restarts"));
    world.assert_sound();
}

#[test]
fn what_is_healthy_is_left_alone_for_hours() {
    let mut world = world();
    let session = begin(&mut world, None);
    speak(&mut world, session);
    for _ in 0..300 {
        world.clock.advance(MINUTE);
        assert_eq!(alive(&mut world, session), (SessionState::Idle, Rung::None));
    }
    let task = world.add(NewTask::default());
    let waits = HolderStep::Wait {
        reason: WaitReason::Input,
        for_ms: 100 * MINUTE,
    };
    let ana = world.ana.clone();
    let epoch = world.claim(&ana, task);
    for step in [HolderStep::Start, waits] {
        world.team.step(&ana, task, epoch, &step).unwrap();
    }
    for _ in 0..99 {
        world.clock.advance(MINUTE);
        assert_eq!(
            alive(&mut world, session),
            (SessionState::Waiting, Rung::None)
        );
    }
    let mut last = Rung::None;
    for _ in 0..60 {
        world.clock.advance(MINUTE);
        last = last.max(alive(&mut world, session).1);
    }
    assert!(last >= Rung::Revoke, "a wait that is over protects no more");
}

#[test]
fn an_edit_a_call_and_an_open_tool_are_signs_of_life() {
    let mut world = world();
    let task = world.add(NewTask::default());
    let session = begin(&mut world, Some(task));
    speak(&mut world, session);
    alive(&mut world, session);
    for minute in 0..30 {
        world.clock.advance(MINUTE);
        let judged = look(
            &mut world,
            session,
            ProcessSignal::Alive,
            &minute.to_string(),
        );
        assert_eq!(judged.session.state, SessionState::Working);
    }
    for _ in 0..4 {
        world.clock.advance(8 * MINUTE);
        let (ana, epoch) = (world.ana.clone(), world.team.task(task).unwrap().epoch);
        let renew = HolderStep::Renew {
            lease_ms: Some(60 * MINUTE),
        };
        world.team.step(&ana, task, epoch, &renew).unwrap();
        let judged = look(&mut world, session, ProcessSignal::Alive, "29");
        assert_eq!(judged.session.state, SessionState::Working);
    }
    let open = HostReport {
        has_event: true,
        has_open_tool: true,
        ..HostReport::default()
    };
    world.team.record_host_signs(session, &open).unwrap();
    world.clock.advance(29 * MINUTE);
    let judged = look(&mut world, session, ProcessSignal::Alive, "29");
    assert_eq!(judged.session.state, SessionState::Working);
    assert_eq!(judged.session.rung, Rung::None);
}

#[test]
fn a_success_with_nothing_to_show_is_no_success() {
    let mut world = world();
    let task = world.add(NewTask::default());
    let session = begin(&mut world, Some(task));
    let ending = SessionEnding {
        is_complete: true,
        has_evidence: false,
        said: "it ended well and changed nothing".to_owned(),
    };
    world.team.end_session(session, &ending).unwrap();
    let judged = look(&mut world, session, ProcessSignal::Gone, "one");
    assert_eq!(judged.session.state, SessionState::FailedEmpty);
    assert_eq!(judged.rung, Rung::Revoke);
    let full = SessionEnding {
        has_evidence: true,
        ..ending
    };
    let again = NewSession {
        replaces: Some(session),
        ..new(Some(task))
    };
    let second = world.team.begin_session(&world.ana, &again).unwrap();
    world.team.end_session(second, &full).unwrap();
    let judged = look(&mut world, second, ProcessSignal::Gone, "one");
    assert_eq!(judged.session.state, SessionState::Finished);
    assert_eq!((judged.rung, judged.session.closed), (Rung::None, true));
}

#[test]
fn the_same_call_again_and_again_is_a_loop() {
    let mut world = world();
    let task = world.add(NewTask::default());
    let session = begin(&mut world, Some(task));
    let report = HostReport {
        has_event: true,
        repeats: 5,
        ..HostReport::default()
    };
    world.team.record_host_signs(session, &report).unwrap();
    let judged = look(&mut world, session, ProcessSignal::Alive, "one");
    assert_eq!(judged.session.state, SessionState::Stalled);
    assert_eq!(judged.session.evidence, ["the same call 5 times in a row"]);
    assert_eq!(judged.rung, Rung::Notice);
}

#[test]
fn a_lead_that_is_gone_is_told_to_the_others_and_not_started_again() {
    let mut world = world();
    let lead = NewSession {
        member: name("lena"),
        ..new(None)
    };
    let session = world.team.begin_session(&world.lena, &lead).unwrap();
    let process = SessionProcess {
        pgid: 4_242,
        leader_start: 77,
        boot: "boot-1".to_owned(),
        mark: "mark".to_owned(),
    };
    world.team.record_process(session, &process).unwrap();
    look(&mut world, session, ProcessSignal::Gone, "one");
    let judged = look(&mut world, session, ProcessSignal::Gone, "one");
    assert_eq!(judged.rung, Rung::ReplaceLead);
    assert_eq!(world.team.unread(&name("ana")).unwrap(), 1);
    assert!(world.team.session(session).unwrap().closed);
}

#[test]
fn one_process_has_a_lease_until_it_ends_or_its_process_is_gone() {
    let mut world = world();
    let lasts = Duration::from_secs(10);
    let take = |world: &mut World, holder: &str, gone: bool| {
        let taken = world.team.take_lease("watch", holder, lasts, &|_| gone);
        taken.unwrap()
    };
    assert!(take(&mut world, "one", false));
    assert!(!take(&mut world, "two", false));
    world.clock.advance(9_999);
    assert!(take(&mut world, "one", false));
    world.clock.advance(9_999);
    assert!(!take(&mut world, "two", false));
    world.clock.advance(1);
    assert!(take(&mut world, "two", false));
    assert!(!take(&mut world, "one", false));
    assert!(take(&mut world, "one", true), "its process is gone");
    world.team.release_lease("watch", "two").unwrap();
    assert!(!take(&mut world, "two", false), "it was not two's to leave");
    world.team.release_lease("watch", "one").unwrap();
    assert!(take(&mut world, "two", false));
    world.clock.restart();
    assert!(take(&mut world, "one", false), "the machine started again");
}

#[test]
fn only_a_member_that_was_started_gets_another_token_and_the_one_before_is_worth_nothing() {
    let mut world = world();
    let request = |member: &str| JoinRequest {
        name: name(member),
        role: "worker".parse().unwrap(),
        host: "claude".to_owned(),
    };
    let by_itself = world.team.join_started(&request("ana")).unwrap_err();
    assert!(matches!(by_itself, StoreError::NameTaken(_)), "{by_itself}");
    let first = world.team.join_started(&request("eva")).unwrap();
    let second = world.team.join_started(&request("eva")).unwrap();
    assert!(world.team.authenticate(&first).is_err());
    assert_eq!(
        world.team.authenticate(&second).unwrap().name(),
        Some(&name("eva"))
    );
}

#[test]
fn an_interruption_gives_a_task_back_and_does_not_count_as_an_attempt() {
    let mut world = world();
    let task = world.add(NewTask::default());
    let (lena, ana) = (world.lena.clone(), world.ana.clone());
    for _ in 0..9 {
        world.claim(&ana, task);
        let given = world.team.interrupt(&lena, task, "stopped").unwrap();
        assert_eq!((given.state, given.attempt), (TaskState::Ready, 0));
    }
    world.claim(&ana, task);
    let refused = world.team.interrupt(&ana, task, "stopped").unwrap_err();
    assert!(
        matches!(refused, StoreError::NotAllowed { .. }),
        "{refused}"
    );
    world.assert_sound();
}

#[test]
fn a_session_begins_with_its_task_or_not_at_all() {
    let mut world = world();
    let ana = world.ana.clone();
    let task = world.add(NewTask::default());
    let other = world.add(NewTask::default());
    let session = world.team.begin_session(&ana, &new(Some(task))).unwrap();
    let held = world.team.task(task).unwrap();
    assert_eq!(held.state, TaskState::Running);
    let begun = world.team.session(session).unwrap();
    assert_eq!(begun.task, Some(task));
    assert_eq!(
        begun.ages.team_call_ms, None,
        "nothing of her tool is there yet"
    );
    let twice = world
        .team
        .begin_session(&ana, &new(Some(other)))
        .unwrap_err();
    assert!(matches!(twice, StoreError::HasSession { .. }), "{twice}");
    let ben = world.ben.clone();
    // The session to replace is not ben's. This is noticed after his claim, which is rolled back.
    let of_ben = NewSession {
        member: name("ben"),
        replaces: Some(session),
        ..new(Some(other))
    };
    let lost = world.team.begin_session(&ben, &of_ben).unwrap_err();
    assert!(matches!(lost, StoreError::NoSession(_)), "{lost}");
    let free = world.team.task(other).unwrap();
    let claims = (free.state, free.epoch.to_string());
    assert_eq!(claims, (TaskState::Ready, "0".to_owned()));
    let stolen = world
        .team
        .begin_session(&ben, &new(Some(other)))
        .unwrap_err();
    assert!(matches!(stolen, StoreError::NotMember), "{stolen}");
}
