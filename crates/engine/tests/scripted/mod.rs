//! Agents in this process that answer from a hand-written debate.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_agents::Agent;
use agon_agents::scripted::{Act, Scripted};
use agon_engine::run_context::RunContext;
use agon_proc::Watch;
use agon_record::id::Seat;
use agon_record::spec::{Caps, DuelSpec, Effort, Kind, Seating, Spec};
use agon_redact::Redactor;

const SCRIPT: &str = include_str!("../../../testkit/scripts/job-store.json");

/// The requested turns, in order.
pub(crate) type Asked = Arc<Mutex<Vec<String>>>;

/// Returns the replies of the hand-written duel by turn, including the ruling with the sides
/// swapped.
pub(crate) fn replies() -> BTreeMap<String, Vec<String>> {
    let file: serde_json::Value = serde_json::from_str(SCRIPT).unwrap();
    let mut turns: BTreeMap<String, Vec<String>> =
        serde_json::from_value(file["turns"].clone()).unwrap();
    // With the sides swapped, the judge rules for the same side under its swapped name.
    let ruling = turns["verdict.judge"][0].replace("\"winner\": \"proposer\"", "\"winner\": \"B\"");
    let sides = ruling.replace("\"proposer\":", "\"side_b\":");
    let sides = sides.replace("\"challenger\":", "\"side_a\":");
    let swap = sides.replace("pro_0", "b_0").replace("cha_0", "a_0");
    turns.insert("verdict.swap".to_owned(), vec![swap]);
    turns
}

/// Returns a context with three agents that take `latency` for an answer of the hand-written duel.
pub(crate) fn table(latency: Duration, watch: Arc<dyn Watch>) -> (RunContext, Asked) {
    let turns = Arc::new(replies());
    let asked = Asked::default();
    let agents = ["one", "two", "three"].map(|name| {
        let (turns, asked) = (Arc::clone(&turns), Arc::clone(&asked));
        let agent = Scripted::new(name.parse().unwrap(), move |ask| {
            let named = |line: &str| line.strip_prefix("Turn: ").map(str::to_owned);
            let turn = ask.prompt.lines().rev().find_map(named).unwrap();
            let text = turns[&turn][0].clone();
            asked.lock().unwrap().push(turn);
            if latency.is_zero() {
                Act::Say(text)
            } else {
                Act::SayAfter(latency, text)
            }
        });
        Arc::new(agent) as Arc<dyn Agent>
    });
    (
        RunContext::new(agents, Arc::new(Redactor::new()), watch),
        asked,
    )
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

/// Returns a two-round duel between `one` and `two`, judged by `three`.
pub(crate) fn spec() -> Spec {
    Spec {
        ulid: ulid::Ulid::nil(),
        seats: BTreeMap::from([
            (Seat::Proposer, seating("one", "a")),
            (Seat::Challenger, seating("two", "b")),
            (Seat::JUDGE, seating("three", "c")),
        ]),
        caps: Caps {
            calls: 12,
            tokens: 1_000_000,
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
        ..Spec::duel("job-store", "SQLite or plain files for the job store?")
    }
}
