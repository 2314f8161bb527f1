//! A side whose tool cannot be used in the opening exchange: another tool takes its seat.

use agon_testkit::Behaviour;

use crate::formal::table::{SEATS, Table};

#[test]
fn a_side_that_is_logged_out_gives_its_seat_to_another_model_where_no_tool_is_free() {
    let table = Table::laid();
    table.tools.set_scenario("codex", "*", Behaviour::Auth);
    let ran = table.run("0", &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let told = "argues against the motion in place of codex (its tool is not logged in)";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let verdict = table.place.verdict().unwrap();
    assert!(
        verdict["headline"].as_str().unwrap().contains(told),
        "{verdict}"
    );
    assert_eq!(verdict["replaced"][0]["seat"], "opposition");
    let replayed = table.place.run(&["replay", "s", "--json"]);
    assert_eq!(replayed.code, Some(0), "{replayed:#?}");
}

#[test]
fn a_named_side_is_replaced_only_with_the_flag() {
    let table = Table::laid();
    table
        .tools
        .set_scenario("codex", "*", Behaviour::WrongAlways);
    let ran = table.run("0", SEATS);
    assert_eq!(ran.ended(), (Some(1), "turn_lost".to_owned()), "{ran:#?}");
    let hint = ran.json()["error"]["hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("agon resume s --substitute"), "{hint}");
    let resumed = table.place.run(&["resume", "s", "--substitute", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let verdict = table.place.verdict().unwrap();
    assert_eq!(verdict["replaced"][0]["tool"], "codex");
    assert_eq!(verdict["replaced"][0]["replies"], 2);
    let replayed = table.place.run(&["replay", "s", "--json"]);
    assert_eq!(replayed.code, Some(0), "{replayed:#?}");
}

#[test]
fn a_named_side_that_is_logged_out_is_replaced_with_the_flag_and_told_in_the_header() {
    let table = Table::laid();
    table
        .tools
        .set_scenario("codex", "login", Behaviour::LoggedOut);
    let ran = table.run("0", SEATS);
    assert_eq!(
        ran.ended(),
        (Some(4), "tool_logged_out".to_owned()),
        "{ran:#?}"
    );
    let hint = ran.json()["error"]["hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("agon run s 0 "), "{hint}");
    assert!(hint.ends_with("--substitute"), "{hint}");
    let ran = table.run("0", &[SEATS, &["--substitute"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("in place of codex"), "{}", ran.stderr);
    // Once the side has spoken, it keeps its tool.
    let on = table.run("1", &[]);
    assert_eq!(on.code, Some(0), "{on:#?}");
    let verdict = table.place.verdict().unwrap();
    assert_eq!(verdict["replaced"].as_array().unwrap().len(), 1);
}
