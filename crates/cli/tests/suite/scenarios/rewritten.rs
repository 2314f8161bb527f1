//! A record that somebody rewrites while the debate is under way.

use std::fs;

use agon_testkit::Behaviour;

use crate::scenarios::place::{Fakes, debate};
use crate::support::Running;

#[test]
fn a_journal_that_is_rewritten_at_its_length_ends_the_run_and_stays_as_it_is() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("codex", "r1.cha", Behaviour::Slow(2_000));
    let running = Running::start(fakes.place.command(&debate(&[])));
    let asked = || fakes.asks().contains(&"r1.cha#0".to_owned());
    running.until("the challenger is asked", asked);
    let folder = fakes.place.folder();
    let journal = folder.join(".agon/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let other = text.replace("SQLite", "SQLITE");
    assert_eq!(other.len(), text.len());
    fs::write(&journal, &other).unwrap();
    let ran = running.end();
    assert_eq!(ran.ended(), (Some(6), "store".to_owned()), "{}", ran.stderr);
    let said = &ran.json()["error"]["message"];
    assert!(
        said.to_string().contains("cannot write the journal"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&journal).unwrap(), other);
    assert!(!folder.join("verdict.json").exists());
}
