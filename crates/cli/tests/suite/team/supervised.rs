//! Every kind of health and of trouble, with real processes at a hundredth of the real limits: who is
//! healthy is never touched, and what is wrong is seen for what it is, no earlier and not much later
//! than its limit.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::started::Team;
use crate::support::signal;

/// How often each healthy kind is run.
fn rounds() -> usize {
    match agon_testkit::is_full() {
        true => 100,
        false => 1,
    }
}

/// Rounds that run beside each other, in a repository of their own: each turn looks at all other work
/// trees before and after, and what grows with their number is no matter of health.
const AT_ONCE: usize = 2;

/// What is healthy. `waits` and `patient` are silent for longer than any limit.
const HEALTHY: [&str; 6] = ["slow", "edits", "long", "good", "waits", "patient"];

#[test]
fn who_is_healthy_is_never_touched() {
    let rounds: Vec<usize> = (0..rounds()).collect();
    for batch in rounds.chunks(AT_ONCE) {
        let said = watch_over_healthy(batch);
        assert!(!said.contains("step:"), "{said}");
        for state in ["idle", "waiting", "working"] {
            assert!(said.contains(&format!(": {state} (")), "{state}: {said}");
        }
    }
    let turns = rounds.len() * HEALTHY.len();
    println!("{turns} turns of healthy members, none of them touched");
}

/// Has each healthy kind work in each of these rounds; gives what the watch said.
fn watch_over_healthy(rounds: &[usize]) -> String {
    let team = Team::new();
    let watch = team.watch();
    let mut started = Vec::new();
    for (round, mood) in rounds.iter().flat_map(|it| HEALTHY.map(|mood| (it, mood))) {
        let name = format!("{mood}-{round}");
        team.mood(&name, mood);
        // One without a task is idle, and may be silent for as long as it likes.
        let task = (mood != "patient").then(|| team.task(&name));
        if let Some(task) = &task {
            team.mood(&format!("{name}.task"), task);
        }
        team.start(&name, task.as_deref(), false);
        started.push((name, task));
    }
    for (name, task) in started {
        if let Some(task) = &task {
            team.until("it is submitted", || team.task_state(task) == "review");
        }
        // What it submitted is in the file before its end is.
        team.until("it ended", || team.steps(&name)[0] == "finished");
        assert_eq!(team.pids(&name).len(), 1, "{name} was started once");
        let steps = team.steps(&name);
        let why = || team.json(&["status", "--why", &name]);
        assert_eq!(steps, ["finished", "none"], "{:#}", why());
    }
    watch.said()
}

/// A kind of trouble: what its tool does, and what it is seen for.
struct Trouble {
    mood: &'static str,
    state: &'static str,
    /// Words of the evidence.
    evidence: &'static str,
    /// Not before this, in milliseconds since it began.
    limit_ms: i64,
    /// The steps that follow, in order.
    steps: &'static [&'static str],
}

const OF_A_HANG: &[&str] = &["notice", "nudge", "revoke", "terminate", "restart"];
const OF_AN_END: &[&str] = &["revoke", "restart"];

const TROUBLES: [Trouble; 9] = [
    trouble("hang", "stalled", "its tool's output: ", 7_200, OF_A_HANG),
    trouble("stop", "stalled", "its tool's output: ", 7_200, OF_A_HANG),
    trouble(
        "mute",
        "stalled",
        "no sign since it was started",
        8_000,
        OF_A_HANG,
    ),
    trouble("stuck", "stalled", "its tool's output: ", 18_000, OF_A_HANG),
    trouble("loop", "stalled", "the same call", 0, OF_A_HANG),
    trouble("crash", "dead", "", 0, OF_AN_END),
    trouble("kill", "dead", "it was ended by signal 9", 0, OF_AN_END),
    trouble("empty", "failed_empty", "without a result", 0, OF_AN_END),
    trouble("nothing", "failed_empty", "without a result", 0, OF_AN_END),
];

const fn trouble(
    mood: &'static str,
    state: &'static str,
    evidence: &'static str,
    limit_ms: i64,
    steps: &'static [&'static str],
) -> Trouble {
    Trouble {
        mood,
        state,
        evidence,
        limit_ms,
        steps,
    }
}

/// How much later than its limit a state may be seen: this machine is busy.
const SLACK_MS: i64 = 6_000;

/// An event of the first session of a member: its kind without `session.`, when, and what it says.
fn events_of(team: &Team, name: &str) -> Vec<(String, i64, Value)> {
    let log = team.json(&["log"]);
    let events = log["events"].as_array().unwrap();
    let began = |it: &&Value| it["kind"] == "session.spawning" && it["detail"]["member"] == name;
    let session = &events.iter().find(began).unwrap()["subject"];
    let own = events.iter().filter(|it| it["subject"] == *session);
    own.map(|it| {
        let kind = it["kind"].as_str().unwrap().to_owned();
        (kind, it["at_ms"].as_i64().unwrap(), it["detail"].clone())
    })
    .collect()
}

#[test]
fn every_kind_of_trouble_is_seen_for_what_it_is_within_its_limit() {
    let team = Team::new();
    let watch = team.watch();
    let mut tasks = Vec::new();
    for trouble in &TROUBLES {
        let mood = match trouble.mood {
            "stop" | "kill" => "hang",
            other => other,
        };
        let name = trouble.mood;
        team.mood(name, &format!("{mood}\ngood"));
        let task = team.task(name);
        let args = [
            "start", "worker", "--host", "claude", "--name", name, "--task", &task,
        ];
        team.json(&[&args[..], &["--team-profile", "strict"]].concat());
        tasks.push(task);
    }
    let mut killed_ms = 0;
    for (name, sent) in [("stop", "STOP"), ("kill", "KILL")] {
        team.until("it spoke", || {
            !team.member(name)["ages"]["host_event_ms"].is_null()
        });
        signal(sent, team.pids(name)[0]);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        killed_ms = i64::try_from(now.unwrap().as_millis()).unwrap();
    }
    for (trouble, task) in TROUBLES.iter().zip(&tasks) {
        let name = trouble.mood;
        team.until("it is submitted", || team.task_state(task) == "review");
        assert_eq!(team.pids(name).len(), 2, "{name} was started again once");
        let session = team.member(name);
        assert_eq!(session["restarts"], 1, "{session:#}");
        assert_eq!(session["profile"], "strict", "{session:#}");
        let events = events_of(&team, name);
        let begun = events[0].1;
        let kind = format!("session.{}", trouble.state);
        let seen = events.iter().find(|(it, ..)| *it == kind);
        let (_, at, detail) = seen.unwrap_or_else(|| panic!("{name}: {events:?}"));
        let after = at - begun;
        let said = detail["evidence"].to_string();
        assert!(said.contains(trouble.evidence), "{name}: {said}");
        assert!(after >= trouble.limit_ms, "{name}: after {after} ms");
        let from = match name {
            "kill" => killed_ms - begun,
            // It has to start, and to repeat itself.
            _ => trouble.limit_ms + 4_000,
        };
        assert!(after <= from + SLACK_MS, "{name}: after {after} ms");
        let step = |(kind, _, detail): &(String, i64, Value)| match kind.as_str() {
            "session.step" => detail["step"].as_str().map(str::to_owned),
            "session.restarted" => Some("restart".to_owned()),
            _ => None,
        };
        let steps: Vec<_> = events.iter().filter_map(step).collect();
        assert_eq!(steps, trouble.steps, "{name}");
        println!("{name}: {} after {after} ms, {said}", trouble.state);
    }
    drop(watch);
}

#[test]
fn a_lead_that_died_is_told_to_the_others_and_waited_for_and_why_says_so() {
    let team = Team::new();
    let watch = team.watch();
    team.mood("boss", "hang");
    let args = ["start", "lead", "--host", "claude", "--name", "boss"];
    team.json(&args);
    team.until("it spoke", || {
        !team.member("boss")["ages"]["host_event_ms"].is_null()
    });
    signal("KILL", team.pids("boss")[0]);
    let begun = Instant::now();
    team.until("it is given up", || {
        team.steps("boss") == ["dead", "replace_lead"]
    });
    assert!(begun.elapsed() < Duration::from_secs(10));
    let why = team.json(&["status", "--why", "boss"]);
    let evidence = why["member"]["session"]["evidence"].to_string();
    assert!(evidence.contains("it was ended by signal 9"), "{why}");
    // The other lead, whose work tree this is, has it in its mail; that of the dead one waits for it.
    let mail = team.json(&["mail", "fetch"]);
    assert!(mail.to_string().contains("The lead boss is gone"), "{mail}");
    team.json(&["mail", "send", "boss", "Are you there?"]);
    let board = team.json(&["status"]);
    let members = board["members"].as_array().unwrap();
    let boss = members.iter().find(|it| it["name"] == "boss").unwrap();
    assert_eq!(boss["unread"], 1, "{boss}");
    assert_eq!(team.pids("boss").len(), 1, "a lead is not started again");
    // A person starts another under the same name: it is a session of its own.
    team.mood("boss", "hang\nhang");
    team.json(&args);
    team.until("it spoke", || {
        let session = team.member("boss");
        session["closed"] == false && !session["ages"]["host_event_ms"].is_null()
    });
    assert_eq!(team.steps("boss"), ["idle", "none"]);
    drop(watch);
}
