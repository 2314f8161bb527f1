//! Creates debate folders without a call: the domain plans each step, and a script answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_engine::host::{FolderHost, Host};
use agon_record::event::{Asked, Cause, CauseCode, Class, Event, Given, Lost, Reply, Usage};
use agon_record::id::{AskKey, Seat};
use agon_record::spec::{Caps, DuelSpec, Effort, Kind, Seating, Spec};
use agon_record::state::State;
use agon_rules::plan::{Plan, plan};
use agon_store::RealDisk;
use agon_testkit::{Cue, Script};

/// Returns the spec of a duel of claude against codex, judged by gemini.
pub(crate) fn spec(slug: &str) -> Spec {
    let seating = |tool: &str, vendor: &str| Seating {
        tool: tool.parse().unwrap(),
        vendor: vendor.to_owned(),
        model: None,
        effort: Effort::Medium,
        transport: "cli".to_owned(),
        version: Some("1.0.0".to_owned()),
        budget: None,
        unmeasured: false,
        class: None,
        refused_model: None,
        ignores_effort: false,
    };
    let seats = [
        (Seat::Proposer, seating("claude", "anthropic")),
        (Seat::Challenger, seating("codex", "openai")),
        (Seat::JUDGE, seating("gemini", "google")),
    ];
    Spec {
        ulid: "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap(),
        seats: seats.into(),
        caps: Caps {
            calls: 11,
            tokens: 250_000,
            time_ms: 1_800_000,
            cost_micros: None,
            reasks: 4,
        },
        ask_timeout_ms: 240_000,
        same_tool: false,
        kind: Kind::duel(DuelSpec {
            substitutes: Vec::new(),
            rounds: 2,
            blind: true,
            swap: true,
            ask_on_agreement: false,
            options: None,
        }),
        ..Spec::duel(slug, "SQLite or plain files for the job store?")
    }
}

/// Returns the spec of another debate, with its own id.
pub(crate) fn other(slug: &str, number: u128) -> Spec {
    Spec {
        ulid: number.into(),
        ..spec(slug)
    }
}

/// Creates a folder below `parent` in which `script` answered at most `calls` calls.
pub(crate) fn debate(parent: &Path, spec: Spec, script: &Script, calls: usize) -> PathBuf {
    let mut host = FolderHost::create(Arc::new(RealDisk), parent, spec, now).unwrap();
    answer(&mut host, script, calls);
    host.publish_documents().unwrap();
    host.folder().path().to_owned()
}

/// As [`debate`]; the next call then finds a logged-out tool.
pub(crate) fn halted(parent: &Path, spec: Spec, script: &Script, calls: usize) -> PathBuf {
    let mut host = FolderHost::create(Arc::new(RealDisk), parent, spec, now).unwrap();
    answer(&mut host, script, calls);
    let Plan::Perform(effects) = plan(host.state()) else {
        panic!("there is a next call");
    };
    let key = effects[0].key;
    let lost = Lost {
        key,
        class: Class::User,
        cause: Cause {
            code: CauseCode::LoggedOut,
            detail: "log in first".to_owned(),
        },
        usage: None,
        took_ms: 900,
        clock_ms: host.state().spent.clock_ms + 900,
    };
    let asked = asked(host.state(), key);
    host.record(&[asked]).unwrap();
    host.record(&[Event::Lost(lost)]).unwrap();
    answer(&mut host, script, 0);
    host.publish_documents().unwrap();
    host.folder().path().to_owned()
}

fn answer(host: &mut FolderHost, script: &Script, mut calls: usize) {
    loop {
        match plan(host.state()) {
            Plan::Decide(events) => host.record(&events).unwrap(),
            Plan::Resolve(keys) => panic!("nothing is pinned: {keys:?}"),
            Plan::Wait(_) => host.record(&[Event::Agreement { stop: false }]).unwrap(),
            Plan::Close => return,
            Plan::Perform(_) if calls == 0 => return,
            Plan::Perform(effects) => {
                let key = effects[0].key;
                let asked = asked(host.state(), key);
                host.record(&[asked]).unwrap();
                let clock_ms = host.state().spent.clock_ms + 41_000;
                host.record(&[given(key, script, clock_ms)]).unwrap();
                calls -= 1;
            }
        }
    }
}

fn asked(state: &State, key: AskKey) -> Event {
    let seating = &state.seats[&key.turn.seat];
    Event::Asked(Asked {
        key,
        tool: seating.tool.clone(),
        model: None,
        effort: Effort::Medium,
        timeout_ms: 240_000,
        reserved: 10_000,
        parts: Vec::new(),
        prompt_version: 1,
        session: None,
        sent_parts: None,
        user_inputs: 0,
        past_onset: None,
        seat_findings: Vec::new(),
    })
}

fn given(key: AskKey, script: &Script, clock_ms: u64) -> Event {
    let cue = Cue {
        turn: Some(key.turn.to_string()),
        again: usize::from(key.again),
    };
    let usage = Usage {
        input: 9_000,
        output: 800,
        ..Usage::default()
    };
    Event::Given(Given {
        key,
        reply: Reply::Text(script.reply(&cue).into_owned()),
        usage,
        took_ms: 41_000,
        clock_ms,
        at_ms: None,
        stop_reason: None,
        model: None,
        redacted: 0,
    })
}

/// 21 November 2026, eight in the evening.
fn now() -> u64 {
    1_795_291_200_000
}
