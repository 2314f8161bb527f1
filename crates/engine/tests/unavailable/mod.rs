//! If a judge cannot rule, there is still a verdict whenever another tool can give one.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_agents::Agent;
use agon_agents::scripted::{Act, Scripted};
use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::Unwatched;
use agon_engine::run::run_debate;
use agon_engine::run_context::RunContext;
use agon_record::event::{CauseCode, Class, Event, Outcome};
use agon_record::id::{Seat, Stage};
use agon_record::spec::Spec;
use agon_redact::Redactor;
use agon_verdict::verdict::verdict;
use tokio_util::sync::CancellationToken;

use crate::scripted::{replies, seating, spec};

/// The time that a tool takes for an answer.
const LATENCY: Duration = Duration::from_secs(5);
/// The number of debates for each kind of failure and each limit.
const RUNS: u64 = 40;

/// A way in which a judge fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Overloaded,
    SlowDown,
    LimitUsedUp,
    Exit,
    Hang,
    Garbage,
    Half,
    Empty,
}

const WAYS: [Way; 8] = [
    Way::Overloaded,
    Way::SlowDown,
    Way::LimitUsedUp,
    Way::Exit,
    Way::Hang,
    Way::Garbage,
    Way::Half,
    Way::Empty,
];

impl Way {
    fn act(self, reply: &str) -> Act {
        let retry = |after_ms| Class::Retry { after_ms };
        match self {
            Self::Overloaded => Act::Fail(CauseCode::Unavailable, retry(2_000)),
            Self::SlowDown => Act::Fail(CauseCode::RateLimited, retry(20_000)),
            Self::LimitUsedUp => Act::Fail(CauseCode::RateLimited, Class::User),
            Self::Exit => Act::Fail(CauseCode::Failed, retry(2_000)),
            Self::Hang => Act::Hang,
            Self::Garbage => Act::SayAfter(LATENCY, "I would rather not say.".to_owned()),
            Self::Half => Act::SayAfter(LATENCY, reply.chars().take(400).collect()),
            Self::Empty => Act::Fail(CauseCode::Empty, Class::Tool),
        }
    }
}

impl Way {
    /// Returns whether it takes as long as an answer, or longer.
    fn takes_time(self) -> bool {
        matches!(self, Self::Hang | Self::Garbage | Self::Half)
    }
}

/// The limits of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Default,
    Quick,
    Deep,
    /// Exactly the planned number of calls.
    Planned,
    /// Too few calls for all turns.
    Fewer,
    /// So little time that the debaters are interrupted.
    Time,
}

const BOUNDS: [Bound; 6] = [
    Bound::Default,
    Bound::Quick,
    Bound::Deep,
    Bound::Planned,
    Bound::Fewer,
    Bound::Time,
];

/// Returns a duel of `one` and `two`, with `tools` tools installed.
fn duel(bound: Bound, tools: usize) -> Spec {
    let neutral = [("three", "c"), ("four", "d"), ("five", "e"), ("six", "f")];
    let judges = neutral.into_iter().take(tools - 2);
    let mut candidates: Vec<_> = judges.map(|(tool, vendor)| seating(tool, vendor)).collect();
    candidates.extend([seating("two", "b"), seating("one", "a")]);
    let mut spec = spec();
    let panel = if bound == Bound::Deep { 3 } else { 1 };
    let mut candidates = candidates.into_iter();
    for (number, judge) in (1..=panel).zip(candidates.by_ref()) {
        spec.seats.insert(Seat::Judge(number), judge);
    }
    spec.kind.as_duel_mut().unwrap().substitutes = candidates.collect();
    match bound {
        Bound::Quick => {
            let duel = spec.kind.as_duel_mut().unwrap();
            (duel.rounds, duel.blind, duel.swap) = (1, false, false);
        }
        Bound::Deep => spec.kind.as_duel_mut().unwrap().rounds = 2,
        Bound::Default | Bound::Planned | Bound::Fewer => {}
        Bound::Time => {
            spec.ask_timeout_ms = 40_000;
            spec.caps.time_ms = 60_000;
        }
    }
    let planned = spec.planned_calls();
    spec.caps.calls = match bound {
        Bound::Default | Bound::Quick | Bound::Deep | Bound::Time => planned + 4,
        Bound::Planned => planned,
        Bound::Fewer => planned - 2,
    };
    spec
}

/// Reproducible pseudo-random numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn way(&mut self) -> Way {
        WAYS[self.below(8) as usize]
    }
}

/// How a tool judges: the number and kind of its failures before it rules.
type Judging = BTreeMap<String, (u64, Way)>;

/// The result of a debate.
struct Ended {
    verdict: bool,
    authority: Option<&'static str>,
    /// Whether a verdict was possible: a tool would have ruled if asked, and calls and time were
    /// left.
    could: bool,
    said: String,
}

/// The first judge always fails in this way, the others randomly.
async fn debate(way: Way, bound: Bound, seed: u64) -> Ended {
    let mut chance = Chance(seed * 31 + way as u64 * 7 + bound as u64);
    for _ in 0..8 {
        chance.below(2);
    }
    let tools = 3 + chance.below(3) as usize;
    let spec = duel(bound, tools);
    let panel: Vec<_> = spec
        .seats
        .iter()
        .filter(|(seat, _)| seat.is_judge())
        .collect();
    let seated = panel.iter().map(|(_, judge)| judge.tool.to_string());
    let others = spec
        .substitutes()
        .iter()
        .map(|judge| judge.tool.to_string());
    let candidates: Vec<_> = seated.chain(others).collect();
    let judging: Judging = (0..)
        .zip(&candidates)
        .map(|(at, tool)| {
            let fails = match (at, chance.below(10)) {
                (0, _) => u64::MAX,
                (_, 0..6) => 0,
                (_, 6) => 1,
                (_, 7) => 2,
                _ => u64::MAX,
            };
            let another = chance.way();
            let way = if at == 0 { way } else { another };
            (tool.clone(), (fails, way))
        })
        .collect();
    // A debater that sometimes must be asked twice.
    let stumbles = ["r1.pro", "r1.cha", "r2.pro", "r2.cha", "", ""][chance.below(6) as usize];
    let mut host = MemoryHost::open(spec);
    let table = table(judging.clone(), stumbles);
    run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
        .await
        .unwrap();

    let events = host.events();
    let asked = |event: &&Event| matches!(event, Event::Asked(_));
    let judged = |event: &Event| matches!(event, Event::Asked(asked) if asked.key.turn.stage == Stage::Verdict);
    let at = events.iter().position(judged);
    let before = events[..at.unwrap_or(events.len())]
        .iter()
        .filter(asked)
        .count();
    let left = host.state().caps.calls as usize - before;
    let first = candidates.iter().position(|tool| judging[tool].0 == 0);
    let earlier = candidates.iter().take(first.unwrap_or_default());
    let slow = earlier.filter(|tool| judging[*tool].1.takes_time()).count();
    // The first judge gets half of the judges' time, the next one half of the rest. If two use
    // theirs, the minute of this limit leaves less than an answer takes.
    let in_time = bound != Bound::Time || slow <= 1;
    let state = host.state();
    assert!(state.spent.calls <= state.caps.calls, "{bound:?} {seed}");
    Ended {
        verdict: state.closed == Some(Outcome::Judged),
        authority: verdict(state).map(|verdict| verdict.authority.name()),
        could: in_time && first.is_some_and(|first| first < left),
        said: format!(
            "{way:?}, {bound:?}, {seed}: {candidates:?} {judging:?}, {left} calls left: {:?}",
            state.halted
        ),
    }
}

fn table(judging: Judging, stumbles: &'static str) -> RunContext {
    let turns = Arc::new(replies());
    let agents = ["one", "two", "three", "four", "five", "six"].map(|name| {
        let (turns, judging) = (Arc::clone(&turns), judging.clone());
        let asked: Mutex<BTreeMap<String, u64>> = Mutex::default();
        let agent = Scripted::new(name.parse().unwrap(), move |ask| {
            let named = |line: &str| line.strip_prefix("Turn: ").map(str::to_owned);
            let turn = ask.prompt.lines().rev().find_map(named).unwrap();
            let known = turn
                .rfind(".judge-")
                .map_or(turn.as_str(), |at| &turn[..at + 6]);
            let reply = turns[known][0].clone();
            let mut asked = asked.lock().unwrap();
            let before = asked.entry(turn.clone()).or_default();
            *before += 1;
            match judging.get(name) {
                Some((fails, way)) if turn.starts_with("verdict") && *before <= *fails => {
                    way.act(&reply)
                }
                _ if turn == stumbles && *before == 1 => Way::Exit.act(&reply),
                _ => Act::SayAfter(LATENCY, reply),
            }
        });
        Arc::new(agent) as Arc<dyn Agent>
    });
    RunContext::new(
        agents,
        Arc::new(Redactor::new()),
        Arc::new(agon_proc::Unwatched),
    )
}

#[tokio::test(start_paused = true)]
async fn there_is_a_verdict_whenever_a_judge_could_give_one() {
    let runs = if agon_testkit::is_full() {
        RUNS
    } else {
        RUNS / 10
    };
    let mut lost = Vec::new();
    let mut table =
        "| the judge | bounds | runs | could be had | verdicts | full | unstable | partial |\n\
                     |---|---|---|---|---|---|---|---|\n"
            .to_owned();
    for way in WAYS {
        for bound in BOUNDS {
            let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
            for seed in 0..runs {
                let ended = debate(way, bound, seed).await;
                let mut count = |what, is| *counts.entry(what).or_default() += u64::from(is);
                count("could", ended.could);
                count("verdict", ended.verdict);
                if let Some(authority) = ended.authority {
                    count(authority, true);
                }
                if ended.could && !ended.verdict {
                    lost.push(ended.said);
                }
            }
            let of = |what| counts.get(what).copied().unwrap_or(0);
            writeln!(
                table,
                "| {way:?} | {bound:?} | {runs} | {} | {} | {} | {} | {} |",
                of("could"),
                of("verdict"),
                of("full"),
                of("unstable"),
                of("partial")
            )
            .unwrap();
        }
    }
    if agon_testkit::is_full() {
        eprintln!("{table}");
    }
    assert_eq!(lost, Vec::<String>::new(), "{table}");
}
