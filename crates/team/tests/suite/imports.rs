//! A foreign file is refused, or every command works on the result.

use agon_team::gate::GateRun;
use agon_team::lock::LockMode;
use agon_team::store::{
    HolderStep, LockRequest, MailRequest, NewSession, NewTask, Recipient, ReviewVerdict,
    StoreError, Team, TeamLimits, TurnUsage,
};
use agon_team::task::WaitReason;
use agon_team::time::Deadline;
use serde_json::{Map, Value, json};

use crate::support::{HandClock, World, assert_sound, name, submit, tree};

/// Values that another program, or a person with an editor, may put into any column.
fn others() -> Vec<Value> {
    let deadline = |boot: &str| {
        let latest = i64::MAX;
        let text = json!({ "boot": boot, "uptime_ms": latest, "wall_ms": latest });
        Value::from(text.to_string())
    };
    vec![
        Value::Null,
        json!(""),
        json!("no such word\n\u{1b}[31m"),
        json!("[]"),
        json!(-1),
        json!(i64::MAX),
        json!(2),
        deadline("boot-1"),
        deadline("boot-2"),
    ]
}

/// Returns an export with a row in each table.
fn exported() -> Vec<String> {
    let mut world = World::new();
    let reviewed = world.add(NewTask {
        gates: ["tests".parse().unwrap()].into(),
        needs_review: true,
        ..NewTask::default()
    });
    let held = world.add(NewTask {
        needs: [reviewed].into(),
        ..NewTask::default()
    });
    world.team.remove_need(&world.lena, held, reviewed).unwrap();
    let World { team, ana, ben, .. } = &mut world;
    let epoch = crate::support::claim(team, ana, Some(reviewed)).epoch;
    team.step(ana, reviewed, epoch, &submit('a')).unwrap();
    let gate = GateRun {
        gate: "tests".parse().unwrap(),
        tree: tree('a'),
        passed: true,
        outcome: "passed".to_owned(),
        took_ms: 1,
        log: None,
    };
    team.record_gate(ben, reviewed, &gate).unwrap();
    let word = ReviewVerdict {
        tree: &tree('a'),
        approved: true,
        note: "read",
    };
    team.review(ben, reviewed, epoch, &word).unwrap();

    let session = NewSession {
        member: name("ana"),
        host: "claude".to_owned(),
        model: None,
        profile: None,
        task: Some(held),
        work_tree: None,
        log: None,
        base: None,
        replaces: None,
        runner: None,
    };
    let session = team.begin_session(ana, &session).unwrap();
    let epoch = team.task(held).unwrap().epoch;
    let lock = LockRequest {
        task: held,
        epoch,
        globs: vec!["src/**".parse().unwrap()].try_into().unwrap(),
        mode: LockMode::Exclusive,
        reason: String::new(),
    };
    team.lock(ana, &lock).unwrap();
    let usage = TurnUsage {
        took_ms: 9,
        tokens: None,
        cost_micros: None,
    };
    team.record_usage(session, &usage).unwrap();
    let waits = HolderStep::Wait {
        reason: WaitReason::Input,
        for_ms: 1_000,
    };
    team.step(ana, held, epoch, &waits).unwrap();
    let mail = MailRequest {
        to: Recipient::Member(name("ben")),
        body: "here".to_owned(),
        thread: None,
        urgent: false,
        key: None,
    };
    team.send(ana, &mail).unwrap();
    team.fetch(ben, 9).unwrap();
    let mut out = Vec::new();
    world.team.export(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn import(lines: &[String]) -> Result<Team, StoreError> {
    let mut team = Team::in_memory(HandClock::new(), TeamLimits::default()).unwrap();
    team.import(lines.join("\n").as_bytes())?;
    Ok(team)
}

/// Reads everything that a command could read.
fn read_all(team: &mut Team) -> Result<(), StoreError> {
    let longest = i64::try_from(TeamLimits::default().max_lease_ms).unwrap();
    let check = |until: &Deadline| {
        assert!(until.wall_ms <= 1_700_000_000_000 + longest, "{until:?}");
        if &*until.boot == "boot-1" {
            assert!(
                until.uptime_ms <= 1_000 + longest.unsigned_abs(),
                "{until:?}"
            );
        }
    };
    for member in team.members()? {
        team.unread(&member.name)?;
    }
    for task in team.tasks()? {
        task.lease.iter().for_each(|lease| check(&lease.until));
        team.why(task.id)?;
        team.gate_runs(task.id)?;
        team.reviews(task.id)?;
    }
    team.explain_all()?;
    team.unread_by_member()?;
    team.locks()?;
    team.sessions()?;
    team.usage()?;
    team.tallies()?;
    team.events(0, 1_000)?;
    Ok(())
}

#[test]
fn any_value_in_any_column_is_refused_or_read_by_every_command() {
    let lines = exported();
    let mut tables: Vec<String> = Vec::new();
    let (mut refused, mut taken) = (0, 0);
    for (at, line) in lines.iter().enumerate().skip(1) {
        let whole: Value = serde_json::from_str(line).unwrap();
        let row: &Map<String, Value> = whole["row"].as_object().unwrap();
        let table = whole["table"].as_str().unwrap();
        if table == "event" && tables.iter().any(|it| it == table) {
            continue;
        }
        tables.push(table.to_owned());
        for column in row.keys() {
            for other in others() {
                let mut changed = whole.clone();
                changed["row"][column] = other.clone();
                let mut all = lines.clone();
                all[at] = changed.to_string();
                match import(&all) {
                    Err(_) => refused += 1,
                    Ok(mut team) => {
                        taken += 1;
                        if let Err(error) = read_all(&mut team) {
                            panic!("{table}.{column} = {other}: {error}");
                        }
                        assert_sound(&team);
                    }
                }
            }
        }
    }
    tables.dedup();
    let expected = [
        "member",
        "task",
        "task_gate",
        "task_worker",
        "path_lock",
        "message",
        "delivery",
        "gate_run",
        "review",
        "session",
        "session_usage",
        "event",
    ];
    assert_eq!(tables, expected);
    assert!(refused > 100 && taken > 100, "{refused} {taken}");
}

#[test]
fn a_file_without_end_is_refused_within_a_bound() {
    let mut team = Team::in_memory(HandClock::new(), TeamLimits::default()).unwrap();
    let endless = std::io::BufReader::new(std::io::repeat(b'0'));
    let error = team.import(endless).unwrap_err().to_string();
    assert!(error.contains("is longer than"), "{error}");
    let head = b"{\"schema\":\"agon.team_export/1\"}\n".as_slice();
    let zeros = std::io::Read::chain(head, std::io::repeat(0));
    let error = team.import(std::io::BufReader::new(zeros)).unwrap_err();
    assert!(error.to_string().contains("line 2"), "{error}");
}
