//! `agon say` with a note: to a debate that runs, that stands still, that is over.

use agon_testkit::Behaviour;
use agon_testkit::behaviour::FAKE_GITHUB_TOKEN;

use super::{folder, prompt, waiting};
use crate::scenarios::place::{Fakes, debate};
use crate::support::Running;

/// The debate, under way in `turn`, which takes so many milliseconds.
fn under_way(fakes: &Fakes, turn: &str, ms: u64) -> Running {
    fakes.tools.set_scenario("*", turn, Behaviour::Slow(ms));
    let running = Running::start(fakes.place.command(&debate(&[])));
    let asked = format!("{turn}#0");
    running.until(&asked, || fakes.asks().contains(&asked));
    running
}

#[test]
fn a_note_to_a_debate_that_runs_is_taken_in_by_it_without_its_secrets() {
    let fakes = Fakes::new();
    let running = under_way(&fakes, "r1.cha", 4_000);
    let text = format!("the key is {FAKE_GITHUB_TOKEN}, and Gemini is wrong");
    let said = fakes.place.run(&["say", "s", &text, "--json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let said = said.json();
    assert_eq!(said["schema"], "agon.said/1");
    assert_eq!(
        (&said["id"], &said["runs"]),
        (&"note 1".into(), &true.into())
    );
    assert_eq!(said["heard"], "both seats and the judge will see it");
    assert_eq!(said["redacted"], 1);
    let plain = fakes.place.run(&["say", "s", "and", "a", "second", "one"]);
    assert_eq!(
        plain.stdout,
        "note 2 added; both seats and the judge will see it\n"
    );
    assert_eq!(waiting(&fakes), Vec::<String>::new());
    let ran = running.end();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for turn in ["r2.pro", "r2.cha", "verdict.judge", "verdict.swap"] {
        let prompt = prompt(&fakes, turn);
        assert!(
            prompt.contains("the key is [redacted:github-token]"),
            "{turn}"
        );
        assert!(prompt.contains("and a second one"), "{turn}");
    }
    // A judge is not told who sits where, also by the user.
    assert!(!prompt(&fakes, "verdict.judge").contains("Gemini is wrong"));
    assert_eq!(
        crate::scenarios::seen::secrets(&folder(&fakes)),
        Vec::<&str>::new()
    );
    assert!(ran.stderr.contains("note 1 added"), "{ran:#?}");
    let checked = fakes.place.run(&["check", "s"]);
    assert_eq!(checked.code, Some(0), "{checked:#?}");
}

#[test]
fn a_note_to_a_debate_that_stands_still_is_recorded_at_once() {
    let fakes = Fakes::new();
    let running = under_way(&fakes, "r1.pro", 100_000);
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    let said = fakes
        .place
        .run(&["say", "s", "we get a second writer", "--json"]);
    assert_eq!(said.json()["runs"], false, "{said:#?}");
    let shown = fakes.place.run(&["show", "s"]);
    assert!(
        shown.stdout.contains("note 1: we get a second writer"),
        "{shown:#?}"
    );
    fakes.tools.clear_scenario();
    assert_eq!(fakes.resume().code, Some(0));
    assert!(prompt(&fakes, "r1.pro").contains("we get a second writer"));
}

#[test]
fn what_nobody_would_hear_is_refused_and_says_what_to_do() {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    let before = folder(&fakes);
    for say in [
        &["say", "s", "late"][..],
        &["say", "s", "--run", "touch ran"],
    ] {
        let ran = fakes.place.run(&[say, &["--json"]].concat());
        assert_eq!(ran.ended(), (Some(2), "closed".to_owned()), "{ran:#?}");
        let hint = ran.json()["error"]["hint"].as_str().unwrap().to_owned();
        assert!(hint.contains("agon continue s"), "{hint}");
    }
    assert!(!fakes.place.project().join("ran").exists());
    let empty = fakes.place.run(&["say", "s", " ", "--json"]);
    assert_eq!(empty.code, Some(2));
    let nothing = fakes.place.run(&["say", "s"]);
    assert_eq!(nothing.code, Some(2));
    assert_eq!(folder(&fakes), before, "nothing was written");
    let mut inside = fakes.place.command(&["say", "s", "I win", "--json"]);
    inside.env("AGON_DEPTH", "1");
    assert_eq!(
        Running::start(inside).end().ended(),
        (Some(2), "depth".to_owned())
    );
}

#[test]
fn a_note_that_waited_is_taken_in_once_whatever_happens_between() {
    let fakes = Fakes::new();
    let running = under_way(&fakes, "r1.pro", 100_000);
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    fakes.tools.clear_scenario();
    let inbox = fakes.place.folder().join(".agon/inbox");
    std::fs::create_dir_all(&inbox).unwrap();
    let id = "01JD000000000000000000000A";
    let wish = format!(r#"{{"v":1,"id":"{id}","wish":"note","text":"left over"}}"#);
    std::fs::write(inbox.join(format!("{id}.json")), wish).unwrap();
    if cfg!(feature = "failpoints") {
        let mut killed = fakes.place.command(&["resume", "s", "--json"]);
        killed.env("AGON_FAILPOINT", "journal-append-after:1");
        assert_eq!(
            Running::start(killed).end().code,
            None,
            "killed with the note recorded"
        );
        assert_eq!(waiting(&fakes).len(), 1, "and not yet taken away");
    }
    assert_eq!(fakes.resume().code, Some(0));
    assert_eq!(waiting(&fakes), Vec::<String>::new());
    let notes = fakes.place.verdict().unwrap()["notes"].clone();
    assert_eq!(notes.as_array().unwrap().len(), 1, "{notes}");
    assert_eq!(notes[0]["text"], "left over");
}
