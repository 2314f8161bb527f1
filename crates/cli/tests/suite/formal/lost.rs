//! A side or a judge that gives no usable turn.

use agon_testkit::{Behaviour, Script};

use crate::formal::table::Table;

/// Loses `turn` of exchange 1 to `tool`; then tries again.
fn lost(turn: &str, tool: &str, behaviour: Behaviour, again: &[&str]) {
    let table = Table::after("0");
    let before = table.files();
    let asked = table.asks().len();
    table.tools.set_scenario(tool, turn, behaviour);
    let ran = table.run("1", &["--timeout", "2"]);
    assert_eq!(ran.ended(), (Some(1), "turn_lost".to_owned()), "{ran:#?}");
    let hint = ran.json()["error"]["hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("agon resume s"), "{hint}");
    let after = table.files();
    let judged = turn.ends_with("judge");
    // The transcript says that a turn is lost, the verdict what that cost; and what a judge is
    // to score is there.
    let told = ["transcript.md", "verdict.json", "verdict.md"];
    let argued = [
        "argument-graph.mmd",
        "debate.md",
        "verdict.json",
        "verdict.md",
    ];
    let changed = after.iter().filter(|(name, bytes)| {
        before.get(*name) != Some(bytes)
            && !told.contains(&name.as_str())
            && !(judged && argued.contains(&name.as_str()))
    });
    let changed: Vec<_> = changed.map(|(name, _)| name.as_str()).collect();
    let new: &[&str] = if judged {
        &["arguments/opp_001.md", "arguments/prop_001.md"]
    } else {
        &[]
    };
    assert_eq!(changed, new);
    assert!(before.keys().all(|name| after.contains_key(name)));
    assert_eq!(table.place.left(), Vec::<String>::new());
    let shown = table.place.run(&["show", "s"]);
    assert!(shown.stdout.contains("agon resume s"), "{shown:#?}");

    let first = table.asks_since(asked);
    assert!(first.contains(&"r1.prop#0".to_owned()), "{first:?}");
    table.tools.clear_scenario();
    let asked = table.asks().len();
    let resumed = table.place.run(&["resume", "s", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(
        table.asks_since(asked),
        again,
        "the good side is not asked again"
    );
    assert_eq!(table.front()["current_exchange"], 2);
}

const OPPOSITION: &[&str] = &["r1.judge#0", "r1.opp#0"];

#[test]
fn a_side_that_hangs_changes_nothing_and_is_asked_again() {
    lost("r1.opp", "codex", Behaviour::Hang, OPPOSITION);
}

#[test]
fn a_side_that_speaks_garbage_changes_nothing_and_is_asked_again() {
    lost("r1.opp", "codex", Behaviour::Garbage, OPPOSITION);
}

#[test]
fn a_side_whose_moves_are_wrong_twice_changes_nothing_and_is_asked_again() {
    lost("r1.opp", "codex", Behaviour::WrongAlways, OPPOSITION);
}

#[test]
fn a_judge_that_is_lost_leaves_the_arguments_and_is_asked_again() {
    lost(
        "r1.judge",
        "gemini",
        Behaviour::WrongAlways,
        &["r1.judge#0"],
    );
}

#[test]
fn moves_that_break_a_rule_once_are_sent_back_and_the_debate_goes_on() {
    let table = Table::after("0");
    let script = Script::formal();
    let right = script.turns["r1.opp"][0].clone();
    let wrong = right.replace("prop_000c", "opp_000c");
    table
        .tools
        .set_script(&script.turn("r1.opp", [wrong, right]));
    let asked = table.asks().len();
    let ran = table.place.run(&["run", "s", "1", "-v"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let asks = ["r1.judge#0", "r1.opp#0", "r1.opp#1", "r1.prop#0"];
    assert_eq!(table.asks_since(asked), asks);
    assert!(
        ran.stderr
            .contains("1 reply sent back first: attack-target"),
        "{ran:#?}"
    );
    let shown = table.place.run(&["show", "s", "--full"]);
    assert!(shown.stdout.contains("1 reply sent back"), "{shown:#?}");
}

#[test]
fn after_a_lost_turn_another_tool_may_take_the_seat() {
    let table = Table::after("0");
    table
        .tools
        .set_scenario("codex", "r1.opp", Behaviour::Garbage);
    assert_eq!(table.run("1", &[]).code, Some(1));
    let asked = table.asks().len();
    let ran = table.run("1", &["--opposition", "gemini"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(table.asks_since(asked), OPPOSITION);
    let call = table.tools.asks().into_iter().nth(asked).unwrap();
    assert_eq!(call.tool, "gemini");
}

#[test]
fn a_stored_reply_of_another_tool_is_used_by_nobody_without_a_word() {
    let table = Table::after("0");
    table
        .tools
        .set_scenario("codex", "r1.opp", Behaviour::Garbage);
    assert_eq!(table.run("1", &[]).code, Some(1));
    table.tools.clear_scenario();
    let asked = table.asks().len();
    let refused = table.run("1", &["--proposition", "gemini"]);
    assert_eq!(
        refused.ended(),
        (Some(2), "stale_reply".to_owned()),
        "{refused:#?}"
    );
    assert_eq!(table.asks().len(), asked);
    let ran = table.run("1", &["--proposition", "gemini", "--ask-again"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(
        table.asks_since(asked),
        ["r1.judge#0", "r1.opp#0", "r1.prop#0"]
    );
}

#[test]
fn a_bound_that_is_reached_stops_it_and_a_run_with_more_goes_on() {
    let table = Table::after("0");
    let ran = table.run("1", &["--max-calls", "2"]);
    assert_eq!(ran.ended(), (Some(5), "limit".to_owned()), "{ran:#?}");
    let ran = table.run("1", &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(table.front()["current_exchange"], 2);
}
