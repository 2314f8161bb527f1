//! A side or a judge that gives no usable turn.

use agon_testkit::{Behaviour, Script};

use crate::formal::table::Table;

#[test]
fn a_side_that_hangs_is_given_up_and_asked_again_by_resume() {
    let table = Table::after("0");
    table.tools.set_scenario("codex", "r1.opp", Behaviour::Hang);
    let ran = table.run("1", &["--timeout", "2"]);
    assert_eq!(ran.ended(), (Some(1), "turn_lost".to_owned()), "{ran:#?}");
    assert_eq!(table.place.left(), Vec::<String>::new());
    let shown = table.place.run(&["show", "s"]);
    assert!(shown.stdout.contains("agon resume s"), "{shown:#?}");
    table.tools.clear_scenario();
    let asked = table.asks().len();
    let resumed = table.place.run(&["resume", "s", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(table.asks_since(asked), ["r1.judge#0", "r1.opp#0"]);
    assert_eq!(table.front()["current_exchange"], 2);
}

#[test]
fn a_bound_that_is_reached_exits_5() {
    let table = Table::after("0");
    let ran = table.run("1", &["--max-calls", "2"]);
    assert_eq!(ran.ended(), (Some(5), "limit".to_owned()), "{ran:#?}");
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
