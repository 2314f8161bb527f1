//! Every way a tool can fail, at every seat: how the debate ends.

use std::fmt::Write;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agon_testkit::{Behaviour, sample};
use serde_json::Value;

use crate::scenarios::place::Fakes;
use crate::scenarios::seen::{controls, files, secrets};
use crate::support::Ran;

/// Debates under way at once: they mostly wait.
const AT_ONCE: usize = 6;

/// Rows of the table that run by default, of 84.
const SAMPLE: usize = 16;

/// Where a tool misbehaves: what it is called here, the tool, the turn.
const PLACES: [(&str, &str, &str); 4] = [
    ("proposer, round 1", "claude", "r1.pro"),
    ("challenger, round 1", "codex", "r1.cha"),
    ("challenger, round 2", "codex", "r2.cha"),
    ("judge", "gemini", "verdict.judge"),
];

/// One way to misbehave, and how the debate ends for each place.
struct Scenario {
    name: &'static str,
    behaviour: Behaviour,
    /// Seconds for a turn.
    timeout: &'static str,
    /// Seconds in which the debate has ended.
    within: u64,
    ends: [End; 4],
}

/// Exit code; authority and what is missing, or the error and its cause; replies sent back.
type End = (i32, &'static str, usize);

const FULL: End = (0, "full", 0);
const FULL_AGAIN: End = (0, "full", 1);

/// A turn that gives nothing, for this cause, after so many replies sent back.
const fn lost(sent_back: usize, causes: [&'static str; 3]) -> [End; 4] {
    let [proposer, first, second] = causes;
    [
        (1, proposer, sent_back),
        (7, first, sent_back),
        (0, second, sent_back),
        (0, "unstable, judged by codex", sent_back),
    ]
}

macro_rules! lost {
    ($sent_back:expr, $cause:literal) => {
        lost(
            $sent_back,
            [
                concat!("proposer_lost: ", $cause),
                concat!("uncontested: challenger 1 ", $cause),
                concat!("partial: challenger 2 ", $cause),
            ],
        )
    };
}

const fn scenario(name: &'static str, behaviour: Behaviour, ends: [End; 4]) -> Scenario {
    Scenario {
        name,
        behaviour,
        timeout: "60",
        within: 60,
        ends,
    }
}

/// A tool that does not answer: two attempts of two seconds, a pause between, and the end.
const fn silent(name: &'static str, behaviour: Behaviour) -> Scenario {
    let ends = lost!(0, "timeout");
    Scenario {
        timeout: "2",
        within: 40,
        ..scenario(name, behaviour, ends)
    }
}

fn scenarios() -> Vec<Scenario> {
    let user = {
        let stands = (4, "logged_out", 0);
        // There is enough for a verdict, and nobody to log in.
        let judged = (0, "partial: challenger 2 logged_out", 0);
        [stands, stands, judged, stands]
    };
    // Its escapes stand in the first text of the moves: at the proposer that is prose, elsewhere
    // an id or a seat, which is then none.
    let [_, painted @ ..] = lost!(1, "no_moves");
    let [painted_first, painted_second, painted_judge] = painted;
    // Only the shape of its error tells what Codex met.
    let unclear = {
        let [proposer, _, _, judge] = lost!(0, "unavailable");
        let [_, first, second, _] = lost!(0, "failed");
        [proposer, first, second, judge]
    };
    // A reply without moves is nothing from the proposer and the judge; from the challenger it is
    // a challenge of nothing.
    let empty_handed = {
        let [proposer, _, _, judge] = lost!(1, "no_moves");
        let [_, first, second, _] = lost!(1, "rule_broken");
        [proposer, first, second, judge]
    };
    vec![
        scenario("good", Behaviour::Good, [FULL; 4]),
        scenario("slow", Behaviour::Slow(400), [FULL; 4]),
        silent("hang", Behaviour::Hang),
        silent("half of its output, then hang", Behaviour::PartialThenHang),
        scenario(
            "all of its output, then hang",
            Behaviour::DoneThenHang,
            [FULL; 4],
        ),
        silent("ignores TERM", Behaviour::IgnoreTerm),
        scenario("garbage", Behaviour::Garbage, lost!(1, "unreadable")),
        scenario("half a reply", Behaviour::Half, lost!(1, "no_moves")),
        scenario(
            "wrong moves, then right",
            Behaviour::WrongThenRight,
            [FULL_AGAIN; 4],
        ),
        scenario("wrong moves always", Behaviour::WrongAlways, empty_handed),
        scenario("empty, rc 0", Behaviour::Empty, lost!(1, "empty")),
        scenario("error text, rc 0", Behaviour::ErrorText, unclear),
        scenario("rc 1", Behaviour::Rc1, lost!(0, "failed")),
        Scenario {
            within: 20,
            ..scenario("1 GiB flood", Behaviour::Flood, lost!(1, "too_large"))
        },
        scenario(
            "grandchild keeps the pipe",
            Behaviour::Grandchild,
            [FULL; 4],
        ),
        scenario("secret in the reply", Behaviour::Secret, [FULL; 4]),
        scenario(
            "ANSI and bidi",
            Behaviour::Ansi,
            [FULL, painted_first, painted_second, painted_judge],
        ),
        scenario("401", Behaviour::Auth, user),
        scenario("429", Behaviour::RateLimit, lost!(0, "rate_limited")),
        scenario("a signal", Behaviour::Signal, lost!(0, "failed")),
        scenario("rc 1 twice, then good", Behaviour::FailFirst(2), [FULL; 4]),
    ]
}

/// One line of the table.
struct Row {
    scenario: &'static str,
    place: &'static str,
    exit: Option<i32>,
    outcome: String,
    sent_back: usize,
    took: Duration,
    left: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn every_way_to_fail_ends_as_it_should_at_every_seat() {
    let scenarios = scenarios();
    let cases: Vec<(usize, usize)> = (0..scenarios.len())
        .flat_map(|scenario| (0..PLACES.len()).map(move |place| (scenario, place)))
        .collect();
    let cases = sample("ways to fail", cases, SAMPLE);
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::SeqCst);
            let Some((scenario, place)) = cases.get(at) else {
                return;
            };
            let row = row(&scenarios[*scenario], *place);
            rows.lock().unwrap().push((at, row));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(at, _)| *at);
    assert_eq!(rows.len(), cases.len());

    let mut table = "| scenario | where | exit | authority or error, cause | sent back | seconds | processes left |\n\
                     |---|---|---|---|---|---|---|\n"
        .to_owned();
    for (_, row) in &rows {
        let exit = row
            .exit
            .map_or("signal".to_owned(), |code| code.to_string());
        writeln!(
            table,
            "| {} | {} | {exit} | {} | {} | {:.1} | {} |",
            row.scenario,
            row.place,
            row.outcome,
            row.sent_back,
            row.took.as_secs_f32(),
            row.left.len(),
        )
        .unwrap();
    }
    eprintln!("{table}");
    let wrong: Vec<_> = rows.into_iter().flat_map(|(_, row)| row.wrong).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

/// Runs one scenario at one place, and finds all that is not as it should be.
fn row(scenario: &Scenario, at: usize) -> Row {
    let (place, tool, turn) = PLACES[at];
    let (exit, outcome, sent_back) = scenario.ends[at];
    let fakes = Fakes::new();
    fakes.tools.set_scenario(tool, turn, scenario.behaviour);
    let ran = fakes.debate(&["--timeout", scenario.timeout]);
    let left = fakes.place.left();

    let mut wrong = Vec::new();
    let mut check = |what: &str, found: String, expected: String| {
        if found != expected {
            wrong.push(format!(
                "{}, {place}: {what} is {found}, not {expected}",
                scenario.name
            ));
        }
    };
    let found = outcome_of(&fakes, &ran);
    let events = fakes.events();
    let back = events
        .iter()
        .filter(|event| event["event"] == "sent_back")
        .count();
    check(
        "exit",
        format!("{:?}", ran.code),
        format!("{:?}", Some(exit)),
    );
    check("outcome", found.clone(), outcome.to_owned());
    check("replies sent back", back.to_string(), sent_back.to_string());
    let again = fakes
        .asks()
        .iter()
        .filter(|ask| ask.ends_with("#1"))
        .count();
    check(
        "turns asked again",
        (again > 0).to_string(),
        (sent_back > 0).to_string(),
    );
    check("left", format!("{left:?}"), "[]".to_owned());
    let late = ran.took > Duration::from_secs(scenario.within);
    check(
        "time",
        format!("{:?}", late.then_some(ran.took)),
        "None".to_owned(),
    );

    let outside = said(&fakes, &ran, false);
    check(
        "unsafe to look at",
        format!("{:?}", controls(&outside)),
        "[]".to_owned(),
    );
    let inside = said(&fakes, &ran, true);
    check(
        "secrets",
        format!("{:?}", secrets(inside.iter().chain(&outside))),
        "[]".to_owned(),
    );
    if scenario.behaviour == Behaviour::Secret {
        let redacted: u64 = events
            .iter()
            .filter_map(|event| event["redacted"].as_u64())
            .sum();
        check("secrets taken out", redacted.to_string(), "2".to_owned());
    }

    let checked = fakes.place.run(&["check", "s"]);
    // A reply that was there and could not be used is a finding.
    let findings = outcome.contains("no_moves") || outcome.contains("rule_broken");
    let expected = if findings { "Some(8) " } else { "Some(0) " };
    check(
        "check",
        format!("{:?} {}", checked.code, checked.stderr),
        expected.to_owned(),
    );
    if !matches!(exit, 0 | 7) {
        fakes.tools.clear_scenario();
        let resumed = fakes.resume();
        check(
            "resumed",
            format!("{:?} {}", resumed.code, outcome_of(&fakes, &resumed)),
            "Some(0) full".to_owned(),
        );
        check(
            "left by resume",
            format!("{:?}", fakes.place.left()),
            "[]".to_owned(),
        );
    }
    Row {
        scenario: scenario.name,
        place,
        exit: ran.code,
        outcome: found,
        sent_back: back,
        took: ran.took,
        left,
        wrong,
    }
}

/// Authority and what is missing of it; without a verdict, the error and what caused it.
fn outcome_of(fakes: &Fakes, ran: &Ran) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let Some(verdict) = fakes.place.verdict() else {
        let halted = fakes
            .events()
            .into_iter()
            .rfind(|event| event["event"] == "halted");
        let cause = halted.map(|event| text(&event["reason"]["cause"]["code"]));
        let (code, cause) = (ran.ended().1, cause.unwrap_or_default());
        return if code == cause {
            code
        } else {
            format!("{code}: {cause}")
        };
    };
    let mut outcome = text(&verdict["authority"]);
    for missing in verdict["missing"].as_array().unwrap() {
        let (seat, cause) = (text(&missing["seat"]), text(&missing["cause"]));
        write!(outcome, ": {seat} {} {cause}", missing["round"]).unwrap();
    }
    let judge = text(&verdict["seats"]["judge"]["tool"]);
    if matches!(&*outcome, "full" | "unstable") && judge != "gemini" {
        write!(outcome, ", judged by {judge}").unwrap();
    }
    outcome
}

/// All that was written: for people to look at, or (`inside`) for the program and the tools.
pub(crate) fn said(fakes: &Fakes, ran: &Ran, inside: bool) -> Vec<(String, Vec<u8>)> {
    let folder = fakes.place.folder();
    let read = |path: std::path::PathBuf| {
        (
            path.display().to_string(),
            fs::read(folder.join(path)).unwrap(),
        )
    };
    let of_folder = files(&folder)
        .into_iter()
        .filter(|path| path.starts_with(".agon") == inside);
    let mut said: Vec<_> = of_folder.map(read).collect();
    if inside {
        let asks = fakes
            .tools
            .asks()
            .into_iter()
            .filter_map(|call| call.prompt);
        said.extend(asks.map(|number| {
            (
                format!("prompt {number}"),
                fakes.tools.prompt(number).into_bytes(),
            )
        }));
        return said;
    }
    let streams = |name: &str, ran: &Ran| {
        [("stdout", &ran.stdout), ("stderr", &ran.stderr)]
            .map(|(stream, text)| (format!("{stream} of {name}"), text.clone().into_bytes()))
    };
    said.extend(streams("debate --json", ran));
    for shown in [
        &["show", "s"][..],
        &["show", "s", "--section", "transcript"],
        &["report", "s", "--format", "transcript"],
    ] {
        said.extend(streams(&shown.join(" "), &fakes.place.run(shown)));
    }
    said
}
