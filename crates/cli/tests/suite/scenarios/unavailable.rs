//! A judge that cannot rule, as the program meets it: another tool takes the seat.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use agon_testkit::{Behaviour, FakeTools, Script, TOOLS, is_full};

use crate::scenarios::place::Fakes;

/// Debates under way at once: they mostly wait.
const AT_ONCE: usize = 6;

const WAYS: [(&str, Behaviour); 8] = [
    ("529", Behaviour::Overloaded),
    ("a signal", Behaviour::Signal),
    ("exit 1", Behaviour::Rc1),
    ("hangs", Behaviour::Hang),
    ("429", Behaviour::RateLimit),
    ("garbage", Behaviour::Garbage),
    ("wrong moves", Behaviour::WrongAlways),
    ("empty", Behaviour::Empty),
];
/// Those that are tried unless all are asked for.
const USUAL: usize = 2;

/// Further arguments; whether a panel of three sits, which goes on without the lost judge.
const BOUNDS: [(&[&str], bool); 4] = [
    (&[], false),
    (&["--max-calls", "8"], false),
    (&["--quick"], false),
    (&["--deep"], true),
];

/// The verdict of a debate whose first judge, and the same with the sides swapped, never rules.
fn judged(behaviour: Behaviour, (bounds, panel): (&[&str], bool)) -> (Option<i32>, String) {
    let fakes = match panel {
        true => Fakes::with(FakeTools::with(&TOOLS)),
        false => Fakes::new(),
    };
    match bounds {
        ["--deep"] => fakes.tools.set_script(&Script::job_store_three_rounds()),
        ["--quick"] => fakes.tools.set_script(&Script::job_store_quick()),
        _ => {}
    }
    for turn in ["verdict.judge", "verdict.swap"] {
        fakes.tools.set_scenario("gemini", turn, behaviour);
    }
    let ran = fakes.debate(&[bounds, &["--timeout", "3"]].concat());
    let verdict = fakes.place.verdict();
    let told = verdict.map_or_else(
        || ran.ended().1,
        |verdict| {
            let judge = &verdict["readings"]["judge"];
            let [authority, tool, seat] = [&verdict["authority"], &judge["tool"], &judge["seat"]]
                .map(|value| value.as_str().unwrap_or_default());
            format!("{authority}: {tool} as {seat}")
        },
    );
    assert_eq!(fakes.place.left(), Vec::<String>::new());
    (ran.code, told)
}

#[test]
fn a_judge_that_cannot_rule_costs_no_verdict() {
    let ways = &WAYS[..if is_full() { WAYS.len() } else { USUAL }];
    let next = AtomicUsize::new(0);
    let ended = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::SeqCst);
            let Some((name, behaviour)) = ways.get(at / BOUNDS.len()) else {
                return;
            };
            let bound = BOUNDS[at % BOUNDS.len()];
            let told = judged(*behaviour, bound);
            ended.lock().unwrap().push((at, *name, bound, told));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    let mut ended = ended.into_inner().unwrap();
    ended.sort_by_key(|(at, ..)| *at);
    let mut table = "| the judge | arguments | exit | verdict |\n|---|---|---|---|\n".to_owned();
    let mut wrong = Vec::new();
    for (_, name, (bounds, panel), told) in &ended {
        let (exit, verdict) = told;
        writeln!(
            table,
            "| {name} | {} | {exit:?} | {verdict} |",
            bounds.join(" ")
        )
        .unwrap();
        let expected = match panel {
            true => (Some(0), "full: opencode as judge-2".to_owned()),
            false => (Some(0), "unstable: codex as judge".to_owned()),
        };
        if *told != expected {
            wrong.push(format!("{name}, {bounds:?}: {told:?}"));
        }
    }
    eprintln!("{table}");
    assert_eq!(ended.len(), ways.len() * BOUNDS.len());
    assert_eq!(wrong, Vec::<String>::new());
}
