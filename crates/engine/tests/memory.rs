//! Debates that run in memory, with agents in this process.

#![expect(clippy::unwrap_used, reason = "tests")]

mod large;
mod replayed;
mod scripted;
mod seat_findings;
mod toy;
mod unavailable;
mod warm;

use std::sync::Arc;
use std::time::Duration;

use agon_engine::extend::resume_debate;
use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::Unwatched;
use agon_engine::run::{RunEnd, RunError, run_debate};
use agon_engine::run_context::RunContext;
use agon_prompt::PROMPT_VERSION;
use agon_record::event::{Cap, Event, Outcome};
use agon_record::state::State;
use agon_rules::plan::{Plan, plan};
use scripted::{Asked, spec};
use tokio_util::sync::CancellationToken;

fn table(latency: Duration) -> (RunContext, Asked) {
    scripted::table(latency, Arc::new(agon_proc::Unwatched))
}

/// A debate whose future was tied to one thread could not be spawned.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn debates_run_as_tasks_of_a_runtime_with_several_threads() {
    let (table, asked) = table(Duration::ZERO);
    let debates = (0..4).map(|_| {
        let table = table.clone();
        tokio::spawn(async move {
            let mut host = MemoryHost::open(spec());
            let cancel = CancellationToken::new();
            let ended = run_debate(&mut host, &table, &mut Unwatched, &cancel).await;
            (ended.unwrap(), host.state().closed)
        })
    });
    for debate in debates.collect::<Vec<_>>() {
        let ended = (RunEnd::Settled, Some(Outcome::Judged));
        assert_eq!(debate.await.unwrap(), ended);
    }
    assert_eq!(asked.lock().unwrap().len(), 4 * 8);
}

#[tokio::test(start_paused = true)]
async fn a_duel_runs_to_its_verdict_and_its_record_replays() {
    let (table, asked) = table(Duration::from_secs(1));
    let mut host = MemoryHost::open(spec());
    let ended = run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
        .await
        .unwrap();
    assert_eq!(ended, RunEnd::Settled);
    assert_eq!(host.state().closed, Some(Outcome::Judged));
    assert_eq!(&State::replay(host.events()).unwrap(), host.state());
    let turns = [
        "r0.pro",
        "r0.cha",
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
        "verdict.swap",
    ];
    assert_eq!(*asked.lock().unwrap(), turns);
    assert_eq!(
        host.state().spent.clock_ms,
        6_000,
        "the blind answers come side by side, and both rulings"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_is_recorded_before_it_is_made_and_a_reply_before_it_is_judged() {
    let (table, _) = table(Duration::from_secs(1));
    let mut host = MemoryHost::open(spec());
    run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
        .await
        .unwrap();
    let at = |wanted: fn(&Event) -> bool| host.events().iter().position(wanted).unwrap();
    let asked = at(|event| matches!(event, Event::Asked(_)));
    let given = at(|event| matches!(event, Event::Given(_)));
    let admitted = at(|event| matches!(event, Event::Admitted { .. }));
    assert!(
        asked < given && given < admitted,
        "{asked} {given} {admitted}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_stopped_run_goes_on_where_it_was() {
    let (table, asked) = table(Duration::from_secs(10));
    let mut host = MemoryHost::open(spec());
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let stopping = async move {
        tokio::time::sleep(Duration::from_secs(25)).await;
        stop.cancel();
    };
    let mut front = Unwatched;
    let (ended, ()) = tokio::join!(run_debate(&mut host, &table, &mut front, &cancel), stopping);
    assert_eq!(ended.unwrap(), RunEnd::Stopped);
    assert!(host.state().admitted("r1.pro".parse().unwrap()).is_some());
    assert!(host.state().closed.is_none());

    let caps = host.state().caps;
    resume_debate(&mut host, caps, false).unwrap();
    run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
        .await
        .unwrap();
    assert_eq!(host.state().closed, Some(Outcome::Judged));
    let turns = [
        "r0.pro",
        "r0.cha",
        "r1.pro",
        "r1.cha",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
        "verdict.swap",
    ];
    assert_eq!(*asked.lock().unwrap(), turns);
}

#[tokio::test(start_paused = true)]
async fn when_time_is_up_the_judge_rules_on_what_was_said() {
    let (table, _) = table(Duration::from_secs(10));
    let mut spec = spec();
    spec.caps.time_ms = 60_000;
    spec.ask_timeout_ms = 12_000;
    let mut host = MemoryHost::open(spec);
    run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
        .await
        .unwrap();
    assert_eq!(host.state().capped, Some(Cap::Time));
    assert_eq!(host.state().closed, Some(Outcome::Judged));
    assert!(host.state().spent.clock_ms <= 60_000);
}

#[tokio::test(start_paused = true)]
async fn a_stored_reply_to_another_prompt_is_not_used_unasked() {
    let (table, _) = table(Duration::from_secs(1));
    let mut host = MemoryHost::open(spec());
    run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
        .await
        .unwrap();
    let upto = |events: &[Event]| {
        events
            .iter()
            .position(|e| matches!(e, Event::Given(_)))
            .unwrap()
    };
    let mut events = host.events()[..=upto(host.events())].to_vec();
    for event in &mut events {
        if let Event::Asked(asked) = event {
            asked.parts[0].hash = "0".repeat(64);
        }
    }
    // An answer to a prompt of another version still counts, since it is paid for.
    let mut older = events.clone();
    for event in &mut older {
        if let Event::Asked(asked) = event {
            asked.prompt_version = PROMPT_VERSION - 1;
        }
    }
    let mut kept = MemoryHost::open(spec());
    kept.record(&older[1..]).unwrap();
    let caps = kept.state().caps;
    assert_eq!(resume_debate(&mut kept, caps, false).unwrap(), []);
    assert!(matches!(plan(kept.state()), Plan::Decide(_)));

    let mut again = MemoryHost::open(spec());
    again.record(&events[1..]).unwrap();
    assert!(matches!(plan(again.state()), Plan::Decide(_)));
    let refused = resume_debate(&mut again, caps, false).unwrap_err();
    assert!(
        matches!(refused, RunError::Stale { what: "prompt", .. }),
        "{refused}"
    );
    assert_eq!(resume_debate(&mut again, caps, true).unwrap().len(), 1);
    assert!(matches!(plan(again.state()), Plan::Perform(_)));
}
