use super::*;
use crate::change::{Change, TaskEvidence};
use crate::id::{Epoch, MemberName, TaskId, TreeHash};
use crate::time::{Deadline, Moment};

fn deadline(uptime_ms: u64) -> Deadline {
    let start = Moment {
        boot: "one".into(),
        uptime_ms: 0,
        wall_ms: 0,
    };
    start.after(std::time::Duration::from_millis(uptime_ms))
}

fn name(text: &str) -> MemberName {
    text.parse().unwrap()
}

fn tree() -> TreeHash {
    "a".repeat(40).parse().unwrap()
}

fn draft() -> Task {
    Task {
        id: TaskId::new(4),
        title: "one thing".to_owned(),
        spec: String::new(),
        state: TaskState::Draft,
        priority: 0,
        place: 1,
        labels: [].into(),
        assignee: None,
        epoch: Epoch(0),
        lease: None,
        waiting: None,
        attempt: 0,
        max_attempts: 2,
        gates: [].into(),
        needs_review: false,
        workers: [].into(),
        evidence: None,
        note: None,
        base: None,
        origin: None,
    }
}

fn claim(by: &str) -> TaskStep {
    TaskStep::Claim {
        by: name(by),
        until: deadline(60),
        role: "worker".parse().unwrap(),
        open_needs: vec![],
        base: None,
    }
}

fn fence(by: &str, epoch: i64) -> Fence {
    Fence {
        member: name(by),
        epoch: Epoch(epoch),
    }
}

fn submit() -> TaskStep {
    TaskStep::Submit(TaskEvidence {
        change: Change::Diff {
            hash: "d".repeat(40),
        },
        tree: tree(),
        author: name("ana"),
        no_change: None,
    })
}

fn reopen(attempts: u32) -> TaskStep {
    TaskStep::Reopen {
        attempts,
        note: note(),
        held: vec![],
    }
}

fn claimed() -> Task {
    let ready = draft().apply(&TaskStep::Publish, None).unwrap();
    ready.apply(&claim("ana"), None).unwrap()
}

fn note() -> String {
    "why".to_owned()
}

#[test]
fn a_task_goes_from_draft_to_done() {
    let ana = fence("ana", 1);
    let task = claimed();
    assert_eq!(
        (task.state, task.epoch, task.attempt),
        (TaskState::Claimed, Epoch(1), 1)
    );
    let task = task.apply(&TaskStep::Start, Some(&ana)).unwrap();
    let waiting = Waiting {
        reason: WaitReason::Gate,
        until: deadline(90),
    };
    let task = task.apply(&TaskStep::Wait(waiting), Some(&ana)).unwrap();
    assert_eq!(task.state, TaskState::Waiting);
    let task = task.apply(&TaskStep::Resume, Some(&ana)).unwrap();
    assert_eq!(task.waiting, None);
    let task = task.apply(&submit(), Some(&ana)).unwrap();
    assert_eq!(
        (task.state, task.epoch, &task.lease),
        (TaskState::Review, Epoch(1), &None)
    );
    let complete = check_evidence(&task, &tree(), &[], &[]).unwrap();
    let task = task.apply(&TaskStep::Accept(complete), None).unwrap();
    assert_eq!(task.state, TaskState::Done);
}

#[test]
fn every_step_leads_from_its_states_only() {
    let until = deadline(9);
    let waiting = Waiting {
        reason: WaitReason::Mail,
        until: until.clone(),
    };
    let complete = {
        let submitted = claimed().apply(&submit(), Some(&fence("ana", 1))).unwrap();
        check_evidence(&submitted, &tree(), &[], &[]).unwrap()
    };
    use TaskState::{
        Cancelled, Claimed, Done, Draft, Failed, Ready, Review, Running, Waiting as Waits,
    };
    let leased = [Claimed, Running, Waits];
    let table: [(TaskStep, &[TaskState], TaskState); 15] = [
        (TaskStep::Publish, &[Draft], Ready),
        (claim("ana"), &[Ready], Claimed),
        (TaskStep::Renew { until }, &leased, Claimed),
        (TaskStep::Start, &[Claimed], Running),
        (TaskStep::Wait(waiting), &[Claimed, Running], Waits),
        (TaskStep::Resume, &[Waits], Running),
        (submit(), &leased, Review),
        (
            TaskStep::Release {
                note: note(),
                has_commits: false,
            },
            &leased,
            Ready,
        ),
        (TaskStep::GiveUp { note: note() }, &leased, Failed),
        (TaskStep::Accept(complete), &[Review], Done),
        (TaskStep::SendBack { note: note() }, &[Review], Ready),
        (TaskStep::Return { note: note() }, &[Review], Ready),
        (TaskStep::Revoke { note: note() }, &leased, Ready),
        (
            TaskStep::Cancel { note: note() },
            &[Draft, Ready, Claimed, Running, Waits, Review],
            Cancelled,
        ),
        (reopen(1), &[Done, Failed, Cancelled], Ready),
    ];
    for (step, from, to) in table {
        for state in TaskState::ALL {
            let lease = state.is_leased().then(|| claimed().lease).flatten();
            let task = Task {
                state,
                lease,
                epoch: Epoch(1),
                attempt: 1,
                ..draft()
            };
            let after = task.apply(&step, Some(&fence("ana", 1)));
            if from.contains(&state) {
                let after = after.unwrap();
                let expected = if matches!(step, TaskStep::Renew { .. }) {
                    state
                } else {
                    to
                };
                assert_eq!(after.state, expected, "{step:?} from {state}");
                assert_eq!(
                    after.lease.is_some(),
                    after.state.is_leased(),
                    "{step:?} from {state}"
                );
                assert!(after.epoch >= task.epoch, "{step:?} from {state}");
            } else {
                assert!(after.is_err(), "{step:?} from {state}");
            }
        }
    }
}

#[test]
fn a_stale_epoch_is_refused_and_says_who_holds_the_task() {
    let revoked = claimed()
        .apply(&TaskStep::Revoke { note: note() }, None)
        .unwrap();
    let task = revoked.apply(&claim("ben"), None).unwrap();
    let refusal = task
        .apply(&TaskStep::Start, Some(&fence("ana", 1)))
        .unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "claim 1 of t4 is over: ben now holds it with claim 3"
    );
    let refusal = revoked
        .apply(&TaskStep::Start, Some(&fence("ana", 1)))
        .unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "claim 1 of t4 is over: t4 is ready, and no member holds it"
    );
    let refusal = task
        .apply(&TaskStep::Start, Some(&fence("ana", 3)))
        .unwrap_err();
    assert_eq!(refusal.to_string(), "t4 is held by ben, not by ana");
    let refusal = task.apply(&TaskStep::Start, None).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "t4 can only be started by the member that holds it"
    );
}

#[test]
fn a_task_that_needs_others_is_not_claimed() {
    let ready = draft().apply(&TaskStep::Publish, None).unwrap();
    let open_needs = vec![TaskId::new(2), TaskId::new(3)];
    let step = TaskStep::Claim {
        by: name("ana"),
        until: deadline(60),
        role: "worker".parse().unwrap(),
        open_needs,
        base: None,
    };
    assert_eq!(
        ready.apply(&step, None).unwrap_err().to_string(),
        "t4 still needs t2, t3"
    );
}

#[test]
fn a_lease_that_ends_the_last_time_fails_the_task() {
    let once = claimed()
        .apply(&TaskStep::Revoke { note: note() }, None)
        .unwrap();
    assert_eq!(once.state, TaskState::Ready);
    let twice = once.apply(&claim("ben"), None).unwrap();
    let poison = twice
        .apply(&TaskStep::Revoke { note: note() }, None)
        .unwrap();
    assert_eq!(poison.state, TaskState::Failed);
    assert_eq!(poison.note.as_deref(), Some("why (attempt 2 of 2)"));
    let opened = poison.apply(&reopen(1), None).unwrap();
    assert_eq!((opened.state, opened.max_attempts), (TaskState::Ready, 3));
    assert_eq!(opened.workers, [name("ana"), name("ben")].into());
}

#[test]
fn a_task_that_is_kept_is_claimed_by_its_member_or_role_alone() {
    let ready = draft().apply(&TaskStep::Publish, None).unwrap();
    let kept = |assignee| Task {
        assignee: Some(assignee),
        ..ready.clone()
    };
    let for_ben = kept(Assignee::Member(name("ben")));
    let refusal = for_ben.apply(&claim("ana"), None).unwrap_err();
    assert_eq!(refusal.to_string(), "t4 is assigned to ben");
    assert!(for_ben.apply(&claim("ben"), None).is_ok());
    let for_leads = kept(Assignee::Role("lead".parse().unwrap()));
    let refusal = for_leads.apply(&claim("ana"), None).unwrap_err();
    assert_eq!(refusal.to_string(), "t4 is assigned to the role lead");
    let for_workers = kept(Assignee::Role("worker".parse().unwrap()));
    assert!(for_workers.apply(&claim("ana"), None).is_ok());
}

#[test]
fn a_holder_that_names_another_epoch_is_told_its_own() {
    let again = claimed()
        .apply(&TaskStep::Revoke { note: note() }, None)
        .unwrap();
    let again = again.apply(&claim("ana"), None).unwrap();
    let refusal = again
        .apply(&TaskStep::Start, Some(&fence("ana", 1)))
        .unwrap_err();
    assert_eq!(refusal.to_string(), "t4 is yours with claim 3, not claim 1");
    assert_eq!(refusal.hint().typed(), "omit --epoch, or use --epoch 3");
}

#[test]
fn a_submitted_change_is_replaced_by_its_author_under_a_new_epoch() {
    let submitted = claimed().apply(&submit(), Some(&fence("ana", 1))).unwrap();
    let TaskStep::Submit(evidence) = submit() else {
        unreachable!()
    };
    let other = TaskEvidence {
        tree: "b".repeat(40).parse().unwrap(),
        ..evidence
    };
    let after = submitted
        .apply(&TaskStep::Replace(other.clone()), None)
        .unwrap();
    assert_eq!((after.state, after.epoch), (TaskState::Review, Epoch(2)));
    assert_eq!(after.evidence.as_ref(), Some(&other));
    let of_ben = TaskEvidence {
        author: name("ben"),
        ..other
    };
    assert!(submitted.apply(&TaskStep::Replace(of_ben), None).is_err());
}

#[test]
fn work_begins_where_the_member_first_claimed_it() {
    let ready = draft().apply(&TaskStep::Publish, None).unwrap();
    let from = |by: &str, commit: &str| {
        let TaskStep::Claim {
            until,
            role,
            open_needs,
            ..
        } = claim(by)
        else {
            unreachable!()
        };
        TaskStep::Claim {
            by: name(by),
            until,
            role,
            open_needs,
            base: Some(commit.repeat(40)),
        }
    };
    let base = |task: &Task| {
        let base = task.base.as_ref().unwrap();
        (base.member.to_string(), base.commit[..1].to_owned())
    };
    let claimed = ready.apply(&from("ana", "1"), None).unwrap();
    assert_eq!(base(&claimed), ("ana".to_owned(), "1".to_owned()));
    let released = claimed
        .apply(&TaskStep::Revoke { note: note() }, None)
        .unwrap();
    // She may already have made her change.
    let again = released.apply(&from("ana", "2"), None).unwrap();
    assert_eq!(base(&again), ("ana".to_owned(), "1".to_owned()));
    let other = released.apply(&from("ben", "2"), None).unwrap();
    assert_eq!(base(&other), ("ben".to_owned(), "2".to_owned()));
    // She claims it after him, so the commit that she started from is unknown.
    let lost = other
        .apply(&TaskStep::Revoke { note: note() }, None)
        .unwrap();
    let max_attempts = 9;
    let lost = Task {
        state: TaskState::Ready,
        max_attempts,
        ..lost
    };
    assert_eq!(lost.apply(&from("ana", "3"), None).unwrap().base, None);

    let evidence = TaskEvidence {
        change: Change::Commit { id: "5".repeat(40) },
        tree: tree(),
        author: name("ana"),
        no_change: None,
    };
    let submitted = again
        .apply(&TaskStep::Submit(evidence), Some(&fence("ana", 3)))
        .unwrap();
    let back = submitted
        .apply(&TaskStep::SendBack { note: note() }, None)
        .unwrap();
    // All of her work counts as her change, including what was sent back.
    assert_eq!(base(&back), ("ana".to_owned(), "1".to_owned()));
}

#[test]
fn a_claim_that_is_given_back_before_a_start_is_neither_work_nor_an_attempt() {
    let release = TaskStep::Release {
        note: note(),
        has_commits: false,
    };
    let claimed = claimed();
    assert!(claimed.workers.is_empty());
    let untouched = claimed.apply(&release, Some(&fence("ana", 1))).unwrap();
    assert!(untouched.workers.is_empty());
    assert_eq!((untouched.state, untouched.attempt), (TaskState::Ready, 0));
    let committed = TaskStep::Release {
        note: note(),
        has_commits: true,
    };
    let begun = claimed.apply(&committed, Some(&fence("ana", 1))).unwrap();
    assert_eq!(begun.workers, [name("ana")].into());
    assert_eq!((begun.state, begun.attempt), (TaskState::Ready, 1));
    let started = claimed
        .apply(&TaskStep::Start, Some(&fence("ana", 1)))
        .unwrap();
    let given_back = started.apply(&release, Some(&fence("ana", 1))).unwrap();
    assert_eq!(given_back.workers, [name("ana")].into());
    assert_eq!(given_back.attempt, 1);
    // There may be a change behind a lost lease, and behind a submission without a start.
    let lost = claimed.apply(&TaskStep::Revoke { note: note() }, None);
    assert_eq!(lost.unwrap().workers, [name("ana")].into());
    let submitted = claimed.apply(&submit(), Some(&fence("ana", 1))).unwrap();
    assert_eq!(submitted.workers, [name("ana")].into());
}

#[test]
fn a_round_of_review_uses_up_no_attempt() {
    let submitted = claimed().apply(&submit(), Some(&fence("ana", 1))).unwrap();
    let last = Task {
        attempt: 2,
        ..submitted
    };
    let failed = last.apply(&TaskStep::SendBack { note: note() }, None);
    assert_eq!(failed.unwrap().state, TaskState::Failed);
    let returned = last
        .apply(&TaskStep::Return { note: note() }, None)
        .unwrap();
    assert_eq!(
        (returned.state, returned.attempt, returned.max_attempts),
        (TaskState::Ready, 2, 3)
    );
}

#[test]
fn a_reviewer_of_another_epoch_is_told_that_of_the_change() {
    let submitted = claimed().apply(&submit(), Some(&fence("ana", 1))).unwrap();
    let refusal = submitted.check_epoch(Epoch(2)).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "t4 has no claim 2 yet: t4 is already in review under claim 1"
    );
    assert_eq!(
        refusal.hint().typed(),
        "read the submitted change with `agon team task show t4`, then name it with --epoch 1"
    );
}

#[test]
fn a_task_is_not_reopened_under_one_that_needs_it_done() {
    let done = Task {
        state: TaskState::Done,
        ..draft()
    };
    let step = TaskStep::Reopen {
        attempts: 1,
        note: note(),
        held: vec![TaskId::new(9)],
    };
    assert_eq!(
        done.apply(&step, None).unwrap_err().to_string(),
        "t4 cannot be reopened: t9 needs it done"
    );
}
