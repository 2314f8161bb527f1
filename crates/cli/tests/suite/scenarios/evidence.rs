//! Citations are looked up in what the seats were given, and everybody sees what was found.

use std::fs;

use agon_testkit::Behaviour;
use serde_json::{Value, json};

use crate::scenarios::place::Fakes;

/// The file that the scripted debate cites: its 14th line is not as cited, the 90th is.
pub(crate) fn store_rs() -> String {
    let line = |number: usize| match number {
        14 => "pub struct Store(PathBuf);".to_owned(),
        90 => "        fs::rename(&lease_tmp, &lease)?;".to_owned(),
        number => format!("// line {number}"),
    };
    (1..=120).map(|number| line(number) + "\n").collect()
}

fn with_the_file() -> Fakes {
    let fakes = Fakes::new();
    let src = fakes.place.project().join("src");
    fs::create_dir(&src).unwrap();
    fs::write(src.join("store.rs"), store_rs()).unwrap();
    fakes
}

const CONTEXT: [&str; 2] = ["--context", "file=src/store.rs"];

/// A point, its ground, and what was found there.
type Found = (u64, u64, String);

/// The stamps in the journal, by the key of the reply.
fn stamps(fakes: &Fakes) -> Vec<(String, Vec<Found>)> {
    let events = fakes.events().into_iter();
    let stamped = events.filter(|event| event["event"] == "stamped");
    stamped
        .map(|event| {
            let stamps = event["stamps"].as_array().unwrap().iter();
            let stamps = stamps.map(|one| {
                let number = |name: &str| one[name].as_u64().unwrap();
                let stamp = one["stamp"].as_str().unwrap().to_owned();
                (number("point"), number("ground"), stamp)
            });
            (event["key"].as_str().unwrap().to_owned(), stamps.collect())
        })
        .collect()
}

/// The prompt of a turn, the last one that was sent.
fn prompt(fakes: &Fakes, turn: &str) -> String {
    let asks = fakes.tools.asks();
    let ask = asks.iter().rfind(|ask| ask.turn.as_deref() == Some(turn));
    fakes.tools.prompt(ask.unwrap().prompt.unwrap())
}

#[test]
fn what_is_cited_from_a_file_is_looked_up_and_shown_to_everybody() {
    let fakes = with_the_file();
    let ran = fakes.debate(&CONTEXT);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let stamps = stamps(&fakes);
    let keys: Vec<_> = stamps.iter().map(|(key, _)| key.as_str()).collect();
    // The last turn cites a line that reads otherwise, is sent back, and says the same again.
    assert_eq!(
        keys,
        ["r1.pro#0", "r1.cha#0", "r2.pro#0", "r2.cha#0", "r2.cha#1"]
    );
    let (_, first) = &stamps[0];
    let found: Vec<_> = first
        .iter()
        .filter(|(.., stamp)| stamp == "found")
        .collect();
    assert_eq!(found, [&(0, 0, "found".to_owned())]);

    for turn in ["r1.cha", "r2.pro", "r2.cha", "verdict.judge"] {
        let prompt = prompt(&fakes, turn);
        let list = "- pro_001a, ground 1: found: src/store.rs:90";
        assert!(prompt.contains(list), "{turn}: {prompt}");
        let real = "   90 |         fs::rename(&lease_tmp, &lease)?;";
        assert!(prompt.contains(real), "{turn}: {prompt}");
    }
    let again = prompt(&fakes, "r2.cha");
    assert!(again.contains("(evidence-wrong)"), "{again}");
    assert!(
        again.contains("   14 | pub struct Store(PathBuf);"),
        "{again}"
    );

    let verdict = fakes.place.verdict().unwrap();
    let count = |seat: &str, stamp: &str| verdict["citations"][seat][stamp].as_u64();
    assert_eq!(count("proposer", "found"), Some(1));
    assert_eq!(count("challenger", "wrong"), Some(1));
    assert_eq!(verdict["findings"]["error"], 1);
    let printed = |args: &[&str]| fakes.place.run(args).stdout.replace('\\', "");
    for told in [
        verdict["rigor"].as_str().unwrap().to_owned(),
        printed(&["show", "s", "--full"]),
        printed(&["report", "s", "--format", "verdict"]),
        printed(&["report", "s", "--format", "md"]),
        printed(&["report", "s", "--format", "html"]),
    ] {
        let counts = "18 citations: 1 found, 1 wrong (cha_002d), 16 ";
        assert!(told.contains(counts), "no document is kinder: {told}");
    }
    let transcript = fs::read_to_string(fakes.place.folder().join("transcript.md")).unwrap();
    assert!(
        transcript.contains("ground 1: found: src/store.rs:90"),
        "{transcript}"
    );
    let graph = fakes.place.run(&["graph", "s", "--json"]).json();
    let rows = graph["strengths"].as_array().unwrap();
    let cites = |id: &str| &rows.iter().find(|row| row["id"] == id).unwrap()["citations"];
    assert_eq!(cites("pro_001a")["found"], 1);
    assert_eq!(cites("cha_002d")["wrong"], 1);
    let drawn = fakes.place.run(&["report", "s", "--format", "svg"]).stdout;
    assert!(drawn.contains("wrong citation<"), "{drawn}");
    let page = fakes.place.run(&["report", "s", "--format", "html"]).stdout;
    assert!(page.contains(">found: src/store.rs:90<"), "{page}");
    assert!(
        page.contains("fs::rename(&amp;lease_tmp, &amp;lease)?;"),
        "{page}"
    );
}

#[test]
fn without_context_every_place_is_unchecked_and_nothing_is_sent_back() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(stamps(&fakes), []);
    let unchecked = &fakes.place.verdict().unwrap()["citations"]["proposer"];
    let nothing = json!({ "found": 0, "moved": 0, "wrong": 0, "missing": 0, "unreachable": 0 });
    for (stamp, count) in nothing.as_object().unwrap() {
        assert_eq!(&unchecked[stamp], count, "{stamp}");
    }
}

#[test]
fn a_debate_goes_on_with_the_file_as_it_was_when_it_opened() {
    let fakes = with_the_file();
    fakes.tools.set_scenario("codex", "r1.cha", Behaviour::Auth);
    let first = fakes.debate(&CONTEXT);
    assert_eq!(first.code, Some(4), "{}", first.stderr);
    fakes.tools.clear_scenario();
    let file = fakes.place.project().join("src/store.rs");
    fs::write(&file, "nothing of it is left\n").unwrap();
    let more = fakes.resume();
    assert_eq!(more.code, Some(0), "{}", more.stderr);
    let wrong: Value = fakes.place.verdict().unwrap()["citations"]["challenger"]["wrong"].clone();
    let found: Value = fakes.place.verdict().unwrap()["citations"]["proposer"]["found"].clone();
    assert_eq!((wrong, found), (json!(1), json!(1)));
}

#[test]
fn several_files_are_given_to_every_seat_each_in_a_fence_of_its_own() {
    let fakes = with_the_file();
    let project = fakes.place.project();
    std::fs::write(project.join("other.txt"), "data 0>>>\nTwo writers come.\n").unwrap();
    let first = CONTEXT[1];
    let ran = fakes.debate(&["--quick", "--context", first, "--context", "file=other.txt"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for turn in ["r1.pro", "r1.cha", "verdict.judge"] {
        let prompt = prompt(&fakes, turn);
        assert!(prompt.contains("# Material: 2 files"), "{turn}: {prompt}");
        let files: Vec<_> = prompt.match_indices(" file\n").collect();
        assert!(files.len() >= 2, "{turn}");
        assert!(prompt.contains("Two writers come."), "{turn}");
    }
    assert!(
        ran.stderr.contains("2 files (") || ran.stdout.contains("2 files ("),
        "{ran:#?}"
    );
}
