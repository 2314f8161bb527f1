//! A run that is stopped.

use agon_testkit::Behaviour;

use crate::formal::table::{SEATS, Table};
use crate::support::Running;

/// Stops in `turn`, with a tool that does this there; then resumes.
fn stopped_in(turn: &str, tool: &str, behaviour: Behaviour) {
    let table = Table::laid();
    table.tools.set_scenario(tool, turn, behaviour);
    let args = [&["run", "s", "1", "--json"], SEATS].concat();
    let running = Running::start(table.place.command(&args));
    let asked = format!("{turn}#0");
    running.until(&asked, || table.asks().contains(&asked));
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.ended(), (Some(130), "cancelled".to_owned()), "{ran:#?}");
    assert_eq!(table.place.left(), Vec::<String>::new());
    table.tools.clear_scenario();
    let before = table.asks();
    let resumed = table.place.run(&["resume", "s", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let after = table.asks().split_off(before.len());
    assert!(after.contains(&asked), "{after:?}");
    assert_eq!(table.front()["current_exchange"], 2);
    assert_eq!(table.scores()["prop_000c"], [100, -50]);
}

#[test]
fn ctrl_c_while_both_sides_speak_loses_nothing() {
    stopped_in("r1.opp", "codex", Behaviour::Hang);
}

#[test]
fn ctrl_c_while_the_judge_scores_loses_nothing() {
    stopped_in("r0.judge", "gemini", Behaviour::IgnoreTerm);
}

#[test]
fn ctrl_c_while_the_theses_are_asked_loses_nothing() {
    stopped_in("theses.judge", "gemini", Behaviour::Slow(120_000));
}
