//! `agon graph`: a graph solved, refused, given up, and read from stdin.

mod foreign;

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use agon_testkit::Sandbox;
use serde_json::json;

use crate::scenarios::place::Fakes;
use crate::support::{Place, Running};

/// An empty project with these files; no tool is needed for a graph.
fn place(files: &[(&str, &str)]) -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    let place = Place::new(sandbox, env);
    for (name, text) in files {
        fs::write(place.project().join(name), text).unwrap();
    }
    place
}

#[test]
fn the_graph_of_a_duel_is_shown_with_what_moves_when_points_are_struck() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let struck = ["--without", "pro_001a", "--without", "pro_001b"];
    let told = fakes.place.run(&[&["graph", "s"], &struck[..]].concat());
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    let line = "the challenger leads, 0.600 to 0.540; previously: the proposer leads";
    assert!(told.stdout.contains(line), "{}", told.stdout);
    let document = fakes
        .place
        .run(&["graph", "s", "--json", "--without", "pro_001a,pro_001b"]);
    let expected = json!({ "winner": "challenger", "before": "proposer", "equal": "challenger" });
    assert_eq!(document.json()["lead"], expected);
    let screen = fakes.place.run(&["show", "s", "--full"]).stdout;
    let row =
        "By the graph  Take away pro_001a, pro_001b and the challenger (Plain files) is ahead.";
    assert!(screen.contains(row), "{screen}");
}

#[test]
fn a_search_is_given_up_and_a_bad_file_refused_with_their_exit_codes() {
    let two = "arg(x,0.5). arg(y,0.5). arg(r,0.6). arg(s,0.6). arg(t,0.5).\n\
               sup(r,x). sup(s,x). sup(t,y).";
    let control = "arg(a).\natt(a,\u{1b}[31mb).\n";
    let place = place(&[("two.bag", two), ("control.apx", control)]);
    let flip = [
        "graph",
        "two.bag",
        "--task",
        "flip",
        "--topic",
        "x",
        "--against",
        "y",
    ];
    let found = place.run(&flip);
    assert_eq!((found.code, found.stderr.as_str()), (Some(0), ""));
    let last = "hangs on r, s: without it, y is ahead of x\n";
    assert!(found.stdout.ends_with(last), "{}", found.stdout);
    let short = place.run(&[&flip[..], &["--work", "2"]].concat());
    assert_eq!(short.code, Some(5), "{}", short.stdout);
    let why = "stopped after 2 steps";
    assert!(short.stderr.contains(why), "{}", short.stderr);
    let refused = place.run(&["graph", "control.apx", "--json"]);
    assert_eq!(refused.ended(), (Some(2), "not_a_graph".to_owned()));
    let shown = place.run(&["graph", "control.apx"]);
    assert!(!shown.stderr.contains("\u{1b}[31mb"), "{:?}", shown.stderr);
}

#[test]
fn a_graph_is_read_from_stdin_when_its_format_is_said() {
    let place = place(&[]);
    let mut command = place.command(&["graph", "-", "--from", "i23", "--format", "apx"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"p af 3\n1 2\n2 3\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let expected = "arg(1).\narg(2).\narg(3).\natt(1,2).\natt(2,3).\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn ctrl_c_ends_a_search_without_end() {
    let pairs =
        (0..60).map(|at| format!("arg(a{at}). arg(b{at}). att(a{at},b{at}). att(b{at},a{at})."));
    let place = place(&[("pairs.apx", &pairs.collect::<Vec<_>>().join("\n"))]);
    let limit = u32::MAX.to_string();
    let args = [
        "graph",
        "pairs.apx",
        "--semantics",
        "stable",
        "--limit",
        &limit,
    ];
    let running = Running::start(place.command(&args));
    running.interrupt();
    let ran = running.end();
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (None, ""),
        "it ended by the signal"
    );
}
