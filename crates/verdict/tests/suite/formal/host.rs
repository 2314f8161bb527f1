//! A host that plays a formal debate from a script, with tools that may fail.

#![expect(clippy::unwrap_used, reason = "a fixture may stop the test")]
#![expect(clippy::panic, reason = "a fixture may stop the test")]

use std::collections::BTreeMap;

use agon_record::event::{Asked, Cause, CauseCode, Class, Event, Given, Lost, Reply, Usage};
use agon_record::id::{AskKey, Seat, Stage, TurnId};
use agon_record::moves::Theses;
use agon_record::spec::Standby;
use agon_record::spec::{Caps, Effort, Seating, Spec};
use agon_record::state::State;
use agon_rules::format;
use agon_rules::plan::{Effect, Plan, plan};
use serde_json::{Value, json};

/// What a tool may do with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Good,
    /// A rule is broken that can be lived with.
    Wordy,
    /// A rule is broken that cannot.
    Broken,
    Garbage,
    Empty,
    Timeout,
    Busy,
    LoggedOut,
    Cancelled,
}

pub(crate) fn seating(tool: &str) -> Seating {
    Seating {
        tool: tool.parse().unwrap(),
        vendor: String::new(),
        model: None,
        effort: Effort::Medium,
        transport: "cli".to_owned(),
        version: None,
        budget: None,
        unmeasured: false,
        class: None,
        refused_model: None,
        ignores_effort: false,
    }
}

pub(crate) fn caps(calls: u32) -> Caps {
    Caps {
        calls,
        tokens: 10_000_000,
        time_ms: 1_800_000,
        cost_micros: None,
        reasks: 100,
    }
}

pub(crate) fn theses() -> Theses {
    Theses {
        proposition: "Cities should ban private cars.".to_owned(),
        opposition: "Cities should not ban private cars.".to_owned(),
    }
}

/// A debate with as many judges; the theses are to be asked for.
pub(crate) fn spec(judges: u8) -> Spec {
    let mut seats = BTreeMap::from([
        (Seat::Proposition, seating("claude")),
        (Seat::Opposition, seating("codex")),
    ]);
    seats.extend((1..=judges).map(|nth| (Seat::Judge(nth), seating("gemini"))));
    Spec {
        ulid: ulid::Ulid::nil(),
        seats,
        caps: caps(1_000),
        ask_timeout_ms: 240_000,
        same_tool: false,
        ..Spec::formal("ban-cars", "This house would ban private cars")
    }
}

/// A debate that is told to go on for `more` rebuttals.
pub(crate) fn open(judges: u8, more: u16) -> State {
    let mut state = State::open(spec(judges));
    go_on(&mut state, more);
    state
}

/// The debate goes on for `more` rebuttals, with the seats it has.
pub(crate) fn go_on(state: &mut State, more: u16) {
    let event = Event::Continued {
        through: format::target_exchange(state, more),
        seats: state.seats.clone(),
        caps: state.caps,
        standby: Standby::default(),
    };
    state.apply(&event).unwrap();
}

pub(crate) fn turn(text: &str) -> TurnId {
    text.parse().unwrap()
}

pub(crate) fn key(text: &str) -> AskKey {
    text.parse().unwrap()
}

fn contention(name: &str) -> Value {
    json!({
        "title": format!("A title of five {name}"),
        "claim": format!("The claim {name}"),
        "grounds": [{ "source": "notes", "content": "measured", "relevance": "It decides." }],
        "warrant": format!("The warrant {name}"),
    })
}

/// What judge `nth` gives the proposition in any exchange, in tenths.
pub(crate) fn tenths(nth: u8) -> i32 {
    [1, 5, 2][usize::from(nth - 1) % 3]
}

fn scoring(id: &str, tenths: i32) -> Value {
    json!({ "argument_id": id, "score": f64::from(tenths) / 10.0, "reasoning": format!("{tenths} tenths.") })
}

/// The moves that a tool means to give.
fn moves(at: TurnId) -> Value {
    let (exchange, seat) = match at.stage {
        Stage::Theses => return serde_json::to_value(theses()).unwrap(),
        Stage::Round(exchange) => (exchange, at.seat),
        Stage::Verdict | Stage::Swap => panic!("a formal debate has no verdict"),
    };
    let (us, them) = match seat {
        Seat::Opposition => ("opp", "prop"),
        Seat::Proposition | Seat::Proposer | Seat::Challenger | Seat::Judge(_) => ("prop", "opp"),
    };
    match (seat, exchange) {
        (Seat::Judge(nth), 0) => {
            let ours = tenths(nth);
            let ids = ["a", "b", "c"].map(|letter| {
                [
                    scoring(&format!("prop_000{letter}"), ours),
                    scoring(&format!("opp_000{letter}"), -ours),
                ]
            });
            json!({ "scores": ids.concat() })
        }
        (Seat::Judge(nth), _) => {
            let scores = [("prop", 1), ("opp", -1)]
                .map(|(side, sign)| scoring(&format!("{side}_{exchange:03}"), sign * tenths(nth)));
            json!({ "scores": scores })
        }
        (_, 0) => json!(["x", "y", "z"].map(contention)),
        (_, _) => {
            let mut one = contention("later");
            one["attacks"] = json!([
                { "target_id": format!("{them}_000b"), "attack_type": "claim_attack", "content": "No." }
            ]);
            one["defends"] = json!([
                { "target_id": format!("{us}_000a"), "defense_type": "clarify", "content": "So." }
            ]);
            one
        }
    }
}

/// `value` with a text in it that is too long.
fn wordy(mut value: Value) -> Value {
    let long = json!("word ".repeat(90));
    if value.is_array() {
        value[1]["claim"] = long;
    } else if value["scores"].is_array() {
        value["scores"][1]["reasoning"] = long;
    } else if value["proposition"].is_string() {
        value["proposition"] = long;
    } else {
        value["claim"] = long;
    }
    value
}

/// `value` with a breach that makes it unusable.
fn broken(mut value: Value) -> Value {
    if value.is_array() {
        value.as_array_mut().unwrap().pop();
    } else if value["scores"].is_array() {
        value["scores"][0]["score"] = json!(0.9);
    } else if value["proposition"].is_string() {
        value["proposition"] = json!("-");
    } else {
        value["attacks"][0]["target_id"] = json!("prop_999");
    }
    value
}

pub(crate) fn asked(state: &State, effect: &Effect) -> Event {
    let seating = &state.seats[&effect.key.turn.seat];
    Event::Asked(Asked {
        key: effect.key,
        tool: seating.tool.clone(),
        model: None,
        effort: seating.effort,
        timeout_ms: 240_000,
        // The estimate grows with what came before, so it would show the order of the calls.
        reserved: 4_000,
        parts: Vec::new(),
        prompt_version: 5,
        session: None,
        sent_parts: None,
        user_inputs: 0,
        past_onset: None,
        seat_findings: Vec::new(),
    })
}

pub(crate) fn given(key: AskKey, text: String) -> Event {
    Event::Given(Given {
        key,
        reply: Reply::Text(text),
        usage: Usage {
            input: 900,
            output: 300,
            ..Usage::default()
        },
        took_ms: 10,
        clock_ms: 10,
        at_ms: Some(1_700_000_000_000),
        stop_reason: None,
        model: None,
        redacted: 0,
    })
}

pub(crate) fn outcome(key: AskKey, act: Act) -> Event {
    let reply = |moves: Value| given(key, format!("So:\n```json\n{moves}\n```\n"));
    let lost = |class, code| {
        let cause = Cause {
            code,
            detail: String::new(),
        };
        Event::Lost(Lost {
            key,
            class,
            cause,
            usage: None,
            took_ms: 10,
            clock_ms: 10,
        })
    };
    match act {
        Act::Good => reply(moves(key.turn)),
        Act::Wordy => reply(wordy(moves(key.turn))),
        Act::Broken => reply(broken(moves(key.turn))),
        Act::Garbage => given(key, "I would rather not say.".to_owned()),
        Act::Empty => lost(Class::Tool, CauseCode::Empty),
        Act::Timeout => lost(Class::Retry { after_ms: 5 }, CauseCode::Timeout),
        Act::Busy => lost(Class::Retry { after_ms: 5 }, CauseCode::RateLimited),
        Act::LoggedOut => lost(Class::User, CauseCode::LoggedOut),
        Act::Cancelled => lost(Class::Cancelled, CauseCode::Cancelled),
    }
}

/// Plays on until nothing is to be done; gives the batches that were recorded.
///
/// `act` says what the tool makes of an attempt at a call, counted from 0;
/// `pick` which of the calls under way comes back next.
pub(crate) fn play(
    state: &mut State,
    mut act: impl FnMut(AskKey, usize) -> Act,
    mut pick: impl FnMut(usize) -> usize,
) -> Vec<Vec<Event>> {
    let mut tried: BTreeMap<AskKey, usize> = BTreeMap::new();
    let mut batches = Vec::new();
    let mut open: Vec<Effect> = Vec::new();
    for _ in 0..2_000 {
        let batch = match plan(state) {
            Plan::Close => return batches,
            Plan::Wait(wanted) => panic!("nobody is to be asked: {wanted:?}"),
            Plan::Resolve(keys) => panic!("nothing is pinned: {keys:?}"),
            Plan::Decide(events) => events,
            Plan::Perform(effects) => {
                let new = effects.into_iter();
                let new: Vec<_> = new
                    .filter(|effect| open.iter().all(|known| known.key != effect.key))
                    .collect();
                if new.is_empty() {
                    let effect = open.remove(pick(open.len()));
                    let nth = tried.entry(effect.key).or_default();
                    *nth += 1;
                    vec![outcome(effect.key, act(effect.key, *nth - 1))]
                } else {
                    open.extend(&new);
                    new.iter().map(|effect| asked(state, effect)).collect()
                }
            }
        };
        for event in &batch {
            state.apply(event).unwrap();
        }
        batches.push(batch);
    }
    panic!("the debate does not rest");
}
