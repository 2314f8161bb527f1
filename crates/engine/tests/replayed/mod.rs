//! Replays records.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::Unwatched;
use agon_engine::replay::{Played, Replay};
use agon_engine::run::run_debate;
use agon_prompt::PROMPT_VERSION;
use agon_record::event::{Cap, Event, Reply};
use agon_record::finding::{Finding, Severity};
use tokio_util::sync::CancellationToken;

use crate::scripted::spec;
use crate::table;

async fn recorded() -> MemoryHost {
    let (table, _) = table(Duration::ZERO);
    let mut host = MemoryHost::open(spec());
    let never = CancellationToken::new();
    run_debate(&mut host, &table, &mut Unwatched, &never)
        .await
        .unwrap();
    host
}

fn replay(events: &[Event]) -> Replay {
    let mut replay = Replay::open(&events[0]).unwrap();
    for event in &events[1..] {
        replay.play(event).unwrap();
    }
    replay
}

fn differences(events: &[Event]) -> Vec<String> {
    let replay = replay(events);
    replay
        .differences()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[tokio::test]
async fn a_record_comes_out_as_it_was() {
    let host = recorded().await;
    let replay = replay(host.events());
    assert_eq!(replay.differences(), []);
    assert_eq!(replay.state(), host.state());
    let Played {
        prompts, decisions, ..
    } = replay.played();
    // Eight turns are played; each of them and the end is a decision.
    assert_eq!((prompts, decisions), (8, 9));
}

/// Returns a record in which the challenger's prompt had other rules.
async fn told_other_rules(version: u32) -> Vec<Event> {
    let mut events = recorded().await.events().to_vec();
    for event in &mut events {
        if let Event::Asked(asked) = event
            && asked.key.to_string() == "r1.cha#0"
        {
            let rules = asked.parts.iter_mut().rfind(|part| part.kind == "rules");
            rules.unwrap().hash = "0".repeat(64);
            asked.prompt_version = version;
        }
    }
    events
}

#[tokio::test]
async fn a_prompt_that_would_be_another_now_is_named_by_its_part() {
    let events = told_other_rules(PROMPT_VERSION).await;
    assert_eq!(
        differences(&events),
        ["r1.cha#0: the prompt differs in its part rules"]
    );
}

#[tokio::test]
async fn the_text_of_a_prompt_of_another_version_is_counted_and_not_compared() {
    let mut events = told_other_rules(3).await;
    let before = replay(&events);
    assert_eq!(before.differences(), []);
    let versions = BTreeMap::from([(3, 1), (PROMPT_VERSION, 7)]);
    assert_eq!(before.prompt_versions(), &versions);

    // Its inputs are compared.
    for event in &mut events {
        if let Event::Asked(asked) = event
            && asked.key.to_string() == "r1.cha#0"
        {
            let told = asked.parts.iter().position(|part| part.kind == "turn");
            asked.parts.remove(told.unwrap());
        }
    }
    let told = format!(
        "r1.cha#0: the prompt differs in its part turn (recorded with prompt version 3, now {PROMPT_VERSION})"
    );
    assert_eq!(differences(&events), [told]);
}

/// Returns a record in which the proposer's first answer has an unknown key.
async fn with_an_unknown_key() -> Vec<Event> {
    let mut events = recorded().await.events().to_vec();
    for event in &mut events {
        if let Event::Given(given) = event
            && given.key.to_string() == "r0.pro#0"
            && let Reply::Text(text) = &mut given.reply
        {
            *text = text.replacen("\"answer\":", "\"mood\": 1, \"answer\":", 1);
        } else if let Event::Admitted { key, findings, .. } = event
            && key.to_string() == "r0.pro#0"
        {
            findings.push(Finding {
                code: "reply-unknown-key".to_owned(),
                severity: Severity::Warning,
                turn: key.turn,
                at: "mood".to_owned(),
                path: None,
                span: None,
                message: "this key is unknown and ignored".to_owned(),
                hint: "remove it".to_owned(),
            });
        }
    }
    events
}

#[tokio::test]
async fn the_words_of_a_finding_of_an_older_version_are_not_compared_and_its_rule_is() {
    let decisions = |events: &[Event]| {
        let all = differences(events).into_iter();
        all.filter(|said| said.starts_with("then: "))
            .collect::<Vec<_>>()
    };
    let saying = |events: &[Event], code: &str, message: &str| {
        let mut events = events.to_vec();
        for event in &mut events {
            if let Event::Admitted { findings, .. } = event
                && let Some(finding) = findings.first_mut()
            {
                code.clone_into(&mut finding.code);
                message.clone_into(&mut finding.message);
            }
        }
        events
    };
    let recorded = with_an_unknown_key().await;
    assert_eq!(decisions(&recorded), [""; 0]);
    let reworded = saying(&recorded, "reply-unknown-key", "in other words");
    assert_ne!(decisions(&reworded), [""; 0]);
    assert_eq!(decisions(&older(reworded)), [""; 0]);
    let other = saying(&recorded, "duel-praise", "in other words");
    assert_ne!(decisions(&older(other)), [""; 0]);
}

/// Returns `events` with every prompt in an older version.
fn older(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        if let Event::Asked(asked) = event {
            asked.prompt_version = PROMPT_VERSION - 1;
        }
    }
    events
}

#[tokio::test]
async fn what_followed_from_the_bounds_of_an_older_version_is_named_and_not_compared() {
    let recorded = recorded().await.events().to_vec();
    let mut events = recorded.clone();
    for event in &mut events {
        if let Event::Asked(asked) = event {
            asked.reserved += 1;
        }
    }
    let cap = Cap::Tokens;
    let at = recorded
        .iter()
        .rposition(|event| matches!(event, Event::Admitted { .. }));
    events.insert(at.unwrap() + 1, Event::Capped { cap });
    assert_ne!(differences(&events), [""; 0]);
    let older = replay(&older(events));
    assert_eq!(older.differences(), []);
    let named: Vec<_> = older
        .excused_differences()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(named[0], "then: a limit reached; now: closed");
}

#[tokio::test]
async fn what_was_admitted_is_compared_whatever_the_version() {
    let mut events = recorded().await.events().to_vec();
    let ids = events.iter_mut().find_map(|event| {
        if let Event::Admitted { key, ids, .. } = event
            && key.to_string() == "r1.pro#0"
        {
            return Some(ids);
        }
        None
    });
    ids.unwrap().swap(0, 1);
    let told = "then: r1.pro#0 admitted; now: r1.pro#0 admitted";
    let older = older(events);
    assert_eq!(differences(&older)[0], told);
}

#[tokio::test]
async fn a_decision_that_would_be_another_now_is_named_with_both() {
    let mut events = recorded().await.events().to_vec();
    let admitted = events.iter_mut().find_map(|event| {
        if let Event::Admitted { key, findings, .. } = event
            && key.to_string() == "r1.pro#0"
        {
            return Some(findings);
        }
        None
    });
    admitted.unwrap().push(Finding {
        code: "duel-praise".to_owned(),
        severity: Severity::Warning,
        turn: "r1.pro".parse().unwrap(),
        at: String::new(),
        path: None,
        span: None,
        message: String::new(),
        hint: String::new(),
    });
    let differences = differences(&events);
    assert_eq!(
        differences[0],
        "then: r1.pro#0 admitted with duel-praise; now: r1.pro#0 admitted"
    );
}

#[tokio::test]
async fn a_call_that_nobody_planned_is_named() {
    let mut events = recorded().await.events().to_vec();
    let last = events
        .iter()
        .rposition(|event| matches!(event, Event::Asked(_)));
    let unplanned = events[last.unwrap()].clone();
    events.truncate(1);
    events.push(unplanned);
    let found = differences(&events);
    assert_eq!(found[0], "verdict.swap#0: would not be called now");
}

#[tokio::test]
async fn who_would_be_asked_in_another_way_now_is_named() {
    let mut events = recorded().await.events().to_vec();
    for event in &mut events {
        if let Event::Asked(asked) = event
            && asked.key.to_string() == "r1.pro#0"
        {
            asked.model = Some("another".to_owned());
            asked.reserved += 1;
        }
    }
    let found = differences(&events);
    assert_eq!(
        found[0],
        "r1.pro#0: would be called with another model, reserve"
    );
}

#[tokio::test]
async fn a_bound_that_would_not_be_reached_now_is_named_and_the_clock_is_taken_as_it_was() {
    let capped = async |cap| {
        let mut events = recorded().await.events().to_vec();
        events.insert(1, Event::Capped { cap });
        differences(&events)
    };
    let found = capped(Cap::Tokens).await;
    assert_eq!(found[0], "then: a limit reached; now: nothing");
    let timed = capped(Cap::Time).await;
    assert!(
        timed.iter().all(|found| !found.contains("a limit reached")),
        "{timed:?}"
    );
}
