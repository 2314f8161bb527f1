//! Folders that are not as they were left.

use std::fs;

use agon_testkit::Behaviour;

use crate::scenarios::place::{Fakes, debate};
use crate::scenarios::tree::Tree;
use crate::support::Running;

/// A debate with its verdict.
fn closed() -> Fakes {
    let fakes = Fakes::new();
    let ran = fakes.debate(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    fakes
}

/// A debate that was stopped in the second round.
fn stopped() -> Fakes {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("claude", "r2.pro", Behaviour::Hang);
    let running = Running::start(fakes.place.command(&debate(&[])));
    running.until("round 2", || fakes.asks().contains(&"r2.pro#0".to_owned()));
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    fakes.tools.clear_scenario();
    fakes
}

#[test]
fn a_verdict_edited_by_hand_is_kept_beside_the_one_that_is_written_again() {
    let fakes = closed();
    let verdict = fakes.place.folder().join("verdict.md");
    let ours = fs::read_to_string(&verdict).unwrap();
    let edited = format!("{ours}\nMy own note.\n");
    fs::write(&verdict, &edited).unwrap();
    let before = Tree::of(&fakes.place.folder());
    assert_eq!(
        fakes.place.run(&["check", "s"]).code,
        Some(8),
        "check sees the edit"
    );
    assert_eq!(fakes.place.run(&["show", "s"]).code, Some(0));
    assert!(
        before == Tree::of(&fakes.place.folder()),
        "something was written"
    );
    let resumed = fakes.resume();
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    let note = "note: verdict.md was changed since Agon wrote the documents of this debate.";
    assert!(resumed.stderr.contains(note), "{resumed:#?}");
    assert_eq!(fs::read_to_string(&verdict).unwrap(), ours);
    let kept = fakes.place.folder().join("verdict.md.changed");
    assert_eq!(fs::read_to_string(kept).unwrap(), edited);
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));
}

#[test]
fn a_journal_of_a_newer_agon_is_read_and_never_written() {
    for fakes in [closed(), stopped()] {
        let journal = fakes.place.folder().join(".agon/journal.jsonl");
        let lines = fs::read_to_string(&journal).unwrap();
        let (older, last) = lines.trim_end().rsplit_once('\n').unwrap();
        let newer = last.replacen("{\"v\":1,", "{\"v\":2,", 1);
        assert_ne!(last, newer);
        fs::write(&journal, format!("{older}\n{newer}\n")).unwrap();
        let (before, asks) = (Tree::of(&fakes.place.folder()), fakes.asks());

        let refused = fakes.resume();
        assert_eq!(refused.code, Some(6), "{refused:#?}");
        assert!(refused.stdout.contains("format 2"), "{refused:#?}");
        let shown = fakes.place.run(&["show", "s"]);
        assert_eq!(shown.code, Some(0), "{shown:#?}");
        assert!(shown.stderr.contains("format 2"), "{shown:#?}");
        assert!(before.same_but_for(&Tree::of(&fakes.place.folder()), &[".agon/lock"]));
        assert_eq!(fakes.asks(), asks);
    }
}
