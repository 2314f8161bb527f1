//! A host that plays duels: it asks the plan and answers from the hand-written duel.

use std::collections::BTreeMap;

use agon_record::event::{Asked, Cause, CauseCode, Class, Event, Given, Lost, Reply, Usage};
use agon_record::ground::{self, GroundStamp, Pinned};
use agon_record::id::{AskKey, Seat, Stage, TurnId};
use agon_record::spec::{Caps, DuelSpec, Effort, Kind, Seating, Spec, ToolName};
use agon_record::stamp::{Location, SourceText, Stamp, Stamped};
use agon_record::state::State;
use agon_record::user::UserRequest;
use agon_rules::plan::{self, Effect, ParsedReplies, Plan, plan};
use agon_rules::steer::accept_request;
use proptest::prelude::*;

const SCRIPT: &str = include_str!("../../../../testkit/scripts/job-store.json");

/// The reply of the hand-written duel to `turn`; every judge rules for the proposer.
pub(crate) fn scripted(turn: TurnId) -> String {
    let file: serde_json::Value = serde_json::from_str(SCRIPT).unwrap();
    let at = match turn.stage {
        Stage::Verdict | Stage::Swap => "verdict.judge".to_owned(),
        // Nothing was written for further rounds: the sides say again what they said.
        Stage::Round(3..) => TurnId::round(2, turn.seat).to_string(),
        Stage::Theses | Stage::Round(_) => turn.to_string(),
    };
    let reply = file["turns"][at][0].as_str().unwrap();
    match turn.stage {
        Stage::Swap => hidden(reply),
        Stage::Theses | Stage::Round(_) | Stage::Verdict => reply.to_owned(),
    }
}

/// A ruling with the names that the sides have in a swap.
pub(crate) fn hidden(ruling: &str) -> String {
    let winner = ruling.replace("\"winner\": \"proposer\"", "\"winner\": \"B\"");
    let winner = winner.replace("\"winner\": \"challenger\"", "\"winner\": \"A\"");
    let sides = winner.replace("\"proposer\":", "\"side_b\":");
    let sides = sides.replace("\"challenger\":", "\"side_a\":");
    sides.replace("pro_0", "b_0").replace("cha_0", "a_0")
}

/// `ruling`, for the challenger.
pub(crate) fn turned(ruling: &str) -> String {
    let turned = ruling.replace("\"winner\": \"proposer\"", "\"winner\": \"challenger\"");
    assert_ne!(turned, ruling);
    turned
}

pub(crate) fn seating(tool: &str, vendor: &str) -> Seating {
    Seating {
        tool: tool.parse().unwrap(),
        vendor: vendor.to_owned(),
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

pub(crate) fn spec(blind: bool, calls: u32) -> Spec {
    Spec {
        ulid: ulid::Ulid::nil(),
        seats: BTreeMap::from([
            (Seat::Proposer, seating("claude", "anthropic")),
            (Seat::Challenger, seating("codex", "openai")),
            (Seat::JUDGE, seating("gemini", "google")),
        ]),
        caps: Caps {
            calls,
            tokens: 250_000,
            time_ms: 1_800_000,
            cost_micros: None,
            reasks: 4,
        },
        ask_timeout_ms: 240_000,
        same_tool: false,
        kind: Kind::duel(DuelSpec {
            substitutes: vec![seating("opencode", "")],
            rounds: 2,
            blind,
            swap: true,
            ask_on_agreement: false,
            options: None,
        }),
        ..Spec::duel("job-store", "SQLite or plain files for the job store?")
    }
}

/// What is found for the reply to `key`: the words stand nowhere.
fn looked_up(state: &State, key: AskKey) -> Event {
    let moves = plan::moves_awaiting_lookup(state, key, &mut ParsedReplies::default()).unwrap();
    let stamps = ground::grounds_of_moves(&moves).into_iter().map(|cited| {
        let there = SourceText {
            place: Location {
                file: "src/store.rs".to_owned(),
                commit: None,
                lines: [1, 1],
            },
            from: 1,
            text: vec!["mod claim;".to_owned()],
            cut: false,
            blob: "0".repeat(64),
        };
        GroundStamp {
            point: cited.point,
            ground: cited.ground,
            stamped: Stamped {
                citation: cited.said.citation.clone().unwrap_or_default(),
                extracted: false,
                stamp: Stamp::Wrong {
                    there,
                    nearest: None,
                    case_differs: false,
                    elsewhere: Vec::new(),
                },
            },
        }
    });
    let stamps = stamps.collect();
    Event::Stamped {
        key,
        stamps,
        commits: None,
        runs: 0,
    }
}

pub(crate) fn with_a_source(blind: bool, calls: u32) -> Spec {
    let source = Pinned {
        about: "repo at 3f1c9ae".to_owned(),
        commit: None,
        manifest: "0".repeat(64),
        root: None,
        pages: false,
    };
    Spec {
        source: Some(source),
        ..spec(blind, calls)
    }
}

/// `spec` with a panel of so many judges, each of a tool of its own.
pub(crate) fn panel(judges: u8, mut spec: Spec) -> Spec {
    for (number, tool) in (2..=judges).zip(["copilot", "kiro"]) {
        spec.seats.insert(Seat::Judge(number), seating(tool, tool));
    }
    spec
}

/// What a tool may do with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Good,
    /// A ruling for the other side; elsewhere as good as [`Act::Good`].
    Turned,
    Garbage,
    Empty,
    Timeout,
    Busy,
    LoggedOut,
    NoModel,
    Cancelled,
}

pub(crate) fn acts() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => Just(Act::Good),
        2 => Just(Act::Turned),
        2 => Just(Act::Garbage),
        1 => Just(Act::Empty),
        1 => Just(Act::Timeout),
        1 => Just(Act::Busy),
        1 => Just(Act::LoggedOut),
        1 => Just(Act::NoModel),
        1 => Just(Act::Cancelled),
    ]
}

pub(crate) fn asked(state: &State, effect: &Effect) -> Event {
    let seating = &state.seats[&effect.key.turn.seat];
    Event::Asked(Asked {
        key: effect.key,
        tool: seating.tool.clone(),
        model: seating.model.clone(),
        effort: seating.effort,
        timeout_ms: 240_000,
        reserved: effect.reserve,
        parts: Vec::new(),
        prompt_version: 5,
        session: None,
        sent_parts: None,
        user_inputs: u32::try_from(state.words.len()).unwrap(),
        past_onset: None,
        seat_findings: Vec::new(),
    })
}

pub(crate) fn outcome(key: AskKey, act: Act) -> Event {
    let given = |text: &str| {
        Event::Given(Given {
            key,
            reply: Reply::Text(text.to_owned()),
            usage: Usage {
                input: 900,
                output: 300,
                ..Usage::default()
            },
            took_ms: 10,
            clock_ms: 10,
            at_ms: None,
            stop_reason: None,
            model: None,
            redacted: 0,
        })
    };
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
        Act::Turned if key.turn.stage == Stage::Swap => {
            given(&hidden(&turned(&scripted(TurnId::verdict(Seat::JUDGE)))))
        }
        Act::Turned if key.turn.seat.is_judge() => given(&turned(&scripted(key.turn))),
        Act::Good | Act::Turned => given(&scripted(key.turn)),
        Act::Garbage => given("I would rather not say."),
        Act::Empty => lost(Class::Tool, CauseCode::Empty),
        Act::Timeout => lost(Class::Retry { after_ms: 5 }, CauseCode::Timeout),
        Act::Busy => lost(Class::Retry { after_ms: 5 }, CauseCode::RateLimited),
        Act::LoggedOut => lost(Class::User, CauseCode::LoggedOut),
        Act::NoModel => lost(Class::User, CauseCode::NoSuchModel),
        Act::Cancelled => lost(Class::Cancelled, CauseCode::Cancelled),
    }
}

/// Runs a duel to its end; `act` says what a tool makes of an ask, and `pick`
/// which of the open calls comes back next.
pub(crate) fn run(
    spec: Spec,
    mut act: impl FnMut(AskKey) -> Act,
    pick: impl FnMut(usize) -> usize,
) -> Vec<Event> {
    run_tools(spec, |key, _, _| act(key), pick)
}

/// As [`run`]; `act` is told the tool, too, and how often it was asked this before.
pub(crate) fn run_tools(
    spec: Spec,
    act: impl FnMut(AskKey, &ToolName, usize) -> Act,
    pick: impl FnMut(usize) -> usize,
) -> Vec<Event> {
    run_steered(spec, act, pick, |_| None)
}

/// As [`run_tools`]; before every step `steer` may say what the user wants.
pub(crate) fn run_steered(
    spec: Spec,
    mut act: impl FnMut(AskKey, &ToolName, usize) -> Act,
    mut pick: impl FnMut(usize) -> usize,
    mut steer: impl FnMut(&State) -> Option<UserRequest>,
) -> Vec<Event> {
    let mut state = State::open(spec.clone());
    let mut events = vec![Event::Opened(Box::new(spec))];
    let mut open: Vec<(Effect, ToolName)> = Vec::new();
    let mut asked_before: BTreeMap<(AskKey, ToolName), usize> = BTreeMap::new();
    for item in 1..=600_u128 {
        let wish = steer(&state).map(|wish| accept_request(&state, item.into(), &wish));
        if let Some(Ok(Some(event))) = wish {
            state.apply(&event).unwrap();
            events.push(event);
        }
        let next = match plan(&state) {
            Plan::Close if open.is_empty() => return events,
            Plan::Resolve(keys) => keys.iter().map(|&key| looked_up(&state, key)).collect(),
            Plan::Decide(events) => events,
            Plan::Wait(_) => vec![Event::Agreement { stop: false }],
            Plan::Perform(effects) if effects.iter().any(|e| is_new(&open, e)) => {
                let new: Vec<_> = effects.iter().filter(|e| is_new(&open, e)).collect();
                let asks = new.iter().map(|effect| asked(&state, effect)).collect();
                let tool = |effect: &&Effect| state.seats[&effect.key.turn.seat].tool.clone();
                let calls: Vec<_> = new.iter().map(|e| (**e, tool(e))).collect();
                open.extend(calls);
                asks
            }
            // A call that is paid for is heard out.
            Plan::Perform(_) | Plan::Close => {
                let (effect, tool) = open.remove(pick(open.len()));
                let nth = asked_before.entry((effect.key, tool.clone())).or_default();
                *nth += 1;
                vec![outcome(effect.key, act(effect.key, &tool, *nth - 1))]
            }
        };
        for event in &next {
            state.apply(event).unwrap();
        }
        events.extend(next);
    }
    panic!(
        "the duel does not close: {:?}",
        state.turns.keys().collect::<Vec<_>>()
    );
}

fn is_new(open: &[(Effect, ToolName)], effect: &Effect) -> bool {
    open.iter().all(|(known, _)| known.key != effect.key)
}
