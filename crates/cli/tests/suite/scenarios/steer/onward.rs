//! `agon continue` on a closed duel.

use agon_testkit::{Behaviour, Script};

use super::prompt;
use crate::scenarios::place::Fakes;
use crate::support::Running;

#[test]
fn a_closed_duel_takes_another_round_with_a_note_and_a_fresh_verdict() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    let before = fakes.place.verdict().unwrap();
    let mut script = Script::job_store_three_rounds();
    for verdict in script.turns.get_mut("verdict.judge").unwrap() {
        *verdict = verdict.replace("\"winner\": \"proposer\"", "\"winner\": \"challenger\"");
    }
    fakes.tools.set_script(&script);
    let went = fakes.place.run(&[
        "continue",
        "s",
        "--note",
        "we get a second writer",
        "--json",
    ]);
    assert_eq!(went.code, Some(0), "{went:#?}");
    let after = fakes.place.verdict().unwrap();
    assert_eq!(
        (&before["winner"], &after["winner"]),
        (&"proposer".into(), &"challenger".into())
    );
    assert_eq!(
        (&after["rounds_completed"], &after["max_rounds"]),
        (&3.into(), &3.into())
    );
    assert_eq!(after["authority"], "full");
    assert_eq!(after["former"][0]["winner"], "proposer");
    assert_eq!(after["former"][0]["rounds"], 2);
    assert_eq!(
        fakes.asks().len(),
        8 + 4,
        "two turns and both rulings, nothing again: {:?}",
        fakes.asks()
    );
    for turn in ["r3.pro", "r3.cha", "verdict.judge", "verdict.swap"] {
        assert!(
            prompt(&fakes, turn).contains("we get a second writer"),
            "{turn}"
        );
    }
    let transcript = std::fs::read_to_string(fakes.place.folder().join("transcript.md")).unwrap();
    assert!(
        transcript
            .contains("The verdict after round 2, before rounds were added, was for the proposer"),
        "{transcript}"
    );
    let rulings = fakes.events().into_iter();
    let rulings =
        rulings.filter(|event| event["event"] == "admitted" && event["key"] == "verdict.judge#0");
    assert_eq!(rulings.count(), 2, "the record keeps both");
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));
}

#[test]
fn what_cannot_go_on_says_why_and_changes_nothing() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    let before = super::folder(&fakes);
    let most = fakes.place.run(&["continue", "s", "9", "--json"]);
    assert_eq!(most.ended(), (Some(2), "rounds".to_owned()), "{most:#?}");
    let hint = most.json()["error"]["hint"].as_str().unwrap().to_owned();
    assert_eq!(hint, "add 1 to 8 rounds");
    let long = "x".repeat(9_000);
    let note = fakes
        .place
        .run(&["continue", "s", "--note", &long, "--json"]);
    assert_eq!(note.ended(), (Some(2), "too_large".to_owned()), "{note:#?}");
    let after = super::folder(&fakes);
    let but_the_lock = |files: Vec<(String, Vec<u8>)>| -> Vec<_> {
        files
            .into_iter()
            .filter(|(name, _)| name != ".agon/lock")
            .collect()
    };
    assert_eq!(but_the_lock(after), but_the_lock(before));
}

#[test]
fn it_goes_on_by_itself_when_told_to() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    fakes.tools.set_script(&Script::job_store_three_rounds());
    let started = fakes
        .place
        .run(&["continue", "s", "--note", "later", "--detach", "--json"]);
    assert_eq!(started.json()["schema"], "agon.started/1", "{started:#?}");
    let over = fakes.place.run(&["wait", "s", "--timeout", "60", "--json"]);
    assert_eq!(over.json()["state"], "done", "{over:#?}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["rounds_completed"], 3);
    assert_eq!(verdict["notes"][0]["text"], "later");
}

#[test]
fn a_duel_in_which_a_turn_was_lost_asks_for_it_again_first() {
    let fakes = Fakes::new();
    fakes.tools.set_scenario("codex", "r2.cha", Behaviour::Rc1);
    let partial = fakes.debate(&[]);
    assert_eq!(partial.json()["authority"], "partial", "{partial:#?}");
    fakes.tools.clear_scenario();
    fakes.tools.set_script(&Script::job_store_three_rounds());
    let went = fakes.place.run(&["continue", "s", "--json"]);
    assert_eq!(went.code, Some(0), "{went:#?}");
    assert_eq!(went.json()["authority"], "full");
    assert_eq!(fakes.place.verdict().unwrap()["rounds_completed"], 3);
}

#[test]
fn killed_at_any_line_after_it_goes_on_it_comes_to_the_same_verdict() {
    if cfg!(not(feature = "failpoints")) {
        return;
    }
    let mut points = 0;
    for nth in 1.. {
        let fakes = Fakes::new();
        assert_eq!(fakes.debate(&[]).code, Some(0));
        fakes.tools.set_script(&Script::job_store_three_rounds());
        let mut killed = fakes
            .place
            .command(&["continue", "s", "--note", "later", "--json"]);
        killed.env("AGON_FAILPOINT", format!("journal-append-after:{nth}"));
        let ran = Running::start(killed).end();
        if ran.code == Some(0) {
            break;
        }
        assert_eq!(ran.code, None, "{nth}: {ran:#?}");
        points += 1;
        let resumed = fakes.resume();
        assert_eq!(resumed.code, Some(0), "{nth}: {resumed:#?}");
        let verdict = fakes.place.verdict().unwrap();
        assert_eq!(verdict["rounds_completed"], 3, "{nth}");
        assert_eq!(verdict["notes"][0]["text"], "later", "{nth}");
        assert_eq!(verdict["former"].as_array().unwrap().len(), 1, "{nth}");
    }
    assert!(points > 5, "{points}");
}
