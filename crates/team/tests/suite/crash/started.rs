//! Requests about sessions and runs.

use agon_team::id::{SessionId, TaskId};
use agon_team::ladder::{ProcessSignal, Rung};
use agon_team::run_policy::RunPolicy;
use agon_team::store::{
    Actor, ClaimRequest, HostReport, JoinRequest, NewRun, NewSession, NewTask, Observation,
    PlannedTask, ReviewVerdict, RunStage, SessionEnding, SessionProcess, Team, TurnTokens,
    TurnUsage,
};
use agon_team::task::TaskState;

use super::Answers;
use crate::support::{claim, join, name, submit, tree};

fn new(task: Option<TaskId>, replaces: Option<SessionId>) -> NewSession {
    NewSession {
        member: name("eva"),
        host: "claude".to_owned(),
        model: None,
        profile: None,
        task,
        work_tree: None,
        log: None,
        base: None,
        replaces,
        runner: None,
    }
}

fn usage() -> TurnUsage {
    TurnUsage {
        took_ms: 1_000,
        tokens: Some(TurnTokens {
            input: 100,
            cached: 40,
            output: 7,
            estimated: false,
        }),
        cost_micros: None,
    }
}

pub(super) fn ask(team: &mut Team, answers: &mut Answers) {
    sessions(team, answers);
    runs(team, answers);
}

fn sessions(team: &mut Team, answers: &mut Answers) {
    let person = Actor::person();
    let request = JoinRequest {
        name: name("eva"),
        role: "worker".parse().unwrap(),
        host: "claude".to_owned(),
    };
    let token = team.join_started(&request).unwrap();
    answers.got(team);
    let eva = team.authenticate(&token).unwrap();
    let title = "a task of a session".to_owned();
    let new_task = NewTask {
        title,
        max_attempts: Some(9),
        ..NewTask::default()
    };
    let task = team.add_task(&person, &new_task).unwrap().id;
    answers.got(team);
    let mut before = None;
    // Started, lost and restarted until it is given up.
    for rung in [Rung::Restart, Rung::Restart, Rung::Fail] {
        let session = team.begin_session(&eva, &new(Some(task), before)).unwrap();
        answers.got(team);
        let again = ClaimRequest {
            task: Some(task),
            lease_ms: None,
            base: None,
        };
        team.claim(&eva, &again).unwrap_err();
        answers.got(team);
        signs(team, session, answers);
        let ending = SessionEnding {
            is_complete: false,
            has_evidence: false,
            said: "it crashed".to_owned(),
        };
        team.record_usage(session, &usage()).unwrap();
        answers.got(team);
        team.end_session(session, &ending).unwrap();
        answers.got(team);
        for expected in [Rung::Revoke, rung] {
            assert_eq!(judge(team, session, ProcessSignal::Gone), expected);
            answers.got(team);
        }
        before = Some(session);
    }
    let finished = team.begin_session(&eva, &new(None, None)).unwrap();
    answers.got(team);
    let ending = SessionEnding {
        is_complete: true,
        has_evidence: true,
        said: "it ended well".to_owned(),
    };
    team.end_session(finished, &ending).unwrap();
    answers.got(team);
    let closed = team.begin_session(&eva, &new(None, None)).unwrap();
    answers.got(team);
    team.close_session(closed).unwrap();
    answers.got(team);
    let stopped = team.begin_session(&eva, &new(None, None)).unwrap();
    answers.got(team);
    team.stop_session(stopped, "a person stopped it").unwrap();
    answers.got(team);
}

/// Returns the signs of a live session.
fn signs(team: &mut Team, session: SessionId, answers: &mut Answers) {
    let process = SessionProcess {
        pgid: 4_242,
        leader_start: 77,
        boot: "boot-1".to_owned(),
        mark: "mark".to_owned(),
    };
    team.record_process(session, &process).unwrap();
    answers.got(team);
    team.record_runner(session, "1 2").unwrap();
    answers.got(team);
    let report = HostReport {
        has_event: true,
        ..HostReport::default()
    };
    team.record_host_signs(session, &report).unwrap();
    answers.got(team);
    team.extend_session_lease(session).unwrap();
    answers.got(team);
    assert_eq!(judge(team, session, ProcessSignal::Alive), Rung::None);
    answers.got(team);
}

fn judge(team: &mut Team, session: SessionId, process: ProcessSignal) -> Rung {
    let seen = Observation {
        process,
        tree: Some("one".to_owned()),
    };
    team.judge_session(session, &seen).unwrap().rung
}

fn runs(team: &mut Team, answers: &mut Answers) {
    let person = Actor::person();
    let new = NewRun {
        goal: "two things".to_owned(),
        hosts: vec!["claude".to_owned()],
        gates: ["tests".parse().unwrap()].into(),
        base: "b".repeat(40),
        agreed: false,
        max_tokens: Some(1_000),
        policy: RunPolicy::default(),
    };
    let run = team.begin_run(&person, &new).unwrap();
    answers.got(team);
    let planned = |title: &str, needs: &[usize]| PlannedTask {
        title: title.to_owned(),
        spec: String::new(),
        needs: needs.iter().copied().collect(),
        ..PlannedTask::default()
    };
    let plan = [planned("one", &[]), planned("two", &[1])];
    team.set_plan(&person, run, &plan).unwrap();
    answers.got(team);
    team.record_debate(&person, run, "send it back").unwrap();
    answers.got(team);
    team.approve_plan(&person, run).unwrap();
    answers.got(team);
    // Repeating it changes nothing: its tasks exist once.
    for _ in 0..2 {
        team.begin_work(&person, run).unwrap();
        answers.got(team);
    }
    team.add_tokens(run, 100).unwrap();
    answers.got(team);
    let tasks = team.run(run).unwrap().tasks;
    assert_eq!(tasks.len(), 2);
    team.record_merge(&person, run, tasks[0].task, &"c".repeat(40))
        .unwrap();
    answers.got(team);
    team.end_run(&person, run, RunStage::Stopped, Some("enough"))
        .unwrap();
    answers.got(team);
    returned(team, &new, answers);
}

/// A run whose plan is revised, and whose change goes back until its task fails.
fn returned(team: &mut Team, new: &NewRun, answers: &mut Answers) {
    let person = Actor::person();
    let ida = join(team, "ida", "worker");
    answers.got(team);
    let rex = join(team, "rex", "reviewer");
    answers.got(team);
    let run = team.begin_run(&person, new).unwrap();
    answers.got(team);
    let planned = |title: &str| PlannedTask {
        title: title.to_owned(),
        ..PlannedTask::default()
    };
    team.set_plan(&person, run, &[planned("first")]).unwrap();
    answers.got(team);
    for _ in 0..2 {
        let plan = [planned("revised"), planned("added")];
        team.begin_revised_work(&person, run, &plan).unwrap();
        answers.got(team);
    }
    let task = team.run(run).unwrap().tasks[0].task;
    for round in 1..=3 {
        let epoch = claim(team, &ida, Some(task)).epoch;
        answers.got(team);
        team.step(&ida, task, epoch, &submit('a')).unwrap();
        answers.got(team);
        let word = ReviewVerdict {
            tree: &tree('a'),
            approved: false,
            note: "it has no test",
        };
        let back = match round {
            2 => team.review_in_run(&rex, run, (task, epoch), &word),
            _ => team.return_change(&person, run, (task, epoch), word.note),
        };
        answers.got(team);
        let expected = match round {
            3 => TaskState::Failed,
            _ => TaskState::Ready,
        };
        assert_eq!(back.unwrap().state, expected, "round {round}");
    }
}
