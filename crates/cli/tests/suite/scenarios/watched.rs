//! A debate that is watched from another terminal, and what is read on one.

use std::path::Path;

use agon_testkit::{Behaviour, Terminal};
use jsonschema::validator_for;
use serde_json::Value;

use crate::scenarios::place::{Fakes, debate};

fn terminal(fakes: &Fakes, args: &[&str]) -> Terminal {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    Terminal::start(program, args, &fakes.place.project(), &fakes.place.env)
}

/// A debate that runs in the background and takes `ms` for the proposer's turn.
fn started(ms: u64) -> Fakes {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(ms));
    let ran = fakes.place.run(&debate(&["--detach"]));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("agon.started"), "{ran:#?}");
    fakes
}

#[test]
fn a_debate_that_runs_elsewhere_is_watched_to_its_verdict() {
    let fakes = started(3_000);
    let mut watching = terminal(&fakes, &["watch", "s"]);
    watching.until("watching; ^C stops watching, not the debate");
    let (code, screen) = watching.end();
    assert_eq!(code, Some(0), "{screen}");
    let screen = anstream::adapter::strip_str(&screen).to_string();
    for shown in [
        "first answers  ",
        "pro_001a  Claim and lease are two steps",
        "━━ Use SQLite for the job store",
        "the proposer (claude) wins",
        "Do next",
    ] {
        assert!(screen.contains(shown), "no {shown}: {screen}");
    }
    // Once it is over, the verdict comes at once.
    let again = fakes.place.run(&["watch", "s"]);
    assert_eq!(again.code, Some(0), "{again:#?}");
    assert!(again.stdout.starts_with("━━ Use SQLite"), "{again:#?}");
}

#[test]
fn whoever_stops_watching_stops_nothing() {
    let fakes = started(60_000);
    let mut watching = terminal(&fakes, &["watch"]);
    watching.until("round 1   claude");
    watching.press("\u{3}");
    let (code, screen) = watching.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(
        screen.contains("stopped watching; the debate continues"),
        "{screen}"
    );
    let seen = fakes.place.run(&["wait", "s", "--timeout", "0", "--json"]);
    assert_eq!(seen.json()["state"], "running");
    assert_eq!(fakes.place.run(&["stop", "s"]).code, Some(0));
}

#[test]
fn every_event_is_a_line_that_keeps_its_schema() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    let ran = fakes.place.run(&["watch", "s", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let schema = fakes.place.run(&["schema", "event"]).json();
    let valid = validator_for(&schema).unwrap();
    let (last, events) = lines.split_last().unwrap();
    assert_eq!(
        (&last["schema"], &last["state"]),
        (&"agon.status/1".into(), &"done".into())
    );
    for event in events {
        assert!(valid.is_valid(event), "{event}");
    }
    let kinds: Vec<_> = events
        .iter()
        .map(|event| event["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.first(), Some(&"opened"));
    assert_eq!(kinds.last(), Some(&"closed"));
    let opening = events
        .iter()
        .find(|event| event["kind"] == "admitted" && event["turn"] == "r1.pro");
    let opening = opening.unwrap();
    assert_eq!(opening["points"][0]["id"], "pro_001a");
    assert_eq!(
        (&opening["seat"], &opening["tool"]),
        (&"proposer".into(), &"claude".into())
    );
}

#[test]
fn a_long_text_goes_through_the_pager_and_a_pipe_never_does() {
    let mut fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    let pager = "sed -e s/^/PAGED:/".to_owned();
    fakes.place.env.insert("AGON_PAGER".into(), pager);
    let shown = |args: &[&str]| {
        let (code, screen) = terminal(&fakes, args).end();
        assert_eq!(code, Some(0), "{screen}");
        screen
    };
    let long = ["show", "s", "--section", "transcript"];
    assert!(shown(&long).contains("PAGED:"));
    assert!(!shown(&[&long[..], &["--no-pager"]].concat()).contains("PAGED:"));
    assert!(!shown(&[&long[..], &["--json"]].concat()).contains("PAGED:"));
    // What fits the screen is printed at once.
    assert!(!shown(&["show", "s", "pro_001a"]).contains("PAGED:"));
    assert!(shown(&["debate", "--help-all"]).contains("PAGED:"));
    assert!(!fakes.place.run(&long).stdout.contains("PAGED:"));
    // One that cannot be started hides nothing.
    fakes
        .place
        .env
        .insert("AGON_PAGER".into(), "/no/such/pager".into());
    let (code, screen) = terminal(&fakes, &long).end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("use --no-pager"), "{screen}");
    assert!(screen.contains("two writers can both own it."), "{screen}");
}

#[test]
fn lines_are_as_wide_as_is_asked_and_whole_in_a_pipe() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    for args in [
        &["show", "s"][..],
        &["show", "s", "--full"],
        &["show", "s", "--section", "arguments", "--full"],
        &["list"],
        &["list", "--full"],
        &["evidence", "s", "--full"],
        &["rules"],
        &["schema"],
        &["graph", "s"],
        &["usage"],
        &["check", "s"],
    ] {
        for width in ["40", "60"] {
            let ran = fakes.place.run(&[args, &["--width", width]].concat());
            let most: usize = width.parse().unwrap();
            let wide = ran.stdout.lines().find(|line| line.chars().count() > most);
            assert_eq!(wide, None, "{args:?} at {width}");
        }
        let piped = fakes.place.run(args).stdout;
        assert!(!piped.contains('…'), "{args:?}: {piped}");
    }
    let piped = fakes.place.run(&["show", "s"]).stdout;
    let why = piped
        .lines()
        .find(|line| line.starts_with("Why  "))
        .unwrap();
    assert!(
        why.contains("With two writers one job can be claimed twice"),
        "{why}"
    );
    assert!(why.ends_with("which both sides now say."), "{why}");
}

#[test]
fn a_narrower_terminal_is_written_to_in_its_new_width() {
    let fakes = started(60_000);
    let mut watching = terminal(&fakes, &["watch", "s"]);
    watching.until("round 1   claude");
    watching.resize(60);
    watching.wait_until("lines of a call at the new width", || {
        watching.screen().contains("\u{1b}[J")
    });
    assert_eq!(fakes.place.run(&["stop", "s"]).code, Some(0));
    let (code, screen) = watching.end();
    assert_eq!(code, Some(0), "{screen}");
}
