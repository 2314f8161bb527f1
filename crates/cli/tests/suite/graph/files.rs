//! Graphs in files: read, solved, and refused with the line that is wrong.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use agon_testkit::Sandbox;
use serde_json::{Value, json};

use crate::support::{Place, Ran, Running};

/// An empty project; no tool is needed for a graph.
fn place(files: &[(&str, &str)]) -> Place {
    let sandbox = Sandbox::new();
    let env = sandbox.command_env();
    let place = Place::new(sandbox, env);
    for (name, text) in files {
        fs::write(place.project().join(name), text).unwrap();
    }
    place
}

fn graph(place: &Place, args: &[&str]) -> Ran {
    place.run(&[&["graph"], args].concat())
}

const CHAIN: &str = "p af 3\n1 2\n2 3\n";
const ODD: &str = "p af 3\n1 2\n2 3\n3 1\n";
const MUTUAL: &str =
    "arg(a). arg(b). arg(c). arg(d).\natt(a,b). att(b,a). att(a,c). att(b,c). att(c,d).";
const CLAIM: &str = "arg(claim,0.5). arg(p1,0.7). arg(p2,0.4). arg(c1,0.6). arg(d,0.9). arg(e,0.3).\n\
                     sup(p1,claim). sup(p2,claim). att(c1,claim). att(d,c1). sup(e,p2).";

#[test]
fn sets_are_printed_one_a_line() {
    let place = place(&[("chain.af", CHAIN), ("odd.af", ODD), ("mutual.apx", MUTUAL)]);
    for (args, stdout) in [
        (
            &["chain.af"][..],
            "chain.af · i23 · 3 nodes, 2 edges · grounded\n{1 3}\n1 extension\n",
        ),
        (
            &["odd.af", "--semantics", "stable"],
            "odd.af · i23 · 3 nodes, 3 edges · stable\nthere is no extension\n",
        ),
        (
            &["odd.af", "--semantics", "GR"],
            "odd.af · i23 · 3 nodes, 3 edges · grounded\n{}\n1 extension\n",
        ),
        (
            &[
                "mutual.apx",
                "--task",
                "acceptance",
                "--semantics",
                "preferred",
            ],
            "mutual.apx · apx · 4 nodes, 5 edges · preferred\nnode  some  every\na     yes   no\n\
             b     yes   no\nc     no    no\nd     yes   yes\n",
        ),
        (
            &[
                "mutual.apx",
                "--semantics",
                "st",
                "--limit",
                "1",
                "--without",
                "d",
            ],
            "mutual.apx · apx · 3 nodes, 4 edges · stable · without d\n",
        ),
    ] {
        let ran = graph(&place, args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        assert!(ran.stdout.starts_with(stdout), "{args:?}: {}", ran.stdout);
    }
    let two = graph(&place, &["mutual.apx", "--semantics", "stable", "--json"]);
    let two: Value = serde_json::from_str(&two.stdout).unwrap();
    let mut sets: Vec<_> = two["extensions"].as_array().unwrap().clone();
    sets.sort_by_key(ToString::to_string);
    assert_eq!(json!(sets), json!([["a", "d"], ["b", "d"]]));
    let one = graph(
        &place,
        &["mutual.apx", "--semantics", "stable", "--limit", "1"],
    );
    assert!(
        one.stdout.ends_with("1 extension of more\n"),
        "{}",
        one.stdout
    );
}

#[test]
fn strengths_and_what_moves_them_are_those_of_the_definitions() {
    let place = place(&[("t3.bag", CLAIM)]);
    for (semantics, claim) in [
        ("df-quad", 0.907),
        ("quadratic-energy", 0.700456223),
        ("euler", 0.620476181),
        ("mlp", 0.688867974),
    ] {
        let ran = graph(&place, &["t3.bag", "--semantics", semantics, "--json"]);
        let doc: Value = serde_json::from_str(&ran.stdout).unwrap();
        let found = doc["strengths"][0]["strength"].as_f64().unwrap();
        assert!((found - claim).abs() < 1e-9, "{semantics}: {found}");
    }
    let value = |args: &[&str], id: &str| {
        let ran = graph(
            &place,
            &[&["t3.bag", "--topic", "claim", "--json"], args].concat(),
        );
        let doc: Value = serde_json::from_str(&ran.stdout).unwrap();
        let list = doc["contributions"][0]["values"]
            .as_array()
            .unwrap()
            .clone();
        list.iter().find(|it| it["id"] == id).unwrap()["value"]
            .as_f64()
            .unwrap()
    };
    for (measure, p1, c1) in [
        ("removal", 0.147, -0.030),
        ("intrinsic", 0.147, -0.300),
        ("shapley", 0.259, -0.165),
        ("gradient", 0.210, -0.050),
    ] {
        let args = [
            "--task",
            "contributions",
            "--semantics",
            "df-quad",
            "--measure",
            measure,
        ];
        assert!((value(&args, "p1") - p1).abs() < 6e-4, "{measure}");
        assert!((value(&args, "c1") - c1).abs() < 6e-4, "{measure}");
    }
    let struck = graph(
        &place,
        &["t3.bag", "--semantics", "df-quad", "--without", "p1"],
    );
    let expected = "\
t3.bag · bag · 5 nodes, 4 edges · df-quad · exact · without p1

node   before  after   change
claim  0.907   0.760   -0.147
p1     0.700   struck
4 others did not move
";
    assert_eq!(struck.stdout, expected);
}

#[test]
fn what_turns_a_comparison_is_found_or_given_up_in_so_many_words() {
    let two = "arg(x,0.5). arg(y,0.5). arg(r,0.6). arg(s,0.6). arg(t,0.5).\n\
               sup(r,x). sup(s,x). sup(t,y).";
    let place = place(&[("two.bag", two)]);
    let flip = [
        "two.bag",
        "--task",
        "flip",
        "--topic",
        "x",
        "--against",
        "y",
    ];
    let found = graph(&place, &flip);
    assert_eq!(found.code, Some(0));
    assert!(
        found
            .stdout
            .ends_with("hangs on r, s: without that y is ahead of x\n"),
        "{}",
        found.stdout
    );
    let short = graph(&place, &[&flip[..], &["--work", "2"]].concat());
    assert_eq!(short.code, Some(5), "{}", short.stdout);
    assert!(
        short.stderr.contains("given up after 2 steps"),
        "{}",
        short.stderr
    );
    assert!(
        short
            .stdout
            .contains("no set without which y is ahead of x was found"),
        "{}",
        short.stdout
    );
    let never = graph(
        &place,
        &[
            "two.bag",
            "--task",
            "flip",
            "--topic",
            "t",
            "--against",
            "y",
            "--json",
        ],
    );
    let doc: Value = serde_json::from_str(&never.stdout).unwrap();
    assert_eq!(
        (never.code, doc["flip"]["sets"].clone()),
        (Some(0), json!([]))
    );
    let alone = graph(&place, &["two.bag", "--task", "flip", "--json"]);
    let doc: Value = serde_json::from_str(&alone.stdout).unwrap();
    assert_eq!(
        (alone.code, &doc["error"]["parameter"]),
        (Some(2), &json!("topic"))
    );
}

#[test]
fn a_bad_file_is_refused_with_its_line() {
    let place = place(&[
        ("far.af", "p af 2\n1 2\n1 3\n"),
        ("weight.bag", "arg(a,0.5).\narg(b,1.5).\n"),
        ("unknown.apx", "arg(a).\n\natt(a,b).\n"),
        ("word.tgf", "a\nb\n#\na b maybe\n"),
        ("shape.json", "{\"nodes\": []}"),
        ("broken.json", "{\n\"nodes\": [\n"),
        ("notes.txt", "a\n"),
        ("control.apx", "arg(a).\natt(a,\u{1b}[31mb).\n"),
    ]);
    fs::write(
        place.project().join("bytes.bag"),
        b"arg(a,0.5).\narg(\xff,0.5).\n",
    )
    .unwrap();
    for (file, code, says) in [
        (
            "far.af",
            "not_a_graph",
            "far.af:3: argument 2 of a graph with 2",
        ),
        (
            "weight.bag",
            "not_a_graph",
            "weight.bag:2: a weight is a number from 0 to 1, not 1.5",
        ),
        (
            "unknown.apx",
            "not_a_graph",
            "unknown.apx:3: no argument \"b\"",
        ),
        (
            "word.tgf",
            "not_a_graph",
            "word.tgf:4: expected `att` or `sup`",
        ),
        (
            "shape.json",
            "not_a_graph",
            "shape.json:1: expected a list of `edges`",
        ),
        ("broken.json", "not_a_graph", "broken.json:3: not JSON"),
        ("bytes.bag", "not_a_graph", "bytes.bag:2: not UTF-8"),
        (
            "notes.txt",
            "missing_parameter",
            "does not say what format it has",
        ),
        ("gone.bag", "no_file", "there is no file gone.bag"),
        ("nothing", "unknown_debate", "nothing"),
    ] {
        let ran = graph(&place, &[file, "--json"]);
        let doc: Value = serde_json::from_str(&ran.stdout).unwrap();
        let error = &doc["error"];
        assert_eq!(
            (ran.code, &error["code"]),
            (Some(2), &json!(code)),
            "{file}: {error}"
        );
        assert!(
            error["message"].as_str().unwrap().contains(says),
            "{file}: {error}"
        );
    }
    let shown = graph(&place, &["control.apx"]);
    assert!(!shown.stderr.contains("\u{1b}[31mb"), "{:?}", shown.stderr);
}

#[test]
fn a_graph_is_read_from_stdin_when_its_format_is_said() {
    let place = place(&[]);
    let mut command = place.command(&["graph", "-", "--from", "i23", "--format", "apx"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(CHAIN.as_bytes())
        .unwrap();
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

#[test]
fn the_document_is_published() {
    let place = place(&[]);
    let ran = place.run(&["schema", "agon.graph/1"]);
    let schema: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(schema["$id"], "agon.graph/1");
    assert!(schema["properties"]["strengths"].is_object(), "{schema}");
}
