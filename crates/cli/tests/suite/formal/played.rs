//! Debates that go well.

use std::fs;

use agon_testkit::Script;
use serde_json::json;

use crate::formal::table::{MOTION, SEATS, Table};

/// Every ask of the debate for three rebuttals, exchange by exchange.
fn every_ask() -> Vec<Vec<String>> {
    let asks = |turns: &[&str]| {
        turns
            .iter()
            .map(|turn| format!("{turn}#0"))
            .collect::<Vec<_>>()
    };
    let mut all = vec![asks(&["theses.judge"])];
    for exchange in 0..=3 {
        let turn = |seat: &str| format!("r{exchange}.{seat}");
        all.push(asks(&[&turn("opp"), &turn("prop")]));
        all.push(asks(&[&turn("judge")]));
    }
    all
}

/// The asks with both sides of an exchange in the order of their names.
fn in_steps(mut asks: Vec<String>) -> Vec<Vec<String>> {
    let mut steps = Vec::new();
    for step in every_ask() {
        let mut taken: Vec<_> = asks.drain(..step.len().min(asks.len())).collect();
        taken.sort();
        steps.push(taken);
    }
    assert_eq!(asks, Vec::<String>::new());
    steps
}

#[test]
fn an_opening_exchange_and_three_rebuttals_make_a_whole_folder() {
    let table = Table::laid();
    let ran = table.run("3", SEATS);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(in_steps(table.asks()), every_ask());
    let result = ran.json();
    assert_eq!(result["schema"], "agon.result/1");
    assert_eq!(result["format"], "formal");
    assert_eq!(result["phase"], "awaiting_arguments");
    assert_eq!(result["winner"], "proposition");

    let ids = [
        "opp_000a",
        "opp_000b",
        "opp_000c",
        "opp_001",
        "opp_002",
        "opp_003",
        "prop_000a",
        "prop_000b",
        "prop_000c",
        "prop_001",
        "prop_002",
        "prop_003",
    ];
    let mut expected: Vec<_> = ids.iter().map(|id| format!("arguments/{id}.md")).collect();
    let others = [
        ".gitattributes",
        "argument-graph.mmd",
        "debate.md",
        "scores.json",
        "transcript.md",
        "verdict.json",
        "verdict.md",
    ];
    expected.extend(others.map(str::to_owned));
    expected.sort();
    let files = table.files();
    assert_eq!(files.keys().cloned().collect::<Vec<_>>(), expected);
    let front = table.front();
    assert_eq!(
        (&front["current_exchange"], &front["current_phase"]),
        (&json!(4), &json!("awaiting_arguments"))
    );
    assert_eq!(
        front["cumulative_scores"],
        json!({
            "proposition": { "total": 0.3, "count": 6 },
            "opposition": { "total": -0.55, "count": 6 },
        })
    );
    let verdict = table.place.verdict().unwrap();
    assert_eq!(verdict["readings"]["tally"]["winner"], "proposition");
    let wall_ms = verdict["usage"]["wall_ms"].as_u64().unwrap();
    assert!(u128::from(wall_ms) <= ran.took.as_millis(), "{wall_ms}");
    let scores = table.scores();
    assert_eq!(scores["prop_000c"], [100, -50]);
    assert_eq!(scores["opp_001"], [-300, 50]);
    assert_eq!(scores["opp_003"], [-50]);

    let check = table.place.run(&["check", "s", "--json"]);
    assert_eq!(check.code, Some(0), "{check:#?}");
    assert_eq!(check.json()["findings"], json!([]));
    let again = table.place.run(&["replay", "s", "--json"]).json();
    assert_eq!(again["differences"], json!([]));
    // What was asked, and as many decisions: a turn's moves or an exchange's scores each.
    assert_eq!(
        (&again["prompts"], &again["decisions"]),
        (&json!(13), &json!(17))
    );
    assert_eq!(table.place.left(), Vec::<String>::new());
}

#[test]
fn exchanges_are_told_as_they_end_and_the_totals_stand_on_stdout() {
    let table = Table::laid();
    let args = [&["run", "s", "1"], SEATS].concat();
    let ran = table.place.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let clock = regex::Regex::new(r"\d+:\d\d\b").unwrap();
    let tokens = regex::Regex::new(r"\d+k? tokens").unwrap();
    let said = format!("{}─── stdout\n{}", ran.stderr, ran.stdout);
    let said = clock.replace_all(&said, "0:00");
    insta::assert_snapshot!(tokens.replace_all(&said, "[N] tokens"));
    let shown = table.place.run(&["show", "s", "--full"]);
    let shown = clock.replace_all(&shown.stdout, "0:00").into_owned();
    insta::assert_snapshot!(tokens.replace_all(&shown, "[N] tokens"));
    let listed = table.place.run(&["list"]).stdout;
    assert!(listed.contains("s  open, 2 judged exchanges"), "{listed}");
    assert!(listed.contains(MOTION), "{listed}");
}

#[test]
fn a_further_run_keeps_the_seats_and_the_theses_and_what_was_written() {
    let table = Table::after("1");
    let before = table.files();
    let asked = table.asks().len();
    assert_eq!(asked, 7);
    // Nobody says how many: one.
    let ran = table.place.run(&["run"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(
        table.asks_since(asked),
        ["r2.judge#0", "r2.opp#0", "r2.prop#0"]
    );
    // A lone number is the number of exchanges.
    assert_eq!(table.place.run(&["run", "1"]).code, Some(0));
    assert_eq!(table.front()["current_exchange"], 4);
    let after = table.files();
    for (name, bytes) in before
        .iter()
        .filter(|(name, _)| name.starts_with("arguments"))
    {
        assert_eq!(after[name], *bytes, "{name}");
    }
    let tools = table.tools.asks().into_iter();
    let tools: Vec<_> = tools.skip(7).map(|call| call.tool).collect();
    assert!(["claude", "codex"].contains(&tools[0].as_str()));
    assert_eq!((tools[2].as_str(), tools[5].as_str()), ("gemini", "gemini"));
}

#[test]
fn theses_that_are_given_are_not_asked_for_and_each_side_hears_its_own() {
    let table = Table::bare();
    let (ours, theirs) = (
        "Reading first is worth the wait",
        "Merging first is worth the risk",
    );
    let new = [
        "new",
        "s",
        "--motion",
        MOTION,
        "--thesis-for",
        ours,
        "--thesis-against",
        theirs,
    ];
    assert_eq!(table.place.run(&new).code, Some(0));
    let args = [&["run", "s", "0"], SEATS].concat();
    let ran = table.place.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(
        ran.stderr.contains(ours) && ran.stderr.contains(theirs),
        "{ran:#?}"
    );
    assert_eq!(table.asks_since(0), ["r0.judge#0", "r0.opp#0", "r0.prop#0"]);
    for call in table.tools.asks() {
        let prompt = table.tools.prompt(call.prompt.unwrap());
        let said = [ours, theirs].map(|thesis| prompt.contains(thesis));
        let expected = match call.turn.as_deref() {
            Some("r0.prop") => [true, false],
            Some("r0.opp") => [false, true],
            _ => [true, true],
        };
        assert_eq!(said, expected, "{:?}", call.turn);
    }
}

#[test]
fn a_panel_of_three_is_scored_by_its_median() {
    let table = Table::laid();
    let script = Script::formal();
    let one = script.turns["r0.judge"][0].clone();
    let other = |a: &str, b: &str| {
        let text = one.replacen("\"score\": 0.4", &format!("\"score\": {a}"), 1);
        text.replacen("\"score\": -0.35", &format!("\"score\": {b}"), 1)
    };
    let script = script
        .turn("r0.judge-2", [other("0.5", "-0.45")])
        .turn("r0.judge-3", [other("0.1", "-0.05")]);
    table.tools.set_script(&script);
    let panel = ["--judge", "claude", "--judge", "codex"];
    let ran = table.run("0", &[SEATS, &panel].concat());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let judges = ["r0.judge#0", "r0.judge-2#0", "r0.judge-3#0"];
    assert_eq!(&table.asks_since(0)[..3], judges);
    let scores = table.scores();
    assert_eq!(
        (&scores["prop_000a"], &scores["opp_000b"]),
        (&vec![400], &vec![-350])
    );
    let text = fs::read_to_string(table.place.folder().join(".agon/journal.jsonl")).unwrap();
    assert!(text.contains("\"spread\":[0.1,0.5]"), "the spread is kept");
    let again = table.place.run(&["show", "s", "--full"]).stdout;
    assert!(again.contains("(+0.100 to +0.500)"), "{again}");
    // The panel stays for the next run.
    let ran = table.place.run(&["run", "s", "1", "--dry-run", "--json"]);
    assert_eq!(ran.json()["calls"], 5, "{ran:#?}");
}

#[test]
fn one_tool_may_take_every_seat() {
    let table = Table::laid();
    let seats = [
        "--proposition",
        "codex",
        "--opposition",
        "codex",
        "--judge",
        "codex",
    ];
    let ran = table.run("0", &seats);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(table.tools.asks().iter().all(|call| call.tool == "codex"));
}

#[test]
fn run_on_a_duel_is_resume() {
    let table = Table::bare();
    table.duel();
    let asked = table.asks().len();
    let ran = table.place.run(&["run", "duel", "--json"]);
    let resumed = table.place.run(&["resume", "duel", "--json"]);
    assert_eq!((ran.code, ran.json()), (resumed.code, resumed.json()));
    assert_eq!(table.asks().len(), asked);
    let refused = table.place.run(&["run", "duel", "2", "--json"]);
    assert_eq!(refused.ended(), (Some(2), "invalid_parameter".to_owned()));
}

#[test]
fn resume_where_nothing_is_due_calls_nobody() {
    let table = Table::after("0");
    // A host reads duels there.
    let host = table.place.project().join("debates/.agon/last-debate.json");
    assert!(!host.exists());
    let asked = table.asks().len();
    let ran = table.place.run(&["resume", "s"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("agon run s 3"), "{ran:#?}");
    assert_eq!(table.asks().len(), asked);
    let refused = table.run("0", &[]);
    assert_eq!(refused.ended(), (Some(2), "invalid_parameter".to_owned()));
}
