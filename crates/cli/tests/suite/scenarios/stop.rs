//! A run that is stopped, and a second one on the same folder.

use agon_testkit::Behaviour;

use crate::scenarios::place::{Fakes, debate};
use crate::support::{Ran, Running};

/// Starts the debate, and waits until `turn` has been asked for.
fn under_way(fakes: &Fakes, turn: &str) -> Running {
    all_under_way(fakes, &[turn])
}

fn all_under_way(fakes: &Fakes, turns: &[&str]) -> Running {
    let running = Running::start(fakes.place.command(&debate(&["--timeout", "240"])));
    for turn in turns {
        let asked = format!("{turn}#0");
        running.until(&asked, || fakes.asks().contains(&asked));
    }
    running
}

fn cancelled(ran: &Ran) {
    assert_eq!(ran.ended(), (Some(130), "cancelled".to_owned()), "{ran:#?}");
}

/// Stops in these turns, which are asked for at once, with a tool that does this there; then
/// resumes.
fn stopped_in(turns: &[&str], tool: &str, behaviour: Behaviour) {
    let fakes = Fakes::new();
    for turn in turns {
        fakes.tools.set_scenario(tool, turn, behaviour);
    }
    let running = all_under_way(&fakes, turns);
    assert!(fakes.place.left().len() > 1, "it runs, and so does a tool");
    running.interrupt();
    let ran = running.end();
    cancelled(&ran);
    assert!(
        ran.json()["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("agon resume s")
    );
    assert_eq!(fakes.place.left(), Vec::<String>::new());
    assert_eq!(fakes.place.verdict(), None);
    let host = || {
        let path = fakes.place.project().join("debates/.agon/last-debate.json");
        let read = std::fs::read(path).unwrap();
        let read: serde_json::Value = serde_json::from_slice(&read).unwrap();
        (read["id"].clone(), read["status"].clone())
    };
    let (id, status) = host();
    assert_eq!(status, "stopped");

    let before = fakes.asks();
    fakes.tools.clear_scenario();
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(resumed.json()["authority"], "full");
    assert_eq!(host(), (id, "completed".into()));
    assert_eq!(fakes.place.left(), Vec::<String>::new());
    let mut whole = before.clone();
    whole.sort();
    let after = fakes.asks().split_off(before.len());
    let mut twice: Vec<_> = after
        .into_iter()
        .filter(|ask| whole.contains(ask))
        .collect();
    twice.sort();
    let cut_off: Vec<_> = turns.iter().map(|turn| format!("{turn}#0")).collect();
    assert_eq!(twice, cut_off, "only what was cut off is asked for again");
}

#[test]
fn ctrl_c_in_a_slow_turn_leaves_nothing_running_and_resume_finishes() {
    stopped_in(&["r1.pro"], "claude", Behaviour::Slow(120_000));
}

#[test]
fn ctrl_c_ends_a_tool_that_ignores_term() {
    stopped_in(&["r2.cha"], "codex", Behaviour::IgnoreTerm);
}

#[test]
fn ctrl_c_ends_a_judge_that_is_asked_twice_at_once() {
    stopped_in(
        &["verdict.judge", "verdict.swap"],
        "gemini",
        Behaviour::Hang,
    );
}

#[test]
fn ctrl_c_while_both_sides_answer_at_once() {
    let fakes = Fakes::new();
    fakes.tools.set_scenario("*", "*", Behaviour::Hang);
    let running = under_way(&fakes, "r0.pro");
    running.until("both answers", || fakes.asks().len() == 2);
    running.interrupt();
    running.interrupt();
    cancelled(&running.end());
    assert_eq!(fakes.place.left(), Vec::<String>::new());
    fakes.tools.clear_scenario();
    let resumed = fakes.resume();
    assert_eq!(resumed.json()["authority"], "full", "{resumed:#?}");
}

#[test]
fn a_second_writer_is_told_who_has_the_folder_and_readers_never_wait() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r1.pro", Behaviour::Slow(120_000));
    let running = under_way(&fakes, "r1.pro");
    let asks = fakes.asks();

    let second = fakes.resume();
    assert_eq!(second.code, Some(6), "{second:#?}");
    let message = second.json()["error"]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        message.contains(&format!("process {}, since ", running.pid)),
        "{message}"
    );
    for reader in [
        &["show", "s"][..],
        &["check", "s"],
        &["list"],
        &["report", "s", "--format", "transcript"],
    ] {
        let read = fakes.place.run(reader);
        assert_eq!(read.code, Some(0), "{reader:?}: {read:#?}");
    }
    assert_eq!(fakes.asks(), asks, "nobody else made a call");

    running.interrupt();
    cancelled(&running.end());
    fakes.tools.clear_scenario();
    assert_eq!(fakes.resume().code, Some(0));
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}
